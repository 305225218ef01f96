import Foundation
import TestSupport
import Testing

/// Remote accounts by the commands and the reader, against a server of our own; and passwords that
/// are seen nowhere.
@Suite("Accounts", .ownThreads)
struct AccountTests {
  private let user = FakeAggregator.user
  private let secret = FakeAggregator.password

  /// FreshRSS's API with two articles in one feed.
  private func freshRSS(_ origin: Origin) -> (server: FakeAggregator, url: String) {
    let server = FakeAggregator(.freshRSS)
    server.addItems([1, 2], feed: server.addFeed(origin.url("/planet"), title: "Planet"))
    server.serve(on: origin)
    return (server, origin.url("/api/greader.php"))
  }

  @discardableResult
  private func add(_ fixture: CommandFixture, _ url: String) throws -> CommandFixture.Outcome {
    try fixture.weir("account", "add", "greader", url, "--user", user, input: secret + "\n")
  }

  @Test("Add, list, sync, mark, send, remove")
  func journey() throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    let (server, url) = freshRSS(origin)
    let added = try add(fixture, url)
    #expect(added.code == 0, "\(added.errors)")
    #expect(added.output.contains("Signed in and added account 1, alice at 127.0.0.1"))
    #expect(added.output.contains("in a file that only you may read"))

    let synced = try fixture.weir("account", "sync")
    #expect(synced.code == 0, "\(synced.errors)")
    #expect(synced.output.contains("2 new articles"))
    let articles = try fixture.weir("articles", "--json").objects()
    #expect(articles.count == 2)
    let id = try #require(articles.first?["id"] as? Int)
    try fixture.weir("mark", "starred", "\(id)")
    #expect(try fixture.weir("account", "list").output.contains("1 to send"))
    let account = try #require(try fixture.weir("account", "list", "--json").objects().first)
    #expect((account["outbox"] as? [String: Int])?["pending"] == 1)
    #expect(account["kind"] as? String == "greader" && account["user"] as? String == user)

    let pushed = try fixture.weir("sync", "--push-only")
    #expect(pushed.code == 0 && pushed.output.contains("1 sent"), "\(pushed)")
    #expect(server.starred.count == 1)
    #expect(try fixture.weir("sync", "--push-only").output == "Nothing to send\n")

    #expect(try add(fixture, url).errors.contains("is here already, as account 1"))
    try fixture.weir("mark", "read", "\(id)")
    let refused = try fixture.weir("account", "remove", "1")
    #expect(refused.code == 1 && refused.errors.contains("1 change that the server does not know"))
    #expect(try fixture.weir("sync").output.contains("1 sent"))
    #expect(server.unread.count == 1)
    #expect(try fixture.weir("account", "remove", "alice").output.contains("Removed account 1"))
    #expect(try fixture.weir("articles", "--json").objects().isEmpty)
    #expect(try fixture.weir("account", "list", "--json").output == "[]\n")
  }

  @Test("What goes wrong is a plain sentence with what helps, and leaves nothing behind")
  func failures() throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    let (server, url) = freshRSS(origin)
    func attempt(_ url: String, _ password: String) throws -> CommandFixture.Outcome {
      try fixture.weir(
        "account", "add", "greader", url, "--user", user, input: password + "\n")
    }
    let wrong = try attempt(url, "not this one")
    #expect(wrong.code == 1)
    #expect(wrong.errors.contains("doesn\u{2019}t accept this user name and password"))
    #expect(wrong.errors.contains("a password for the API"))
    server.setSwitchedOff(true)
    let off = try attempt(url, secret)
    #expect(off.code == 1 && off.errors.contains("Allow API access"), "\(off.errors)")
    server.setSwitchedOff(false)
    let elsewhere = try attempt(origin.url("/nothing/here"), secret)
    #expect(elsewhere.code == 1 && elsewhere.errors.contains("has no such API at this address"))
    let unreachable = try attempt("http://127.0.0.1:1/api/greader.php", secret)
    #expect(unreachable.code == 1 && unreachable.errors.contains("refused the connection"))
    #expect(try attempt("gopher://h", secret).code == 1)
    #expect(try attempt("https://a:b@h/", secret).errors.contains("holds a name or a password"))
    let empty = try fixture.weir("account", "add", "greader", url, "--user", user)
    #expect(empty.code == 1 && empty.errors.contains("No password was given"))
    #expect(try fixture.weir("account", "list", "--json").output == "[]\n")
    let kept = fixture.dataDirectory.appending(path: "passwords.json")
    #expect(!FileManager.default.fileExists(atPath: kept.path))
    #expect(try fixture.weir("account", "add", "gopher", url, "--user", user).code == 64)

    let unchecked = try fixture.weir(
      "account", "add", "greader", "http://127.0.0.1:1", "--user", user, "--unchecked",
      input: secret)
    #expect(unchecked.code == 0, "\(unchecked.errors)")
  }

  @Test(
    "Whichever of the server's addresses is typed, the one of its API is found",
    arguments: [
      "", "/", "/api", "/api/", "/api/greader.php/", "/api/greader.php/accounts/ClientLogin",
      "/api/greader.php/reader/api/0/", "/?x=1#top", "/i/", "/i/?a=normal&get=a",
      "/i/index.php", "/api/fever.php",
    ])
  func addressOfTheServer(path: String) throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    let (_, url) = freshRSS(origin)
    let added = try add(fixture, origin.url(path))
    #expect(added.code == 0, "\(added.errors)")
    #expect(try fixture.weir("account", "list", "--json").objects().first?["url"] as? String == url)
    #expect(try add(fixture, url).errors.contains("is here already, as account 1"))
  }

  @Test("A file of passwords that others may read is closed to them again")
  func passwordsReadableByOthers() throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    try add(fixture, freshRSS(origin).url)
    let path = fixture.dataDirectory.appending(path: "passwords.json").path
    chmod(path, 0o644)
    #expect(try fixture.weir("account", "sync").code == 0)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("A password goes with the last account that needs it")
  func passwordOfTwoAccounts() throws {
    let fixture = try CommandFixture()
    for kind in ["greader", "fever"] {
      try fixture.weir(
        "account", "add", kind, "http://127.0.0.1:1", "--user", user, "--unchecked",
        input: secret + "\n")
    }
    func isKept() throws -> Bool {
      try String(
        contentsOf: fixture.dataDirectory.appending(path: "passwords.json"), encoding: .utf8
      ).contains(secret)
    }
    try fixture.weir("account", "remove", "1")
    #expect(try isKept())
    try fixture.weir("account", "remove", "2")
    #expect(try !isKept())
  }

  @Test("A program that gives no password is named, with why")
  func passwordCommandFails() throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    let (_, url) = freshRSS(origin)
    func add(_ command: String) throws -> CommandFixture.Outcome {
      try fixture.weir(
        "account", "add", "greader", url, "--user", user, "--password-command", command)
    }
    #expect(try add("false").errors.contains("false gave no password: exit code 1"))
    #expect(try add("true").errors.contains("true printed no password"))
    #expect(try add("/nowhere/pass show").errors.contains("pass gave no password"))
    // The first of several lines is it.
    #expect(try add("printf '\(secret)\\r\\nnotes\\n'").code == 0)
  }

  @Test(
    "A password is in a file of mode 0600 under any umask, and in no log, output or list of processes"
  )
  func passwordStaysSecret() throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    let (_, url) = freshRSS(origin)
    let log = fixture.home.appending(path: "log").path
    try fixture.file(".config/weir/config.toml", "[log]\nlevel = \"debug\"\n")
    // Not in the script, which is what the shell's own entry in the list of processes says.
    let input = try fixture.file("password", secret + "\n")
    // The server's answer waits until the list of processes has been seen.
    let script = """
      umask 000
      $WEIR account add greader \(url) --user \(user) --log \(log) < \(input) 2>&1
      $WEIR account sync --log \(log) 2>&1 &
      weir=$!
      while kill -0 $weir 2> /dev/null; do cat /proc/$weir/cmdline /proc/$weir/environ; done 2> /dev/null
      $WEIR account list --json
      $WEIR doctor
      """
    let outcome = try fixture.shell(script)
    #expect(outcome.output.contains("Signed in"), "\(outcome)")
    #expect(!outcome.output.contains(secret) && !outcome.errors.contains(secret))
    #expect(try !String(contentsOf: URL(filePath: log), encoding: .utf8).contains(secret))
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.dataDirectory.path)
    for name in names {
      let path = fixture.dataDirectory.appending(path: name).path
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect((mode ?? 0o777) & 0o077 == 0, "\(name) is readable by others")
      let holds = FileManager.default.contents(atPath: path)?.range(of: Data(secret.utf8)) != nil
      #expect(holds == (name == "passwords.json"), "\(name)")
    }
  }

  @Test("A program of the user's gives the password, by the option and by the configuration")
  func passwordCommand() throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    let (_, url) = freshRSS(origin)
    let secretFile = try fixture.file("secret", secret + "\n")
    let added = try fixture.weir(
      "account", "add", "greader", url, "--user", user, "--password-command",
      "head -n 1 '\(secretFile)'")
    #expect(added.code == 0, "\(added.errors)")
    #expect(try fixture.weir("account", "sync").code == 0)
    try fixture.file("secret", "another\n")
    let wrong = try fixture.weir("account", "sync")
    #expect(wrong.code == 1 && wrong.errors.contains("doesn\u{2019}t accept this user"))
    let right = try fixture.file("right", secret)
    try fixture.file(
      ".config/weir/config.toml",
      "[accounts.\"\(url)\"]\npassword-command = [\"cat\", \"\(right)\"]\n")
    #expect(try fixture.weir("account", "sync").code == 0)
    try fixture.file(
      ".config/weir/config.toml", "[accounts.\"\(url)\"]\npassword-command = \"false\"\n")
    let failing = try fixture.weir("account", "sync")
    #expect(
      failing.code == 1 && failing.errors.contains("doesn\u{2019}t know the password"),
      "\(failing.errors)")
    // What failed, and not what would put a kept password in the place of the program.
    #expect(failing.errors.contains("false gave no password: exit code 1"), "\(failing.errors)")
    #expect(!failing.errors.contains("weir account password"), "\(failing.errors)")
  }

  @Test("Whether a feed happens to be due changes neither the exit code of a sync nor its JSON")
  func exitCodeAndSummary() throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    try add(fixture, freshRSS(origin).url)
    try fixture.weir(
      "account", "add", "greader", "http://127.0.0.1:1", "--user", user, "--unchecked",
      input: secret + "\n")
    func objects(_ arguments: String...) throws -> [[String: Any]] {
      try fixture.start(["sync", "--json"] + arguments).outcome().lines.compactMap {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
    }
    let first = try fixture.weir("sync")
    #expect(first.code == 0, "\(first)")
    #expect(first.output.contains("refused the connection"))
    let strict = try fixture.weir("sync", "--all", "--strict")
    #expect(strict.code == 1 && strict.errors.contains("refused the connection"), "\(strict)")
    let whole = try objects("--all")
    #expect(whole.count == 3)
    #expect(whole.last?["summary"] as? Bool == true && whole.last?["total"] as? Int == 0)
    let nothing = try objects()
    #expect(nothing.count == 1)
    #expect(nothing.last?["summary"] as? Bool == true && nothing.last?["total"] as? Int == 0)
    // With a feed that fails as well, something came through all the same.
    try fixture.weir("add", "--unchecked", origin.url("/missing"))
    let withFeed = try fixture.weir("sync", "--all")
    #expect(withFeed.code == 0, "\(withFeed)")
    // Nothing came through.
    try fixture.weir("account", "remove", "1")
    let alone = try fixture.weir("sync", "--all")
    #expect(alone.code == 1, "\(alone)")
    try fixture.weir("remove", "/missing")
    let accountAlone = try fixture.weir("sync", "--all")
    #expect(accountAlone.code == 1, "\(accountAlone)")
  }

  @Test("Feeds of an account are not called unfetched: their server fetches them")
  func feedsOfAccountsAreWell() throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    try add(fixture, freshRSS(origin).url)
    try fixture.weir("account", "sync")
    let doctor = try fixture.weir("doctor")
    #expect(doctor.output.contains("Feeds: OK"), "\(doctor.output)")
    let feed = try #require(try fixture.weir("feeds", "--json").objects().first)
    #expect(feed["name"] as? String == "Planet" && feed["state"] as? String == "ok")
    #expect(try !fixture.weir("feeds").output.contains("not fetched yet"))
    // One of Weir's own is, until it has been.
    try fixture.weir("add", "--unchecked", origin.url("/own"))
    #expect(try fixture.weir("doctor").output.contains("Not fetched yet: 1 feed"))
  }

  @Test("Another password is taken once it is right")
  func anotherPassword() throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    let (_, url) = freshRSS(origin)
    try fixture.weir(
      "account", "add", "greader", url, "--user", user, "--unchecked", input: "old password\n")
    #expect(try fixture.weir("account", "sync").code == 1)
    #expect(try fixture.weir("account", "password", "1", input: "wrong too\n").code == 1)
    let taken = try fixture.weir("account", "password", "1", input: secret + "\n")
    #expect(taken.code == 0, "\(taken.errors)")
    #expect(try fixture.weir("account", "sync").code == 0)
  }

  // MARK: The terminal

  private func terminal(_ fixture: CommandFixture, _ url: String) throws -> PseudoTerminal {
    try PseudoTerminal(
      [
        "/bin/sh", "-c",
        "\"$0\" account add greader \(url) --user \(user); stty -a | tr ' ' '\\n' | grep '^-*echo;*$'",
        CommandFixture.program,
      ], environment: fixture.environment)
  }

  @Test("The terminal asks for the password and shows none of it")
  func prompt() throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    let (_, url) = freshRSS(origin)
    let terminal = try terminal(fixture, url)
    #expect(terminal.wait(for: "Password of alice at 127.0.0.1: ") != nil)
    terminal.send("wrong\u{15}" + secret + "\n")
    #expect(terminal.wait(for: "Signed in and added") != nil)
    _ = terminal.waitForExit()
    let output = String(decoding: terminal.output, as: UTF8.self)
    #expect(!output.contains(secret) && !output.contains("wrong"))
    #expect(output.contains("\necho") && !output.contains("-echo"))
  }

  @Test(
    "A signal at the question leaves a terminal that shows what is typed", arguments: [2, 15, 1])
  func signalAtThePrompt(signal: Int32) throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    let (_, url) = freshRSS(origin)
    let terminal = try terminal(fixture, url)
    #expect(terminal.wait(for: "Password of alice") != nil)
    let processes = try fixture.shell("pgrep -P \(terminal.process) -x weir").output
    let weir = try #require(Int32(processes.trimmingCharacters(in: .whitespacesAndNewlines)))
    kill(weir, signal)
    _ = terminal.waitForExit()
    let output = String(decoding: terminal.output, as: UTF8.self)
    #expect(output.contains("\necho") && !output.contains("-echo"), "\(output)")
    #expect(try fixture.weir("account", "list", "--json").output == "[]\n")
  }

  // MARK: The reader

  @Test("A star in the reader arrives at the server; what is left at the end is announced")
  func reader() throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    let (server, url) = freshRSS(origin)
    let robot = try fixture.reader(columns: 130).waitFor("Welcome to Weir")
    try robot.type("+").waitFor("Add an account").type(url).keys("Tab").type(user).keys("Tab")
      .type("wrong").waitFor("•••••").keys("Enter").waitFor("doesn\u{2019}t accept this user")
    try robot.keys("C-u").type(secret).keys("Enter").waitFor("Signed in")
      .waitFor("Planet", within: 20)
    #expect(try !robot.screen().joined().contains(secret))
    try robot.type("/").type("planet").keys("Enter").type("G").keys("Enter").type("s")
      .waitFor("★")
    let deadline = Date() + 20
    while server.starred.isEmpty, Date() < deadline { usleep(50_000) }
    #expect(server.starred.count == 1)
    try robot.type("Q").exit(0)
    #expect(try fixture.weir("account", "list").output.contains("synced"))
  }

  @Test("Offline, an account is added unasked, and what was done waits")
  func offline() throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    let (server, url) = freshRSS(origin)
    _ = try add(fixture, url)
    try fixture.weir("account", "sync")
    let robot = try fixture.reader("--offline", columns: 130).waitFor("127.0.0.1")
    try robot.type("G").keys("Enter").type("s").waitFor("★").waitFor("⇡ 1").type("@")
      .waitFor("starred").waitFor("waiting to be sent").type("qQ").exit(0)
    #expect(server.starred.isEmpty)
    #expect(try fixture.weir("sync", "--push-only").output.contains("1 sent"))
    #expect(server.starred.count == 1)
  }

  @Test(
    "What the server refuses is shown, then sent again or given up; the account goes when asked")
  func refused() throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    let (server, url) = freshRSS(origin)
    try add(fixture, url)
    try fixture.weir("account", "sync")
    server.setPoison([1, 2])
    let robot = try fixture.reader(columns: 130).waitFor("127.0.0.1")
    try robot.type("G").keys("Enter").type("s").waitFor("★").type("@")
      .waitFor("refused by the server: 400", within: 20)
    server.setPoison([])
    try robot.type("jr").waitForAbsence(of: "refused by the server")
    try robot.waitUntil("the star has arrived", within: 20) { server.starred.count == 1 }

    server.setPoison([1, 2])
    try robot.type("q").waitForAbsence(of: "synced ").type("s").waitForAbsence(of: "★")
      .type("@").waitFor("refused by the server: 400", within: 20)
    try robot.type("jx").waitFor("Discard this change (unstarred").type("y").waitFor("Discarded")
      .waitForAbsence(of: "refused by the server")
    #expect(server.starred.count == 1)
    // The next sync brings back what the server has.
    try robot.type("ggr").waitFor("127.0.0.1 syncs").type("q").waitFor("★", within: 20)

    try robot.type("@").waitFor("synced ").type("D").waitFor("Remove 127.0.0.1").type("y")
      .waitFor("Removed 127.0.0.1").type("qQ").exit(0)
    #expect(try fixture.weir("account", "list", "--json").output == "[]\n")
  }

  @Test("Refused changes are said by every sync until they are sent again or discarded")
  func refusedChanges() throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    let (server, url) = freshRSS(origin)
    try add(fixture, url)
    try fixture.weir("account", "sync")
    server.setPoison([1])
    try fixture.weir("mark", "read", "--feed", "1")
    let sync = try fixture.weir("account", "sync")
    #expect(sync.code == 1 && sync.errors.contains("refused 1 change"), "\(sync)")
    #expect(sync.output.contains("1 refused"), "\(sync)")
    #expect(server.unread == [1])
    let again = try fixture.weir("sync")
    #expect(again.code == 1 && again.errors.contains("weir account retry"), "\(again)")
    let changes = try fixture.weir("account", "changes", "--json")
    #expect(changes.code == 0 && changes.output.contains("\"state\":\"refused\""), "\(changes)")
    server.setPoison([])
    let retry = try fixture.weir("account", "retry", "1")
    #expect(retry.output.contains("1 change will be sent with the next sync"), "\(retry)")
    #expect(try fixture.weir("account", "sync").code == 0)
    #expect(server.unread.isEmpty)

    server.setPoison([2])
    try fixture.weir("mark", "unread", "--feed", "1")
    #expect(try fixture.weir("account", "sync").code == 1)
    let discard = try fixture.weir("account", "discard")
    #expect(discard.output.contains("1 change discarded"), "\(discard)")
    #expect(try fixture.weir("account", "sync").code == 0)
    #expect(try fixture.weir("account", "changes").errors.contains("Every change has been sent"))
  }

  @Test("A sync whose changes were not taken fails and says why, though it fetched what is new")
  func failedChanges() throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    let (server, url) = freshRSS(origin)
    try add(fixture, url)
    try fixture.weir("account", "sync")
    server.addItems([3], feed: 1)
    try fixture.weir("mark", "read", "--feed", "1")
    let call = "/api/greader.php/reader/api/0/edit-tag"
    origin.on(call, .answer("<h1>Oops</h1>", status: 500, type: "text/html"))
    let sync = try fixture.weir("account", "sync")
    #expect(sync.code == 1 && sync.errors.contains("has a problem (500)"), "\(sync)")
    #expect(
      sync.output.contains("2 to be sent next time, 1 new article, 127.0.0.1 has a problem (500)"),
      "\(sync)")
    let changes = try fixture.weir("account", "changes")
    #expect(changes.output.contains("the server has a problem (500: Oops)"), "\(changes)")
    server.serve(on: origin, below: call)
    let again = try fixture.weir("account", "sync")
    #expect(again.code == 0 && again.output.contains("2 sent"), "\(again)")
    #expect(server.unread == [3])
  }

  @Test(
    "The end waits three seconds for a server that hangs, says what is left, and it is sent later")
  func quitting() throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    let (server, url) = freshRSS(origin)
    server.addItems(3...200, feed: 1)
    try add(fixture, url)
    try fixture.weir("account", "sync")
    try fixture.weir("mark", "read", "--feed", "1")
    let call = "/api/greader.php/reader/api/0/edit-tag"
    origin.on(call, .hang)
    let reader = try PseudoTerminal([CommandFixture.program], environment: fixture.environment)
    #expect(reader.wait(for: "200", deadline: 30) != nil)
    let isTried = Date() + 30
    while !origin.log.contains(where: { $0.target.contains("edit-tag") }), Date() < isTried {
      _ = reader.read(wait: 0.05)
    }
    let began = ContinuousClock.now
    reader.send("Q")
    #expect(reader.waitForExit(deadline: 60) != nil)
    let duration = began.duration(to: .now)
    #expect(
      String(decoding: reader.output, as: UTF8.self).contains("200 changes will be sent next time"))
    Soak.report("quit, 200 changes pending, the server hangs", "\(duration)", "200 wait")
    #expect(server.unread.count == 200)
    server.serve(on: origin, below: call)
    let pushed = try fixture.weir("sync", "--push-only")
    #expect(pushed.output.contains("200 sent"), "\(pushed)")
    #expect(server.unread.isEmpty)
  }
}
