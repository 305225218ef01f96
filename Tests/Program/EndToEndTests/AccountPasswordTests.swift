@Suite("Passwords of accounts", .ownThreads) struct AccountPasswordTests {
  private let user = FakeAggregator.user
  private let secret = FakeAggregator.password

  @Test("A password file that others can read is made private again")
  func passwordFileIsPrivate() throws {
    let (fixture, origin) = try CommandFixture.online()
    try fixture.addAccount(FakeAggregator.freshRSS(on: origin).url)
    let path = fixture.dataDirectory.appending(path: "passwords.json").path
    chmod(path, 0o644)
    #expect(try fixture.weir("account", "sync").code == 0)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("A wrong password is reported if the address is that of FreshRSS's pages")
  func wrongPasswordAtPages() throws {
    let (fixture, origin) = try CommandFixture.online()
    _ = FakeAggregator.freshRSS(on: origin)
    origin.on("/accounts/") { _ in .answer("<html>Welcome</html>", type: "text/html") }
    let outcome = try fixture.weir(
      "account", "add", "greader", origin.url(""), "--user", user, input: "wrong\n")
    #expect(outcome.code != 0)
    #expect(outcome.errors.contains("doesn\u{2019}t accept this user name and password"))
  }

  @Test("A password is removed with the last account that needs it")
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

  @Test("A program that gives no password is reported with the reason")
  func passwordCommandFails() throws {
    let (fixture, _, _, url) = try CommandFixture.withFreshRSS()
    func add(_ command: String) throws -> CommandFixture.Outcome {
      try fixture.weir(
        "account", "add", "greader", url, "--user", user, "--password-command", command)
    }
    #expect(try add("false").errors.contains("false gave no password: exit code 1"))
    #expect(try add("true").errors.contains("true printed no password"))
    #expect(try add("/nowhere/pass show").errors.contains("pass gave no password"))
    // The first of several lines is the password.
    #expect(try add("printf '\(secret)\\r\\nnotes\\n'").code == 0)
  }

  @Test(
    "A password is stored with mode 0600 under any umask, and is in no log, output or process list"
  )
  func passwordStaysSecret() throws {
    let (fixture, _, _, url) = try CommandFixture.withFreshRSS()
    let log = fixture.home.appending(path: "log").path
    try fixture.file(".config/weir/config.toml", "[log]\nlevel = \"debug\"\n")
    // The password is not in the script, because the list of processes shows the shell's script.
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

  @Test("A program of the user provides the password, by option and by configuration")
  func passwordCommand() throws {
    let (fixture, _, _, url) = try CommandFixture.withFreshRSS()
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
    // The message names the failure, and does not suggest to store a password instead of the
    // program.
    #expect(failing.errors.contains("false gave no password: exit code 1"), "\(failing.errors)")
    #expect(!failing.errors.contains("weir account password"), "\(failing.errors)")
  }

  @Test("A new password is accepted once it is right") func anotherPassword() throws {
    let (fixture, _, _, url) = try CommandFixture.withFreshRSS()
    try fixture.weir(
      "account", "add", "greader", url, "--user", user, "--unchecked", input: "old password\n")
    #expect(try fixture.weir("account", "sync").code == 1)
    #expect(try fixture.weir("account", "password", "1", input: "wrong too\n").code == 1)
    let taken = try fixture.weir("account", "password", "1", input: secret + "\n")
    #expect(taken.code == 0, "\(taken.errors)")
    #expect(try fixture.weir("account", "sync").code == 0)
  }

  private func terminal(_ fixture: CommandFixture, _ url: String) throws -> PseudoTerminal {
    try PseudoTerminal(
      [
        "/bin/sh", "-c",
        "\"$0\" account add greader \(url) --user \(user); stty -a | tr ' ' '\\n' | grep '^-*echo;*$'",
        CommandFixture.program,
      ], environment: fixture.environment)
  }

  @Test("The terminal asks for the password and does not show it") func prompt() throws {
    let (fixture, _, _, url) = try CommandFixture.withFreshRSS()
    let terminal = try terminal(fixture, url)
    #expect(terminal.wait(for: "Password of alice at 127.0.0.1: ") != nil)
    terminal.send("wrong\u{15}" + secret + "\n")
    #expect(terminal.wait(for: "Signed in and added") != nil)
    _ = terminal.waitForExit()
    let output = String(decoding: terminal.output, as: UTF8.self)
    #expect(!output.contains(secret) && !output.contains("wrong"))
    #expect(output.contains("\necho") && !output.contains("-echo"))
  }

  @Test("A signal at the prompt leaves a terminal that echoes input", arguments: [2, 15, 1])
  func signalAtThePrompt(signal: Int32) throws {
    let (fixture, _, _, url) = try CommandFixture.withFreshRSS()
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
}
