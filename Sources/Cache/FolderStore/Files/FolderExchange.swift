import Foundation

/// Reads the files of other devices from the shared folder, and writes those of this one. Opens no
/// connection: another program carries the folder to the other devices.
package struct FolderExchange: Sendable {
  /// The largest number of entries that are held in memory.
  private static let step = 2_000
  /// The largest number of other devices that are read for a preview. Some of them may then be
  /// forgotten.
  private static let mostDevices = 100
  /// How often joining, leaving and commands ask for the lock of another process, each 20 ms.
  private static let mostAttempts = 500

  private let folder: SharedFolderCache
  private let machine: UInt64
  private let report: @Sendable (StoreError) -> Void

  /// - Parameters:
  ///   - machine: a number that no other machine has.
  ///   - report: receives the reasons of values of other devices that SQLite refuses.
  package init(
    _ folder: SharedFolderCache, machine: UInt64 = Self.thisMachine(),
    report: @escaping @Sendable (StoreError) -> Void = { _ in }
  ) {
    (self.folder, self.machine, self.report) = (folder, machine, report)
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
  /// - Parameter name: the name of this device; `nil` for that of the machine.
  package func begin(path: String, name: String? = nil) async throws {
    let mark = try FolderFiles(path: path).makeMark()
    try await folder.begin(
      path: path, mark: mark, device: DeviceID(rawValue: .random(in: 1...UInt64.max >> 1)),
      name: name ?? Self.machineName(), machine: machine)
    if let problem = try await run(waits: true) { throw problem }
  }

  /// Joins a folder. If there is a problem, or `choose` returns `nil`, this machine shares no
  /// folder afterwards.
  /// - Parameters:
  ///   - name: see `begin`.
  ///   - choose: receives the plan for a merge, and returns the mode; `nil` to leave the folder.
  ///   - backup: called before the first change.
  /// - Returns: the plan that was carried out; `nil` without a choice.
  package func join(
    path: String, name: String? = nil,
    choose: (OnboardingPlan) async throws -> OnboardingPlan.Mode?,
    backup: () throws -> Void = {}
  ) async throws -> OnboardingPlan? {
    do {
      try await begin(path: path, name: name)
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
    var problem: FolderProblem?
    do {
      var lock = try ExchangeLock(beside: folder.database.path)
      for _ in 0..<(waits ? Self.mostAttempts : 0) where lock == nil {
        try await Task.sleep(for: .milliseconds(20))
        lock = try ExchangeLock(beside: folder.database.path)
      }
      guard let lock else { return waits ? .inUse : nil }
      defer { lock.release() }
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

  /// Takes a new ID if the cache was copied to another machine, is older than its files, or if
  /// something else has the place of its directory.
  private func checkIdentity(_ row: FolderRow, _ files: FolderFiles) async throws {
    var (identity, found) = (OwnIdentity.restored, [SegmentName]())
    do {
      found = try files.files(of: row.device)
      identity = OwnIdentity(
        machine: (stored: row.machine, now: machine), found: found, written: try folder.written())
    } catch FolderProblem.notFolder {}
    guard identity != .valid else {
      // A file whose entries still wait was written just before the program was killed.
      if try folder.waiting() > 0 { try await folder.didWrite(found.filter { !$0.isCompacted }) }
      return
    }
    // Nobody can have taken this ID, and it stays below the largest for 8 million renewals.
    let number = row.device.rawValue &+ .random(in: 1...1 << 40)
    try await folder.renew(
      as: DeviceID(rawValue: number),
      name: identity == .cloned ? Self.machineName() : row.name, machine: machine, former: found)
  }

  private func read(_ files: FolderFiles) async throws {
    guard let row = try folder.folder() else { return }
    let known = Dictionary(first: try folder.devices().map { ($0.id, $0) })
    let present = try files.devices().filter { $0 != row.device }
    for device in known.values where device.refused[""] != nil && !present.contains(device.id) {
      try await folder.setListing(nil, of: device.id)
    }
    var others: [(id: DeviceID, files: [SegmentName])] = []
    for device in present {
      if let listed = try? files.files(of: device) {
        others.append((device, listed))
      } else if known[device]?.refused[""] == nil {
        try await folder.refused(DeviceProblem(kind: .unreadable, file: ""), of: device)
      }
    }
    let counted = others.count { known[$0.id]?.isForgotten != true }
    guard counted < (row.isJoined ? Limits.devices : Self.mostDevices) else {
      throw FolderProblem.tooManyDevices
    }
    for (device, listed) in others {
      let known = known[device]
      var reception = Reception()
      for file in listed {
        let refused = known?.refused[file.text]
        guard refused != nil || known?.progress.needs(file) ?? true else { continue }
        try await read(file, of: device, files, refused, &reception)
        try Task.checkCancellation()
      }
      if let refusal = reception.refusal { report(.refusedValue(detail: refusal)) }
      try await advance()
      if known?.names.isSubset(of: listed.map(\.text)) != true {
        try await folder.setListing(Set(listed.map(\.text)), of: device)
      }
    }
  }

  /// Reads a file, unless it was refused and has not changed.
  private func read(
    _ file: SegmentName, of device: DeviceID, _ files: FolderFiles, _ refused: DeviceProblem?,
    _ reception: inout Reception
  ) async throws {
    let state = files.state(of: file, device)
    guard refused?.state != state || (refused?.until ?? 0) <= folder.database.now.milliseconds
    else { return }
    do {
      guard let bytes = try files.bytes(of: file, device) else { throw SegmentProblem.malformed }
      var segment = try SegmentReader(bytes, named: file, of: device)
      reception.begin(named: segment.deviceName)
      var entries: [Entry] = []
      while let next = segment.next() {
        if case .success(let entry) = next { entries.append(entry) }
        guard entries.count == Self.step else { continue }
        reception = try await folder.receive(entries, from: device, reception)
        entries = []
      }
      reception = try await folder.receive(entries, from: device, reception)
      let late = reception.until.map {
        DeviceProblem(kind: .ahead, file: file.text, state: state, until: $0)
      }
      try await folder.received(
        file, of: device, named: segment.deviceName, segment.report, late: late)
    } catch {
      guard error is SegmentProblem || error is FolderProblem else { throw error }
      // A file that the system could not read is read again at each exchange.
      let kind = error as? SegmentProblem
      let problem = DeviceProblem(
        kind: kind ?? .incomplete, file: file.text, state: state, until: kind == nil ? 0 : .max)
      if problem != refused { try await folder.refused(problem, of: device) }
    }
  }

  private func write(_ files: FolderFiles) async throws {
    while true {
      let entries = try await folder.unsent(limit: Self.step)
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
    let limit = row.author.clock.time(
      ahead: Limits.ignored, wall: folder.database.now.milliseconds)
    for file in own {
      guard let bytes = try files.bytes(of: file, row.device),
        var segment = try? SegmentReader(bytes, named: file, of: row.device)
      else { return }
      while let next = segment.next() {
        // An entry that other devices ignore must not replace one that they read.
        if case .success(let entry) = next, let valid = entry.upTo(limit) { entries.append(valid) }
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
struct ExchangeLock {
  let descriptor: Int32

  /// Returns `nil` while another process has the lock.
  init?(beside database: String) throws(FolderProblem) {
    descriptor = open(
      database + "-folder", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw .noLock }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isInUse = errno == EWOULDBLOCK
      close(descriptor)
      if isInUse { return nil }
      throw .noLock
    }
  }

  func release() { StoreFiles.unlock(closing: descriptor) }
}
