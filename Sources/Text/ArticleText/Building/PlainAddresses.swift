import FeedModel
import TextRules

extension BlockBuilder {
  /// Appends an element's text with links for its addresses.
  mutating func append(_ text: String, _ context: Context) {
    guard context.link == nil else { return append(piece: text, context) }
    var text = text
    let ranges = text.withUTF8 { PlainAddress.ranges(in: $0) }
    guard !ranges.isEmpty else { return append(piece: text, context) }
    var start = text.utf8.startIndex
    var offset = 0
    for range in ranges {
      let first = text.utf8.index(start, offsetBy: range.lowerBound - offset)
      let end = text.utf8.index(first, offsetBy: range.count)
      append(piece: String(text[start..<first]), context)
      append(address: String(text[first..<end]), context)
      (start, offset) = (end, range.upperBound)
    }
    append(piece: String(text[start...]), context)
  }

  private mutating func append(piece text: String, _ context: Context) {
    guard !text.isEmpty else { return }
    if context.isPreformatted {
      inline.append(verbatim: text, style: context.style, link: context.link)
    } else if context.whiteSpace != .collapses {
      append(lines: text, context)
    } else {
      inline.append(text, style: context.style, link: context.link)
    }
  }

  private mutating func append(lines text: String, _ context: Context) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      if number > 0 { lineBreak(context) }
      guard context.whiteSpace == .isKept else {
        inline.append(String(line), style: context.style, link: context.link)
        continue
      }
      let isIndent = number == lines.count - 1 && !inline.isEmpty
      guard isIndent || line.utf8.contains(where: { $0 > 0x20 }) else { continue }
      let spaced = line.replacing("\t", with: "    ")
      let words = inline.isEmpty || inline.endsLine ? spaced.drop { $0 == " " } : spaced
      // The spaces at the beginning of a line are not removed if they do not allow a break.
      let indent = String(repeating: "\u{A0}", count: spaced.count - words.count)
      inline.append(verbatim: indent + words, style: context.style, link: context.link)
    }
  }

  /// Appends an address as a link. Links in code have no number, which would look like code.
  private mutating func append(address text: String, _ context: Context) {
    var context = context
    guard let target = target(ofPlain: WebAddress.completed(text)) else {
      return append(piece: text, context)
    }
    context.link = target
    context.style.formUnion(.link)
    append(piece: text, context)
    if case .address(let number) = target, !context.isPreformatted { append(numberOf: number) }
  }
}

enum PlainAddress {
  /// Returns the ranges of addresses that begin with a web scheme or "www.".
  static func ranges(in utf8: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var index = 0
    while index < utf8.count {
      let byte = utf8[index]
      var start: Int?
      if byte == UInt8(ascii: ":") {
        start = schemeStart(utf8, colon: index)
      } else if byte | 0x20 == UInt8(ascii: "w") {
        start = isWorldWideWeb(utf8, at: index) ? index : nil
      }
      guard let start, start >= ranges.last?.upperBound ?? 0 else {
        index += 1
        continue
      }
      let end = end(utf8, from: start)
      if hasHost(utf8, start..<end) { ranges.append(start..<end) }
      index = max(index + 1, end)
    }
    return ranges
  }

  private static func schemeStart(_ utf8: UnsafeBufferPointer<UInt8>, colon: Int) -> Int? {
    guard colon + 3 < utf8.count, utf8[colon + 1] == 0x2F, utf8[colon + 2] == 0x2F else {
      return nil
    }
    for scheme in ["https", "http"] {
      let start = colon - scheme.utf8.count
      guard start >= 0, zip(scheme.utf8, utf8[start...]).allSatisfy({ $0 == $1 | 0x20 }) else {
        continue
      }
      return start > 0 && isASCIIWord(utf8[start - 1]) ? nil : start
    }
    return nil
  }

  private static func isWorldWideWeb(_ utf8: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    guard index + 5 < utf8.count, utf8[index + 3] == UInt8(ascii: "."), isWord(utf8[index + 4]),
      utf8[index...index + 2].allSatisfy({ $0 | 0x20 == UInt8(ascii: "w") })
    else { return false }
    guard index > 0 else { return true }
    let before = utf8[index - 1]
    return !isASCIIWord(before) && !"/.-@".utf8.contains(before)
  }

  /// Returns the end of an address: before a space, quotation mark, bracket or non-ASCII, and
  /// without the punctuation of its sentence.
  private static func end(_ utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var end = start
    var open = 0
    while end < utf8.count, utf8[end] > 0x20, utf8[end] < 0x7F,
      !"<>\"`{}|\\^".utf8.contains(utf8[end])
    {
      if utf8[end] == UInt8(ascii: "(") { open += 1 }
      if utf8[end] == UInt8(ascii: ")") {
        // The parenthesis was opened before the address.
        if open == 0 { break }
        open -= 1
      }
      end += 1
    }
    while end > start, ".,;:!?'*_~]([".utf8.contains(utf8[end - 1]) { end -= 1 }
    return end
  }

  private static func hasHost(_ utf8: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    guard let colon = utf8[range].firstIndex(of: UInt8(ascii: ":")), colon + 3 < range.upperBound,
      utf8[colon + 1] == 0x2F
    else { return utf8[range].count(where: { $0 == UInt8(ascii: ".") }) > 1 }
    return isWord(utf8[colon + 3]) || utf8[colon + 3] == UInt8(ascii: "[")
  }

  private static func isWord(_ byte: UInt8) -> Bool { byte >= 0x80 || isASCIIWord(byte) }

  private static func isASCIIWord(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit }
}
