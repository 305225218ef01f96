/// A short hash that identifies items without an identity, or with an overlong one. 128-bit FNV-1a
/// (draft-eastlake-fnv), stable across runs and machines unlike Swift's hashing. Collisions can
/// affect only the feed that forges them.
struct Digest {
  private var state: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

  mutating func add(_ text: String?) {
    for byte in (text ?? "").utf8 { add(byte) }
    add(0)
  }

  private mutating func add(_ byte: UInt8) {
    state ^= UInt128(byte)
    state &*= 0x0000_0000_0100_0000_0000_0000_0000_013B
  }

  /// The hash as 32 hexadecimal digits.
  var text: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}
