/// A device with its copy of the folder, which other devices' files reach in any order.
struct SimulatedDevice {
  private(set) var id: DeviceID
  var author: EntryAuthor
  var state = MergedState()
  var progress: [DeviceID: DeviceProgress] = [:]
  /// All own entries since the last compaction, with its own.
  var own: [Entry] = []
  var unsent: [Entry] = []
  /// The files of each device in this copy of the folder.
  var files: [DeviceID: [SegmentName: [UInt8]]] = [:]
  var compacted: (name: SegmentName, at: Int64)?
  /// The names of all own files.
  private var names: Set<SegmentName> = []
  /// Milliseconds by which the wall clock is wrong.
  var clockError: Int64 = 0

  init(_ id: DeviceID) {
    self.id = id
    author = EntryAuthor(device: id, lastNumber: 0, clock: HybridClock(last: .onboarding))
  }

  var report: ProgressReport {
    let isWhole = progress.values.allSatisfy(\.gaps.isEmpty)
    return ProgressReport(
      have: progress.mapValues(\.contiguous), digest: isWhole ? state.digest : nil)
  }

  mutating func addEntry(
    _ field: Field, of subject: Entry.Subject, _ value: JSONValue, rest: [String: JSONValue] = [:],
    at now: Int64
  ) throws -> Entry {
    let current: Register? =
      switch subject {
      case .feed(let feed): state.newest(field, of: feed)
      case .articles(let feed, let articles):
        articles.compactMap { state.newest(field, of: $0, in: feed) { _ in false } }
          .max { $0.stamp < $1.stamp }
      case .object(let object): state.registers[RegisterKey(.object(object), field)]
      case .none: nil
      }
    let entry = try author.nextEntry(
      field, of: subject, value, rest: rest, wall: now + clockError, after: current?.stamp.time)
    state.merge(entry, from: id)
    own.append(entry)
    unsent.append(entry)
    return entry
  }

  mutating func flush() {
    guard !unsent.isEmpty else { return }
    let file = SegmentWriter.file(unsent, of: id, named: "device", report)
    files[id, default: [:]][file.name] = file.bytes
    names.insert(file.name)
    unsent.removeFirst(file.name.range.count)
  }

  mutating func compact(at now: Int64) {
    guard let last = own.last?.number, unsent.isEmpty else { return }
    own = Compaction.newest(own, of: id)
    let file = SegmentWriter.file(own, compacted: last, of: id, named: "device", report)
    files[id, default: [:]][file.name] = file.bytes
    names.insert(file.name)
    compacted = (file.name, now)
  }

  mutating func removeReplaced(at now: Int64) {
    guard let compacted else { return }
    let names = Array((files[id] ?? [:]).keys)
    for name in Compaction.replaced(by: compacted.name, age: now - compacted.at, among: names) {
      files[id]?[name] = nil
    }
  }

  /// Takes a new ID if the folder has files of this device that it did not write.
  mutating func checkIdentity() {
    let found = Array((files[id] ?? [:]).keys)
    let identity = OwnIdentity(machine: (stored: 1, now: 1), found: found, written: names)
    guard identity == .restored else { return }
    id = DeviceID(rawValue: id.rawValue + 100)
    (author, own) = author.renewed(as: id, own: own)
    for entry in own { state.merge(entry, from: id) }
    (unsent, names, compacted) = (own, [], nil)
  }

  /// Reads the files that have entries which are new here.
  /// - Parameter decode: returns the entries of a complete file.
  mutating func read(at now: Int64, _ decode: (DeviceID, SegmentName, [UInt8]) -> [Entry]?) {
    for (device, files) in files.sorted(by: { $0.key < $1.key }) where device != id {
      // The order of the hashes is any order, and the same in every run.
      for (name, bytes) in files.sorted(by: { $0.key.hash < $1.key.hash })
      where progress[device]?.needs(name) ?? true {
        guard let entries = decode(device, name, bytes) else { continue }
        for entry in entries {
          state.merge(entry, from: device)
          author.clock.observe(entry.latest, wall: now + clockError)
        }
        progress[device, default: DeviceProgress()].receive(name)
      }
    }
  }
}

/// Four devices, and a carrier that delivers their files late, twice, truncated or never.
struct SimulatedFolder {
  static let deviceCount = 4
  private static let addresses = (0..<4).map { "https://\($0).example/feed" }
  static let keys = addresses.map { FeedKey(address: $0) }
  private static let moved = ["https://moved.example/a", "https://moved.example/b"]
  private static let hour: Int64 = 3_600_000

  private(set) var devices = (1...UInt64(deviceCount)).map {
    SimulatedDevice(DeviceID(rawValue: $0))
  }
  /// Every entry that was ever written.
  private(set) var written: [(entry: Entry, device: DeviceID)] = []
  private var backups: [Int: SimulatedDevice] = [:]
  private let restoresBackups: Bool
  private var lost: [(holder: Int, device: DeviceID, name: SegmentName, bytes: [UInt8])] = []
  private var decoded: [SegmentName: (entries: [Entry], size: Int)] = [:]
  private var now: Int64 = 1_750_000_000_000
  private var random: SeededRandom

  init(seed: UInt64, restoresBackups: Bool) {
    random = SeededRandom(seed: seed)
    self.restoresBackups = restoresBackups
  }

  mutating func run(steps: Int) throws {
    for index in devices.indices { devices[index].clockError = clockError() }
    for _ in 0..<steps {
      now += .random(in: 0...(6 * Self.hour), using: &random)
      let index = Int.random(in: devices.indices, using: &random)
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<40: try act(index)
      case 40..<55: devices[index].flush()
      case 55..<60: devices[index].compact(at: now)
      case 60..<65: devices[index].removeReplaced(at: now)
      case 65..<90: deliver(to: index)
      case 90..<96: lose(from: index)
      case 96: devices[index].clockError = clockError()
      case 97: backups[index] = devices[index]
      case 98: if restoresBackups { devices[index] = backups[index] ?? devices[index] }
      default: restore()
      }
    }
  }

  /// Up to three days fast or slow.
  private mutating func clockError() -> Int64 {
    .random(in: (-72 * Self.hour)...(72 * Self.hour), using: &random)
  }

  static func article(_ story: UInt64, on index: Int) -> ArticleIdentity {
    // The publisher changed the IDs before half of the devices saw the article.
    ArticleIdentity(item: story * 10 + UInt64(index % 2), link: 1_000 + story)
  }

  private mutating func act(_ index: Int) throws {
    let feed = Int.random(in: 0..<4, using: &random)
    let key = Self.keys[feed]
    let flag = JSONValue.integer(.random(in: 0...1, using: &random))
    let stories = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      UInt64.random(in: 1...5, using: &random)
    }
    let articles = Entry.Subject.articles(
      key, Set(stories).sorted().map { Self.article($0, on: index) })
    let number = JSONValue.integer(.random(in: 0...99, using: &random))
    let (field, subject, value): (Field, Entry.Subject, JSONValue) =
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1: (.subscribed, .feed(key), flag)
      case 2: (.name, .feed(key), .string("name"))
      case 3: (.folder, .feed(key), .array([.string("A")]))
      case 4: (.url, .feed(key), .string(Self.moved.randomElement(using: &random) ?? ""))
      case 5: (.tag("x"), .feed(key), flag)
      case 6: (.starred, articles, flag)
      case 7: (.position, articles, .array([number, .integer(100)]))
      case 8:
        (.rule, .object(ObjectID(rawValue: 1)), .object(["query": .string("q"), "n": number]))
      case 9: (Field(rawValue: "new"), .feed(key), number)
      default: (.read, articles, flag)
      }
    let rest = field == .subscribed ? ["url": JSONValue.string(Self.addresses[feed])] : [:]
    try add(devices[index].addEntry(field, of: subject, value, rest: rest, at: now), index)
  }

  private mutating func add(_ entry: Entry, _ index: Int) {
    written.append((entry, devices[index].id))
  }

  private mutating func deliver(to index: Int) {
    let source = Int.random(in: devices.indices, using: &random)
    let held = devices[source].files.keys.sorted()
    guard let device = held.randomElement(using: &random) else { return }
    let names = (devices[source].files[device] ?? [:]).keys.sorted { $0.text < $1.text }
    guard let name = names.randomElement(using: &random),
      let bytes = devices[source].files[device]?[name]
    else { return }
    let isWhole = Int.random(in: 0..<4, using: &random) > 0
    let count = isWhole ? bytes.count : .random(in: 0...bytes.count, using: &random)
    guard count > devices[index].files[device]?[name]?.count ?? 0 else { return }
    devices[index].files[device, default: [:]][name] = Array(bytes.prefix(count))
    devices[index].checkIdentity()
    read(index)
  }

  private mutating func read(_ index: Int) {
    var decoded = decoded
    devices[index].read(at: now) { device, name, bytes in
      if let known = decoded[name], known.size == bytes.count { return known.entries }
      let entries = try? Samples.entries(bytes, named: name, of: device)
      if let entries { decoded[name] = (entries, bytes.count) }
      return entries
    }
    self.decoded = decoded
  }

  private mutating func lose(from index: Int) {
    let device = devices[Int.random(in: devices.indices, using: &random)].id
    let names = (devices[index].files[device] ?? [:]).keys.sorted { $0.text < $1.text }
    guard let name = names.randomElement(using: &random) else { return }
    if let bytes = devices[index].files[device]?.removeValue(forKey: name) {
      lost.append((index, device, name, bytes))
    }
  }

  private mutating func restore() {
    guard let file = lost.popLast() else { return }
    devices[file.holder].files[file.device, default: [:]][file.name] = file.bytes
  }

  /// Returns all files that any device has.
  func allFiles() -> [DeviceID: [SegmentName: [UInt8]]] {
    var files: [DeviceID: [SegmentName: [UInt8]]] = [:]
    for copy in devices.map(\.files) {
      for (device, copies) in copy {
        // The longest copy is not truncated.
        files[device, default: [:]].merge(copies) { $0.count > $1.count ? $0 : $1 }
      }
    }
    return files
  }

  /// Delivers every file to every device until no device has anything to add.
  mutating func deliverAll() throws {
    while !lost.isEmpty { restore() }
    for _ in 0..<10 {
      for index in devices.indices { devices[index].flush() }
      let files = allFiles()
      var isStable = true
      for index in devices.indices {
        let id = devices[index].id
        devices[index].files = files
        devices[index].checkIdentity()
        isStable = isStable && devices[index].id == id
        read(index)
      }
      for index in devices.indices {
        for (key, older) in devices[index].state.missingAliases().sorted(by: { $0.key < $1.key }) {
          isStable = false
          try add(
            devices[index].addEntry(.alias, of: .feed(key), .string(older.text), at: now), index)
        }
      }
      if isStable { return }
    }
  }
}
