/// One line of plain text in the making: invisible characters out, white space collapsed and trimmed.
struct PlainText {
  private(set) var out: [UInt8] = []
  private var owesSpace = false

  init(capacity: Int) { out.reserveCapacity(capacity) }

  var text: String { String(decoding: out, as: UTF8.self) }

  /// A word boundary.
  mutating func space() { owesSpace = !out.isEmpty }

  mutating func write(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, decodes: Bool) {
    let end = range.upperBound
    var index = range.lowerBound
    while index < end {
      let byte = bytes[index]
      // Printable ASCII but the ampersand.
      if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "&") {
        paySpace()
        let start = index
        repeat {
          index += 1
        } while index < end && bytes[index] > 0x20 && bytes[index] < 0x7F
          && bytes[index] != UInt8(ascii: "&")
        out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
        continue
      }
      if byte == UInt8(ascii: "&"), decodes,
        let match = CharacterReferences.match(bytes, at: index, end: end, inAttribute: false)
      {
        write(scalar: match.first)
        if let second = match.second { write(scalar: second) }
        index += match.length
        continue
      }
      let (scalar, length) = TextFilter.scalar(bytes, at: index, end: end)
      write(scalar: scalar)
      index += length
    }
  }

  private mutating func write(scalar: UInt32) {
    switch TextFilter.plainVerdict(scalar) {
    case .drop: return
    case .space, .newline: space()
    case .keep:
      paySpace()
      TextFilter.append(scalar, to: &out)
    }
  }

  private mutating func paySpace() {
    guard owesSpace else { return }
    out.append(0x20)
    owesSpace = false
  }

  /// Whether `bytes` come out as they go in: printable ASCII with single spaces inside.
  static func isClean(_ bytes: some Collection<UInt8>) -> Bool {
    var previous: UInt8 = 0x20
    for byte in bytes {
      if byte < 0x20 || byte > 0x7E || (byte == 0x20 && previous == 0x20) { return false }
      previous = byte
    }
    return previous != 0x20 || bytes.isEmpty
  }
}

/// Markup → one line of text, for titles, summaries and search. No tree, no stack.
enum PlainTextReader {
  static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    var plain = PlainText(capacity: bytes.count)
    var tokeniser = HTMLTokeniser(bytes)
    let tags = HTMLTag.byName
    while true {
      switch tokeniser.next() {
      case .text(let range): plain.write(bytes, range, decodes: true)
      case .startTag:
        guard let tag = tags[tokeniser.name] else {
          if isProse(tokeniser) { plain.write(bytes, tokeniser.tagRange, decodes: true) }
          continue
        }
        if tag.traits.contains(.isBlock) { plain.space() }
        skipContent(of: tag, &tokeniser)
      case .endTag:
        guard let tag = tags[tokeniser.name] else {
          if isProse(tokeniser) { plain.write(bytes, tokeniser.tagRange, decodes: true) }
          continue
        }
        if tag.traits.contains(.isBlock) { plain.space() }
      case .unfinished(let range):
        if !bytes[range].contains(UInt8(ascii: "=")) { plain.write(bytes, range, decodes: true) }
      case .end: return plain.text
      }
    }
  }

  /// "List<String>" and "<BIGCO>" are what somebody wrote, not markup: no such element, no attributes,
  /// and not the name of a custom element.
  private static func isProse(_ tokeniser: borrowing HTMLTokeniser) -> Bool {
    guard tokeniser.attributes.isEmpty, !tokeniser.isSelfClosing else { return false }
    return tokeniser.bytes[tokeniser.nameRange].allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0)
    }
  }

  private static func skipContent(of tag: HTMLTag, _ tokeniser: inout HTMLTokeniser) {
    guard !tokeniser.isSelfClosing else { return }
    switch tag {
    case .script, .style, .iframe, .noembed, .noframes: _ = tokeniser.readRawText()
    case .template, .noscript:
      let name = tokeniser.name
      var depth = 1
      while depth > 0 {
        switch tokeniser.next() {
        case .startTag where tokeniser.name == name: depth += 1
        case .endTag where tokeniser.name == name: depth -= 1
        case .unfinished, .end: return
        default: break
        }
      }
    default: break
    }
  }
}
