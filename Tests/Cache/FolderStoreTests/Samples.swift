/// Values that many tests use.
enum Samples {
  static let laptop = DeviceID(rawValue: 0x9b1e_2c77_40d3_aa51)
  static let desk = DeviceID(rawValue: 0xe07c_0000_0000_0001)
  static let feed = FeedKey(rawValue: 0x8c1d_0000_0000_0001)
  static let other = FeedKey(rawValue: 0x8c1d_0000_0000_0002)
  static let time: Int64 = 1_767_323_045_000

  static func article(_ item: UInt64, link: UInt64? = nil) -> ArticleIdentity {
    ArticleIdentity(item: item, link: link)
  }

  static func entry(
    _ number: UInt64 = 1, at milliseconds: Int64 = time, _ subject: Entry.Subject, _ field: Field,
    _ value: JSONValue = .integer(1), rest: [String: JSONValue] = [:]
  ) -> Entry {
    Entry(
      number: number, time: Timestamp(milliseconds: milliseconds), subject: subject, field: field,
      value: value, rest: rest)
  }

  static func subscription(
    _ number: UInt64 = 1, at milliseconds: Int64 = time, _ feed: FeedKey, _ url: String,
    isOn: Bool = true
  ) -> Entry {
    entry(
      number, at: milliseconds, .feed(feed), .subscribed, .integer(isOn ? 1 : 0),
      rest: ["url": .string(url), "title": .string("A feed")])
  }

  static func read(
    _ number: UInt64 = 1, at milliseconds: Int64 = time, _ articles: [ArticleIdentity],
    of feed: FeedKey = feed, isOn: Bool = true
  ) -> Entry {
    entry(number, at: milliseconds, .articles(feed, articles), .read, .integer(isOn ? 1 : 0))
  }

  /// Returns all entries of a file, without the rejected.
  static func entries(
    _ bytes: [UInt8], named name: SegmentName, of device: DeviceID
  ) throws(SegmentProblem) -> [Entry] {
    var reader = try SegmentReader(bytes, named: name, of: device)
    var entries: [Entry] = []
    while let next = reader.next() { if case .success(let entry) = next { entries.append(entry) } }
    return entries
  }
}
