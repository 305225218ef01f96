/// The pages for newcomers, Architecture.md and Map.md, name files and folders of the repository.
@Suite("The map for newcomers") struct MapTests {
  private static let folder = ImportRules.root.appending(
    path: "Sources/Program/weir/Documentation.docc")

  /// Returns the paths in code style that begin with a folder of the repository.
  static func paths(in text: String) -> [String] {
    text.matches(of: /`((?:Sources|Tests|Resources)\/[^`\s]*)`/).map { String($0.1) }
  }

  static func missing(_ paths: [String]) -> [String] {
    paths.filter {
      !FileManager.default.fileExists(atPath: ImportRules.root.appending(path: $0).path)
    }
  }

  @Test(
    "Every path that the pages for newcomers name exists",
    arguments: [("Architecture.md", 30), ("Map.md", 100)])
  func everyPathExists(page: String, atLeast count: Int) throws {
    let text = try String(contentsOf: Self.folder.appending(path: page), encoding: .utf8)
    let paths = Self.paths(in: text)
    #expect(paths.count >= count, "the search found only \(paths)")
    for path in Self.missing(paths) { Issue.record("\(page): \(path) does not exist") }
  }

  @Test("The first page for newcomers stays short") func length() throws {
    let page = Self.folder.appending(path: "Architecture.md")
    let words = try String(contentsOf: page, encoding: .utf8).split(whereSeparator: \.isWhitespace)
    #expect(words.count <= 1_200)
  }

  @Test("A path that does not exist is reported, and commands and plain text are not paths")
  func search() {
    let text =
      "`Sources/Model/FeedModel/`, `Tests/Nothing.swift`, `make lint` and Sources/None.swift"
    #expect(Self.paths(in: text) == ["Sources/Model/FeedModel/", "Tests/Nothing.swift"])
    #expect(Self.missing(Self.paths(in: text)) == ["Tests/Nothing.swift"])
  }
}
