#if canImport(Glibc)
  import Glibc
#endif

@Suite("Files of the store") final class StoreFilesTests: CacheSuite {
  private func mode(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_mode & 0o777) : -1
  }

  @Test("Writes fail if the database's file was removed or replaced") func removed() async throws {
    for replaces in [false, true] {
      let cache = try TestCache()
      let ids = try await cache.merge(try await cache.feed("a"), [.dated(1)]).added
      #expect(try cache.store.reader.articles.count(ArticleQuery(scope: .all)) == 1)
      let path = cache.directory + "/weir.db"
      try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
      if replaces { try Data().write(to: URL(fileURLWithPath: path)) }
      await #expect(throws: StoreError.fileRemoved(path: path)) {
        try await cache.store.reader.states.set(.starred, ids, true)
      }
      try FileManager.default.removeItem(atPath: cache.directory)
      await #expect(throws: StoreError.fileRemoved(path: path)) {
        try await cache.store.reader.states.set(.read, ids, true)
      }
      #expect(try cache.store.reader.articles.count(ArticleQuery(scope: .all)) == 1)
    }
  }

  @Test("A database whose file was removed or replaced is copied completely from the open file")
  func copyOfRemoved() async throws {
    for replaces in [false, true] {
      let cache = try TestCache()
      let folder = TestCache.freshDirectory()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let ids = try await cache.merge(try await cache.feed("a"), [.dated(1), .dated(2)]).added
      try await cache.store.reader.states.set(.starred, [ids[0]], true)
      for suffix in ["", "-wal", "-shm"] {
        try FileManager.default.removeItem(atPath: cache.directory + "/weir.db" + suffix)
      }
      if replaces { try cache.another().close() }
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let copy = folder + "/copy.db"
      try cache.store.file.backup(to: copy)
      let mode = mode(copy)
      #expect(mode == 0o600)
      #expect(throws: StoreError.exists(path: copy)) {
        try cache.store.file.backup(to: copy)
      }
      let other = folder + "/other"
      #expect(try CacheFile.restore(from: copy, directory: other).articles == 2)
      let restored = try FeedStore.open(directory: other)
      defer { restored.close() }
      #expect(try restored.reader.articles.count(ArticleQuery(scope: .all, filter: .starred)) == 1)
    }
  }

  @Test("Remains of interrupted copies are removed by the next start and the next backup")
  func remains() async throws {
    cache.store.close()
    let folder = cache.directory
    let dead = "999999999"
    let remains = [
      "weir.db.partial-\(dead)", "weir.db.partial-\(dead)-wal", "weir.db.partial-\(dead)-journal",
      "weir.db.restoring-\(dead)", "weir.db.salvaging-\(dead)-shm", "passwords.json.weir-\(dead)",
    ]
    let kept = ["weir.db.partial-\(getpid())", "weir.db.partial-copy", "mine.partial-1.db"]
    for name in remains + kept {
      try Data([1]).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    let store = try cache.another()
    defer { store.close() }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(remains).isDisjoint(with: names))
    #expect(Set(kept).isSubset(of: names))

    let elsewhere = TestCache.freshDirectory()
    defer { try? FileManager.default.removeItem(atPath: elsewhere) }
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    for name in ["copy.db.partial-\(dead)-journal", "other.db.partial-\(dead)"] {
      try Data([1]).write(to: URL(fileURLWithPath: "\(elsewhere)/\(name)"))
    }
    try store.file.backup(to: elsewhere + "/copy.db")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: elsewhere).sorted()
        == ["copy.db", "other.db.partial-\(dead)"])
  }

  @Test("A pipe, a folder or a device is rejected as a backup at once") func pipes() throws {
    let directory = TestCache.freshDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    #expect(mkfifo(directory + "/pipe", 0o600) == 0)
    for path in [directory + "/pipe", directory, "/dev/null"] {
      #expect(throws: StoreError.cannotOpen(path: path, detail: .notARegularFile)) {
        try CacheFile.restore(from: path, directory: directory + "/data")
      }
    }
  }

  @Test("The target of a link keeps its mode") func links() throws {
    cache.store.close()
    let path = cache.directory + "/weir.db"
    let target = cache.directory + "/elsewhere.db"
    try FileManager.default.moveItem(atPath: path, toPath: target)
    #expect(chmod(target, 0o640) == 0 && symlink(target, path) == 0)
    try cache.another().close()
    #expect(mode(target) == 0o640)
  }

  @Test("A data directory in which others can replace files is reported")
  func openDirectory() throws {
    #expect(StoreFiles.modeOpenToOthers(of: cache.directory) == nil)
    #expect(chmod(cache.directory, 0o777) == 0)
    #expect(StoreFiles.modeOpenToOthers(of: cache.directory) == 0o777)
    #expect(chmod(cache.directory, 0o1777) == 0)
    #expect(StoreFiles.modeOpenToOthers(of: cache.directory) == nil)
  }
}
