package import FeedModel

/// A title for items without one: the beginning of the text, or the address.
package enum DerivedTitle {
  /// The most characters of a title, which ends before the word that would exceed them.
  private static let longest = 100

  /// Returns one line from the item's text, summary or HTML, else its address; `nil` if all of
  /// these are blank.
  package static func of(_ item: ParsedItem) -> String? {
    for candidate in [item.contentText, item.summary, item.contentHTML.map(plainStart(html:))] {
      if let text = nonBlank(candidate) { return start(of: text) }
    }
    return nonBlank(item.url)
  }

  /// Returns the text; `nil` if nothing in it is visible.
  package static func nonBlank(_ text: String?) -> String? {
    guard let text, text.utf8.contains(where: { $0 > 0x20 }) else { return nil }
    return text
  }

  /// Returns the first words on one line.
  private static func start(of text: String) -> String {
    let head = PlainText.cut(text, to: 1_024)
    var out = ""
    var length = 0
    for word in head.split(whereSeparator: \.isWhitespace) {
      if length + word.count > longest, length > 0 { return out + "…" }
      if length > 0 { out += " " }
      out += word.prefix(longest)
      length += word.count + 1
      if length > longest { return out + "…" }
    }
    return head.utf8.count < text.utf8.count ? out + "…" : out
  }

  /// Returns the beginning of sanitised HTML. Only blocks and line breaks separate words: Mastodon
  /// writes "#<span>tag</span>".
  private static func plainStart(html: String) -> String {
    var html = PlainText.cut(html, to: 16_384)
    return html.withUTF8 { bytes in
      var plain = PlainText(capacity: 2_048)
      var index = 0
      while index < bytes.count, plain.out.count < 2_048 {
        let tag = bytes.index(of: UInt8(ascii: "<"), from: index) ?? bytes.count
        plain.write(bytes, index..<tag, decodes: true)
        index = bytes.index(of: UInt8(ascii: ">"), from: tag).map { $0 + 1 } ?? bytes.count
        let name = bytes[tag..<index].drop { !$0.isLetter }.prefix { $0.isLetter || $0.isDigit }
        if !inline.contains(PackedName(bytes, name.indices)) { plain.space() }
      }
      return plain.text
    }
  }

  private static let inline = NameTable([
    "a", "abbr", "b", "cite", "code", "del", "dfn", "em", "i", "img", "ins", "kbd", "mark", "q",
    "rp", "rt", "ruby", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var",
    "wbr",
  ])
}
