/// All texts that Weir shows are recorded in `Tests/ArchitectureTests/texts.txt`. `make golden`
/// rewrites the file; read the difference as a user would.
@Suite("The catalogue of texts") struct TextCatalogueTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func read(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  // MARK: Collecting

  private static let collected = Result { try collect() }

  private static func catalogue() throws -> [(file: String, texts: [String])] {
    try collected.get()
  }

  /// Returns the texts by file, in the order of files and lines.
  private static func collect() throws -> [(file: String, texts: [String])] {
    var found: [(String, [String])] = []
    for target in [
      "ArticleScreens", "FeedModel/Settings", "FeedModel/Status", "Importers", "ReaderServices",
      "ProgramSettings", "ReaderUI", "SyncEngine/Settings", "TerminalViews", "Wording", "weir",
    ] {
      for file in try Manifest.files(of: target) {
        let texts = SwiftLiterals.texts(try String(contentsOf: file, encoding: .utf8))
          .filter(isShown)
        // Without the floor.
        let name = file.path.dropFirst(root.appending(path: "Sources").path.count + 1)
          .split(separator: "/").dropFirst().joined(separator: "/")
        if !texts.isEmpty { found.append((name, texts)) }
      }
    }
    let resources = "Sources/Program/weir/Resources"
    let comments = try read("Resources/config.toml").split(separator: "\n")
      .filter { $0.hasPrefix("# ") }.map { String($0.dropFirst(2)) }
    found.append(("Resources/config.toml", comments))
    let guide = try read("\(resources)/guide.xml").replacing(
      /<pre>.*?<\/pre>/.dotMatchesNewlines(), with: ""
    )
    .replacing(/<[^>]*>|<!\[CDATA\[|\]\]>/, with: "")
    found.append(
      ("weir/Resources/guide.xml", guide.split(separator: "\n").map(String.init).filter(isShown)))
    return found
  }

  /// True if a literal is shown text, and not the name of a command, setting or role.
  private static func isShown(_ text: String) -> Bool {
    guard text.contains(/[A-Za-z]{2}/) else { return false }
    return text.contains(" ") || text.first?.isUppercase == true
  }

  @Test("The catalogue is as recorded") func isAsRecorded() throws {
    let text = try Self.catalogue().map { file, texts in
      "# \(file)\n" + texts.map { $0 + "\n" }.joined()
    }.joined(separator: "\n")
    let file = Self.root.appending(path: "Tests/ArchitectureTests/texts.txt")
    if ProcessInfo.processInfo.environment["WEIR_RECORD_GOLDEN"] != nil {
      return try Data(text.utf8).write(to: file)
    }
    let recorded = try String(contentsOf: file, encoding: .utf8)
    let (old, new) = (Set(recorded.split(separator: "\n")), Set(text.split(separator: "\n")))
    #expect(recorded == text, "new: \(new.subtracting(old)); gone: \(old.subtracting(new))")
  }

  // MARK: Checking

  /// Phrases that no text may contain: unclear ones, words of the code, and metaphors.
  private static let forbidden = [
    "is no feed", "announces no feed", "in a circle", "left alone", "found in the DNS",
    "asks for a name", "does not let us in", "of this kind are not", "was not accepted",
    "stopped sending", "needs doing", "came through", "by itself", "without a look",
    "is taken by", "all is well", "goodput", "the line is back", "for the line", "without a line",
    "fast line", "better line", "line is full", "line too slow", "line in doubt", "the line does",
    "own text", "is another now", "has that", "stands above", "must all occur",
    "unfinished", "new or not", "as everywhere", "when it is due", "parted by", "next place",
    "put away", "starter set is taken", "takes a starter set", "this one first", "give up",
    "gives? .* up", "configuration kept", "own ground", "has not the focus", "tells the rest",
    "lies", "in step", "keep(s)? it as", "goes first", "cache refuses", "own pages",
    "(it|this|that|which|file) is no (?!longer)",
    "manners", "politely", "peace", "upkeep", "tidy", "damagedDatabase", "furniture", "valve",
    "in flight", "vain", "doubt", "tellings?", "mended", "anew",
  ]

  @Test("No text has a forbidden phrase") func hasNoForbiddenPhrase() throws {
    let pattern = try Regex("(?i)\\b(" + Self.forbidden.joined(separator: "|") + ")")
    for (file, texts) in try Self.catalogue() {
      for text in texts {
        guard let match = text.firstMatch(of: pattern) else { continue }
        Issue.record("\(file): \u{201C}\(text[match.range])\u{201D} in \u{201C}\(text)\u{201D}")
      }
    }
    for line in try Self.read("Sources/Program/weir/Resources/weir.1").split(separator: "\n") {
      guard let match = line.firstMatch(of: pattern) else { continue }
      Issue.record("weir.1: \u{201C}\(line[match.range])\u{201D} in \u{201C}\(line)\u{201D}")
    }
  }

  @Test("Apostrophes are typographic") func apostrophes() throws {
    for (file, texts) in try Self.catalogue() {
      for text in texts where text.contains(/[A-Za-z]'[a-z]/) {
        Issue.record("\(file): \(text)")
      }
    }
  }
}

/// The string literals of a Swift file, with `…` for interpolations.
enum SwiftLiterals {
  static func texts(_ source: String) -> [String] {
    var texts: [String] = []
    let bytes = Array(source.utf8)
    var index = 0
    while index < bytes.count {
      if starts("//", bytes, index) {
        index = bytes[index...].firstIndex(of: newline) ?? bytes.count
      } else if bytes[index] == quote {
        texts.append(literal(bytes, &index))
      } else {
        index += 1
      }
    }
    return texts.filter { !$0.isEmpty }
  }

  private static let quote = UInt8(ascii: "\"")
  private static let newline = UInt8(ascii: "\n")

  private static func starts(_ text: StaticString, _ bytes: [UInt8], _ index: Int) -> Bool {
    index + text.utf8CodeUnitCount <= bytes.count
      && (0..<text.utf8CodeUnitCount).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
  }

  private static func literal(_ bytes: [UInt8], _ index: inout Int) -> String {
    let end: StaticString = starts("\"\"\"", bytes, index) ? "\"\"\"" : "\""
    index += end.utf8CodeUnitCount
    var text: [UInt8] = []
    while index < bytes.count, !starts(end, bytes, index) {
      guard bytes[index] == UInt8(ascii: "\\") else {
        text.append(bytes[index] == newline ? UInt8(ascii: " ") : bytes[index])
        index += 1
        continue
      }
      index += 1
      switch Unicode.Scalar(bytes[index]) {
      case "(":
        text += "…".utf8
        var depth = 0
        repeat {
          if bytes[index] == quote {
            _ = literal(bytes, &index)
            continue
          }
          if bytes[index] == UInt8(ascii: "(") { depth += 1 }
          if bytes[index] == UInt8(ascii: ")") { depth -= 1 }
          index += 1
        } while depth > 0 && index < bytes.count
      case "u":
        let hex = bytes[(index + 2)...].prefix { $0 != UInt8(ascii: "}") }
        if let value = UInt32(String(decoding: hex, as: UTF8.self), radix: 16),
          let scalar = Unicode.Scalar(value)
        {
          text += String(scalar).utf8
        }
        index += hex.count + 3
      case "n", "t", "\n":
        text.append(UInt8(ascii: " "))
        index += 1
      default:
        text.append(bytes[index])
        index += 1
      }
    }
    index += end.utf8CodeUnitCount
    return String(decoding: text, as: UTF8.self)
  }
}
