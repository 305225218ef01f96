/// Modules of the toolchain. Threads and locks are for targets with I/O or a screen.
private let everywhere: Set<String> = ["Foundation"]
private let concurrency: Set<String> = ["Dispatch", "Synchronization"]
private let pure: Set<String> = [
  "FeedModel", "TextRules", "HTMLContent", "FeedParsing", "ArticleText", "Books", "TerminalKit",
]

/// The names of the C library on each platform. Only the targets and folders in the list below,
/// which do I/O, make system calls.
private let systemLibraries: Set<String> = ["Glibc", "Musl", "Darwin"]
private let mayCallTheSystem: Set<String> = [
  "Networking", "CacheCore", "WorkStore/Pictures", "FolderStore/Files", "Programs", "SyncEngine",
  "NcursesTerminal", "ProgramSettings", "weir",
]

@Suite("Import rules") struct ImportRules {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func files(under folder: String, withExtensions extensions: Set<String>) -> [URL] {
    let start = root.appending(path: folder)
    let walker = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil)
    return (walker?.compactMap { $0 as? URL } ?? [])
      .filter { extensions.contains($0.pathExtension) }
      .sorted { $0.path < $1.path }
  }

  static func lines(of file: URL) throws -> [Substring] {
    try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Returns the module that a line of Swift imports, or `nil` if it is not an import.
  static func importedModule(in line: Substring) -> String? {
    var words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })[...]
    let modifiers: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
    while let word = words.first, word.hasPrefix("@") || modifiers.contains(word) {
      words.removeFirst()
    }
    guard words.first == "import" else { return nil }
    words.removeFirst()
    let kinds: Set<Substring> = [
      "struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor",
    ]
    if let word = words.first, kinds.contains(word) { words.removeFirst() }
    return words.first.map { String($0.prefix { $0 != "." && $0 != ";" }) }
  }

  @Test("No target imports a module that Package.swift does not give it")
  func importsAreAllowed() throws {
    let targets = try Manifest.read().sources.filter(\.isSwift)
    #expect(targets.count >= 11, "the manifest has only \(targets.map(\.name))")
    for target in targets {
      let name = target.name
      for file in try Manifest.files(of: name) {
        let path = file.path.dropFirst(Self.root.path.count + 1)
        for (index, line) in try Self.lines(of: file).enumerated() {
          guard let module = Self.importedModule(in: line) else { continue }
          if target.uses.contains(module) || everywhere.contains(module) { continue }
          if concurrency.contains(module), !pure.contains(name) { continue }
          if systemLibraries.contains(module),
            mayCallTheSystem.contains(where: { path.contains("/\($0)/") })
          {
            continue
          }
          Issue.record("\(path):\(index + 1): \(name) must not import \(module)")
        }
      }
    }
  }

  @Test("ncurses, curl, libpsl, xxHash and SQLite headers are included by their own C target only")
  func headersStayInTargets() throws {
    let homes = [
      "curses.h": "CNcurses", "curl/": "CCurl", "libpsl.h": "CPSL", "libxml/": "",
      "sqlite3.h": "CSQLite", "xxhash.h": "CXXHash", "jpeglib.h": "CPictures",
      "<png.h": "CPictures",
      "webp/": "CPictures", "gif_lib.h": "CPictures",
    ]
    for file in Self.files(under: "Sources", withExtensions: ["h", "c"]) {
      let path = file.path.dropFirst(Self.root.path.count + 1)
      for (index, line) in try Self.lines(of: file).enumerated()
      where line.hasPrefix("#include") {
        for (header, home) in homes
        where line.contains(header) && !path.hasPrefix("Sources/System/\(home)/") {
          Issue.record("\(path):\(index + 1): \(header) belongs to \(home)")
        }
      }
    }
  }

  @Test("Programs are started in one place") func oneFileStartsPrograms() throws {
    let calls = /\b(posix_spawnp?|fork|vfork|execv\w*|execl\w*|popen|system)\(|\bProcess\(\)/
    var starting: [String] = []
    for file in Self.files(under: "Sources", withExtensions: ["swift", "c"]) {
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      let code = lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      if code.contains(where: { $0.contains(calls) }) { starting.append(file.lastPathComponent) }
    }
    #expect(starting == ["ProgramStart.swift"])
  }

  @Test(
    "The scanner reads every form of an import",
    arguments: [
      ("import GRDB", "GRDB"), ("public import GRDB", "GRDB"), ("@testable import A", "A"),
      ("  internal import struct Foundation.URL", "Foundation"), ("import A.B", "A"),
      ("@preconcurrency public import A", "A"),
    ])
  func scannerReadsImports(line: String, module: String) {
    #expect(Self.importedModule(in: line[...]) == module)
  }

  @Test("The scanner does not take other lines for imports") func scannerIgnoresTheRest() {
    #expect(Self.importedModule(in: "// import GRDB") == nil)
    #expect(Self.importedModule(in: "let important = 1") == nil)
  }
}
