/// Random, mostly malformed HTML.
enum RandomHTML {
  private static let names = [
    "p", "div", "b", "i", "a", "em", "span", "ul", "ol", "li", "dl", "dt", "dd", "table", "tr",
    "td",
    "th", "tbody", "thead", "caption", "blockquote", "pre", "code", "h1", "h2", "img", "br", "hr",
    "script", "style", "title", "textarea", "iframe", "object", "embed", "svg", "math", "mi",
    "circle",
    "foreignObject", "template", "noscript", "center", "font", "x-y", "ruby", "rt", "rp", "details",
    "summary", "figure", "figcaption", "form", "select", "option", "plaintext", "html", "body",
    "head",
    "video", "source", "legend", "xmp", "q", "sub", "unknown",
  ]
  private static let values = [
    "x", "'x y'", "\"a&amp;b\"", "\"&quot;<>\"", "javascript:x", "\"java\nscript:x\"", "/rel", "#f",
    "\"https://h.example/a/./b/../c?d=&e\"", "'un closed", "\"un closed", "1", "100%", "data:x",
    "\"./a:b\"", "\"../x:y/z\"", "\"&#106;s:\"", "\" padded \"", "\"color: red; x:url(y)\"",
    "a/b:c",
  ]
  private static let attributes = [
    "href", "src", "id", "class", "title", "style", "onclick", "width", "height", "alt",
    "xlink:href",
    "fill", "dir", "cite", "start", "open", "data-src", "srcset", "poster", "data",
  ]
  private static let texts = [
    "text ", "a < b", "&amp;", "&lt;script&gt;", "&#27;", "\u{1B}[2J", "&nbsp;", "&notit;", "&",
    "<",
    ">", "\"", "'", "\u{202E}", "\n", "\r\n", "\t", "é", "漢字", "👩‍👧", "&#x202e;", "]]>", "-->", "</",
    "&#", "&#x", "\u{AD}", "\u{85}", "<3", "&lt", "\u{0}",
  ]
  private static let odd = [
    "<!--", "-->", "<!-- x -->", "<!doctype html>", "<![CDATA[", "<?xml", "<!", "<", "</", "</>",
    "<a",
    "<b ", "</b", "<p / >", "<br/>", "<div/>", "</br>", "<a href=", "<!-->", "<a =\"", "<p\n>",
  ]

  static func make(_ random: inout SeededRandom, pieces: Int) -> String {
    var html = ""
    for _ in 0..<Int.random(in: 1...pieces, using: &random) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        html += "<" + pick(names, &random)
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          html += " " + pick(attributes, &random) + "=" + pick(values, &random)
        }
        html += Int.random(in: 0..<12, using: &random) == 0 ? "/>" : ">"
      case 4..<6: html += "</" + pick(names, &random) + ">"
      case 6..<9: html += pick(texts, &random)
      default: html += pick(odd, &random)
      }
    }
    return html
  }

  private static func pick(_ from: [String], _ random: inout SeededRandom) -> String {
    from[Int.random(in: 0..<from.count, using: &random)]
  }
}
