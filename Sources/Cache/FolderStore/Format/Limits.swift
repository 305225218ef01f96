/// Limits of the format. A writer keeps them; a reader ignores what exceeds them.
package enum Limits {
  package static let devices = 16
  package static let feeds = 10_000
  /// Values of saved searches, rules and orders.
  package static let objects = 10_000
  /// Keys of a feed.
  package static let keys = 8
  package static let states = 1_000_000
  /// Bytes of a file of new entries.
  package static let segment = 256 * 1_024
  /// Bytes of a compacted file.
  package static let compacted = 64 * 1_024 * 1_024
  /// Bytes of a line.
  package static let line = 64 * 1_024
  /// Articles of an entry, few enough to merge in a few milliseconds.
  package static let articles = 500
  /// Feeds that the order of a folder lists; further feeds follow them.
  package static let ordered = 2_500
  /// Bytes of an address or a query.
  package static let address = 4_096
  /// Bytes of a title or name.
  package static let name = 1_000
  /// Bytes of a tag or of a folder's title.
  package static let title = 200
  /// Folders around a feed.
  package static let depth = 8
  /// Bytes of a value that this version does not know, and of all unknown members of an entry.
  package static let unknown = 8_192
  /// The highest number of an entry.
  package static let number: UInt64 = 999_999_999_999
  /// Files of a device; of more, the compacted and the newest ones are read.
  package static let files = 1_000
  /// Milliseconds that the time of an entry may be ahead of the reader's clock. Entries up to
  /// `ignored` ahead wait for their time; later ones are ignored.
  package static let ahead: Int64 = 86_400_000
  package static let ignored: Int64 = 366 * 86_400_000
  /// The age in milliseconds up to which onboarding exports read articles. Starred and tagged
  /// articles are always exported.
  package static let exported: Int64 = 180 * 86_400_000
}
