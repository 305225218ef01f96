/// Limits for the lines of a type in all files and for its stored properties.
@Suite("The sizes of types") struct TypeSizes {
  private static let mostLines = 450
  private static let mostProperties = 14

  private static let targets = [
    "ArticleScreens", "NcursesTerminal", "ReaderServices", "ReaderUI", "SyncEngine",
    "TerminalViews",
  ]

  private struct TypeSize {
    var lines = 0
    var properties = 0
  }

  /// Returns the sizes of the parts of top-level types that a text contains.
  private static func sizes(in text: String) throws -> [String: TypeSize] {
    let head = try Regex(
      #"^(?:@\w+(?:\([^)]*\))? )*(?:\w+ )*?(?:class|struct|enum|actor|extension|protocol) (\w+)"#,
      as: (Substring, Substring).self)
    let property = try Regex(
      #"^  (?:@\w+ )?(?:(?:public|package|private|weak|unowned|nonisolated|lazy)(?:\(set\))? )*(?:let|var) \w+"#
    )
    var sizes: [String: TypeSize] = [:]
    var open: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let match = line.prefixMatch(of: head) { open = String(match.output.1) }
      guard let name = open else { continue }
      sizes[name, default: TypeSize()].lines += 1
      // A computed property opens a brace before any assignment.
      let isStored = line.split(separator: "=").first?.contains("{") == false
      if isStored, line.prefixMatch(of: property) != nil { sizes[name]?.properties += 1 }
      if line.hasPrefix("}") { open = nil }
    }
    return sizes
  }

  /// Returns the types that the record excepts: the names in the first column of its table.
  private static func excepted() throws -> Set<String> {
    let record = ImportRules.root.appending(
      path: "Sources/Program/weir/Documentation.docc/Decisions/0083-large-types.md")
    return try Set(
      String(contentsOf: record, encoding: .utf8).matches(of: /(?m)^\| `(\w+)` \|/)
        .map { String($0.1) })
  }

  @Test("A type is within the limits, or a record gives the reason")
  func typesStayWithinLimits() throws {
    var sizes: [String: TypeSize] = [:]
    for target in Self.targets {
      for file in try Manifest.files(of: target) {
        for (name, size) in try Self.sizes(in: String(contentsOf: file, encoding: .utf8)) {
          sizes[name, default: TypeSize()].lines += size.lines
          sizes[name]?.properties += size.properties
        }
      }
    }
    #expect(sizes.count > 200, "the walk found only \(sizes.count) types")
    let large = sizes.filter {
      $0.value.lines > Self.mostLines || $0.value.properties > Self.mostProperties
    }
    let excepted = try Self.excepted()
    for (name, size) in large where !excepted.contains(name) {
      Issue.record("\(name) has \(size.lines) lines and \(size.properties) stored properties")
    }
    for name in excepted where large[name] == nil {
      Issue.record("\(name) is within the limits: remove it from the record")
    }
  }

  @Test("Stored properties are counted, and computed ones and those of other types are not")
  func propertiesAreCounted() throws {
    let text = """
      package final class List: Screen {
        private(set) var rows: [Int] = [] { didSet { syncUntilIdle() } }
        weak var window: Window?
        lazy var names = Names { [unowned self] in all }
        static let most = 3
        var isEmpty: Bool { rows.isEmpty }
        func draw() {
          let row = 1
        }
      }
      extension List {
        var count: Int { rows.count }
      }
      """
    let size = try #require(Self.sizes(in: text)["List"])
    #expect(size.properties == 3)
    #expect(size.lines == 13)
  }
}
