import Foundation
package import GRDB

/// The hash of an article's link, by which duplicates are found.
package enum Link {
  /// Returns an even hash of the canonical address. For a front page, which several items may
  /// share, returns an odd hash of address and title. For an item without an address, returns an
  /// odd hash of the whole item.
  ///
  /// The upper 16 bits are a hash of the host, so that the links of a feed are neighbours in the
  /// index: a merge changes one or two pages of it instead of one for each article.
  package static func hash(url: String?, title: String, fingerprint: Int64) -> Int64 {
    guard let url else { return hash("\(fingerprint)\n\(title)", host: "") | 1 }
    guard let canonical = WebAddress(url).canonical else {
      return hash(url + "\n" + title, host: url) | 1
    }
    let host = canonical.utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    return hash(canonical, host: String(Substring(host))) & ~1
  }

  private static func hash(_ text: String, host: String) -> Int64 {
    let hostBits = Int64(0xFFFF) << 48
    return Fingerprint.identity(host) & hostBits | Fingerprint.identity(text) & ~hostBits
  }

  /// Articles of other feeds with the same identifying link are duplicates.
  package static func isIdentifying(_ link: Int64) -> Bool { link & 1 == 0 }

  /// Returns the hash of what identifies an item under another ID, for tombstones: title and date,
  /// or address, title and date if the date gives no time.
  package static func similarityHash(_ link: Int64, title: String, date: Int64?) -> Int64 {
    let second = date.map { $0 / 1_000 } ?? -1
    let place = date == nil || second % 86_400 == 0 ? link : 0
    let seed = UInt64(bitPattern: place) ^ UInt64(bitPattern: second) &* XXH64.prime1
    return Int64(bitPattern: XXH64.hash(title, seed: seed))
  }

  /// `weir_likeness(link, title, date)`, for tombstones.
  static let similarityHashFunction = DatabaseFunction(
    "weir_likeness", argumentCount: 3, pure: true
  ) { values in
    similarityHash(
      Int64.fromDatabaseValue(values[0]) ?? 0, title: String.fromDatabaseValue(values[1]) ?? "",
      date: Int64.fromDatabaseValue(values[2]))
  }
}

extension SQLText {
  /// The functions that the statements of the stores call.
  package static let functions = [plainAddress, TextMatch.lower, Link.similarityHashFunction]
}
