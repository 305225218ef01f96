/// Hostile values for feeds, origins and lists, and documents in which every field has such a
/// value.
public struct HostileCorpus {
  /// The values as bytes, of which some are not UTF-8.
  public let values: [[UInt8]]

  /// - Parameter canary: The file that a command in a value would make.
  public init(canary: String) {
    let long = String(repeating: "x", count: 100_000)
    let storm = "e" + String(repeating: "\u{301}\u{317}\u{489}", count: 300)
    let texts = [
      // Sequences that terminals execute.
      "\u{1B}[2J\u{1B}[31mred", "\u{1B}[?1049l\u{1B}[?25l", "\u{1B}[6n\u{1B}[>c\u{1B}[21t",
      "\u{1B}]0;title\u{7}\u{1B}]2;title\u{1B}\\", "\u{1B}]52;c;cHduZWQ=\u{7}",
      "\u{1B}]8;;file:///etc/passwd\u{1B}\\link", "\u{1B}P+q544e\u{1B}\\",
      "\u{1B}_Gf=24;AAAA\u{1B}\\",
      "\u{1B}^private\u{1B}\\", "\u{1B}Xstring\u{1B}\\", "\u{1B}c\u{1B}#8\u{1B}(0", "\u{1B}",
      "\u{9B}2J\u{9D}0;t\u{9C}\u{90}q\u{9C}\u{85}\u{8D}",
      "a\u{8}\u{8}b\u{7F}\u{7}\u{E}\u{F}\u{18}c",
      "over\rwritten\u{B}\u{C}", "two\r\nlines\n\n\ttabbed", "nul\0inside",
      // Characters that deceive people.
      "\u{202E}gpj.exe\u{202C}", "\u{2066}a\u{2067}b\u{2069}\u{200F}\u{61C}",
      "a\u{200B}\u{2060}\u{FEFF}b\u{AD}c",
      "\u{E0001}\u{E0041}\u{E0042}\u{E007F}", "\u{3164}\u{115F}\u{FFA0}", "\u{2028}\u{2029}\u{85}",
      "\u{FFF9}a\u{FFFA}b\u{FFFB}", storm, "\u{301}\u{302}leading",
      "👩‍👩‍👧‍👦🏳️‍🌈🇫🇷🇩🇪" + String(repeating: "👩\u{200D}", count: 200),
      "https://аррӏе.com/", "漢字" + String(repeating: "字", count: 500), long,
      // Commands that programs execute.
      "$(touch \(canary))", "`touch \(canary)`", "; touch \(canary) #", "| touch \(canary)",
      "' ; touch \(canary) ; '", "\" && touch \(canary) && \"", "%s%s%s%n%x%p", "-rf", "--help",
      "exec:touch \(canary)", "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x",
      // Names of files.
      "../../../../tmp/weir-hostile", "/etc/passwd", "..", "~/.ssh/authorized_keys", "con\\..\\x",
      // Difficult text for parsers.
      "]]>", "<!--", "</title></item></channel></rss>", "<script>alert(1)</script>",
      "&#27;[2J&#x9b;31m",
      "&amp;#27;[2J", "&xxe;", "\" onload=\"x", "{\"a\":\"\\u001b[2J\"}", "", " ",
    ]
    let raw: [[UInt8]] = [
      // C1 as single bytes, an overlong ESC, half a surrogate pair, a sequence that is cut off.
      [0x9B, 0x32, 0x4A, 0x9D, 0x30, 0x3B, 0x74, 0x9C], [0xC0, 0x9B, 0x5B, 0x32, 0x4A],
      // Noncharacters.
      [0xEF, 0xBF, 0xBF, 0xF0, 0x9F, 0xBF, 0xBE, 0xEF, 0xB7, 0x90],
      [0xED, 0xA0, 0x80, 0x61], [0xF0, 0x9F, 0x98], [0xFF, 0xFE, 0x1B, 0x5B],
    ]
    values = texts.map { Array($0.utf8) } + raw
  }

  /// Returns a value as text of a document; if `raw`, `<` and `&` are not escaped.
  private func text(_ index: Int, raw: Bool) -> [UInt8] {
    raw ? values[index] : Self.escaped(values[index])
  }

  static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "<"): Array("&lt;".utf8)
      case UInt8(ascii: "&"): Array("&amp;".utf8)
      case UInt8(ascii: "\""): Array("&quot;".utf8)
      default: [byte]
      }
    }
  }

  /// Returns RSS 2.0 in which every field is that value, as written and as character references.
  public func rss(_ index: Int) -> [UInt8] {
    let value = text(index, raw: index % 3 == 0)
    let inside = text(index, raw: false)
    var out = Array("<?xml version=\"1.0\"?><rss version=\"2.0\" xmlns:dc=\"dc\"><channel>".utf8)
    func element(_ name: String, _ content: [UInt8]) {
      out += Array("<\(name)>".utf8) + content + Array("</\(name)>".utf8)
    }
    element("title", inside)
    element("link", inside)
    element("description", inside)
    element("language", inside)
    for (item, value) in [value, references(index), inside].enumerated() {
      out += Array("<item>".utf8)
      element("title", Array("\(index).\(item) ".utf8) + value)
      for name in ["author", "dc:creator", "category", "comments", "pubDate"] {
        element(name, value)
      }
      element("guid", Array("\(item)".utf8) + value)
      element("link", Array("https://example.org/\(index)/\(item)/".utf8) + value)
      out += Array("<enclosure url=\"https://example.org/".utf8) + inside
      out += Array("\" type=\"".utf8) + inside + Array("\" length=\"".utf8) + inside
      out += Array("\"/>".utf8)
      element("description", Self.escaped(html(index)))
      out += Array("</item>".utf8)
    }
    return out + Array("</channel></rss>".utf8)
  }

  /// Returns the value as `&#27;` and so on.
  private func references(_ index: Int) -> [UInt8] {
    let scalars = String(decoding: values[index].prefix(600), as: UTF8.self).unicodeScalars
    return scalars.flatMap { Array("&#\($0.value);".utf8) }
  }

  /// Returns a page, or the text of an article, that consists of that value.
  public func html(_ index: Int) -> [UInt8] {
    let value = values[index]
    let inside = Self.escaped(value)
    var out = Array("<h1>".utf8) + inside + Array("</h1><p>".utf8) + inside
    out += Array("</p><p>".utf8) + value + Array("</p><pre>".utf8) + inside
    out += Array("</pre><a href=\"https://example.org/".utf8) + inside + Array("\">".utf8) + inside
    out += Array("</a><a href=\"".utf8) + inside + Array("\">x</a><img alt=\"".utf8) + inside
    out += Array("\" src=\"".utf8) + inside + Array("\"><table><tr><th>".utf8) + inside
    out += Array("</th></tr><tr><td>".utf8) + inside + Array("</td></tr></table><ul><li>".utf8)
    return out + inside + Array("</ul><p>And a sentence that is long enough to be one.</p>".utf8)
  }

  /// Returns JSON Feed 1.1, in which a text may contain every character.
  public func json(_ index: Int) -> [UInt8] {
    let value = Self.quoted(values[index])
    let page = Self.quoted(html(index))
    return Array(
      """
      {"version": "https://jsonfeed.org/version/1.1", "title": \(value), "home_page_url": \(value),
       "description": \(value), "icon": \(value), "authors": [{"name": \(value), "url": \(value)}],
       "items": [{"id": \(value), "url": "https://example.org/json/\(index)", "external_url": \(value),
         "title": \(value), "summary": \(value), "content_html": \(page), "tags": [\(value)],
         "date_published": \(value), "language": \(value), "authors": [{"name": \(value)}],
         "attachments": [{"url": \(value), "mime_type": \(value), "title": \(value)}]}]}
      """.utf8)
  }

  private static func quoted(_ bytes: [UInt8]) -> String {
    var out = "\""
    for unit in String(decoding: bytes, as: UTF8.self).utf16 {
      if unit >= 0x20 && unit < 0x7F && unit != 0x22 && unit != 0x5C {
        out.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      } else {
        let digits = String(unit, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return out + "\""
  }

  /// Returns an answer with that value in status, headers and body: an error, redirect or no feed.
  public func answer(_ index: Int) -> Reply {
    // Characters that end the line or begin another header cannot be in a header's value.
    let value = values[index].prefix(4_000).filter { $0 != 0x0D && $0 != 0x0A && $0 != 0 }
    let status = [302, 401, 429, 500, 404, 200, 503][index % 7]
    var head = Array("HTTP/1.1 \(status) ".utf8) + value + Array("\r\n".utf8)
    for name in [
      "Content-Type", "ETag", "Last-Modified", "Retry-After", "Server", "Cache-Control", "Link",
      status == 302 ? "Location" : "X-Location",
    ] {
      head += Array("\(name): ".utf8) + value + Array("\r\n".utf8)
    }
    if status == 401 {
      head += Array("WWW-Authenticate: Basic realm=\"".utf8) + value + Array("\"\r\n".utf8)
    }
    let body = values[index].prefix(2_000)
    head += Array("Content-Length: \(body.count)\r\n\r\n".utf8)
    return Reply(steps: [.head(head), .bytes(Array(body))])
  }

  /// Returns an outline whose folders and names are the values.
  /// - Parameter urls: The addresses of feeds, one for each outline; the values are used in turn.
  public func opml(_ urls: [String]) -> [UInt8] {
    var out = Array("<opml version=\"2.0\"><head><title>x</title></head><body>".utf8)
    for (index, url) in urls.enumerated() {
      let value = Self.escaped(values[index % values.count])
      out += Array("<outline text=\"".utf8) + value + Array("\"><outline type=\"rss\" text=\"".utf8)
      out += value + Array("\" category=\"".utf8) + value + Array("\" htmlUrl=\"".utf8) + value
      out += Array("\" xmlUrl=\"\(url)\"/>".utf8)
      // An outline with the value as its address.
      out += Array("<outline type=\"rss\" text=\"x\" xmlUrl=\"".utf8) + value
      out += Array("\"/></outline>".utf8)
    }
    return out + Array("</body></opml>".utf8)
  }
}
