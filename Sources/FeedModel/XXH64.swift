/// XXH64, from its published specification (github.com/Cyan4973/xxHash, doc/xxhash_spec.md): a hash
/// that means the same in every process and version. Not for secrets.
package enum XXH64 {
  package static func hash(_ text: String, seed: UInt64) -> UInt64 {
    var text = text
    return text.withUTF8 { hash(UnsafeRawBufferPointer($0), seed: seed) }
  }

  package static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  package static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  package static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  package static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  package static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
    value &<< bits | value &>> (64 - bits)
  }

  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotate(lane &+ input &* prime2, 31) &* prime1
  }

  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    func word(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    let count = bytes.count
    var offset = 0
    var value: UInt64
    if count >= 32 {
      var lanes = (seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1)
      while offset + 32 <= count {
        lanes.0 = round(lanes.0, word(offset))
        lanes.1 = round(lanes.1, word(offset + 8))
        lanes.2 = round(lanes.2, word(offset + 16))
        lanes.3 = round(lanes.3, word(offset + 24))
        offset += 32
      }
      value =
        rotate(lanes.0, 1) &+ rotate(lanes.1, 7) &+ rotate(lanes.2, 12) &+ rotate(lanes.3, 18)
      for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
        value = (value ^ round(0, lane)) &* prime1 &+ prime4
      }
    } else {
      value = seed &+ prime5
    }
    value = value &+ UInt64(count)
    while offset + 8 <= count {
      value = rotate(value ^ round(0, word(offset)), 27) &* prime1 &+ prime4
      offset += 8
    }
    if offset + 4 <= count {
      let half = UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      value = rotate(value ^ UInt64(half) &* prime1, 23) &* prime2 &+ prime3
      offset += 4
    }
    while offset < count {
      value = rotate(value ^ UInt64(bytes[offset]) &* prime5, 11) &* prime1
      offset += 1
    }
    value = (value ^ value &>> 33) &* prime2
    value = (value ^ value &>> 29) &* prime3
    return value ^ value &>> 32
  }
}
