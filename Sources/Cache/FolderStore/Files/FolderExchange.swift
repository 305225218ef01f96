import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads the files of other devices from the shared folder, and writes those of this one. Opens no
/// connection: another program carries the folder to the other devices.
package struct FolderExchange: Sendable {
  /// The largest number of articles and other subjects that one transaction merges: few enough that
  /// no key press has to wait.
  private static let step = 200
  /// The number of incomplete files of a device after which its other files are left for the next
  /// exchange.
  private static let mostIncomplete = 10
  /// The largest number of entries that are read to fill one file.
  private static let mostEntries = 2_000

  private let folder: SharedFolderCache
  private let machine: UInt64

  /// - Parameter machine: a number that no other machine has.
  package init(_ folder: SharedFolderCache, machine: UInt64 = Self.thisMachine()) {
    (self.folder, self.machine) = (folder, machine)
  }

  /// Returns the hash of the machine's ID or, without one, of its name.
  package static func thisMachine() -> UInt64 {
    let id = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)
    return FeedKey(address: id ?? machineName()).rawValue
  }

  private static func machineName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "device" }
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return bytes.isEmpty ? "device" : String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Joining

  /// Reads a folder for a preview of the changes that onboarding would make. Creates the shared
  /// folder if it does not exist. Applies nothing.
  package func begin(path: String) async throws {
    let mark = try FolderFiles(path: path).makeMark()
    try await folder.begin(
      path: path, mark: mark, device: DeviceID(rawValue: .random(in: 1...UInt64.max >> 1)),
      name: Self.machineName(), machine: machine)
    if let problem = try await run(waits: true) { throw problem }
  }

  /// Joins a folder. If there is a problem, or `choose` returns `nil`, this machine shares no
  /// folder afterwards.
  /// - Parameters:
  ///   - choose: receives the plan for a merge, and returns the mode; `nil` to leave the folder.
  ///   - backup: called before the first change.
  /// - Returns: the plan that was carried out; `nil` without a choice.
  package func join(
    path: String, choose: (OnboardingPlan) async throws -> OnboardingPlan.Mode?,
    backup: () throws -> Void = {}
  ) async throws -> OnboardingPlan? {
    do {
      try await begin(path: path)
      guard let mode = try await choose(folder.onboardingPlan(.merge)) else {
        try await folder.end()
        return nil
      }
      let plan = try folder.onboardingPlan(mode)
      try backup()
      try await folder.join(mode)
      return plan
    } catch {
      try await folder.end()
      throw error
    }
  }

  // MARK: Exchanging

  /// Exchanges entries with the folder, if there is one. Entries that cannot be written wait.
  /// - Parameters:
  ///   - writes: false to leave own entries for a later file.
  ///   - waits: true to wait for another process that exchanges for the same cache.
  /// - Returns: the reason that the exchange is paused; `nil` if it succeeded, or if another
  ///   process exchanges.
  @discardableResult
  package func run(
    writes: Bool = true, waits: Bool = false
  ) async throws(StoreError) -> FolderProblem? {
    var lock = ExchangeLock(beside: folder.database.path)
    while lock == nil, waits, (try? await Task.sleep(for: .milliseconds(20))) != nil {
      lock = ExchangeLock(beside: folder.database.path)
    }
    guard let lock else { return nil }
    defer { lock.release() }
    var problem: FolderProblem?
    do {
      try await advance()
      guard let row = try folder.folder() else { return nil }
      let files = FolderFiles(path: row.path)
      guard try files.mark() == row.mark else { throw FolderProblem.otherFolder }
      try await checkIdentity(row, files)
      try await read(files)
      if writes { try await write(files) }
      if try lacksFiles(files) { problem = .filesMissing }
    } catch let found as FolderProblem {
      problem = found
    } catch let error as StoreError {
      throw error
    } catch {
      return nil  // Cancelled.
    }
    try await folder.setOutcome(problem)
    return problem
  }

  /// Watches the folder that this device shares now, if there is one.
  package func add(to watch: FolderWatch) throws(StoreError) {
    guard let row = try folder.folder() else { return }
    watch.add(FolderFiles(path: row.path).directories(except: row.device))
  }

  /// Writes pending entries and merges pending articles, in short transactions.
  private func advance() async throws {
    while try await folder.advance() { try Task.checkCancellation() }
  }

  /// Returns true if files that this device wrote, and that no compacted file replaces, are gone.
  private func lacksFiles(_ files: FolderFiles) throws -> Bool {
    guard let row = try folder.folder(), row.isJoined else { return false }
    var progress = DeviceProgress()
    for file in try files.files(of: row.device) { progress.receive(file) }
    return try progress.contiguous < folder.lastWritten()
  }

  /// Takes a new ID if the cache was copied to another machine, or is older than its files.
  private func checkIdentity(_ row: FolderRow, _ files: FolderFiles) async throws {
    let found = try files.files(of: row.device)
    let identity = OwnIdentity(
      machine: (stored: row.machine, now: machine), found: found, written: try folder.written())
    guard identity != .valid else {
      // A file whose entries still wait was written just before the program was killed.
      if try folder.waiting() > 0 { try await folder.didWrite(found.filter { !$0.isCompacted }) }
      return
    }
    let new = DeviceID(rawValue: .random(in: row.device.rawValue + 1...UInt64.max))
    let name = identity == .cloned ? Self.machineName() : row.name
    try await folder.renew(as: new, name: name + " (2)", machine: machine)
  }

  private func read(_ files: FolderFiles) async throws {
    guard let own = try folder.folder()?.device else { return }
    let others = try files.devices().filter { $0 != own }
    guard others.count < Limits.devices else { throw FolderProblem.tooManyDevices }
    let known = Dictionary(try folder.devices().map { ($0.id, $0) }) { first, _ in first }
    for device in others {
      let listed = try files.files(of: device)
      let known = known[device]
      var incomplete: [SegmentName] = []
      for file in listed where known?.progress.needs(file) ?? true {
        guard let bytes = try files.bytes(of: file, device) else { continue }
        do {
          try await read(SegmentReader(bytes, named: file, of: device), file, of: device)
        } catch is SegmentProblem {
          incomplete.append(file)
          if incomplete.count == Self.mostIncomplete { break }
        }
        try await advance()
        try Task.checkCancellation()
      }
      if known == nil || known?.problem != incomplete.first?.text
        || known?.files.subtracting(listed).isEmpty == false
      {
        try await folder.setListing(Set(listed), of: device, problem: incomplete.first?.text)
      }
    }
  }

  private func read(
    _ segment: SegmentReader, _ file: SegmentName, of device: DeviceID
  ) async throws {
    var segment = segment
    var (entries, count): ([Entry], Int) = ([], 0)
    while let next = segment.next() {
      guard case .success(let entry) = next else { continue }
      entries.append(entry)
      if case .articles(_, let articles) = entry.subject {
        count += articles.count
      } else {
        count += 1
      }
      guard count >= Self.step else { continue }
      try await folder.receive(entries, from: device)
      (entries, count) = ([], 0)
    }
    if !entries.isEmpty { try await folder.receive(entries, from: device) }
    try await folder.received(file, of: device, named: segment.deviceName, segment.report)
  }

  private func write(_ files: FolderFiles) async throws {
    while true {
      let entries = try await folder.unsent(limit: Self.mostEntries)
      guard let row = try folder.folder(), row.isJoined, !entries.isEmpty else { break }
      let file = SegmentWriter.file(entries, of: row.device, named: row.name, try folder.report())
      try await folder.willWrite(file.name)
      try files.write(file.bytes, to: file.name, of: row.device)
      try await folder.didWrite([file.name])
    }
    try await compact(files)
  }

  /// If this device has many files, writes one compacted file in place of them. Deletes the
  /// replaced files some minutes later.
  private func compact(_ files: FolderFiles) async throws {
    guard let row = try folder.folder(), row.isJoined else { return }
    var own = try files.files(of: row.device)
    let age = folder.database.now.timeIntervalSince1970 * 1_000 - Double(row.compactedAt)
    if let compacted = own.last(where: \.isCompacted) {
      let replaced = Compaction.replaced(by: compacted, age: Int64(age), among: own)
      for old in replaced { files.remove(old, of: row.device) }
      own.removeAll(where: replaced.contains)
    }
    guard Int64(age) >= Compaction.delay,
      Compaction.isDue(files: own.count, last: row.compactedAt, now: row.compactedAt + Int64(age))
    else { return }
    var progress = DeviceProgress()
    var entries: [Entry] = []
    for file in own {
      guard let bytes = try files.bytes(of: file, row.device),
        var segment = try? SegmentReader(bytes, named: file, of: row.device)
      else { return }
      while let next = segment.next() {
        if case .success(let entry) = next { entries.append(entry) }
      }
      progress.receive(file)
    }
    // Does nothing while own files are missing, because the compacted file must replace all of
    // them.
    guard progress.contiguous > 0, progress.gaps.isEmpty,
      progress.contiguous == row.author.lastNumber
    else { return }
    let file = SegmentWriter.file(
      Compaction.newest(entries, of: row.device), compacted: progress.contiguous, of: row.device,
      named: row.name, try folder.report())
    guard file.bytes.count <= Limits.compacted else { return }
    try await folder.willWrite(file.name)
    try files.write(file.bytes, to: file.name, of: row.device)
    try await folder.didWrite([file.name])
  }
}

/// Keeps two processes of one cache from writing at the same time.
private struct ExchangeLock {
  private let descriptor: Int32

  /// Returns `nil` while another process has the lock.
  init?(beside database: String) {
    descriptor = open(database + "-folder", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
  }

  func release() { close(descriptor) }
}
