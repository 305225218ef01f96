internal import TextRules

/// Statements of newsboat's `config`, without their interpretation.
package enum NewsboatConfig {
  /// A statement; comments and empty lines are skipped.
  package struct Statement: Sendable, Equatable {
    package var line: Int
    /// The command in lower case: "bind-key", "color".
    package var command: String
    /// The words without quotation marks.
    package var words: [String]
    package var text: String
  }

  /// Reads the statements. A backslash at the end continues a line.
  /// - Throws: if the bytes are not text.
  package static func parse(_ bytes: [UInt8]) throws(ParseError) -> [Statement] {
    try Sniffer.requireText(bytes)
    let text = TextDecoding.utf8(bytes, contentType: nil)
    var statements: [Statement] = []
    var pending: (line: Int, bytes: [UInt8])?
    for (index, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    {
      var whole = pending ?? (index + 1, [])
      pending = nil
      let trimmed = line.last == 0x0D ? line.dropLast() : line
      if trimmed.last == UInt8(ascii: "\\") {
        whole.bytes += trimmed.dropLast()
        pending = whole
        continue
      }
      whole.bytes += trimmed
      let words = NewsboatWords.words(whole.bytes[...])
      guard let command = words.first else { continue }
      statements.append(
        Statement(
          line: whole.line, command: command.lowercased(), words: Array(words.dropFirst()),
          text: PlainText.cut(whole.bytes[...].trimmed.string, to: 400)))
    }
    return statements
  }

  /// An operation of a macro or binding, with its arguments.
  package struct Operation: Sendable, Equatable {
    /// The name in newsboat: "open", "set".
    package var name: String
    /// The arguments without quotation marks.
    package var arguments: [String]

    package init(_ name: String, _ arguments: [String] = []) {
      (self.name, self.arguments) = (name, arguments)
    }
  }

  /// Splits a macro at `;`, up to a description after `--`.
  package static func operations(_ words: some Sequence<String>) -> [Operation] {
    var operations: [Operation] = []
    var current: [String] = []
    func end() {
      if let name = current.first {
        operations.append(Operation(name, Array(current.dropFirst())))
      }
      current = []
    }
    for word in words {
      if word == "--" { break }
      if word == ";" {
        end()
      } else if word.hasSuffix(";"), !word.contains(" ") {
        current.append(String(word.dropLast()))
        end()
      } else {
        current.append(word)
      }
    }
    end()
    return operations
  }
}

/// Words of a line in newsboat's files: separated by white space, or in double quotes with `\"`
/// inside. A word that begins with `#` begins a comment.
enum NewsboatWords {
  static func words(_ line: ArraySlice<UInt8>) -> [String] {
    var words: [String] = []
    var rest = line.trimmed
    while let first = rest.first {
      if first == UInt8(ascii: "#") { break }
      if first == UInt8(ascii: "\"") {
        words.append(quoted(&rest))
      } else {
        let word = Array(rest.prefix { !$0.isSpace })
        rest = rest.dropFirst(word.count)
        words.append(word.string)
      }
      rest = rest.drop { $0.isSpace }
    }
    return words
  }

  /// Removes and returns the quoted text at the beginning.
  private static func quoted(_ rest: inout ArraySlice<UInt8>) -> String {
    var word: [UInt8] = []
    rest = rest.dropFirst()
    while let byte = rest.first, byte != UInt8(ascii: "\"") {
      rest = rest.dropFirst()
      if byte == UInt8(ascii: "\\"), let escaped = rest.first {
        word.append(escaped)
        rest = rest.dropFirst()
      } else {
        word.append(byte)
      }
    }
    rest = rest.dropFirst()
    return word.string
  }
}
