internal import TextRules

/// newsboat's `config` as statements; what they mean to Weir is decided elsewhere.
public enum NewsboatConfig {
  /// One statement; comments and empty lines are not statements.
  public struct Statement: Sendable, Equatable {
    /// From 1.
    public var line: Int
    /// In lower case: "bind-key", "color".
    public var command: String
    /// The words after the command, without their quotation marks.
    public var words: [String]
    public var text: String

    /// - Parameter line: from 1.
    public init(line: Int, command: String, words: [String], text: String) {
      (self.line, self.command, self.words, self.text) = (line, command, words, text)
    }
  }

  /// Lines that end with a backslash go on in the next one.
  /// - Throws: where it is no text at all.
  public static func parse(_ bytes: [UInt8]) throws(ParseError) -> [Statement] {
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

  /// One operation of a macro or a binding, with its arguments.
  public struct Operation: Sendable, Equatable {
    /// As newsboat names it: "open", "set".
    public var name: String
    /// Without quotation marks; empty: none.
    public var arguments: [String]

    public init(_ name: String, _ arguments: [String] = []) {
      (self.name, self.arguments) = (name, arguments)
    }
  }

  /// The operations of a macro: separated by `;`, up to a description behind `--`.
  public static func operations(_ words: some Sequence<String>) -> [Operation] {
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
