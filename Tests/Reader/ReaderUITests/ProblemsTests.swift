@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("The problems screen") struct ProblemsTests {
  @Test("The help returns to the screen from which it was opened")
  func helpReturnsToItsScreen() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("!", "?")
    #expect(robot.topBar.contains("Help"))
    await robot.press("q")
    #expect(robot.topBar.contains("Problems"))
    await robot.press("?", "?", "?")
    #expect(robot.topBar.contains("Problems"))
    await robot.press("q")
    #expect(robot.topBar.contains("Unread"))
  }

  @Test("Problems are grouped by remedy, and a key on a heading acts on all below it")
  func groupsByWhatIsToBeDone() async throws {
    let (cache, robot) = try await Robot.reading(.busy(), height: 40)
    await robot.press("!")
    robot.sees("Needs you (1)", "Weir retries these (4), next 10:52").selects("Needs you")
    await robot.press("2", "j", "r").sees("Retrying 4 feeds")
    let retried = try cache.store.reader.feeds.subscriptions().feeds.filter {
      $0.name == "Old Gazette" || ["Mirror 1", "Mirror 2", "Mirror 3"].contains($0.name)
    }
    let scopes = try cache.requests.refreshRequests(finishedSince: .distantFuture).map(\.scope)
    guard case .feeds(let ids) = try #require(scopes.first) else { return }
    #expect(Set(ids) == Set(retried.map(\.id)))
    await robot.press("3", "j", "D").sees("Unsubscribed from Mirror 2", "Weir retries these (3)")
  }

  @Test("Enter offers the actions for a feed or a heading, the one that helps first")
  func enterOffersActions() async throws {
    let (cache, robot) = try await Robot.reading(.busy(), height: 40)
    await robot.press("!", "Enter").sees("1 feed:", "Unsubscribe").doesNotSee("Open the feed")
    await robot.press("Esc", "j", "Enter").sees("Open the feed", "Pause refreshes", "Retry now")
    await robot.press("Enter").sees("Address: https://mirrors.example/4.xml").press("Esc")
    await robot.press("j", "Enter").sees("4 feeds:").press("Enter").sees("Retrying 4 feeds")
    #expect(try cache.requests.refreshRequests(finishedSince: .distantFuture).count == 1)
    await robot.press("j", "Enter").type("open").press("Enter").sees("Old Gazette")
    robot.doesNotSee("Weir retries these")
  }

  @Test("Unsubscribing on a heading asks first, with the number of feeds")
  func unsubscribesGroup() async throws {
    let (cache, robot) = try await Robot.reading(.busy(), height: 40)
    func count() throws -> Int { try cache.store.reader.feeds.subscriptions().feeds.count }
    let before = try count()
    await robot.press("!", "2", "j", "D").sees("Unsubscribe from 4 feeds (1 article)?")
    #expect(try count() == before)
    await robot.press("n")
    #expect(try count() == before)
    await robot.press("D", "y").sees("Unsubscribed from 4 feeds (1 article); u brings them back")
    #expect(try count() == before - 4)
  }

  @Test("Feeds with the same cause form a group, and a feed that was never fetched is marked")
  func groupsByCause() async throws {
    let cache = try TestCache()
    for number in 1...3 {
      let feed = try await cache.feed(
        "Mirror \(number)", url: "https://mirrors.example/\(number).xml")
      try await cache.fail(feed, .httpStatus, status: 404)
    }
    let robot = await Robot(cache)
    await robot.press("!").sees("Needs you (3)", "The address doesn\u{2019}t work (3)")
    robot.sees("has no such page (404)").doesNotSee("correct the address")
    await robot.press("2", "j").selects("Mirror 1")
    #expect(robot.statusLine.contains("Enter correct the address"))
    let new = try await cache.store.reader.feeds.subscribe(
      url: "https://new.example/feed", title: "New", folder: nil)
    try await cache.fail(new, .httpStatus, status: 404)
    await robot.waitUntilIdle().sees("never fetched, 1 attempt")
  }

  @Test("The selection stays on its feed when another problem is solved")
  func selectionStaysOnFeed() async throws {
    let (cache, robot) = try await Robot.reading(.busy(), height: 40)
    await robot.press("!", "G").selects("Mirror 3")
    let first = try #require(
      try cache.store.reader.feeds.subscriptions().feeds.first { $0.name == "Old Gazette" })
    try await cache.merge(first.id, first.name, [])
    await robot.waitUntilIdle().selects("Mirror 3").doesNotSee("Old Gazette")
  }

  @Test("An address is corrected and retried, unless it is a duplicate or has another scheme")
  func anAddressIsCorrected() async throws {
    let (cache, robot) = try await Robot.reading(.busy(), height: 40)
    await robot.press("!", "j", "e").sees("Address: https://mirrors.example/4.xml")
    await robot.press("Right", "Backspace", "Backspace", "Backspace", "Backspace", "Backspace")
    await robot.type("5.xml").press("Enter").sees("already have that feed")
    await robot.press("Esc", "e")
    await robot.press("Right", "Backspace", "Backspace", "Backspace", "Backspace", "Backspace")
    await robot.type("44.xml").press("Enter").sees("Retrying Mirror 4 at mirrors.example")
    let feed = try #require(
      try cache.store.reader.feeds.feed(url: "https://mirrors.example/44.xml"))
    #expect(
      try cache.store.reader.requests.refreshRequests(finishedSince: .distantFuture).map(\.scope)
        == [.feed(feed.id)])
    await robot.press("j", "e", "Ctrl-u")
    await robot.type("file:///etc/passwd").press("Enter")
    robot.sees("An address begins with https:// or http://")
  }

  @Test("The wheel scrolls the problems and keeps a selection that stays in view")
  func wheelScrollsProblems() async throws {
    let robot = await Robot(try await .busy(), height: 10)
    await robot.press("!", "3", "j").selects("Old Gazette").sees("Mirror 4")
    await robot.key(.mouse(MouseEvent(.wheelDown, x: 5, y: 5)))
    robot.selects("Old Gazette").doesNotSee("Mirror 4")
    await robot.key(.mouse(MouseEvent(.wheelUp, x: 5, y: 5)))
    robot.selects("Old Gazette").sees("Mirror 4")
  }

  @Test("Each failure has a fitting remedy with advice, and a command here and in the shell")
  func theRemedyFitsTheFailure() {
    let now = TestCache.start
    func remedy(_ kind: RefreshFailure.Kind, _ status: Int? = nil, days: Double = 0, count: Int = 1)
      -> Remedy
    {
      Remedy(
        RefreshFailure(kind: kind, status: status, since: now - days * 86_400, count: count),
        at: now)
    }
    #expect(remedy(.httpStatus, 404) == .editAddress)
    #expect(remedy(.httpStatus, 503) == .wait)
    #expect(remedy(.httpStatus, 503, days: 40, count: 30) == .unsubscribe)
    #expect(remedy(.gone, 410) == .unsubscribe)
    #expect(remedy(.unauthorized, 401) == .signIn)
    #expect(remedy(.hostNotFound) == .wait)
    #expect(remedy(.hostNotFound, count: 2) == .editAddress)
    #expect(remedy(.rateLimited, 429, days: 40, count: 30) == .leaveAlone)
    for kind in RefreshFailure.Kind.allCases {
      let remedy = remedy(kind)
      #expect(!remedy.advice.isEmpty && !remedy.command(7).isEmpty)
      #expect(remedy.bestCommand.places.contains(.problems))
    }
    #expect(!remedy(.httpStatus, 404).command(7).contains("sync"))
    // Adding a new feed for the new address would lose read and starred states.
    for remedy in [Remedy.signIn, .editAddress] {
      #expect(!remedy.command(7).contains("remove") && !remedy.command(7).contains("weir add"))
      #expect(remedy.command(7).contains("e in the reader"))
    }
  }
}
