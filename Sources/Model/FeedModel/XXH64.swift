import CXXHash

/// XXH64, a hash that is equal in every process and version. Not for secrets.
package enum XXH64 {
  package static func hash(_ text: String, seed: UInt64) -> UInt64 {
    var text = text
    return text.withUTF8 { hash(UnsafeRawBufferPointer($0), seed: seed) }
  }

  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    weir_xxh64(bytes.baseAddress, bytes.count, seed)
  }

  // Constants of the algorithm, for combined hashes.
  package static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  package static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  package static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5
}
