import FeedModel

/// 64-bit hashes that are equal in every process and version (`XXH64`). Not for secrets; a
/// publisher whose items collide loses one of them.
package enum Fingerprint {
  /// Hash of an item's ID, which identifies an article together with its feed.
  package static func identity(_ id: String) -> Int64 {
    Int64(bitPattern: XXH64.hash(id, seed: 0))
  }
}
