import Foundation
import Testing

/// The modules that each target may import. Undeclared imports compile silently on Linux, so this
/// table prevents them. It is the table of Documentation.docc/Architecture; widen it only together
/// with Architecture.md.
private let allowedImports: [String: Set<String>] = [
  "PatternMatching": ["CRE2"],
  "FeedModel": ["PatternMatching", "CXXHash"],
  "TextRules": ["FeedModel"],
  "HTMLContent": ["FeedModel", "TextRules"],
  "FeedParsing": ["FeedModel", "TextRules", "HTMLContent"],
  "ArticleText": ["FeedModel", "TextRules", "HTMLContent"],
  "Books": ["HTMLContent", "TextRules", "CZlib"],
  "FolderSync": ["FeedModel"],
  "Networking": ["FeedModel", "TextRules", "CCurl"],
  "RemoteAccounts": ["FeedModel", "Networking"],
  "CacheCore": ["FeedModel", "GRDB", "CSQLite"],
  "ArticleStore": ["CacheCore", "FeedModel", "TextRules", "CSQLite", "GRDB"],
  "MediaStore": ["ArticleStore", "CacheCore", "FeedModel", "GRDB"],
  "AccountStore": ["ArticleStore", "CacheCore", "FeedModel", "GRDB"],
  "EngineStore": ["ArticleStore", "CacheCore", "FeedModel", "GRDB"],
  "PlanStore": ["MediaStore", "ArticleStore", "CacheCore", "FeedModel", "GRDB"],
  "SearchStore": [
    "PlanStore", "MediaStore", "ArticleStore", "CacheCore", "FeedModel", "PatternMatching", "GRDB",
  ],
  "FolderStore": [
    "SearchStore", "PlanStore", "ArticleStore", "CacheCore", "FeedModel", "FolderSync", "GRDB",
  ],
  "FeedStore": [
    "FolderStore", "SearchStore", "PlanStore", "AccountStore", "EngineStore", "MediaStore",
    "ArticleStore",
    "CacheCore",
    "FeedModel", "GRDB", "CSQLite",
  ],
  "FolderExchange": ["FeedStore", "FolderSync"],
  "NetworkMeasurement": ["FeedModel", "Networking"],
  "SyncEngine": [
    "FeedModel", "FeedParsing", "Networking", "NetworkMeasurement", "FeedStore",
    "FolderExchange", "RateLimiting", "RemoteAccounts", "RemoteSync", "Programs",
  ],
  "RateLimiting": ["FeedModel", "FeedStore", "Networking", "CPSL"],
  "RemoteSync": ["FeedModel", "FeedParsing", "FeedStore", "Networking", "RemoteAccounts"],
  "Programs": ["FeedModel"],
  "TerminalKit": [],
  "NcursesTerminal": ["TerminalKit", "CNcurses"],
  "Wording": ["FeedModel", "FolderSync", "PatternMatching", "TextRules", "FeedStore"],
  "TerminalViews": ["TerminalKit"],
  "ReaderServices": ["TerminalViews", "FeedModel", "FeedStore", "TerminalKit", "Wording"],
  "ArticleScreens": [
    "ReaderServices", "TerminalViews", "FeedModel", "PatternMatching", "FeedStore", "ArticleText",
    "TerminalKit", "Wording",
  ],
  "ReaderUI": [
    "ArticleScreens", "ReaderServices", "TerminalViews", "FeedModel", "FeedStore", "TerminalKit",
    "Wording",
  ],
  "ForeignLibraries": [
    "FeedModel", "FeedParsing", "FeedStore", "HTMLContent", "TerminalKit", "GRDB",
  ],
  "ProgramSettings": [
    "FeedModel", "Networking", "FeedStore", "SyncEngine", "TerminalKit", "TerminalViews",
    "ReaderServices", "ReaderUI", "Wording", "TOMLKit",
  ],
  "AccountPasswords": ["FeedModel", "ProgramSettings", "Programs", "Wording"],
  "weir": [
    "AccountPasswords", "ProgramSettings", "ForeignLibraries", "FolderExchange", "FolderSync",
    "Books", "TextRules",
    "ArgumentParser", "TOMLKit",
    "FeedModel",
    "HTMLContent",
    "FeedParsing",
    "Networking",
    "NetworkMeasurement",
    "FeedStore", "SyncEngine", "RateLimiting", "RemoteAccounts", "Programs", "ArticleText",
    "TerminalKit", "TerminalViews", "NcursesTerminal", "ReaderServices", "ArticleScreens",
    "ReaderUI", "Wording",
    "CProcess", "CBuild",
    "CPictures",
  ],
]

/// Modules of the toolchain. Threads and locks are for targets with I/O or a screen.
private let everywhere: Set<String> = ["Foundation"]
private let concurrency: Set<String> = ["Dispatch", "Synchronization"]
private let pure: Set<String> = [
  "PatternMatching", "FeedModel", "TextRules", "HTMLContent", "FeedParsing", "ArticleText",
  "Books", "FolderSync", "TerminalKit",
]

/// The names of the C library on each platform. Only the targets with I/O in the list below may
/// make system calls.
private let systemLibraries: Set<String> = ["Glibc", "Musl", "Darwin"]
private let mayCallTheSystem: Set<String> = [
  "Networking", "CacheCore", "MediaStore", "Programs", "SyncEngine", "NcursesTerminal",
  "FolderExchange",
  "ProgramSettings", "weir",
]

@Suite("Import rules")
struct ImportRules {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the modules that a target may import from all packages, or `nil` without a rule.
  static func allowed(for target: String) -> Set<String>? { allowedImports[target] }

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

  @Test("No target imports a module that it may not import")
  func importsAreAllowed() throws {
    var seen: Set<String> = []
    for file in Self.files(under: "Sources", withExtensions: ["swift"]) {
      let path = file.path.dropFirst(Self.root.appending(path: "Sources").path.count + 1)
      let target = String(path.prefix { $0 != "/" })
      let allowed = try #require(allowedImports[target], "Sources/\(target) is not in this table")
      seen.insert(target)
      for (index, line) in try Self.lines(of: file).enumerated() {
        guard let module = Self.importedModule(in: line) else { continue }
        if allowed.contains(module) || everywhere.contains(module) { continue }
        if concurrency.contains(module), !pure.contains(target) { continue }
        if systemLibraries.contains(module), mayCallTheSystem.contains(target) { continue }
        Issue.record("Sources/\(path):\(index + 1): \(target) must not import \(module)")
      }
    }
    #expect(seen.count >= 11, "the walk over Sources found only \(seen.sorted())")
  }

  @Test("ncurses, curl, libpsl, xxHash and SQLite headers are included by their own C target only")
  func cHeadersStayInTheirTargets() throws {
    let homes = [
      "curses.h": "CNcurses", "curl/": "CCurl", "libpsl.h": "CPSL", "libxml/": "",
      "sqlite3.h": "CSQLite", "xxhash.h": "CXXHash", "jpeglib.h": "CPictures",
      "<png.h": "CPictures",
      "webp/": "CPictures", "gif_lib.h": "CPictures",
    ]
    for file in Self.files(under: "Sources", withExtensions: ["h", "c"]) {
      let path = file.path.dropFirst(Self.root.appending(path: "Sources").path.count + 1)
      for (index, line) in try Self.lines(of: file).enumerated()
      where line.hasPrefix("#include") {
        for (header, home) in homes where line.contains(header) && !path.hasPrefix(home + "/") {
          Issue.record("Sources/\(path):\(index + 1): \(header) belongs to \(home)")
        }
      }
    }
  }

  @Test("Programs are started in one place")
  func oneFileStartsPrograms() throws {
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

  @Test("The scanner does not take other lines for imports")
  func scannerIgnoresTheRest() {
    #expect(Self.importedModule(in: "// import GRDB") == nil)
    #expect(Self.importedModule(in: "let important = 1") == nil)
  }
}
