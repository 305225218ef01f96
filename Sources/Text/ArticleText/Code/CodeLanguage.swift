/// A programming language's comments, strings, numbers and keywords.
final class CodeLanguage: Sendable {
  struct StringRule: Sendable {
    var open: [UInt8]
    var close: [UInt8]
    var escapes = true
    var isMultiline = false
    /// True for a single character, as `'x'` in C; a longer text is not a string.
    var isCharacter = false

    /// Returns the index after the end of a string; `nil` if it does not end in this line.
    func end(_ line: [UInt8], from start: Int) -> Int? {
      var index = start
      let limit = isCharacter ? min(line.count, start + CodeLanguage.longestCharacter) : line.count
      while index < limit {
        if escapes, line[index] == UInt8(ascii: "\\") {
          index += 2
        } else if CodeLanguage.begins(line, index, close) {
          return index + close.count
        } else {
          index += 1
        }
      }
      return nil
    }
  }

  struct BlockComment: Sendable {
    var open: [UInt8]
    var close: [UInt8]
    var nests = false
  }

  let names: [String]
  private let keywords: Set<String>
  private let ignoresCase: Bool
  /// Letters before a quotation mark that belong to the string: r"…", f"…".
  private let prefixes: Set<String>
  let lineComments: [[UInt8]]
  /// True if a comment mark of one character needs no space before it.
  let hasCommentsInWords: Bool
  let comment: BlockComment?
  let strings: [StringRule]
  private let wordMarks: [UInt8]

  /// Longest `'x'` in bytes after the first mark.
  static let longestCharacter = 12

  /// - Parameters:
  ///   - names: as written in classes.
  ///   - keywords: separated by spaces.
  ///   - strings: quotation marks by kind, separated by spaces.
  ///   - wordMarks: word characters besides letters, digits and `_`.
  init(
    _ names: String, _ keywords: String, line: String = "//", block: BlockComment? = .c,
    strings: [StringRule] = [.double, .single], prefixes: String = "", wordMarks: String = "",
    ignoresCase: Bool = false, hasCommentsInWords: Bool = false
  ) {
    self.names = names.split(separator: " ").map(String.init)
    self.keywords = Set(keywords.split(separator: " ").map(String.init))
    self.ignoresCase = ignoresCase
    self.prefixes = Set(prefixes.split(separator: " ").map(String.init))
    self.hasCommentsInWords = hasCommentsInWords
    lineComments = line.split(separator: " ").map { Array($0.utf8) }
    comment = block
    self.strings = strings
    self.wordMarks = Array(wordMarks.utf8)
  }

  func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
    default: byte >= 0x80 || wordMarks.contains(byte)
    }
  }

  func isKeyword(_ word: ArraySlice<UInt8>) -> Bool {
    guard word.count <= 24 else { return false }
    let text = String(decoding: word, as: UTF8.self)
    return keywords.contains(ignoresCase ? text.lowercased() : text)
  }

  func hasPrefix(_ word: ArraySlice<UInt8>) -> Bool {
    guard word.count <= 3, !prefixes.isEmpty else { return false }
    return prefixes.contains(String(decoding: word, as: UTF8.self))
  }

  static func begins(_ line: [UInt8], _ index: Int, _ mark: [UInt8]) -> Bool {
    guard index + mark.count <= line.count else { return false }
    for offset in mark.indices where line[index + offset] != mark[offset] { return false }
    return true
  }

  // MARK: Names

  private static let byName: [String: CodeLanguage] = {
    var table: [String: CodeLanguage] = [:]
    for language in all { for name in language.names { table[name] = language } }
    return table
  }()

  /// Returns the language named by an element's classes: `language-swift`, `lang-js`,
  /// `highlight-source-rust`, `highlight-python3`, `sourceCode go`, `brush: sql`. `nil` if unknown.
  static func named(inClass classes: String?) -> CodeLanguage? {
    guard let classes, classes.utf8.count <= 512 else { return nil }
    let words = classes.lowercased().split { " :;{}".contains($0) }
    for (index, word) in words.enumerated() {
      for prefix in ["language-", "lang-", "highlight-source-", "highlight-", "code-"]
      where word.hasPrefix(prefix) {
        if let language = byName[String(word.dropFirst(prefix.count))] { return language }
      }
      if ["sourcecode", "brush", "src", "hljs", "prettyprint"].contains(word),
        index + 1 < words.count, let language = byName[String(words[index + 1])]
      {
        return language
      }
    }
    return nil
  }
}

extension CodeLanguage.StringRule {
  init(_ open: String, _ close: String? = nil, escapes: Bool = true, isMultiline: Bool = false) {
    self.init(
      open: Array(open.utf8), close: Array((close ?? open).utf8), escapes: escapes,
      isMultiline: isMultiline)
  }

  static let double = Self("\"")
  static let single = Self("'")
  static let tripleDouble = Self("\"\"\"", isMultiline: true)
  static let tripleSingle = Self("'''", isMultiline: true)
  static let back = Self("`", isMultiline: true)
  static let rawBack = Self("`", escapes: false, isMultiline: true)
  static let rawDouble = Self("\"", escapes: false)
  static let rawSingle = Self("'", escapes: false)
  static let character: Self = {
    var rule = Self("'")
    rule.isCharacter = true
    return rule
  }()
}

extension CodeLanguage.BlockComment {
  init(_ open: String, _ close: String, nests: Bool = false) {
    self.init(open: Array(open.utf8), close: Array(close.utf8), nests: nests)
  }

  static let c = Self("/*", "*/")
  static let nested = Self("/*", "*/", nests: true)
}
