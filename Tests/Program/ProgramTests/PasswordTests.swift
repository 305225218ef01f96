@testable import ProgramSettings
@testable import weir

@Suite("Passwords of accounts") struct PasswordTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "weir-passwords-\(UUID().uuidString)")
  private let owner = PasswordOwner(url: "https://rss.example.org/api/greader.php", user: "me")
  private let secret = Password("a \"b\" $(c) ü")

  private func prepare() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Returns a fake `secret-tool` that stores its input in a file and records its arguments.
  private func keyring() throws -> (keyring: Keyring, arguments: URL, kept: URL) {
    let program = folder.appending(path: "secret-tool")
    let (arguments, kept) = (folder.appending(path: "arguments"), folder.appending(path: "kept"))
    try Spawn.program(
      at: program.path,
      """
      printf '%s\\n' "$@" >> '\(arguments.path)'
      case $1 in
      store) cat > '\(kept.path)';;
      lookup) cat '\(kept.path)';;
      clear) rm -f '\(kept.path)';;
      esac
      """)
    return (Keyring(.secretTool, program: program.path), arguments, kept)
  }

  @Test("A password prints as three stars, even as a part of another value") func redacted() {
    let texts = [
      "\(secret)", "\([secret])", "\((secret, 1))", String(reflecting: Optional(secret)),
    ]
    #expect(texts.allSatisfy { !$0.contains("$(c)") && $0.contains("***") })
    var dumped = ""
    dump(secret, to: &dumped)
    #expect(!dumped.contains("$(c)"))
  }

  @Test("The file keeps one password for each user, and only its owner may read it")
  func file() throws {
    try prepare()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = PasswordFile(directory: folder.path)
    let other = PasswordOwner(url: owner.url, user: "you")
    #expect(try file.password(of: owner) == nil)
    try file.save(Password("old"), of: owner)
    try file.save(Password("yours"), of: other)
    chmod(folder.appending(path: "passwords.json").path, 0o644)
    try file.save(secret, of: owner)
    #expect(try file.password(of: owner) == secret)
    #expect(try file.password(of: other) == Password("yours"))
    let path = folder.appending(path: "passwords.json").path
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try file.forget(owner)
    #expect(try file.password(of: owner) == nil)
    #expect(try file.password(of: other) == Password("yours"))
    try Data("{".utf8).write(to: URL(filePath: path))
    #expect(throws: CommandFailure.self) { try file.password(of: other) }
  }

  @Test("If the file is a symbolic link, its target keeps its mode and gets the passwords")
  func link() throws {
    try prepare()
    defer { try? FileManager.default.removeItem(at: folder) }
    let target = folder.appending(path: "shared.json").path
    let path = folder.appending(path: "passwords.json").path
    try Data("[]".utf8).write(to: URL(filePath: target))
    #expect(chmod(target, 0o640) == 0 && symlink(target, path) == 0)
    let file = PasswordFile(directory: folder.path)
    #expect(try file.password(of: owner) == nil)
    try file.save(secret, of: owner)
    #expect(try PasswordFile(directory: folder.path).password(of: owner) == secret)
    let attributes = try FileManager.default.attributesOfItem(atPath: target)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
  }

  @Test("A keyring gets the password by its input, never as an argument")
  func keyringOfTheDesktop() async throws {
    try prepare()
    defer { try? FileManager.default.removeItem(at: folder) }
    let (keyring, arguments, kept) = try keyring()
    let passwords = Passwords(directory: folder.path, keyring: keyring)
    #expect(try await passwords.save(secret, of: owner) == .keyring)
    #expect(try String(contentsOf: kept, encoding: .utf8) == secret.text)
    #expect(try await passwords.password(of: owner, command: nil) == secret)
    #expect(try !String(contentsOf: arguments, encoding: .utf8).contains("$(c)"))
    #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "passwords.json").path))
    try await passwords.forget(owner)
    #expect(try await passwords.password(of: owner, command: nil) == nil)
  }

  @Test("Without a session, as in cron, the keyring is reached over the user's bus")
  func keyringWithoutASession() async throws {
    try prepare()
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = folder.appending(path: "secret-tool")
    try Spawn.program(at: program.path, "printf %s \"$DBUS_SESSION_BUS_ADDRESS\"")
    #expect(Keyring.bus(in: folder.path) == nil)
    let socket = folder.appending(path: "bus").path
    try Data().write(to: URL(filePath: socket))
    let bus = try #require(Keyring.bus(in: folder.path))
    #expect(bus == "unix:path=\(socket)")
    let keyring = Keyring(.secretTool, program: program.path, bus: bus)
    #expect(try await keyring.password(of: owner) == Password(bus))
  }

  @Test("macOS's keyring gets the password by its input too, but none that it would not return")
  func security() {
    let keyring = Keyring(.security, program: "/usr/bin/security")
    let plain = Password("pa ss\"1")
    #expect(
      keyring.store(plain, PasswordOwner(url: "https://h", user: "m\"e"))
        == Keyring.Call(
          words: ["/usr/bin/security", "-i"],
          input:
            "add-generic-password -U -s weir -a \"https://h m\\\"e\" -X 70612073732231\n"))
    #expect(keyring.store(secret, owner) == nil)
  }

  @Test("If the keyring fails, the password is stored in the file") func fallback() async throws {
    try prepare()
    defer { try? FileManager.default.removeItem(at: folder) }
    let passwords = Passwords(
      directory: folder.path, keyring: Keyring(.secretTool, program: "/bin/false"))
    #expect(try await passwords.save(secret, of: owner) == .file)
    #expect(try await passwords.password(of: owner, command: nil) == secret)
  }

  @Test("The first line that a program prints is the password, and no shell reads its words")
  func command() async throws {
    let passwords = Passwords(directory: folder.path, keyring: nil)
    let found = try await passwords.password(of: owner, command: ["printf", "%s\\nx", "$(id) *"])
    #expect(found == Password("$(id) *"))
    for words in [["false"], ["true"], ["/nowhere/at/all"]] {
      await #expect(throws: CommandFailure.self) {
        try await passwords.password(of: owner, command: words)
      }
    }
  }

  @Test("The configuration names the program that provides a password") func configuration() {
    var file = ConfigurationFile()
    file.read(
      """
      [accounts]
      "https://a.example/api/" = { password-command = ["pass", "a"] }
      [accounts."https://b.example"]
      username = "me"
      password-command = "pw"
      """)
    #expect(file.problems.isEmpty)
    let accounts = file.configuration.accounts
    #expect(accounts.passwordCommand(url: "https://a.example/api", user: "any") == ["pass", "a"])
    #expect(accounts.passwordCommand(url: "https://b.example", user: "me") == ["pw"])
    #expect(accounts.passwordCommand(url: "https://b.example", user: "you") == nil)
    file.read(
      """
      [accounts]
      "ftp://a.example" = { password-command = "x" }
      "https://c.example" = { pasword-command = "x" }
      """)
    #expect(
      file.problems.map(\.described) == [
        "accounts.\"ftp://a.example\": an address that begins with https:// or http:// expected, line 2",
        "accounts.\"https://c.example\".pasword-command: unknown setting, line 3; did you mean "
          + "password-command?",
      ])
  }
}
