/// Base64 (RFC 4648, section 4) for the clipboard and pictures, without Foundation.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns ASCII with padding, without line ends.
  package static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let input = Array(bytes)
    var out: [UInt8] = []
    out.reserveCapacity((input.count + 2) / 3 * 4)
    alphabet.withUnsafeBufferPointer { alphabet in
      var index = 0
      while index < input.count {
        let count = min(3, input.count - index)
        var group = UInt32(input[index]) << 16
        if count > 1 { group |= UInt32(input[index + 1]) << 8 }
        if count > 2 { group |= UInt32(input[index + 2]) }
        for digit in 0...count { out.append(alphabet[Int(group >> (18 - 6 * UInt32(digit))) & 63]) }
        for _ in count..<3 { out.append(UInt8(ascii: "=")) }
        index += 3
      }
    }
    return out
  }
}
