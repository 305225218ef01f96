@Suite("The table of hostile input") struct HostileTable {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the tests that the article names as `Target/File.test`.
  private static func named() throws -> [(target: String, file: String, test: String)] {
    let article = root.appending(path: "Sources/Program/weir/Documentation.docc/Hostile.md")
    return try String(contentsOf: article, encoding: .utf8)
      .matches(of: /`(\w+)\/(\w+Tests)\.([^`]+)`/)
      .map { (String($0.1), String($0.2), String($0.3)) }
  }

  @Test("Every test named in the table exists") func names() throws {
    let named = try Self.named()
    #expect(named.count > 60)
    for (target, file, test) in named {
      let folder = try Manifest.folder(of: target)
      let path = Self.root.appending(path: "\(folder)/\(file).swift")
      let source = try? String(contentsOf: path, encoding: .utf8)
      let exists = ["func \(test)(", "func test("].contains { source?.contains($0) == true }
      #expect(exists, "\(file).\(test)")
    }
  }

  @Test("make soak runs every long form named in the table") func soaks() throws {
    let makefile = try String(contentsOf: Self.root.appending(path: "Makefile"), encoding: .utf8)
    let line = try #require(makefile.split(separator: "\n").first { $0.hasPrefix("SOAKS :=") })
    let article = Self.root.appending(path: "Sources/Program/weir/Documentation.docc/Hostile.md")
    let long = try String(contentsOf: article, encoding: .utf8)
      .matches(of: /`\w+\/(\w+Tests)\.[^`]+` \(soak\)/).map(\.1)
    #expect(long.count >= 5)
    for suite in long { #expect(line.contains(suite), "\(suite)") }
  }

  @Test("Every row of the table names a test") func rows() throws {
    let article = Self.root.appending(path: "Sources/Program/weir/Documentation.docc/Hostile.md")
    let rows = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| ") && !$0.contains("| tests |") }
    #expect(rows.count >= 26)
    for row in rows { #expect(row.contains("Tests/"), "\(row)") }
  }
}
