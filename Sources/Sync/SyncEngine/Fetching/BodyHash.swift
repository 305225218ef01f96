import FeedModel

/// Recognises a known body by XXH64 and length. Does not protect against forgers, who could change
/// the feed anyway.
///
/// Hashes that earlier versions stored do not match; the feed is then parsed again, which changes
/// no article.
enum BodyHash {
  static func of(_ bytes: [UInt8]) -> String {
    let hash = bytes.withUnsafeBytes { XXH64.hash($0, seed: 0) }
    return "\(String(hash, radix: 16))-\(String(bytes.count, radix: 16))"
  }
}
