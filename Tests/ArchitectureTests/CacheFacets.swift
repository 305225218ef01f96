/// The facets of screens, of the engine, and of the sync of accounts. Only the program that wires
/// them opens a `FeedStore`. A rule is for a target or a folder in it.
private let ofScreens: Set = [
  "ReaderCache", "SearchCache", "FeedCache", "FolderCache", "ArticleCache", "StateCache",
  "JournalCache", "RuleCache", "PlanCache",
]
private let ofEngine: Set = [
  "EngineCache", "FetchWork", "ProgramWork", "DiscoveryWork", "Maintenance",
]
private let ofProgram: Set = ["FeedStore", "CacheFile"]

private let forbidden: [String: Set<String>] = [
  "ArticleScreens": ofProgram.union(ofEngine).union(["AccountSyncCache"]),
  "ReaderServices": ofProgram.union(ofEngine).union(["AccountSyncCache"]),
  "ReaderUI": ofProgram.union(ofEngine).union(["AccountSyncCache"]),
  "SyncEngine": ofProgram.union(ofScreens),
  "SyncEngine/Accounts": ofEngine,
  "SyncEngine/RateLimiting": ["EngineCache", "AccountSyncCache"],
  "Wording": ofProgram.union(ofScreens).union(ofEngine).union(["AccountSyncCache"]),
]

@Suite("The facets of the cache") struct CacheFacets {
  /// The targets of the cache.
  static let targets = [
    "CacheCore", "ArticleStore", "AccountStore", "WorkStore", "SearchStore", "FolderStore",
    "FeedStore",
  ]
  private static func files() throws -> [URL] { try targets.flatMap(Manifest.files) }

  /// Returns the names in a line of Swift that a target may not use, except in comments and
  /// imports.
  static func wrongNames(in line: Substring, of target: String) -> [String] {
    let code = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
    guard let names = forbidden[target], ImportRules.importedModule(in: code) == nil else {
      return []
    }
    let words = code.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return names.filter { name in words.contains { $0 == name } }.sorted()
  }

  @Test("No target uses a facet of the cache other than its own")
  func targetsKeepToTheirFacets() throws {
    for target in forbidden.keys.sorted() {
      for file in try Manifest.files(of: target) {
        let path = file.path.dropFirst(ImportRules.root.path.count + 1)
        let source = try String(contentsOf: file, encoding: .utf8)
        guard forbidden[target]?.contains(where: { source.contains($0) }) == true else { continue }
        for (index, line) in try ImportRules.lines(of: file).enumerated() {
          for name in Self.wrongNames(in: line, of: target) {
            Issue.record("\(path):\(index + 1): \(target) must not name \(name)")
          }
        }
      }
    }
  }

  @Test(
    "A screen that uses the engine's facet is found, and engine code that uses the reader's",
    arguments: [
      ("  let store: EngineCache", "ReaderUI", ["EngineCache"]),
      ("  init(_ store: FeedStore) {", "ReaderUI", ["FeedStore"]),
      ("  let store: ReaderCache", "SyncEngine", ["ReaderCache"]),
      ("  let store: ReaderCache // not EngineCache", "ReaderUI", []),
      ("import FeedStore", "SyncEngine", []),
      ("  let cache = MyEngineCache()", "ReaderUI", []),
    ])
  func wrongFacetsAreFound(line: String, target: String, names: [String]) {
    #expect(Self.wrongNames(in: line[...], of: target) == names)
  }

  @Test("No facet of the cache has more than thirty public methods") func facetsStaySmall() throws {
    var counts: [String: Int] = [:]
    for file in try Self.files() {
      var facet = ""
      for line in try ImportRules.lines(of: file) {
        // The sides of a noun are counted apart.
        if let match = line.firstMatch(
          of: /^(?:public )?(?:extension|struct|protocol) (\w+)(?:: \w+)?( where Side == \w+)?/)
        {
          facet = String(match.1) + (match.2 ?? "")
        }
        if line.hasPrefix("  public func ") { counts[facet, default: 0] += 1 }
      }
    }
    let nouns = ofScreens.union(ofEngine).union(ofProgram)
    let facets = counts.filter { nouns.contains($0.key) || $0.key.contains(" where Side == ") }
    #expect(facets.count > 15, "the walk over the facets found only \(facets.keys.sorted())")
    for (facet, count) in facets where count > 30 {
      Issue.record("\(facet) has \(count) public methods: give those of one noun a facet")
    }
  }

  @Test("Columns are read by position in one file only") func columnsHaveNames() throws {
    let reads = /\b(?:row|body|old|key|entry|\$0)(?:\[\d+\]|\.(?:date|count)\(\d+\))/
    for file in try Self.files() where file.lastPathComponent != "RowsByPosition.swift" {
      for (index, line) in try ImportRules.lines(of: file).enumerated()
      where line.contains(reads) && !line.contains("fromDatabaseValue") {
        Issue.record("\(file.lastPathComponent):\(index + 1): name the column")
      }
    }
  }
}
