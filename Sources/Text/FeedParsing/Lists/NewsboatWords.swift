internal import TextRules

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
