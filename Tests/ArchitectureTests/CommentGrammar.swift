/// The grammar of comments: a comment begins with a verb or with a noun that it is about.
@Suite("The grammar of comments") struct CommentGrammar {
  /// Words that begin a clause without its head: "What is paused.", "Whether it waits."
  private static let openings: Set = [
    "what", "who", "whose", "whom", "those", "which", "of", "as", "whether",
  ]

  /// A block of comment lines that follow each other: the number of its first line, its paragraphs
  /// and list items.
  private struct Block {
    var line: Int
    var texts: [String]
  }

  /// The blocks of comments of a source file.
  private static func blocks(in source: String) throws -> [Block] {
    let comment = /^\s*(\/\/\/?)(?!\/)\s?(.*)$/
    let item = /^\s*- (?:Parameters?(?: [\w, ]+)?|Returns|Throws|\w+):\s*(.*)$/
    var blocks: [Block] = []
    var kind: Substring?
    var startsText = true
    for (number, line) in source.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      guard line.drop(while: { $0 == " " }).hasPrefix("//"),
        let match = line.wholeMatch(of: comment), !match.2.hasPrefix("swift-format"),
        !match.2.hasPrefix("MARK")
      else {
        kind = nil
        continue
      }
      if kind != match.1 { blocks.append(Block(line: number + 1, texts: [])) }
      startsText = startsText || kind != match.1
      kind = match.1
      let text = match.2.trimmingCharacters(in: .whitespaces)
      if text.isEmpty {
        startsText = true
      } else if let field = text.wholeMatch(of: item) {
        blocks[blocks.count - 1].texts.append(String(field.1))
        startsText = false
      } else if startsText {
        blocks[blocks.count - 1].texts.append(text)
        startsText = false
      } else {
        blocks[blocks.count - 1].texts[blocks[blocks.count - 1].texts.count - 1] += " " + text
      }
    }
    return blocks
  }

  /// The objections to a block: to the word that it begins with, and to telegrams about `nil`.
  private static func objections(to block: Block) -> [String] {
    var objections: [String] = []
    if let text = block.texts.first, !text.hasSuffix("?"),
      let word = text.firstMatch(of: /^[`“"(]*([A-Za-z']+)/)?.1.lowercased(),
      openings.contains(word)
    {
      objections.append("“\(text.prefix(60))” begins without a verb or a noun that has a head")
    }
    for text in block.texts where text.contains(#/(?i)(?:^|[;,.] )`?nil`?: /#) {
      objections.append("“\(text.prefix(60))” is a telegram: write “`nil` if …”")
    }
    return objections
  }

  private static func files() -> [URL] {
    let others = ["Fixtures/", "Corpus/", "Pages/", "Articles/", "Golden/", "Records/", "/.build/"]
    return ["Sources", "Tests"].flatMap {
      ImportRules.files(under: $0, withExtensions: ["swift", "c", "h"])
    }.filter { file in !others.contains { file.path.contains($0) } }
  }

  @Test("Comments begin with a verb or a noun that has a head") func commentsHaveHeads() throws {
    let files = Self.files()
    #expect(files.count > 500, "the walk found only \(files.count) files")
    for file in files {
      let path = file.path.dropFirst(ImportRules.root.path.count + 1)
      for block in try Self.blocks(in: String(contentsOf: file, encoding: .utf8)) {
        for objection in Self.objections(to: block) {
          Issue.record("\(path):\(block.line): \(objection)")
        }
      }
    }
  }

  @Test(
    "A headless comment is found, and one with a head is not",
    arguments: [
      ("/// What is paused.", 1), ("  // Whether it waits.", 1), ("/// `nil`: not known.", 1),
      ("/// Paused feeds.\n///\n/// - Returns: the end; nil: none.", 1),
      ("/// Paused feeds, and those\n/// of their hosts.", 0), ("/// True if it waits.", 0),
      ("/// `nil` if unknown.", 0), ("// What if it fails?", 0), ("let what = 1", 0),
    ])
  func headlessCommentsAreFound(source: String, count: Int) throws {
    #expect(try Self.blocks(in: source).flatMap(Self.objections).count == count)
  }

  @Test("Comments are at most 100 columns wide, except for addresses") func commentsFit() throws {
    for file in Self.files() where file.pathExtension == "swift" {
      let source = try String(contentsOf: file, encoding: .utf8)
      for (number, line) in source.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      where line.utf8.count > 100 && line.count > 100 && line.prefixMatch(of: /\s*\/\//) != nil
        && !line.contains("http")
      {
        Issue.record("\(file.lastPathComponent):\(number + 1): \(line.count) columns")
      }
    }
  }

  @Test("Every test has a display name") func testsHaveNames() throws {
    for file in ImportRules.files(under: "Tests", withExtensions: ["swift"]) {
      let source = try String(contentsOf: file, encoding: .utf8)
      for match in source.matches(of: /(?m)^ *@(?:Test|Suite)(?!\()|^ *@(?:Test|Suite)\(\s*[^"\s]/)
      {
        let line = source[..<match.range.lowerBound].count(where: \.isNewline) + 1
        Issue.record("\(file.lastPathComponent):\(line): a test or suite without a display name")
      }
    }
  }
}
