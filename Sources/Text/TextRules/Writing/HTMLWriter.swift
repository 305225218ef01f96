/// Writes text and attribute values of clean HTML: decodes references, filters characters, escapes.
package struct HTMLWriter {
  package var out: [UInt8] = []
  private let needsCheck = ForbiddenCharacters.needsCheck

  package init() {}

  package enum Escaping {
    case text
    case attribute
    /// No escaping, for text that is read, not written.
    case none
  }

  package mutating func write(_ text: StaticString) {
    out.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package mutating func write(text: String, escaping: Escaping) {
    var text = text
    text.withUTF8 { write($0, $0.indices, decodes: false, escaping: escaping) }
  }

  package mutating func write(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, decodes: Bool, escaping: Escaping,
    inAttribute: Bool = false
  ) {
    let end = range.upperBound
    var copied = range.lowerBound
    var index = copied
    while true {
      index = endOfPlain(bytes, from: index, to: end)
      guard index < end else { break }
      let byte = bytes[index]
      if byte == UInt8(ascii: "&"), decodes {
        if let match = CharacterReferences.match(
          bytes, at: index, end: end, inAttribute: inAttribute)
        {
          copy(bytes, copied..<index)
          write(scalar: match.first, escaping)
          if let second = match.second { write(scalar: second, escaping) }
          index += match.length
          copied = index
          continue
        }
      }
      let (scalar, length) = UTF8Scalar.read(bytes, at: index, end: end)
      if scalar == 0x0D, index + 1 < end, bytes[index + 1] == 0x0A {
        copy(bytes, copied..<index)
        index += 1
        copied = index
        continue
      }
      if isWrittenAsIs(scalar, escaping), scalar != 0xFFFD {
        index += length
        continue
      }
      copy(bytes, copied..<index)
      write(scalar: scalar, escaping)
      index += length
      copied = index
    }
    if copied < end { copy(bytes, copied..<end) }
  }

  /// Returns the first byte that needs a check.
  private func endOfPlain(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int
  {
    var index = start
    let raw = UnsafeRawBufferPointer(bytes)
    while index < end, index + 16 <= bytes.count {
      let block = raw.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
      if let place = ForbiddenCharacters.firstNeedingCheck(in: block) {
        return min(index + place, end)
      }
      index += 16
    }
    while index < end, !needsCheck[Int(bytes[index])] { index += 1 }
    return min(index, end)
  }

  /// Appends text escaped for elements and attributes.
  package static func append(_ text: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
    var writer = HTMLWriter()
    swap(&writer.out, &out)
    writer.write(text, text.indices, decodes: false, escaping: .attribute)
    swap(&writer.out, &out)
  }

  private mutating func copy(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[range]))
  }

  private func isWrittenAsIs(_ scalar: UInt32, _ escaping: Escaping) -> Bool {
    switch scalar {
    case 0x26, 0x3C, 0x3E: return escaping == .none
    case 0x22: return escaping != .attribute
    default:
      if case .keep = ForbiddenCharacters.verdict(scalar) { return true }
      return false
    }
  }

  private mutating func write(scalar: UInt32, _ escaping: Escaping) {
    switch ForbiddenCharacters.verdict(scalar) {
    case .drop: return
    case .space: out.append(0x20)
    case .newline: out.append(0x0A)
    case .replace(let other): UTF8Scalar.append(other, to: &out)
    case .keep:
      if isWrittenAsIs(scalar, escaping) {
        UTF8Scalar.append(scalar, to: &out)
        return
      }
      switch scalar {
      case 0x26: write("&amp;")
      case 0x3C: write("&lt;")
      case 0x3E: write("&gt;")
      default: write("&quot;")
      }
    }
  }
}

/// Converts plain text to HTML.
package enum TextHTML {
  /// Escapes text as the content of an element.
  package static func escaped(_ text: String) -> String {
    var writer = HTMLWriter()
    writer.write(text: text, escaping: .text)
    return String(decoding: writer.out, as: UTF8.self)
  }

  /// Converts text: empty lines separate paragraphs; other line ends are kept.
  package static func paragraphs(of text: String) -> String {
    var writer = HTMLWriter()
    var isOpen = false
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else {
        if isOpen { writer.write("</p>") }
        isOpen = false
        continue
      }
      if isOpen { writer.write("<br>") } else { writer.write("<p>") }
      isOpen = true
      writer.write(
        text: String(Substring(line.last == 0x0D ? line.dropLast() : line)), escaping: .text)
    }
    if isOpen { writer.write("</p>") }
    return String(decoding: writer.out, as: UTF8.self)
  }
}

package enum XMLEscaping {
  /// Escapes a text for the content of an element or for an attribute in double quotes, and removes
  /// characters that XML cannot contain (§2.2).
  /// - Parameter isAttribute: true to write line breaks and tabs as references, because parsers
  ///   replace them by spaces in attributes (§3.3.3).
  package static func escaped(_ text: String, isAttribute: Bool = false) -> String {
    var escaped = String.UnicodeScalarView()
    func append(_ reference: String) { escaped.append(contentsOf: reference.unicodeScalars) }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": append("&amp;")
      case "<": append("&lt;")
      case ">": append("&gt;")
      case "\"": append("&quot;")
      case "\n" where isAttribute: append("&#10;")
      case "\r" where isAttribute: append("&#13;")
      case "\t" where isAttribute: append("&#9;")
      case "\t", "\n", "\r", "\u{20}"..."\u{FFFD}", "\u{10000}"...: escaped.append(scalar)
      default: continue
      }
    }
    return String(escaped)
  }
}
