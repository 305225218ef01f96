import Foundation

/// Computes MD5 (RFC 1321) for Fever's key, the digest of `user:password`. MD5 is not secure.
enum MD5 {
  private static let shifts: [[UInt32]] = [
    [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
  ]
  private static let sines: [UInt32] = (0..<64).map {
    UInt32(abs(sin(Double($0 + 1))) * 4_294_967_296)
  }

  /// Returns 32 hexadecimal digits.
  static func hex(_ text: String) -> String {
    var bytes = Array(text.utf8)
    let bits = UInt64(bytes.count) * 8
    bytes.append(0x80)
    bytes += [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64)
    for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * UInt64(shift)))) }

    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    for start in stride(from: 0, to: bytes.count, by: 64) {
      let words = (0..<16).map { word in
        (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + word * 4 + $1]) << (8 * UInt32($1)) }
      }
      digest(words, into: &state)
    }
    return state.map { word in
      let digits = String(word.byteSwapped, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }
    .joined()
  }

  private static func digest(_ words: [UInt32], into state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let round = step / 16
      let mix: UInt32
      let word: Int
      switch round {
      case 0: (mix, word) = ((b & c) | (~b & d), step)
      case 1: (mix, word) = ((d & b) | (~d & c), (5 * step + 1) % 16)
      case 2: (mix, word) = (b ^ c ^ d, (3 * step + 5) % 16)
      default: (mix, word) = (c ^ (b | ~d), (7 * step) % 16)
      }
      let sum = a &+ mix &+ sines[step] &+ words[word]
      let shift = shifts[round][step % 4]
      (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
    }
    state = [state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d]
  }
}
