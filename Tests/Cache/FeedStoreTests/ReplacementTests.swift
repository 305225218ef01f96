#if os(Linux)
  @testable import FeedStore

  /// The second process's part: replaces a cache by a pipe. When it flushes the new file, it waits
  /// for the pipe's writer; the old file already has its second name.
  @Suite("Second process: a replacement", .enabled(if: SecondProcess.directory != nil))
  struct OtherReplacement {
    @Test("A second process replaces the cache by a pipe") func replacesTheCache() throws {
      let directory = try #require(SecondProcess.directory)
      _ = try StoreFiles.put(
        directory + "/fresh", inPlaceOf: directory + "/" + StoreFiles.name,
        settingAsideAs: "damaged", at: Date())
    }
  }

  @Suite("Replacing the cache", .enabled(if: SecondProcess.directory == nil))
  struct ReplacementTests {
    @Test("A process that is killed while it replaces the cache loses nothing of the log")
    func killedBeforeRename() async throws {
      let (cache, feed) = try await TestCache.withFeed()
      let folder = cache.directory + "-copy"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      for name in ["weir.db", "weir.db-wal"] {
        try FileManager.default.copyItem(
          atPath: cache.directory + "/" + name, toPath: folder + "/" + name)
      }
      #expect(mkfifo(folder + "/fresh", 0o600) == 0)

      let process = try SecondProcess.start(in: folder, as: "OtherReplacement")
      defer { process.terminate() }
      #expect(
        await eventually {
          let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
          return !names.contains("weir.db-wal")
            && names.contains { $0.hasPrefix("weir-damaged-") && $0.hasSuffix(".db") }
        })
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()

      let store = try FeedStore.open(directory: folder)
      defer { store.close() }
      #expect(try store.reader.feeds.feed(feed) != nil)
      #expect(try store.file.integrityProblems().isEmpty)
    }
  }
#endif
