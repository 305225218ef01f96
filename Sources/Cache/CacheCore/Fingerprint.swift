/// 64-bit hashes that are equal in every process and version (`XXH64`). Not for secrets. If two
/// items of a feed collide, one of them is lost.
package enum Fingerprint {
  /// Returns the hash of an item's ID, which identifies an article within its feed.
  package static func identity(_ id: String) -> Int64 {
    Int64(bitPattern: XXH64.hash(id, seed: 0))
  }
}
