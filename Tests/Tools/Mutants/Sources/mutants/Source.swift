import Foundation

/// A source file, and its code: the same bytes with spaces in place of comments and quotes in place
/// of strings.
struct Source {
  let path: String
  let bytes: [UInt8]
  private(set) var code: [UInt8]
  private(set) var lines: [Range<Int>] = []

  init(path: String, text: String) {
    self.path = path
    bytes = Array(text.utf8)
    code = bytes.map { $0 < 128 ? $0 : UInt8(ascii: "x") }
    for range in matches(#""(?:\\.|[^"\\\n])*"|//[^\n]*"#) {
      let isText = code[range.lowerBound] == UInt8(ascii: "\"")
      for index in range { code[index] = isText ? UInt8(ascii: "\"") : UInt8(ascii: " ") }
    }
    lines = matches(#"(?m)^.*$"#)
  }

  /// Ranges of the code that match: those of the pattern's last group, if it has one.
  func matches(_ pattern: String) -> [Range<Int>] {
    guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
    let text = String(decoding: code, as: UTF8.self)
    return expression.matches(in: text, range: NSRange(location: 0, length: code.count))
      .compactMap { Range($0.range(at: $0.numberOfRanges - 1)) }
  }

  func text(_ range: Range<Int>) -> String { String(decoding: code[range], as: UTF8.self) }

  /// The beginning of a range as written, on one line.
  func excerpt(_ range: Range<Int>) -> String {
    let text = String(decoding: bytes[range], as: UTF8.self)
    return String(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(60))
  }

  /// The number of a line, from 0.
  func line(at offset: Int) -> Int {
    (lines.firstIndex { $0.lowerBound > offset } ?? lines.count) - 1
  }

  /// The line as written, without indentation.
  func lineText(at offset: Int) -> String {
    String(decoding: bytes[lines[line(at: offset)]], as: UTF8.self)
      .trimmingCharacters(in: .whitespaces)
  }

  func trimmed(_ range: Range<Int>) -> Range<Int> {
    guard let first = range.first(where: { code[$0] > 32 }) else {
      return range.lowerBound..<range.lowerBound
    }
    return first..<(range.last { code[$0] > 32 } ?? first) + 1
  }

  /// Offsets from `start` that are in no inner brackets, up to the bracket that closes the outer
  /// ones.
  func outside(from start: Int) -> [Int] {
    var offsets: [Int] = []
    var depth = 0
    for index in start..<code.count {
      if depth == 0 { offsets.append(index) }
      if Array("([{".utf8).contains(code[index]) { depth += 1 }
      if Array(")]}".utf8).contains(code[index]) { depth -= 1 }
      if depth < 0 { break }
    }
    return offsets
  }

  /// The result type of the function or property around an offset; `nil` for closures.
  func resultType(around offset: Int) -> String? {
    var depth = 0
    for index in (0..<offset).reversed() {
      if code[index] == UInt8(ascii: "}") { depth += 1 }
      guard code[index] == UInt8(ascii: "{") else { continue }
      depth -= 1
      guard depth < 0 else { continue }
      depth = 0
      var first = line(at: index)
      // The head may have several lines.
      while first > 0,
        text(trimmed(lines[first])).hasPrefix(")") || text(trimmed(lines[first])).hasPrefix("->")
      { first -= 1 }
      let head = text(lines[first].lowerBound..<index)
      if head.contains("func ") {
        return head.components(separatedBy: "-> ").dropFirst().last?.trimmingCharacters(
          in: .whitespaces)
      }
      if head.contains("var ") {
        return head.components(separatedBy: ": ").last?.trimmingCharacters(in: .whitespaces)
      }
      let blocks = [" if ", " else ", " for ", " while ", " switch ", " case ", " where "]
      guard blocks.contains(where: head.contains) else { return nil }
    }
    return nil
  }
}
