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
