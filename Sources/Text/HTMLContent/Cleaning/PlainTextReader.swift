package import TextRules

extension PlainText {
  /// Longest title in bytes.
  package static let maximumTitle = 4096
  /// Longest name, label or language in bytes.
  package static let maximumLabel = 512
  package static let maximumSummary = 1 << 16

  /// Reads a title, name or label.
  /// - Parameters:
  ///   - isHTML: true to interpret markup and entities.
  ///   - limit: the number of bytes of UTF-8 that are kept.
  /// - Returns: `nil` if nothing remains.
  package static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, isHTML: Bool, limit: Int = maximumTitle
  ) -> String? {
    // Reads up to eight times the limit, since decoding entities and markup shortens the text.
    let inner = UnsafeBufferPointer(rebasing: bytes.prefix(limit * 8).trimmed)
    let text = cut(isHTML ? HTMLContent.plainText(inner) : line(inner), to: limit)
    return text.isEmpty ? nil : text
  }

  package static func read(
    _ bytes: [UInt8], isHTML: Bool, limit: Int = maximumTitle
  ) -> String? {
    bytes.withUnsafeBufferPointer { read($0, isHTML: isHTML, limit: limit) }
  }

  package static func read(_ text: String?, isHTML: Bool, limit: Int = maximumTitle) -> String? {
    guard var text else { return nil }
    return text.withUTF8 { read($0, isHTML: isHTML, limit: limit) }
  }

  /// Reads a title in HTML, in which only formatting is markup (`PlainTextReader.title`).
  package static func title(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    read(bytes, limit: maximumTitle, by: PlainTextReader.title)
  }

  package static func title(_ text: String?) -> String? {
    guard var text else { return nil }
    return text.withUTF8 { title($0) }
  }

  /// Returns a label, which is plain text but often escaped twice (`R&amp;amp;D`): entities are
  /// decoded, tags are text.
  package static func label(_ text: String) -> String? {
    var text = text
    return text.withUTF8 { label($0) }
  }

  package static func label(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    read(bytes, limit: maximumLabel) { bytes in
      var plain = PlainText(capacity: bytes.count)
      plain.write(bytes, bytes.indices, decodes: true)
      return plain
    }
  }

  private static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, limit: Int,
    by reader: (UnsafeBufferPointer<UInt8>) -> PlainText
  ) -> String? {
    let inner = UnsafeBufferPointer(rebasing: bytes.prefix(limit * 8).trimmed)
    let text = isClean(inner, isHTML: true) ? inner.string : reader(inner).text
    return text.isEmpty ? nil : cut(text, to: limit)
  }

  /// True if plain text is evidently escaped: it has a character reference, but no other ampersand
  /// and no bracket.
  package static func isEscaped(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      if bytes.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }) {
        return false
      }
      var from = 0
      while let index = bytes.index(of: UInt8(ascii: "&"), from: from) {
        guard let match = CharacterReferences.xmlMatch(bytes, at: index) else { return false }
        from = index + match.length
      }
      return from > 0
    }
  }
}

/// Converts markup to one line of text, for titles, summaries and search; needs no tree or stack.
enum PlainTextReader {
  static func line(_ bytes: UnsafeBufferPointer<UInt8>) -> PlainText {
    var plain = PlainText(capacity: bytes.count)
    var tokeniser = HTMLTokeniser(bytes)
    let tags = HTMLTag.byName
    while true {
      switch tokeniser.next() {
      case .text(let range): plain.write(bytes, range, decodes: true)
      case .startTag, .endTag:
        guard let tag = tags[tokeniser.name] else {
          if isProse(tokeniser) { plain.write(bytes, tokeniser.tagRange, decodes: true) }
          continue
        }
        if tag.traits.contains(.isBlock) { plain.space() }
        if tokeniser.isStartTag { readContent(of: tag, &tokeniser, into: &plain) }
      case .unfinished(let range):
        if !tokeniser.isCutTag(range) { plain.write(bytes, range, decodes: true) }
      case .end: return plain
      }
    }
  }

  /// Reads a title, which may be about code: "if x<y and y>z", "The <script> tag". Only closed
  /// inline elements, line breaks, pictures, and paragraphs around everything are markup, and what
  /// continues a word: comments, scripts, and tags with attributes.
  static func title(_ bytes: UnsafeBufferPointer<UInt8>) -> PlainText {
    var plain = PlainText(capacity: bytes.count)
    var start = 0
    for (tag, range) in titleMarkup(bytes) where range.lowerBound >= start {
      plain.write(bytes, start..<range.lowerBound, decodes: true)
      if tag.traits.contains(.isBlock) { plain.space() }
      start = range.upperBound
    }
    plain.write(bytes, start..<bytes.count, decodes: true)
    return plain
  }

  private static func titleMarkup(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> [(tag: HTMLTag, range: Range<Int>)] {
    let isParagraph = bytes.first == UInt8(ascii: "<") && bytes.last == UInt8(ascii: ">")
    var tokeniser = HTMLTokeniser(bytes)
    var markup: [(tag: HTMLTag, range: Range<Int>)] = []
    /// The start tags without an end, by element.
    var open: [HTMLTag: [Range<Int>]] = [:]
    var end = 0
    while true {
      let token = tokeniser.next()
      let range =
        switch token {
        case .text(let range), .unfinished(let range): range
        case .startTag, .endTag: tokeniser.tagRange
        case .end: bytes.count..<bytes.count
        }
      // The tokeniser passes over comments.
      if range.lowerBound > end, continuesWord(bytes, at: end) {
        markup.append((.unknown, end..<range.lowerBound))
      }
      end = range.upperBound
      let tag = HTMLTag.byName[tokeniser.name] ?? .unknown
      switch token {
      case .text: continue
      case .unfinished: if tokeniser.isCutTag(range) { markup.append((.br, range)) }
      case .end: return markup.sorted { $0.range.lowerBound < $1.range.lowerBound }
      case .startTag:
        let hasAttributes = tokeniser.attributes.contains { !$0.value.isEmpty }
        let isGlued = continuesWord(bytes, at: range.lowerBound)
        switch tag {
        case .br: markup.append((tag, range))
        case .img where hasAttributes: markup.append((tag, range))
        case .a where !hasAttributes, .unknown: continue
        case .script where isGlued, .style where isGlued,
          _ where tag.traits.contains(.isFormatting),
          _ where tag.traits.contains(.isBlock) && isParagraph:
          open[tag, default: []].append(range)
        default: if isGlued, hasAttributes { markup.append((tag, range)) }
        }
      case .endTag:
        guard let start = open[tag]?.popLast() else { continue }
        if tag == .script || tag == .style {
          markup.append((tag, start.lowerBound..<end))
        } else if start.count > tag.name.utf8.count + 2 || tag.traits.contains(.isBlock)
          || end - start.lowerBound == bytes.count
          || !bytes[start.upperBound].isSpace || !bytes[range.lowerBound - 1].isSpace
        {
          // The title "Use <b> and </b>" names the tags.
          markup += [(tag, start), (tag, range)]
        }
      }
    }
  }

  private static func continuesWord(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    place > 0 && (bytes[place - 1].isLetter || bytes[place - 1].isDigit || bytes[place - 1] >= 0x80)
  }

  /// True for text such as "List<String>" and "<BIGCO>": an unknown element without attributes that
  /// is not a custom element.
  private static func isProse(_ tokeniser: borrowing HTMLTokeniser) -> Bool {
    guard tokeniser.attributes.isEmpty, !tokeniser.isSelfClosing else { return false }
    return tokeniser.bytes[tokeniser.nameRange].allSatisfy {
      $0.isLetter || $0.isDigit
    }
  }

  private static func readContent(
    of tag: HTMLTag, _ tokeniser: inout HTMLTokeniser, into plain: inout PlainText
  ) {
    guard !tokeniser.isSelfClosing else { return }
    switch tag {
    case .script, .style, .iframe, .noembed, .noframes: _ = tokeniser.readRawText()
    case .textarea: plain.write(tokeniser.bytes, tokeniser.readRawText(), decodes: true)
    case .template, .noscript: tokeniser.skipContent()
    default: break
    }
  }
}

/// Short texts stored in one array, which avoids reference counting for each.
struct JoinedTexts: Sendable {
  private let bytes: [UInt8]
  /// The start of each text, and the end of the last.
  private let bounds: [Int]

  init(_ texts: [String]) {
    bytes = texts.flatMap { Array($0.utf8) }
    bounds = texts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.utf8.count) }
  }

  @inline(__always)
  func append(_ index: Int, to out: inout [UInt8]) {
    let range = bounds[index]..<bounds[index + 1]
    bytes.withUnsafeBufferPointer {
      out.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range]))
    }
  }
}
