@testable import ReaderServices
@testable import ReaderUI

@Suite("Accounts on the screen") struct AccountsTests {
  nonisolated static let sizes = [(80, 24), (140, 40), (40, 10)]

  // MARK: Looks

  @Test("The screens of accounts look as recorded", arguments: sizes)
  func accountsLookAsRecorded(width: Int, height: Int) async throws {
    let robot = await Robot(try await .accounts(busy: true), width: width, height: height)
    try await robot.press("G").matches("accounts-feeds-\(width)x\(height)")
    try await robot.press(":accounts").matches("accounts-\(width)x\(height)")
    try await robot.press("j", "D").matches("accounts-give-up-\(width)x\(height)")
    try await robot.press("n", "G", "e").type("geheim").matches(
      "accounts-password-\(width)x\(height)")
    await robot.press("Esc", "a").type("rss.example.org").press("Tab").type("nobody").press("Tab")
      .type("geheim")
    try robot.matches("add-account-\(width)x\(height)")
    try await robot.press("Enter").matches("add-account-refused-\(width)x\(height)")
    robot.doesNotSee("geheim")
  }

  @Test("A folder is joined after a preview, which Escape leaves", arguments: sizes)
  func joinFolder(width: Int, height: Int) async throws {
    let robot = await Robot(try await .daily(), width: width, height: height)
    await robot.press(":accounts", "a", "Tab", "Tab", "Tab", "Space", "Space", "Tab").type("file")
      .press("Enter")
    robot.sees("file is a file")
    try await robot.press("Ctrl-u").type("~/sync").press("Enter").sees("212 feeds there").matches(
      "add-folder-\(width)x\(height)")
    await robot.press("Esc", "Enter").press("x", "t")
    #expect(robot.actions.joined == ["~/sync true"])
    robot.sees("Joined ~/sync")
  }

  @Test("The accounts screen without an account looks as recorded", arguments: sizes)
  func noAccountLooksAsRecorded(width: Int, height: Int) async throws {
    let robot = await Robot(try await .daily(), width: width, height: height)
    try await robot.press(":accounts").matches("accounts-none-\(width)x\(height)")
  }

  @Test(
    "A shared folder is listed with the other machines, and says what is wrong",
    arguments: [(80, 24), (140, 40)])
  func sharedFolder(width: Int, height: Int) async throws {
    let cache = try await TestCache.daily()
    let folder = cache.store.reader.sharedFolder
    try await folder.begin(
      path: "/media/sync/weir", mark: "1", device: DeviceID(rawValue: 1), name: "laptop",
      machine: 1)
    try await folder.join(.merge)
    let desk = DeviceID(rawValue: 2)
    let entry = Entry(
      number: 4, time: .onboarding, subject: .feed(FeedKey(rawValue: 1)), field: .name,
      value: .string("A feed"))
    let file = SegmentWriter.file([entry], of: desk, named: "desk", ProgressReport())
    try await folder.receive([entry], from: desk)
    try await folder.received(file.name, of: desk, named: "desk", ProgressReport())
    let robot = await Robot(cache, width: width, height: height)
    await robot.press(":accounts").sees("laptop  this machine, in /media/sync/weir", "desk")
      .sees("changes 1 to 3 have not arrived")
    try await folder.setOutcome(.away)
    await robot.waitUntilIdle().sees("/media/sync/weir is not there", "Is it mounted?", "desk")
  }

  @Test("An account says that its server was rebuilt and got the marks again")
  func rebuiltServer() async throws {
    let cache = try await TestCache.accounts(busy: false)
    let account = try #require(try cache.store.reader.accounts.all().first)
    try await cache.store.accountSync.noteRebuilt(account.id)
    let robot = await Robot(cache)
    await robot.press(":accounts").sees("restored or set up again", "sent again (u undoes)")
  }

  // MARK: Signing in

  @Test("Signing in asks for protocol, address, user and password, and hides the password")
  func signInHidesPassword() async throws {
    let robot = await Robot(try await .daily())
    await robot.press(":add-account", "a")
    robot.sees("Add an account", "Google Reader API")
    await robot.type(" rss.example.org ").press("Enter", "Enter")
    await robot.press("BackTab", "BackTab", "BackTab", "Space").sees("Fever API")
    await robot.press("Tab", "Tab").type("alice").press("Enter").type("s3 cret")
    robot.sees("•••••••").doesNotSee("s3 cret")
    await robot.press("Enter")
    robot.sees("Signed in; the password is in the keyring").doesNotSee("Add an account")
    #expect(
      robot.actions.signIns == [
        AccountSignIn(
          kind: .fever, url: "rss.example.org", user: "alice", password: Password("s3 cret"))
      ])
  }

  @Test("After a refused password the form keeps what was typed")
  func refusedPasswordKeepsForm() async throws {
    let robot = await Robot(try await .daily())
    await robot.press(":accounts", "a").type("rss.example.org").press("Tab").type("nobody")
    await robot.press("Tab").type("x").press("Enter")
    robot.sees("doesn\u{2019}t accept this user", "rss.example.org", "nobody")
    await robot.type("yz").press("BackTab").key(.control("u")).type("alice").press("Tab", "Enter")
    #expect(robot.actions.signIns.map(\.password) == [Password("x"), Password("xyz")])
    robot.sees("Signed in")
  }

  @Test("Esc cancels a sign-in that gets no answer, and a second Esc asks to close the form")
  func escCancelsSignIn() async throws {
    let robot = await Robot(try await .daily())
    await robot.press(":accounts", "a").type("h").press("Tab").type("slow").press("Tab").type("x")
    robot.turn([.enter])
    robot.sees("⟳ Signing in …")
    robot.turn([.character("y")])
    robot.turn([.escape])
    robot.sees("Add an account").doesNotSee("Signing in …")
    await robot.press("Esc").sees("Discard the changes?").press("y").doesNotSee("Add an account")
  }

  // MARK: The branch and the status line

  @Test("An account is a folder of the tree, and the status line counts its unsent changes")
  func accountIsAFolder() async throws {
    let (cache, robot) = try await Robot.reading(.accounts(busy: false), width: 140, height: 40)
    robot.sees("FreshRSS", "Planet Debian", "Linux").doesNotSee("⇡")
    let article = try #require(
      try cache.store.reader.articles.page(cache.articlesOfFirstAccount(), .top, limit: 1).first)
    try await cache.store.reader.states.set(.starred, [article.id], true)
    await robot.waitUntilIdle()
    #expect(robot.statusLine.contains("⇡ 1"))
  }

  @Test(
    "A server that accepts no tags is reported once, on the accounts screen, and at each tagging")
  func tagsThatStay() async throws {
    let (cache, robot) = try await Robot.reading(.accounts(busy: false), width: 140, height: 40)
    let account = try #require(try cache.store.reader.accounts.all().first)
    #expect(try await cache.store.accountSync.noteRefusedTags(of: account.id))
    await robot.waitUntilIdle().sees("FreshRSS: tags stay in Weir; the server accepts none")
    await robot.press("Esc").press(":accounts").sees("; tags stay in Weir; the server accepts none")
    await robot.press("Esc", "G", "k", "k", "k", "k", "Enter", "t").type("later").press("Enter")
    robot.sees("#later on 1 article, only in Weir: FreshRSS accepts no tags")
    #expect(try cache.store.reader.accounts.outbox(of: account.id, limit: 9).isEmpty)
  }

  /// The end of a sync whose server answers 503, and that is tried again in some minutes.
  private static func busy(at now: Date, minutes: Double = 10) -> AccountOutcome {
    AccountOutcome(
      began: now, hasPulled: false,
      failure: AccountFailure(kind: .busy, status: 503, since: now),
      nextSyncAt: now + minutes * 60)
  }

  @Test("A failed sync is reported once, with the key that shows its details")
  func failureIsReportedOnce() async throws {
    let (cache, robot) = try await Robot.reading(.accounts(busy: false), width: 140, height: 40)
    let account = try #require(try cache.store.reader.accounts.all().first)
    let outcome = Self.busy(at: cache.clock.now)
    try await cache.store.accountSync.endAccountSync(account.id, outcome)
    await robot.waitUntilIdle()
    robot.sees(
      "rss.example.org is not available now (503); trying again 10:52", "[:accounts] details")
    await robot.press("Esc")
    #expect(robot.statusLine.contains("! FreshRSS"))
    try await cache.store.accountSync.endAccountSync(account.id, outcome)
    await robot.waitUntilIdle().doesNotSee("not available now")
    await robot.press(":accounts").sees("not available now")
  }

  @Test("A failure that stays in the status line names the time of the next try")
  func nextTry() async throws {
    let (cache, robot) = try await Robot.reading(.accounts(busy: false), width: 140, height: 40)
    let account = try #require(try cache.store.reader.accounts.all().first)
    for (minutes, time) in [(10.0, "10:52"), (25, "11:07")] {
      try await cache.store.accountSync.endAccountSync(
        account.id, Self.busy(at: cache.clock.now, minutes: minutes))
      await robot.waitUntilIdle()
      #expect(robot.statusLine.contains("(503); trying again \(time)"), "\(robot.statusLine)")
    }
    await robot.press("Esc")
    #expect(!robot.statusLine.contains("503"))
  }

  @Test("Offline, the top bar says when an account was last synchronised")
  func offline() async throws {
    let cache = try await TestCache.accounts(busy: false)
    let robot = await Robot(
      cache, width: 140, height: 40,
      configuration: .test { $0.isOffline = true })
    let account = try #require(try cache.store.reader.accounts.all().first)
    cache.clock.now += 3_600
    try await cache.store.accountSync.endAccountSync(
      account.id,
      AccountOutcome(began: cache.clock.now, hasPulled: true, failure: nil, nextSyncAt: nil))
    await robot.waitUntilIdle()
    #expect(robot.topBar.contains("offline, last updated 11:42"), "\(robot.topBar)")
  }

  @Test("A successful sync removes the message of an earlier failure")
  func successClearsFailure() async throws {
    let (cache, robot) = try await Robot.reading(.accounts(busy: false), width: 140, height: 40)
    let account = try #require(try cache.store.reader.accounts.all().first)
    let now = cache.clock.now
    try await cache.store.accountSync.endAccountSync(account.id, Self.busy(at: now))
    await robot.waitUntilIdle()
    #expect(robot.statusLine.contains("is not available now (503)"))
    try await cache.store.accountSync.endAccountSync(
      account.id,
      AccountOutcome(began: now, hasPulled: true, failure: nil, nextSyncAt: now + 900))
    await robot.waitUntilIdle()
    #expect(!robot.statusLine.contains("is not available now"))
  }

  // MARK: The outbox

  @Test("The wheel scrolls the accounts screen and keeps a selection that stays in view")
  func wheelScrollsAccounts() async throws {
    let robot = await Robot(try await .accounts(busy: true), height: 14)
    await robot.press(":accounts", "j").selects("Sluices").sees("alice at rss.example.org")
    await robot.key(.mouse(MouseEvent(.wheelDown, x: 5, y: 5)))
    robot.selects("Sluices").doesNotSee("alice at rss.example.org")
  }

  @Test("A refused change is sent again or discarded") func refusedChangeIsResent() async throws {
    let (cache, robot) = try await Robot.reading(.accounts(busy: true), width: 140, height: 40)
    await robot.press(":accounts").sees(
      "2 to send", "refused by the server: 400 unknown item", "Miniflux")
    robot.sees("doesn\u{2019}t accept this user name and password.")
    await robot.press("j", "r").sees("Sending it again").doesNotSee("refused by the server")
    let before = try cache.store.reader.accounts.outbox(of: nil, limit: 9).count
    await robot.press("k", "D", "n")
    #expect(try cache.store.reader.accounts.outbox(of: nil, limit: 9).count == before)
    await robot.press("D", "y").sees("Discarded")
    #expect(try cache.store.reader.accounts.outbox(of: nil, limit: 9).count == before - 1)
    await robot.press("R")
    #expect(try cache.accounts.outbox(of: nil, limit: 9).allSatisfy { $0.state == .pending })
  }

  @Test("Enter on a change opens its article") func enterOpensItsArticle() async throws {
    let robot = try await Robot(.accounts(busy: true), width: 140, height: 40)
    await robot.press(":accounts", "j", "Enter")
    #expect(robot.topBar.contains("水坝周刊"))
    robot.sees("Sluices, and who opens them")
  }

  @Test("e changes an account's password, and D removes an account after a question")
  func passwordAndRemoval() async throws {
    let (cache, robot) = try await Robot.reading(.accounts(busy: true))
    await robot.press(":accounts", "G", "e").type("geheim").press("Enter").sees("Password changed")
    let accounts = try cache.store.reader.accounts.all()
    #expect(robot.actions.passwords.map(\.account) == [accounts[1].id])
    await robot.press("g g", "D").sees("that were never sent?")
    await robot.press("n")
    #expect(robot.actions.removed.isEmpty)
    await robot.press("D", "y")
    #expect(robot.actions.removed == [accounts[0].id])
  }

  @Test("r on an account stores a request to sync it") func syncingAnAccountIsARow() async throws {
    let (cache, robot) = try await Robot.reading(.accounts(busy: false))
    await robot.press(":accounts", "r")
    #expect(try cache.store.reader.accounts.all().allSatisfy { $0.state.isRequested })
    robot.sees("waiting to sync")
  }
}
