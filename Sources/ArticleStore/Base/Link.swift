import CacheCore
import FeedModel
import Foundation
import GRDB

/// The page that an article leads to, which identifies a story.
package enum Link {
  /// Returns an even hash of the canonical address. For a front page, which several items may
  /// share, returns an odd hash of address and title, and without an address of the whole item.
  package static func hash(url: String?, title: String, fingerprint: Int64) -> Int64 {
    guard let url else { return Fingerprint.identity("\(fingerprint)\n\(title)") | 1 }
    if let canonical = WebAddress(url).canonical { return Fingerprint.identity(canonical) & ~1 }
    return Fingerprint.identity(url + "\n" + title) | 1
  }

  /// Returns true if the link identifies a story, which several feeds may contain.
  package static func isStory(_ link: Int64) -> Bool { link & 1 == 0 }

  /// Returns the hash of address and title, for tombstones.
  package static func likeness(_ link: Int64, title: String) -> Int64 {
    Int64(bitPattern: XXH64.hash(title, seed: UInt64(bitPattern: link)))
  }

  /// `weir_likeness(link, title)`, for tombstones.
  static let likenessFunction = DatabaseFunction(
    "weir_likeness", argumentCount: 2, pure: true
  ) { values in
    likeness(
      Int64.fromDatabaseValue(values[0]) ?? 0, title: String.fromDatabaseValue(values[1]) ?? "")
  }
}
