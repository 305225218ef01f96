import Foundation
import Testing

/// The map for newcomers, Map.md, names files and folders of the repository.
@Suite("The map for newcomers") struct MapTests {
  /// Returns the paths in code style that begin with a folder of the repository.
  static func paths(in text: String) -> [String] {
    text.matches(of: /`((?:Sources|Tests|Resources)\/[^`\s]*)`/).map { String($0.1) }
  }

  static func missing(_ paths: [String]) -> [String] {
    paths.filter {
      !FileManager.default.fileExists(atPath: ImportRules.root.appending(path: $0).path)
    }
  }

  @Test("Every path that Map.md names exists")
  func everyPathExists() throws {
    let map = ImportRules.root.appending(path: "Sources/Program/weir/Documentation.docc/Map.md")
    let paths = Self.paths(in: try String(contentsOf: map, encoding: .utf8))
    #expect(paths.count > 100, "the search found only \(paths)")
    for path in Self.missing(paths) { Issue.record("Map.md: \(path) does not exist") }
  }

  @Test("A path that does not exist is reported, and commands and plain text are not paths")
  func search() {
    let text =
      "`Sources/Model/FeedModel/`, `Tests/Nothing.swift`, `make lint` and Sources/None.swift"
    #expect(Self.paths(in: text) == ["Sources/Model/FeedModel/", "Tests/Nothing.swift"])
    #expect(Self.missing(Self.paths(in: text)) == ["Tests/Nothing.swift"])
  }
}
