@Suite("Secrets", .ownThreads) final class SecretTests: OnlineSuite {
  private static let credentials = Data("me:s3cret".utf8).base64EncodedString()

  private static func holdsSecret(_ text: String) -> Bool {
    text.contains("s3cret") || text.contains(credentials)
  }

  /// Returns a secret in a terminal's output with its context, or `nil` if there is none.
  private static func secret(in output: [UInt8]) -> String? {
    let text = String(decoding: output, as: UTF8.self)
    guard let range = text.range(of: "s3cret") ?? text.range(of: credentials) else { return nil }
    return "\(text[..<range.lowerBound].suffix(200))…\(text[range.lowerBound...].prefix(100))"
  }

  @Test("No redirect or challenge sends a secret to another origin") func origins() throws {
    let (fixture, origin) = try CommandFixture.online(address: "0.0.0.0")
    let other = try Origin(address: "0.0.0.0")
    let statuses = [301, 302, 303, 307, 308]
    /// Redirects requests that have the password.
    func sends(_ path: String, _ status: Int, to location: String) {
      origin.on(path) { .basic(Self.credentials, to: $0, .redirect(status, to: location)) }
    }
    for status in statuses {
      sends("/in/\(status)/host", status, to: origin.url("/out/\(status)", host: "127.0.0.2"))
      sends("/in/\(status)/port", status, to: other.url("/out/\(status)"))
      // A secret that was dropped on the way out is not sent on the way back.
      sends("/in/\(status)/back", status, to: other.url("/back/\(status)"))
      other.on("/back/\(status)", .redirect(status, to: origin.url("/out/back\(status)")))
      sends("/in/\(status)/named", status, to: other.url("/out/\(status)", userInfo: "you:0ther"))
    }
    for place in [origin, other] {
      place.on("/out/") { request in
        let scheme = request.path.hasSuffix("7") ? "Digest" : "Basic"
        return .status(
          401,
          headers: [("WWW-Authenticate", "\(scheme) realm=\"feeds\", nonce=\"1\", qop=\"auth\"")])
      }
    }
    var urls: [String] = []
    for kind in ["host", "port", "back", "named"] {
      for status in statuses {
        urls.append(origin.url("/in/\(status)/\(kind)?token=s3cret", userInfo: "me:s3cret"))
        urls.append(origin.url("/in/\(status)/\(kind)/configured?token=s3cret"))
      }
    }
    try fixture.file(
      ".config/weir/config.toml",
      "[feeds.\"\(origin.url("/in/"))\"]\nusername = \"me\"\npassword = \"s3cret\"\n")
    _ = try fixture.start(["add", "--unchecked"] + urls).outcome()
    try fixture.weir("sync", "--all")
    // Failed feeds are requested again, because challenges are remembered.
    try fixture.weir("sync", "--all", "127.0.0.1")
    let outside =
      other.log + origin.log.filter { $0.header("Host")?.hasPrefix("127.0.0.2") == true }
    #expect(outside.count >= statuses.count * 4)
    for request in outside {
      let text = request.target + request.headers.map { "\($0.name): \($0.value)" }.joined()
      #expect(!Self.holdsSecret(text), "\(text)")
      #expect(!text.contains("0ther") && request.header("Authorization") == nil)
      #expect(request.header("Referer") == nil && request.header("Cookie") == nil)
    }
    #expect(origin.log.contains { $0.header("Authorization") == "Basic \(Self.credentials)" })
    // After a redirect through another origin, the secret is not sent to its own origin either.
    for request in origin.log where request.path.hasPrefix("/out/back") {
      #expect(request.header("Authorization") == nil)
    }
  }

  @Test("Files that Weir writes are private under any umask") func modes() throws {
    origin.on("/feed", .answer(Feeds.rss("One", ["A"])))
    let url = origin.url("/feed", userInfo: "me:s3cret")
    let outcome = try fixture.shell(
      """
      umask 000; export HOME; cd "$HOME"
      "$WEIR" add --unchecked '\(url)' --log logs/weir.log && "$WEIR" sync --log logs/weir.log &&
      "$WEIR" backup copy.db && "$WEIR" export feeds.opml && "$WEIR" doctor
      """)
    #expect(outcome.code == 0, "\(outcome.errors)")
    var files = 0
    let walker = FileManager.default.enumerator(atPath: fixture.home.path)
    while let path = walker?.nextObject() as? String {
      if path.hasPrefix(".run-") { continue }
      let attributes = try FileManager.default.attributesOfItem(
        atPath: fixture.home.appending(path: path).path)
      let mode = try #require(attributes[.posixPermissions] as? Int)
      let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
      if isFolder && ![".local/share/weir", "logs"].contains(path) { continue }
      #expect(mode == (isFolder ? 0o700 : 0o600), "\(path) has \(String(mode, radix: 8))")
      files += 1
    }
    #expect(files >= 6)
  }

  @Test(
    "No process shows a password to ps",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self")))
  func processes() throws {
    origin.on("/feed") { .basic(Self.credentials, to: $0, .hang) }
    let filter = try fixture.program("filter", "sleep 60")
    try fixture.file(
      ".config/weir/config.toml",
      """
      [feeds."\(origin.url("/"))"]
      username = "me"
      password-command = ["sh", "-c", "cat ~/.password"]
      """)
    try fixture.file(".password", "s3cret\n")
    try fixture.weir("add", "--unchecked", origin.url("/feed"))
    try fixture.weir("add", "--unchecked", "exec:\(filter)")
    let terminal = try PseudoTerminal([CommandFixture.program], environment: fixture.environment)
    _ = try #require(terminal.wait(for: "Starred"))
    let deadline = Patience.end
    while ContinuousClock.now < deadline {
      terminal.read(wait: 0.05)
      if origin.log.contains(where: { $0.header("Authorization") != nil }),
        !Spawn.children(of: terminal.process).isEmpty
      {
        break
      }
    }
    let all = [terminal.process] + Spawn.children(of: terminal.process)
    #expect(all.count > 1)
    for process in all {
      for name in ["cmdline", "environ"] {
        let text = try Data(contentsOf: URL(filePath: "/proc/\(process)/\(name)"))
        #expect(!Self.holdsSecret(String(decoding: text, as: UTF8.self)))
      }
    }
    #expect(terminal.quit()?.exitCode == 0)
    #expect(Self.secret(in: terminal.output) == nil)
  }

  @Test("A password typed with an address is not printed") func commands() throws {
    let page =
      "<link rel=alternate type=application/rss+xml href=/1><link rel=alternate type=application/rss+xml href=/2>"
    origin.on("/page", .answer("<html><head>\(page)</head></html>", type: "text/html"))
    origin.on(
      "/", .answer("<rss><channel><title>F</title></channel></rss>", type: "application/rss+xml"))
    for arguments in [
      ["add", origin.url("/page", userInfo: "me:s3cret")],
      ["discover", origin.url("/page", userInfo: "me:s3cret")],
      ["discover", "--json", origin.url("/1", userInfo: "me:s3cret")],
      ["discover", origin.url("/none", userInfo: "me:s3cret")],
    ] {
      let outcome = try fixture.start(arguments).outcome()
      #expect(outcome.output.contains("127.0.0.1") || outcome.errors.contains("127.0.0.1"))
      #expect(
        !outcome.output.contains("s3cret") && !outcome.errors.contains("s3cret"), "\(arguments)")
    }
  }

  @Test("A password in an address is not shown on screens nor passed to other programs")
  func screens() throws {
    origin.on("/untitled", .answer("<rss><channel><item><title>A</title></item></channel></rss>"))
    origin.on("/missing", .status(404))
    origin.on("/moved", .redirect(301, to: origin.url("/untitled")))
    let log = fixture.home.appending(path: "environment").path
    let program = try fixture.program("show", "env > '\(log)'; echo \"$@\" >> '\(log)'")
    for path in ["/untitled", "/missing", "/moved"] {
      try fixture.weir("add", "--unchecked", origin.url(path, userInfo: "me:s3cret"))
    }
    try fixture.weir("sync", "--all")
    let terminal = try PseudoTerminal(
      [CommandFixture.program], columns: 160, rows: 40,
      environment: fixture.environment.merging(["BROWSER": program]) { $1 })
    _ = try #require(terminal.wait(for: "http://127.0.0.1"))
    for keys in ["S", "jj", "q", "!", "jj", "q", "G", "o", "y", "k", "y", "U", "\r", "j"] {
      terminal.send(keys, quiet: 0.1)
    }
    terminal.send("O\(program)\r", quiet: 0.3)
    #expect(terminal.quit()?.exitCode == 0)
    #expect(Self.secret(in: terminal.output) == nil)
    for copy in TerminalStream(terminal.output).copied {
      let text = String(decoding: Data(base64Encoded: copy) ?? Data(), as: UTF8.self)
      #expect(!Self.holdsSecret(text), "\(text)")
    }
    // The programs may still be starting.
    let deadline = Patience.end
    while !FileManager.default.fileExists(atPath: log), ContinuousClock.now < deadline {
      usleep(5_000)
    }
    #expect(try !Self.holdsSecret(String(contentsOfFile: log, encoding: .utf8)))
  }
}
