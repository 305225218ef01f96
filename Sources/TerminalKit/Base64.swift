/// RFC 4648, section 4: for OSC 52. (Foundation has it; a terminal needs no Foundation.)
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".unicodeScalars)

  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    var group: UInt32 = 0
    var count = 0
    func emit(_ digits: Int) {
      for digit in 0..<digits { text.append(alphabet[Int(group >> (18 - 6 * UInt32(digit))) & 63]) }
    }
    for byte in bytes {
      group |= UInt32(byte) << (16 - 8 * UInt32(count))
      count += 1
      if count == 3 {
        emit(4)
        (group, count) = (0, 0)
      }
    }
    if count > 0 {
      emit(count + 1)
      for _ in count..<3 { text.append("=") }
    }
    return String(text)
  }
}
