/// The documents at the root, and the catalogue from which `make docs` makes a site.
@Suite("Links in the documents") struct DocumentLinks {
  private static let catalogue = "Sources/Program/weir/Documentation.docc"

  private static let documents: [URL] =
    ImportRules.files(under: catalogue, withExtensions: ["md"])
    + ["README", "CONTRIBUTING", "SECURITY", "CHANGELOG", "Benchmarks"].map {
      ImportRules.root.appending(path: $0 + ".md")
    }

  @Test("Every link to a file names one that exists", arguments: documents)
  func links(document: URL) throws {
    let text = try String(contentsOf: document, encoding: .utf8)
    #expect(!text.contains("<doc:"), "a link that only DocC follows")
    for match in text.matches(of: /\]\((?<target>[^)\s]+)\)/) {
      let target = match.target.prefix { $0 != "#" }
      guard !target.isEmpty, !target.contains(":") else { continue }
      let file = document.deletingLastPathComponent().appending(path: String(target))
      #expect(FileManager.default.fileExists(atPath: file.path), "\(target)")
    }
  }

  @Test("The first page lists every other page") func contents() throws {
    let folder = ImportRules.root.appending(path: Self.catalogue)
    let first = try String(contentsOf: folder.appending(path: "Weir.md"), encoding: .utf8)
    for page in ImportRules.files(under: Self.catalogue, withExtensions: ["md"]) {
      let path = page.path.dropFirst(folder.path.count + 1)
      #expect(path == "Weir.md" || first.contains("](\(path))"), "\(path)")
    }
  }

  @Test("Every decision states its status and date, and is listed by subject")
  func decisions() throws {
    let files = ImportRules.files(under: Self.catalogue + "/Decisions", withExtensions: ["md"])
    #expect(files.count > 20)
    let list = ImportRules.root.appending(path: Self.catalogue + "/Decisions.md")
    let subjects = try String(contentsOf: list, encoding: .utf8)
    for file in files {
      #expect(subjects.contains("](Decisions/\(file.lastPathComponent))"))
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      let status = try #require(lines.dropFirst().first)
      #expect(status.contains(/^\*\*Status\.\*\* \w.*\d{4}-\d\d-\d\d/), "\(file.lastPathComponent)")
    }
  }
}
