@Suite("Joined reads") struct JoinedReadTests {
  private final class Statements: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    /// Transactions since the last access.
    var transactions: Int {
      lines.withLock { lines in
        defer { lines = [] }
        return lines.count { $0.contains("BEGIN DEFERRED") }
      }
    }
  }

  private let statements = Statements()
  private let store: FeedStore

  init() throws {
    store = try FeedStore.open(
      directory: TestCache.freshDirectory(), options: StoreOptions(trace: statements.add))
  }

  @Test("Joined reads take one transaction; separate reads take one each") func count() throws {
    let reader = store.reader
    _ = try reader.feeds.subscriptions()
    _ = statements.transactions
    _ = try reader.articles.latestArticleID()
    _ = try reader.journal.next()
    #expect(statements.transactions == 2)
    reader.joiningReads {
      _ = try? reader.articles.latestArticleID()
      reader.joiningReads { _ = try? reader.journal.next() }
      _ = try? reader.feeds.subscriptions()
    }
    #expect(statements.transactions == 1)
    _ = try reader.articles.latestArticleID()
    #expect(statements.transactions == 1)
  }

  @Test("Reads of other threads are not joined") func threads() {
    let reader = store.reader
    _ = statements.transactions
    reader.joiningReads {
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        _ = try? reader.articles.latestArticleID()
        done.signal()
      }
      done.wait()
      _ = try? reader.articles.latestArticleID()
    }
    #expect(statements.transactions == 2)
  }
}
