@testable import FolderStore

/// A cache that shares a folder, whose files are in memory.
final class FolderDevice {
  let cache: TestCache
  let id: DeviceID
  var folder: SharedFolderCache { cache.store.reader.sharedFolder }
  var reader: ReaderCache { cache.store.reader }
  /// The files that this device wrote.
  private(set) var files: [SegmentName: [UInt8]] = [:]
  /// The reason of a value that this cache refused.
  private(set) var refusal: StoreError.Detail?

  init(_ number: UInt64) throws {
    cache = try TestCache()
    id = DeviceID(rawValue: number)
  }

  func begin(with others: [FolderDevice] = []) async throws {
    try await folder.begin(
      path: "/folder", mark: "1", device: id, name: "device \(id.rawValue)", machine: 1)
    for other in others { try await receive(from: other) }
  }

  func join(_ others: [FolderDevice] = [], _ mode: OnboardingPlan.Mode = .merge) async throws {
    try await begin(with: others)
    try await folder.join(mode)
    try await flush()
  }

  /// Writes a file of all acts since the last one.
  func flush() async throws {
    let entries = try await folder.unsent(limit: 10_000)
    guard !entries.isEmpty else { return }
    let file = SegmentWriter.file(
      entries, of: id, named: "device \(id.rawValue)", try folder.report())
    try await folder.willWrite(file.name)
    files[file.name] = file.bytes
    try await folder.didWrite([file.name])
    try await flush()
  }

  /// Reads the files of another device that were not read.
  func receive(from other: FolderDevice) async throws {
    let known = try folder.devices().first { $0.id == other.id }
    for (name, bytes) in other.files.sorted(by: {
      $0.key.range.lowerBound < $1.key.range.lowerBound
    }) {
      let until = known?.refused[name.text]?.until
      let isDue = until.map { $0 <= cache.clock.now.milliseconds }
      guard isDue ?? known?.progress.needs(name) ?? true else { continue }
      var segment = try SegmentReader(bytes, named: name, of: other.id)
      var entries: [Entry] = []
      while let next = segment.next() {
        if case .success(let entry) = next { entries.append(entry) }
      }
      var reception = Reception()
      reception.begin(named: segment.deviceName)
      reception = try await folder.receive(entries, from: other.id, reception)
      refusal = refusal ?? reception.refusal
      while try await folder.advance() {}
      let late = reception.until.map { DeviceProblem(kind: .ahead, file: name.text, until: $0) }
      try await folder.received(
        name, of: other.id, named: segment.deviceName, segment.report, late: late)
    }
  }

  /// Returns the subscriptions as lines: address, name, folder.
  func subscriptions() throws -> [String] {
    let all = try reader.feeds.subscriptions()
    let titles = Dictionary(uniqueKeysWithValues: all.folders.map { ($0.id, $0.title) })
    return all.feeds.map { feed in
      "\(feed.url) \(feed.name) \(feed.folder.flatMap { titles[$0] } ?? "-")"
    }.sorted()
  }

  /// Returns the articles as lines: feed, title, state, tags.
  func articles() throws -> [String] {
    let all = try reader.feeds.subscriptions()
    return try all.feeds.flatMap { feed in
      try cache.all(ArticleQuery(scope: .feed(feed.id))).map { row in
        let tags = try reader.states.tags(of: [row.id]).joined(separator: ",")
        return
          "\(feed.url) \(row.title) \(row.status.isRead ? "r" : "-")\(row.status.isStarred ? "s" : "-") \(tags)"
      }
    }.sorted()
  }

  func positions() throws -> [String] {
    try reader.feeds.subscriptions().feeds.flatMap { feed in
      try cache.all(ArticleQuery(scope: .feed(feed.id))).map { row in
        "\(row.title) \(try reader.plan.readingPosition(row.id)?.block ?? -1)"
      }
    }.sorted()
  }

  var search: SearchCache { cache.store.search }

  func searches() throws -> [String] {
    try reader.feeds.subscriptions().searches.map { "\($0.name) \($0.query)" }.sorted()
  }

  /// The last parts of the feeds' addresses in the order of the list.
  func order() throws -> [String] {
    try reader.feeds.subscriptions().feeds.map { String($0.url.split(separator: "/").last ?? "") }
  }

  /// The folders and feeds of each folder in their order.
  func arrangement() throws -> [String] {
    let all = try reader.feeds.subscriptions()
    let titles = Dictionary(uniqueKeysWithValues: all.folders.map { ($0.id, $0.title) })
    func place(_ parent: FolderID?) -> String { parent.flatMap { titles[$0] } ?? "" }
    let rows =
      all.folders.map { (place($0.parent), $0.title) }
      + all.feeds.map { (place($0.folder), $0.url) }
    return Dictionary(grouping: rows, by: \.0).sorted { $0.key < $1.key }.flatMap { parent, rows in
      rows.map { "\(parent)/\($0.1)" }
    }
  }

  func rules() throws -> [String] {
    try reader.rules.all().map { rule in
      "\(rule.draft.name) \(rule.draft.query) \(RuleAction.text(rule.draft.actions)) "
        + (rule.isEnabled ? "on" : "off")
    }.sorted()
  }

  func digest() throws -> StateDigest? { try folder.folder()?.digest }

  func article(_ title: String) throws -> ArticleID {
    guard let row = try cache.all(ArticleQuery(scope: .all)).first(where: { $0.title == title })
    else { throw StoreError.notFound }
    return row.id
  }
}

/// Lets all devices write and read until none has anything new.
func exchange(_ devices: [FolderDevice]) async throws {
  for _ in 0..<4 {
    for device in devices { try await device.flush() }
    for device in devices {
      for other in devices where other.id != device.id { try await device.receive(from: other) }
    }
  }
}

/// A suite whose tests have two devices that share a folder, with the feed "a" and three articles
/// of it.
class PairSuite {
  let laptop: FolderDevice
  let desk: FolderDevice
  let feeds: [FeedID]

  init() async throws {
    (laptop, desk) = (try FolderDevice(1), try FolderDevice(2))
    var feeds: [FeedID] = []
    for device in [laptop, desk] {
      feeds.append(try await device.cache.feed("a", folder: ["News"]))
      try await device.cache.merge(feeds[feeds.count - 1], SharedFolderTests.items(1...3))
    }
    self.feeds = feeds
    try await laptop.join()
    try await desk.join([laptop])
    try await exchange([laptop, desk])
  }
}
