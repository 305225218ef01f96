@testable import ProgramSettings
@testable import ReaderServices
@testable import weir

/// The entries of the page Programs run as a reader would copy them; only the servers and the
/// models are replaced, by recorded answers.
@Suite("The entries for programs in the manual") struct ProgramPageTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/Program/weir/Documentation.docc/Programs.md")

  /// Returns the configuration of a block of the page.
  private func configuration(_ block: Int) throws -> UserConfiguration {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let blocks = text.components(separatedBy: "```toml\n").dropFirst()
    var file = ConfigurationFile(path: nil)
    file.read(try #require(blocks.dropFirst(block).first?.components(separatedBy: "\n```").first))
    #expect(file.problems.isEmpty, "\(file.problems)")
    return file.configuration
  }

  private static let title = "Tides & \"quotes\" $(touch x)"
  private static let address = "https://a.example/?x=1&y='2'"

  /// Runs an entry in a home of its own and returns its exit code and its output.
  private func run(
    _ words: [String], files: [String: String] = [:], programs: [String: String] = [:]
  ) throws -> (code: Int32?, output: String) {
    let home = FileManager.default.temporaryDirectory.appending(path: "weir-\(UUID().uuidString)")
    let folder = home.appending(path: ".config/weir")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    for (name, text) in files {
      try Data((text + "\n").utf8).write(to: folder.appending(path: name))
    }
    for (name, script) in programs {
      try Spawn.program(at: home.appending(path: name).path, script)
    }
    let (input, output) = (home.appending(path: "in").path, home.appending(path: "out").path)
    try Data("The text.\n".utf8).write(to: URL(filePath: input))
    let process = try Spawn.start(
      ["/usr/bin/env"] + words,
      environment: [
        "HOME": home.path, "PATH": "\(home.path):/usr/local/bin:/usr/bin:/bin",
        "WEIR_URL": Self.address, "WEIR_TITLE": Self.title,
      ], terminal: nil, output: output, input: input)
    let code = Spawn.wait(for: process)?.exitCode
    return (code, try String(contentsOfFile: output, encoding: .utf8))
  }

  private static let hasTools = ["curl", "jq"].allSatisfy { name in
    ["/usr/bin/", "/usr/local/bin/", "/bin/"].contains {
      FileManager.default.isExecutableFile(atPath: $0 + name)
    }
  }

  @Test(
    "An entry of a service sends address and title with the secret of its file",
    .enabled(if: hasTools),
    arguments: [
      ("readeck", "/api/bookmarks", "Authorization: Bearer t", 202),
      ("karakeep", "/api/v1/bookmarks", "Authorization: Bearer t", 201),
      ("linkding", "/api/bookmarks/", "Authorization: Token t", 201),
      ("zotero", "/users/1234567/items", "Zotero-API-Key: t", 200),
    ])
  func json(name: String, path: String, header: String, status: Int) throws {
    let origin = try Origin()
    origin.on("/", .answer("{}", status: status, type: "application/json"))
    let words = try arguments(name, at: origin)
    #expect(try run(words, files: [name: header]).code == 0)
    let request = try #require(origin.log.first)
    #expect(request.method == "POST" && request.target == path)
    let parts = header.components(separatedBy: ": ")
    #expect(request.header(parts[0]) == parts[1])
    #expect(request.header("Content-Type") == "application/json")
    let sent = try JSONSerialization.jsonObject(with: Data(request.body))
    let object = try #require(sent as? [String: Any] ?? (sent as? [[String: Any]])?.first)
    #expect(object["url"] as? String == Self.address)
    #expect(object["title"] as? String == Self.title)
    origin.on("/", .answer("{}", status: 401, type: "application/json"))
    #expect(try run(words, files: [name: header]).code != 0)
  }

  @Test("The entry of Instapaper sends a form with user and password", .enabled(if: hasTools))
  func instapaper() throws {
    let origin = try Origin()
    origin.on("/", .answer("201", status: 201, type: "text/plain"))
    let words = try arguments("instapaper", at: origin)
    #expect(try run(words, files: ["instapaper": "user = \"me@a.example:secret\""]).code == 0)
    let request = try #require(origin.log.first)
    #expect(request.target == "/api/add")
    let secret = Data("me@a.example:secret".utf8).base64EncodedString()
    #expect(request.header("Authorization") == "Basic \(secret)")
    #expect(Self.form(request) == ["url": Self.address, "title": Self.title])
  }

  @Test("The entry of Wallabag signs in and adds the article", .enabled(if: hasTools))
  func wallabag() throws {
    let origin = try Origin()
    origin.on(
      "/oauth", .answer(#"{"access_token":"abc","expires_in":3600}"#, type: "application/json"))
    origin.on("/api", .answer("{}", type: "application/json"))
    let words = try arguments("wallabag", at: origin)
    let secret = "data = \"grant_type=password&client_id=1&client_secret=2&username=u&password=p\""
    #expect(try run(words, files: ["wallabag": secret]).code == 0)
    #expect(origin.log.map(\.path) == ["/oauth/v2/token", "/api/entries.json"])
    #expect(Self.form(origin.log[0])["password"] == "p")
    #expect(origin.log[1].header("Authorization") == "Bearer abc")
    #expect(Self.form(origin.log[1]) == ["url": Self.address, "title": Self.title])
    origin.on("/oauth", .answer(#"{"error":"invalid_grant"}"#, status: 400))
    #expect(try run(words, files: ["wallabag": secret]).code != 0)
    #expect(origin.log.count == 3)
  }

  @Test("Models and translators get the text, and their answers are notes or replace it")
  func models() throws {
    let programs = try configuration(1).programs
    #expect(programs.keys.sorted() == ["english", "points", "summary"])
    #expect(programs["summary"]?.output == .show && programs["points"]?.output == .show)
    #expect(programs["english"]?.output == .replace)
    for (name, program) in programs {
      let fake = try #require(program.arguments.first)
      let (code, output) = try run(program.arguments, programs: [fake: "printf '%s,' \"$@\"; cat"])
      #expect(code == 0, "\(name)")
      #expect(output == program.arguments.dropFirst().map { $0 + "," }.joined() + "The text.\n")
    }
  }

  /// Returns the words of an entry, with its server replaced by the origin.
  private func arguments(_ name: String, at origin: Origin) throws -> [String] {
    let program = try #require(try configuration(0).programs[name])
    return program.arguments.map {
      $0.replacing(/https:\/\/[a-z.]+\.(org|com)/, with: "http://127.0.0.1:\(origin.port)")
    }
  }

  private static func form(_ request: Origin.Request) -> [String: String] {
    var components = URLComponents()
    // Versions of curl write a space as %20 or +.
    components.percentEncodedQuery = String(decoding: request.body, as: UTF8.self)
      .replacing("+", with: "%20")
    return Dictionary(
      (components.queryItems ?? []).map { ($0.name, $0.value ?? "") },
      uniquingKeysWith: { first, _ in first })
  }
}
