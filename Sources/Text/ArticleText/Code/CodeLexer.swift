/// Finds comments, strings, numbers and keywords line by line, without a grammar. Ambiguous text is
/// not marked.
struct CodeLexer: Sendable {
  private let language: CodeLanguage
  private var state = State.code
  /// Rules of strings that do not end in the current line, one bit each.
  private var unended: UInt32 = 0

  private enum State {
    case code
    /// Inside a comment of several lines; the depth of nesting.
    case comment(Int)
    /// Inside a string of several lines; the index of its rule.
    case string(Int)
  }

  typealias Token = (range: Range<Int>, style: TextStyle)

  init(_ language: CodeLanguage) { self.language = language }

  /// Returns the tokens of the next line, in order.
  mutating func tokens(in line: [UInt8]) -> [Token] {
    var tokens: [Token] = []
    var index = 0
    unended = 0
    while index < line.count {
      switch state {
      case .comment(let depth):
        let end = endOfComment(line, from: index, depth: depth)
        tokens.append((index..<end, .comment))
        index = end
      case .string(let rule):
        let end = language.strings[rule].end(line, from: index)
        if end != nil { state = .code }
        tokens.append((index..<(end ?? line.count), .string))
        index = end ?? line.count
      case .code:
        index = step(line, index, &tokens)
      }
    }
    return tokens
  }

  /// - Returns: the start of the next token.
  private mutating func step(_ line: [UInt8], _ index: Int, _ tokens: inout [Token]) -> Int {
    let byte = line[index]
    if language.isWord(byte) {
      let isNumber = byte >= 0x30 && byte <= 0x39
      let end = isNumber ? endOfNumber(line, index) : endOfWord(line, index)
      if isNumber {
        tokens.append((index..<end, .number))
      } else if !isMember(line, index), language.isKeyword(line[index..<end]) {
        tokens.append((index..<end, .keyword))
      } else if language.hasPrefix(line[index..<end]), let close = string(line, end, index, &tokens)
      {
        return close
      }
      // An apostrophe after a word does not begin a string.
      return end < line.count && line[end] == UInt8(ascii: "'") ? end + 1 : end
    }
    if let comment = language.comment, begins(line, index, comment.open) {
      state = .comment(1)
      let end = endOfComment(line, from: index + comment.open.count, depth: 1)
      tokens.append((index..<end, .comment))
      return end
    }
    for mark in language.lineComments where begins(line, index, mark) {
      // A "#" inside a word begins no comment: "$#", "a#b".
      if mark.count == 1, index > 0, line[index - 1] != 0x20, !language.hasCommentsInWords {
        continue
      }
      // Skips an address: "https://".
      if index > 0, line[index - 1] == UInt8(ascii: ":") { continue }
      tokens.append((index..<line.count, .comment))
      return line.count
    }
    return string(line, index, index, &tokens) ?? index + 1
  }

  /// Reads a string whose quotation mark is at `index`; `nil` if there is none, or if the string
  /// neither ends in the line nor may continue.
  private mutating func string(
    _ line: [UInt8], _ index: Int, _ start: Int, _ tokens: inout [Token]
  ) -> Int? {
    for (number, rule) in language.strings.enumerated() where begins(line, index, rule.open) {
      let bit: UInt32 = 1 << UInt32(number)
      if unended & bit != 0 { return nil }
      if let end = rule.end(line, from: index + rule.open.count) {
        tokens.append((start..<end, .string))
        return end
      }
      if rule.isCharacter { return nil }
      guard rule.isMultiline else {
        unended |= bit
        return nil
      }
      state = .string(number)
      tokens.append((start..<line.count, .string))
      return line.count
    }
    return nil
  }

  private mutating func endOfComment(_ line: [UInt8], from start: Int, depth: Int) -> Int {
    guard let comment = language.comment else { return line.count }
    var (index, depth) = (start, depth)
    while index < line.count {
      if begins(line, index, comment.close) {
        index += comment.close.count
        depth -= 1
        if depth == 0 {
          state = .code
          return index
        }
      } else if comment.nests, begins(line, index, comment.open) {
        index += comment.open.count
        depth += 1
      } else {
        index += 1
      }
    }
    state = .comment(depth)
    return line.count
  }

  private func endOfWord(_ line: [UInt8], _ start: Int) -> Int {
    var end = start
    while end < line.count, language.isWord(line[end]) { end += 1 }
    return end
  }

  /// Finds the end of "0x1F", "1_000", "1.5", "1e-9", "10px"; excludes the points of "1..2".
  private func endOfNumber(_ line: [UInt8], _ start: Int) -> Int {
    var end = start
    while end < line.count {
      let byte = line[end]
      if language.isWord(byte) && byte != UInt8(ascii: "-") {
        end += 1
      } else if byte == UInt8(ascii: "."), end + 1 < line.count, isDigit(line[end + 1]) {
        end += 1
      } else if byte == UInt8(ascii: "-"), line[end - 1] | 0x20 == UInt8(ascii: "e"),
        end + 1 < line.count, isDigit(line[end + 1])
      {
        end += 1
      } else {
        break
      }
    }
    return end
  }

  /// True after a dot, where a word is the name of a member.
  private func isMember(_ line: [UInt8], _ index: Int) -> Bool {
    index > 0 && line[index - 1] == UInt8(ascii: ".")
      && !(index > 1 && line[index - 2] == UInt8(ascii: "."))
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private func begins(_ line: [UInt8], _ index: Int, _ mark: [UInt8]) -> Bool {
    CodeLanguage.begins(line, index, mark)
  }
}

/// Maps token classes of `<span>`, as highlighters write them, to styles.
enum CodeTokens {
  static func style(ofClass classes: String?) -> TextStyle? {
    guard let classes else { return nil }
    for name in classes.split(separator: " ") {
      if let style = short[name] { return style }
      if name.hasPrefix("hljs-") { return long[name.dropFirst(5)] }
      if name == "token" || name.hasPrefix("pl-") { continue }
      if let style = long[name] { return style }
    }
    return nil
  }

  /// Classes of Pygments, Rouge and Chroma.
  private static let short = table([
    (.comment, "c c1 cm cs ch cp cpf sd"), (.keyword, "k kc kd kn kp kr kt kv ow"),
    (.string, "s s1 s2 sa sb sc dl se sh si sx sr ss"), (.number, "m mb mf mh mi mo mx il"),
  ])

  /// Classes of highlight.js and Prism.
  private static let long = table([
    (.comment, "comment prolog doctype cdata"),
    (.keyword, "keyword boolean literal built_in important atrule"),
    (.string, "string char regexp regex template-string attr-value"), (.number, "number"),
  ])

  private static func table(_ styles: [(TextStyle, String)]) -> [Substring: TextStyle] {
    Dictionary(
      uniqueKeysWithValues: styles.flatMap { style, names in
        names.split(separator: " ").map { ($0, style) }
      })
  }
}
