@testable import CacheCore

@Suite("Allowed programs") struct AllowedProgramTests {
  private static let program = "exec:~/bin/mail-feed --all"
  private static let filter = "filter:~/bin/to-feed:https://example.org/page"

  @Test("A copied database runs no program until the user allows it on this machine")
  func placed() async throws {
    let sender = try TestCache()
    for url in [Self.program, Self.filter] {
      try await sender.store.reader.feeds.subscribe(
        url: url, title: nil, folder: nil, mayBeOwn: true)
      #expect(sender.store.engine.fetches.mayRun(url))
    }
    let words = ["pass", "show", "feeds"]
    try await sender.store.accounts.addAccount(
      kind: .googleReader, url: "https://e.org", user: "me", passwordCommand: words)
    #expect(sender.store.accounts.mayRun(passwordCommand: words))
    let folder = TestCache.freshDirectory()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let copy = folder + "/weir.db"
    try sender.store.file.backup(to: copy)

    let placed = try FeedStore.open(directory: folder)
    defer { placed.close() }
    #expect(
      !placed.engine.fetches.mayRun(Self.program) && !placed.engine.fetches.mayRun(Self.filter))
    #expect(!placed.accounts.mayRun(passwordCommand: words))
    #expect(
      placed.engine.fetches.mayRun("https://e.org/feed")
        && placed.engine.fetches.mayRun("file:///a.xml"))
    await #expect(throws: StoreError.self) {
      try await placed.reader.feeds.subscribe(
        url: Self.program, title: nil, folder: nil, mayBeOwn: true)
    }
    #expect(
      placed.engine.fetches.mayRun(Self.program) && !placed.engine.fetches.mayRun(Self.filter))
    #expect(!placed.engine.fetches.mayRun(Self.program + " --other"))
    #expect(!placed.engine.fetches.mayRun("filter:~/bin/to-feed:https://example.org/other"))
  }

  @Test("Restoring a backup with its programs allows them") func restored() async throws {
    let cache = try TestCache()
    _ = try await cache.store.reader.feeds.subscribe(
      [OutlineEntry(url: Self.filter, title: nil)], mayBeOwn: true)
    let folder = TestCache.freshDirectory()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try cache.store.file.backup(to: folder + "/copy.db")
    for (programs, isAllowed) in [(CacheFile.Programs.leaveOut, false), (.accept, true)] {
      let other = "\(folder)/\(isAllowed)"
      _ = try CacheFile.restore(from: folder + "/copy.db", directory: other, programs: programs)
      let store = try FeedStore.open(directory: other)
      defer { store.close() }
      #expect(store.engine.fetches.mayRun(Self.filter) == isAllowed)
    }
  }

  @Test("The list of allowed programs is private, and is ignored if others can write it")
  func modes() throws {
    let folder = TestCache.freshDirectory()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let allowed = AllowedPrograms(directory: folder)
    try allowed.allow([["exec", "a"]])
    try allowed.allow([["exec", "b"]])
    #expect(allowed.contains(["exec", "a"]) && allowed.contains(["exec", "b"]))
    let path = folder + "/programs.json"
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o620], ofItemAtPath: path)
    #expect(!allowed.contains(["exec", "a"]))
  }
}
