@Suite("The outbox of an account") struct OutboxTests {
  @Test("Changes that failed before are sent after all others") func failedLast() async throws {
    let (bench, ids) = try await AccountBench.filled(3)
    try await bench.store.reader.states.set(.starred, [ids[0]], true)
    let batch = try #require(try bench.sync.outboxBatch(of: bench.account, limit: 9, at: nil))
    _ = try await bench.store.accountSync.noteSending(batch.rows.map(\.seq))
    try await bench.store.accountSync.failOutbox(
      batch.rows.map(\.seq), of: bench.account, detail: "500", until: bench.now)
    try await bench.store.reader.states.set(.read, ids, true)
    try await bench.store.reader.states.set(.starred, [ids[1]], true)
    var sent: [Set<String>] = []
    while let batch = try bench.store.accountSync.outboxBatch(of: bench.account, limit: 9, at: nil)
    {
      sent.append(Set(batch.rows.map(\.item)))
      try await bench.store.accountSync.confirmOutbox(batch.rows.map(\.seq))
    }
    #expect(sent == [["2"], ["1", "2", "3"], ["1"]])
  }

  @Test("A change leaves the outbox when the server shows it")
  func shownChangeIsRemoved() async throws {
    let (bench, ids) = try await AccountBench.filled(1)
    try await bench.store.reader.states.set(.starred, ids, true)
    try await bench.send()
    try await bench.pull(unread: [1], starred: [1])
    // Another device removes the star.
    try await bench.pull(unread: [1], starred: [])
    #expect(try bench.store.reader.articles.count(ArticleQuery(scope: .all, filter: .starred)) == 0)
  }

  @Test("Failed changes wait, and refused changes are kept until they are retried or discarded")
  func refusedChangesStay() async throws {
    let (bench, ids) = try await AccountBench.filled(2)
    try await bench.store.reader.states.set(.read, ids, true)
    let batch = try #require(try bench.sync.outboxBatch(of: bench.account, limit: 9, at: nil))
    let until = bench.now + 60
    try await bench.store.accountSync.failOutbox(
      [batch.rows[0].seq], of: bench.account, detail: "timed out", until: until)
    #expect(try bench.sync.outboxBatch(of: bench.account, limit: 9, at: bench.now) == nil)
    try await bench.store.reader.states.set(.starred, [ids[1]], true)
    #expect(try bench.sync.outboxBatch(of: bench.account, limit: 9, at: bench.now) == nil)
    #expect(try bench.store.accountSync.accountWork().map(\.pushAt) == [until])
    try await bench.store.accountSync.setAside(batch.rows[0].seq, detail: "400", by: nil)
    var outbox = try bench.store.reader.accounts.outbox(of: bench.account, limit: 9)
    #expect(outbox.map(\.state) == [.refused, .pending, .pending])
    #expect(outbox[0].detail == "400")
    #expect(
      try bench.store.reader.accounts.account(bench.account)?.state.outbox
        == OutboxCounts(pending: 2, refused: 1, nextTry: until))
    try await bench.store.reader.accounts.retryOutbox([outbox[0].id])
    outbox = try bench.store.reader.accounts.outbox(of: bench.account, limit: 9)
    #expect(outbox.map(\.state) == [.pending, .pending, .pending])
    try await bench.store.reader.accounts.discardOutbox(outbox.map(\.id))
    try await bench.pull(unread: [1, 2])
    #expect(try bench.unread().count == 2)
  }

  @Test("A batch contains changes of one kind, and stars are sent before read marks")
  func batchesAreOfOneKind() async throws {
    let (bench, ids) = try await AccountBench.filled(250)
    try await bench.store.reader.states.set(.read, [ids[7]], true)
    try await bench.store.reader.states.set(.starred, [ids[0]], true)
    try await bench.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    var sizes: [Int] = []
    while let batch = try bench.store.accountSync.outboxBatch(
      of: bench.account, limit: 100, at: nil)
    {
      if sizes.count == 1 { #expect(batch.rows.first?.item == "8") }
      sizes.append(batch.rows.count)
      try await bench.store.accountSync.confirmOutbox(batch.rows.map(\.seq))
    }
    #expect(sizes == [1, 100, 100, 50])
  }

  @Test("Failed changes wait until a request, a new password or an answer of the server")
  func failedWaitEndsEarly() async throws {
    let (bench, ids) = try await AccountBench.filled(1)
    try await bench.store.reader.states.set(.read, ids, true)
    let began = bench.now
    func fail(_ kind: AccountFailure.Kind) async throws {
      try await bench.sync.failOutbox([], of: bench.account, detail: "", until: bench.now + 3_600)
      try await bench.store.accountSync.endAccountSync(
        bench.account,
        AccountOutcome(
          began: began, hasPulled: false, failure: AccountFailure(kind: kind, since: bench.now),
          nextSyncAt: nil))
    }
    func waits() throws -> Bool {
      try bench.store.accountSync.outboxBatch(of: bench.account, limit: 9, at: bench.now) == nil
    }
    try await fail(.unreachable)
    #expect(try waits())
    try await bench.store.reader.requests.requestRefresh(.all)
    #expect(try !waits())
    try await fail(.wrongCredentials)
    #expect(try waits())
    try await bench.store.accounts.setPasswordCommand(bench.account, nil)
    #expect(try !waits())
    try await fail(.unreachable)
    try await bench.store.accountSync.endAccountSync(
      bench.account,
      AccountOutcome(began: bench.now, hasPulled: true, failure: nil, nextSyncAt: nil))
    #expect(try !waits())
    try await fail(.busy)
    try await bench.store.reader.accounts.requestAccountSync(bench.account)
    #expect(try !waits())
  }
}
