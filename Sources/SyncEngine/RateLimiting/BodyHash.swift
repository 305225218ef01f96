/// Recognises a body that was seen before: FNV-1a of 128 bits. Not a seal against forgers: whoever
/// can forge a feed's body can change the feed anyway.
enum BodyHash {
  static func of(_ bytes: [UInt8]) -> String {
    let prime: UInt128 = (1 << 88) | 0x13B
    var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
    for byte in bytes {
      hash ^= UInt128(byte)
      hash = hash &* prime
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: max(0, 32 - digits.count)) + digits
  }
}
