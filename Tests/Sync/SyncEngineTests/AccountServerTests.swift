@testable import SyncEngine

/// Servers that toggle states, ignore changes, give wrong states, or were restored or rebuilt.
@Suite("Faulty servers of accounts") struct AccountServerTests {
  /// The address of a server that is not FreshRSS.
  private static let other = "http://aggregator.example"

  /// A synced account with 20 articles: those up to 10 are unread, 2 and 12 are starred.
  private func fixture(
    _ style: FakeAggregator.Style = .freshRSS, kind: Account.Kind = .googleReader
  ) async throws -> AccountFixture {
    let fixture = try await AccountFixture.synced(
      1...20, style, kind: kind, url: style == .miniflux ? Self.other : nil)
    (fixture.server.unread, fixture.server.starred) = (Set(1...10), [2, 12])
    try await fixture.sync()
    fixture.fixture.web.forget()
    return fixture
  }

  private func calls(_ name: String, _ fixture: AccountFixture) -> Int {
    fixture.fixture.web.urls.count { $0.contains(name) }
  }

  // MARK: Toggling

  @Test("A change that reverts to the state of the last pull is not sent")
  func changedBack() async throws {
    let fixture = try await fixture(.miniflux)
    fixture.server.setToggling(true)
    let read = try Array(fixture.articles().filter { $0.key > 10 }.values)
    try await fixture.store.reader.states.set(.read, read, false)
    try await fixture.store.reader.states.set(.read, read, true)
    #expect(try fixture.state()?.outbox == OutboxCounts())
    try await fixture.syncUntilIdle()
    #expect(fixture.server.unread == Set(1...10))
    #expect(fixture.server.editSizes.isEmpty)
  }

  @Test("A change that reverts a change already sent is sent as well")
  func changedBackAfterSending() async throws {
    let fixture = try await fixture(.miniflux)
    fixture.server.setToggling(true)
    let article = try #require(try fixture.articles()[11])
    try await fixture.store.reader.states.set(.read, [article], false)
    _ = await fixture.controller().runUntilIdle(.push)
    try await fixture.store.reader.states.set(.read, [article], true)
    try await fixture.syncUntilIdle()
    #expect(fixture.server.unread == Set(1...10))
    // The second edit tags the article as kept unread.
    #expect(fixture.server.editSizes == [1, 1, 1])
  }

  @Test("A server that toggles states gets only states that it does not have")
  func toggling() async throws {
    let fixture = try await fixture(.miniflux)
    fixture.server.setToggling(true)
    // Another client has read the same article since the last pull.
    fixture.server.unread.remove(1)
    try await fixture.store.reader.states.set(
      .read, [try #require(try fixture.articles()[1])], true)
    try await fixture.syncUntilIdle()
    #expect(fixture.server.unread == Set(2...10))
    #expect(try fixture.state()?.outbox == OutboxCounts())
    fixture.server.unread.remove(3)
    try await fixture.store.reader.states.set(
      .read, [try #require(try fixture.articles()[3])], true)
    try await fixture.syncUntilIdle()
    #expect(fixture.server.unread == Set(2...10).subtracting([3]))
  }

  @Test(
    "A push is one change and one comparison of addresses",
    arguments: [FakeAggregator.Style.freshRSS, .miniflux])
  func noFurtherRequests(style: FakeAggregator.Style) async throws {
    let fixture = try await fixture(style)
    for item in [1, 2, 3] as [Int64] {
      try await fixture.store.reader.states.set(
        .read,
        [try #require(try fixture.articles()[item])], true)
      _ = await fixture.controller().runUntilIdle(.push)
    }
    #expect(calls("edit-tag", fixture) == 3)
    #expect(calls("items/contents", fixture) == 3)
    #expect(calls("items/ids", fixture) == 0)
  }

  @Test("At a server that toggles, an unconfirmed state is read back before the next change")
  func changedTwice() async throws {
    let fixture = try await fixture(.miniflux)
    fixture.server.setToggling(true)
    let article = try #require(try fixture.articles()[1])
    try await fixture.store.reader.states.set(.starred, [article], true)
    _ = await fixture.controller().runUntilIdle(.push)
    try await fixture.store.reader.states.set(.starred, [article], false)
    try await fixture.store.reader.states.set(.starred, [article], true)
    _ = await fixture.controller().runUntilIdle(.push)
    #expect(fixture.server.starred == [1, 2, 12])
    #expect(fixture.server.editSizes == [1])
  }

  // MARK: Keeping nothing

  @Test(
    "An answer other than OK is no confirmation, and the change is read back before a retry",
    arguments: ["{}", "", "<html>Welcome</html>"])
  func otherAnswers(answer: String) async throws {
    let fixture = try await fixture()
    fixture.server.setChangeAnswer(answer)
    fixture.server.setForgetful(true)
    try await fixture.store.reader.states.set(
      .read, [try #require(try fixture.articles()[1])], true)
    let summary = await fixture.controller().runUntilIdle(.push)
    #expect(summary.accounts.map(\.sent) == [0])
    #expect(try fixture.state()?.outbox.failed == 1)
    fixture.server.setForgetful(false)
    try await fixture.syncUntilIdle()
    #expect(!fixture.server.unread.contains(1))
    #expect(try fixture.state()?.outbox == OutboxCounts())
  }

  @Test("A change that no pull has shown is sent once more, then set aside")
  func keepingNothing() async throws {
    let fixture = try await fixture()
    fixture.server.setForgetful(true)
    try await fixture.store.reader.states.set(
      .starred,
      [try #require(try fixture.articles()[1])], true)
    try await fixture.syncUntilIdle()
    #expect(fixture.server.editSizes == [1, 1])
    let entry = try #require(try fixture.store.reader.accounts.outbox(of: nil, limit: 9).first)
    #expect(entry.state == .refused)
    #expect(entry.detail == FailureDetail.notKept.code)
    #expect(try fixture.starred() == [1, 2, 12])
    fixture.server.setForgetful(false)
    try await fixture.store.reader.accounts.retryOutbox([entry.id])
    try await fixture.syncUntilIdle()
    #expect(fixture.server.starred == [1, 2, 12])
    #expect(try fixture.state()?.outbox == OutboxCounts())
  }

  // MARK: Wrong states

  @Test("If the states of articles differ from the lists of ids, the lists are used")
  func wrongCategories() async throws {
    let fixture = try await fixture(.miniflux)
    fixture.server.setWrongCategories(true)
    fixture.server.addItems(21...30, feed: 1)
    fixture.server.starred.formUnion(21...25)
    try await fixture.sync()
    #expect(try fixture.unread() == Set(1...10).union(21...30))
    #expect(try fixture.starred() == Set([2, 12]).union(21...25))
    #expect(try fixture.state()?.hasWrongItemStates == true)
    try await fixture.store.reader.states.set(
      .starred,
      [try #require(try fixture.articles()[26])], true)
    try await fixture.syncUntilIdle()
    #expect(try fixture.starred() == Set([2, 12]).union(21...26))
    #expect(fixture.server.starred == Set([2, 12]).union(21...26))
    #expect(try fixture.unread() == Set(1...10).union(21...30))
    #expect(fixture.server.editSizes == [1])
  }

  // MARK: Empty lists

  @Test("Empty lists of a single pull change nothing", arguments: [false, true])
  func emptyOnce(hasNoSubscriptions: Bool) async throws {
    let fixture = try await fixture()
    fixture.server.setEmptyLists(!hasNoSubscriptions)
    fixture.server.setNoSubscriptions(hasNoSubscriptions)
    try await fixture.sync()
    #expect(try fixture.state()?.failure?.kind == .emptyLists)
    #expect(try fixture.unread() == Set(1...10))
    #expect(try fixture.starred() == [2, 12])
    fixture.server.setEmptyLists(false)
    fixture.server.setNoSubscriptions(false)
    try await fixture.sync()
    #expect(try fixture.state()?.failure == nil)
    #expect(try fixture.unread() == Set(1...10))
    #expect(try fixture.store.reader.feeds.subscriptions().feeds.count == 1)
  }

  @Test("Empty lists of two pulls a minute apart are applied") func emptyTwice() async throws {
    let fixture = try await fixture()
    fixture.server.setEmptyLists(true)
    try await fixture.sync()
    try await fixture.sync()
    #expect(try fixture.unread() == Set(1...10))
    try await fixture.sync(after: 90)
    #expect(try fixture.unread().isEmpty)
    #expect(try fixture.state()?.failure == nil)
  }

  @Test("Articles that another client read and unstarred are updated at once")
  func readElsewhere() async throws {
    let fixture = try await fixture()
    fixture.server.unread = []
    fixture.server.starred = []
    try await fixture.sync()
    #expect(try fixture.unread().isEmpty)
    #expect(try fixture.starred().isEmpty)
    #expect(try fixture.state()?.failure == nil)
  }

  // MARK: A rebuilt server

  /// A fixture whose server was rebuilt, after the pull that detects it.
  private func rebuilt() async throws -> AccountFixture {
    let fixture = try await fixture()
    fixture.server.rebuild(addingToIDs: 1_000)
    try await fixture.store.reader.states.set(
      .starred,
      [try #require(try fixture.articles()[3])], true)
    try await fixture.sync()
    #expect(try fixture.state()?.rebuiltAt != nil)
    return fixture
  }

  @Test(
    "A rebuilt server is recognized by few unread articles, queued ones or none", arguments: 0...2)
  func rebuiltServerFewArticles(case number: Int) async throws {
    let fixture = try await AccountFixture.synced(1...8)
    fixture.server.unread = number == 2 ? [] : Set(1...4)
    try await fixture.sync()
    fixture.server.rebuild(addingToIDs: 1_000)
    if number == 1 {
      try await fixture.store.reader.states.set(
        .read,
        Array(try fixture.articles(.unread).values), true)
    }
    try await fixture.sync()
    #expect(try fixture.state()?.rebuiltAt != nil)
    #expect(try fixture.articles().count == 8)
    #expect(try fixture.unread() == (number == 0 ? Set(1...4) : []))
  }

  @Test("New articles without other unread ones are added without a question")
  func newArticlesOnly() async throws {
    let fixture = try await fixture()
    (fixture.server.unread, fixture.server.starred) = ([], [])
    try await fixture.sync()
    fixture.server.addItems(21...22, feed: 1)
    try await fixture.sync()
    #expect(try fixture.state()?.failure == nil)
    #expect(try fixture.unread() == [21, 22])
  }

  @Test("A rebuilt server gets the local states, and its own are taken over")
  func matched() async throws {
    let fixture = try await rebuilt()
    fixture.server.starred.insert(1_005)
    try await fixture.syncUntilIdle()
    #expect(try fixture.state()?.failure == nil)
    #expect(try fixture.store.reader.articles.page(.all, .top, limit: 99).count == 20)
    #expect(try fixture.unread() == Set(1...10))
    #expect(try fixture.starred() == [2, 3, 5, 12])
    #expect(fixture.server.unread == Set(1_001...1_010))
    #expect(fixture.server.starred == [1_002, 1_003, 1_005, 1_012])
  }

  @Test("Undo takes over the states of a rebuilt server") func takenOver() async throws {
    let fixture = try await rebuilt()
    try await fixture.syncUntilIdle()
    #expect(try await fixture.store.reader.journal.undo()?.kind == .sendAgain)
    try await fixture.syncUntilIdle()
    #expect(try fixture.unread() == Set(1...20))
    #expect(try fixture.starred().isEmpty)
    #expect(fixture.server.unread == Set(1_001...1_020))
    #expect(fixture.server.starred.isEmpty)
  }

  @Test("A server that has its old articles again gets the states, too")
  func restored() async throws {
    let fixture = try await rebuilt()
    fixture.server.rebuild(addingToIDs: -1_000)
    fixture.server.unread = Set(1...10)
    fixture.server.starred = [2, 12]
    try await fixture.syncUntilIdle()
    #expect(try fixture.starred() == [2, 3, 12])
    #expect(fixture.server.starred == [2, 3, 12])
  }
}
