import FeedModel

/// Recognises a body that was seen before: XXH64 and the length. Not a seal against forgers:
/// whoever can forge a feed's body can change the feed anyway.
///
/// Caches of earlier versions hold other hashes, 32 digits long, which equal none of these: such a
/// feed is parsed once more, and as its articles have not changed none of them is written.
enum BodyHash {
  static func of(_ bytes: [UInt8]) -> String {
    let hash = bytes.withUnsafeBytes { XXH64.hash($0, seed: 0) }
    return "\(String(hash, radix: 16))-\(String(bytes.count, radix: 16))"
  }
}
