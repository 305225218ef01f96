/// Realistic feeds for measuring the parser: every format and way to carry HTML, bodies as blog
/// engines produce them, a dozen scripts, and common damage. The documents are the same in every
/// run.
public enum WildCorpus {
  /// The way in which a document carries its bodies, and its damage.
  public enum Kind: String, Sendable, CaseIterable {
    case rssCDATA = "RSS, CDATA"
    case rssEscaped = "RSS, escaped HTML"
    case rdf = "RDF, CDATA"
    case atomEscaped = "Atom, escaped HTML"
    case atomXHTML = "Atom, XHTML"
    case podcast = "podcast"
    case damaged = "RSS, damaged"
    case json = "JSON Feed"

    /// True for every kind but JSON Feed.
    public var isXML: Bool { self != .json }
  }

  /// A document of a feed.
  public struct Document: Sendable {
    /// The kind of the document.
    public var kind: Kind
    /// The bytes that a server would send.
    public var bytes: [UInt8]
  }

  /// Returns documents of all kinds in turn, 20 to 400 kB each, at least `size` bytes in all.
  public static func documents(size: Int, seed: UInt64 = 1) -> [Document] {
    var documents: [Document] = []
    var total = 0
    var random = CorpusRandom(state: seed)
    while total < size {
      let kind = Kind.allCases[documents.count % Kind.allCases.count]
      let script = CorpusScript.all[documents.count / 8 % CorpusScript.all.count]
      let length = [20_000, 60_000, 150_000, 400_000][random.below(4)]
      let document = document(kind, size: length, script: script, &random)
      total += document.bytes.count
      documents.append(document)
    }
    return documents
  }

  /// Returns a document of about `size` bytes.
  public static func document(_ kind: Kind, size: Int, seed: UInt64 = 1) -> Document {
    var random = CorpusRandom(state: seed)
    return document(kind, size: size, script: CorpusScript.all[0], &random)
  }

  private static func document(
    _ kind: Kind, size: Int, script: CorpusScript, _ random: inout CorpusRandom
  ) -> Document {
    let title = script.words(3, &random)
    var items: [String] = []
    var length = 0
    while length < size {
      let entry = Entry(number: items.count, script: script, kind, &random)
      let item = entry.text(kind)
      length += item.utf8.count
      items.append(item)
    }
    return Document(kind: kind, bytes: Array(wrap(kind, title, items).utf8))
  }

  private static func wrap(_ kind: Kind, _ title: String, _ items: [String]) -> String {
    let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    let name = Corpus.escape(title)
    switch kind {
    case .json:
      return "{\"version\":\"https://jsonfeed.org/version/1.1\""
        + ",\"title\":\(CorpusFormat.quote(title)),"
        + "\"home_page_url\":\"https://example.org/\",\"items\":[\n"
        + items.joined(separator: ",\n") + "\n]}\n"
    case .atomEscaped, .atomXHTML:
      return declaration + "<feed xmlns=\"http://www.w3.org/2005/Atom\""
        + " xmlns:thr=\"http://purl.org/syndication/thread/1.0\" xml:lang=\"en\">\n<title type=\"text\">\(name)</title>\n<id>https://example.org/</id>\n"
        + "<link rel=\"alternate\" type=\"text/html\" href=\"https://example.org/\"/>\n"
        + items.joined() + "</feed>\n"
    case .rdf:
      return declaration + "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\""
        + " xmlns=\"http://purl.org/rss/1.0/\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\""
        + " xmlns:content=\"http://purl.org/rss/1.0/modules/content/\">\n"
        + "<channel rdf:about=\"https://example.org/\">\n<title>\(name)</title>\n"
        + "<link>https://example.org/</link>\n</channel>\n" + items.joined() + "</rdf:RDF>\n"
    case .rssCDATA, .rssEscaped, .podcast, .damaged:
      return declaration
        + "<rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\""
        + " xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:atom=\"http://www.w3.org/2005/Atom\""
        + " xmlns:slash=\"http://purl.org/rss/1.0/modules/slash/\""
        + " xmlns:wfw=\"http://wellformedweb.org/CommentAPI/\""
        + " xmlns:media=\"http://search.yahoo.com/mrss/\""
        + " xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\">\n<channel>\n"
        + "\t<title>\(name)</title>\n\t<link>https://example.org/</link>\n"
        + "\t<atom:link href=\"https://example.org/feed/\" rel=\"self\" type=\"application/rss+xml\"/>\n"
        + items.joined() + "</channel>\n</rss>\n"
    }
  }
}

/// An entry of such a feed.
private struct Entry {
  var number: Int
  var title: String
  var author: String
  var tags: [String]
  var html: String
  var date: CorpusDate
  var address: String { "https://example.org/2024/06/\(number)/some-words-of-the-title/" }

  init(number: Int, script: CorpusScript, _ kind: WildCorpus.Kind, _ random: inout CorpusRandom) {
    self.number = number
    title = script.words(3 + random.below(6), &random) + (random.below(5) == 0 ? " & more" : "")
    author = script.words(2, &random)
    tags = (0..<(1 + random.below(4))).map { _ in script.words(1, &random) }
    date = CorpusDate(seconds: 1_704_067_200 + number * 7_200)
    var body = Body(script: script, random: random)
    html = body.html(blocks: kind == .podcast ? 2 : 4 + body.random.below(12))
    random = body.random
  }

  private func element(_ name: String, _ text: String, _ attributes: String = "") -> String {
    "\t\t<\(name)\(attributes)>\(Corpus.escape(text))</\(name)>\n"
  }

  func text(_ kind: WildCorpus.Kind) -> String {
    switch kind {
    case .rssCDATA: rss("<content:encoded><![CDATA[\(html)]]></content:encoded>")
    case .rssEscaped: rss("<description>\(Corpus.escape(html))</description>")
    case .podcast: podcast
    case .damaged: damaged
    case .rdf: rdf
    case .atomEscaped: atom("<content type=\"html\">\(Corpus.escape(html))</content>")
    case .atomXHTML:
      atom(
        "<content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\">"
          + "\(html.replacing("&nbsp;", with: "&#160;").replacing("<br>", with: "<br/>"))"
          + "</div></content>")
    case .json: json
    }
  }

  private func rss(_ body: String) -> String {
    var out = "\t<item>\n" + element("title", title) + element("link", address)
    out += element("comments", address + "#comments")
    out += "\t\t<dc:creator><![CDATA[\(author)]]></dc:creator>\n"
    out += element("pubDate", date.rfc822)
    for tag in tags { out += "\t\t<category><![CDATA[\(tag)]]></category>\n" }
    out += element("guid", "https://example.org/?p=\(number)", " isPermaLink=\"false\"")
    out += "\t\t\(body)\n" + element("wfw:commentRss", address + "feed/")
    return out + element("slash:comments", "\(number % 7)") + "\t</item>\n"
  }

  private var podcast: String {
    rss(
      "<description>\(Corpus.escape(html))</description>\n"
        + "\t\t<enclosure url=\"https://cdn.example.org/\(number).mp3?a=1&amp;b=2\""
        + " length=\"48123456\" type=\"audio/mpeg\"/>\n"
        + element("itunes:title", title) + element("itunes:duration", "01:02:\(10 + number % 50)")
        + "\t\t<itunes:image href=\"https://cdn.example.org/\(number).jpg\"/>\n"
        + element("itunes:summary", html))
  }

  /// Bare ampersands and angle brackets, undeclared references, a control character, an attribute
  /// without quotes, a missing end tag.
  private var damaged: String {
    let fault =
      switch number % 12 {
      case 1: "Fish & chips, a < b &copy; &nbsp;"
      case 4: "\u{0B}\u{01}form feed"
      case 7: "<enclosure url=https://cdn.example.org/a.mp3 type=audio/mpeg>"
      case 10: "<b>never closed"
      default: ""
      }
    return rss("<description>\(Corpus.escape(html))\(fault)</description>")
  }

  private var rdf: String {
    "<item rdf:about=\"\(address)\">\n" + element("title", title) + element("link", address)
      + element("dc:date", date.iso) + element("dc:creator", author)
      + tags.map { element("dc:subject", $0) }.joined()
      + "<content:encoded><![CDATA[\(html)]]></content:encoded>\n</item>\n"
  }

  private func atom(_ content: String) -> String {
    var out = "<entry>\n" + element("title", title, " type=\"text\"")
    out += "<link rel=\"alternate\" type=\"text/html\" href=\"\(address)\"/>\n"
    out += element("id", "tag:example.org,2024:\(number)")
    out += element("published", date.iso) + element("updated", date.iso)
    out +=
      "<author><name>\(Corpus.escape(author))</name><uri>https://example.org/who</uri></author>\n"
    for tag in tags {
      out += "<category scheme=\"https://example.org/\" term=\"\(Corpus.escape(tag))\"/>\n"
    }
    return out + content + "\n<thr:total>0</thr:total>\n</entry>\n"
  }

  private var json: String {
    let quote = { (text: String) in CorpusFormat.quote(text) }
    return "{\"id\":\(quote(address)),\"url\":\(quote(address)),\"title\":\(quote(title)),"
      + "\"date_published\":\(quote(date.iso)),\"authors\":[{\"name\":\(quote(author))}],"
      + "\"tags\":[\(tags.map(quote).joined(separator: ","))],\"content_html\":\(quote(html))}"
  }
}

/// The HTML of a post.
private struct Body {
  var script: CorpusScript
  var random: CorpusRandom

  mutating func html(blocks: Int) -> String {
    var out = ""
    for _ in 0..<blocks { out += block() + "\n" }
    return out
  }

  private mutating func words(_ least: Int, _ more: Int) -> String {
    script.words(least + random.below(more), &random)
  }

  private mutating func block() -> String {
    switch random.below(16) {
    case 0: "<h2 class=\"wp-block-heading\" id=\"part-\(random.below(99))\">\(words(2, 5))</h2>"
    case 1: figure()
    case 2: "<blockquote class=\"wp-block-quote\">\n<p>\(sentence())</p>\n</blockquote>"
    case 3: list()
    case 4: table()
    case 5:
      "<pre class=\"wp-block-code\"><code>if (a &lt; b &amp;&amp; c &gt; 0) { return \"x\"; }"
        + "</code></pre>"
    default: paragraph()
    }
  }

  private mutating func sentence() -> String { words(8, 16) + "&#8217;" + words(4, 8) + "." }

  private mutating func paragraph() -> String {
    var out = "<p>"
    for _ in 0..<(1 + random.below(4)) {
      out += sentence() + " "
      switch random.below(6) {
      case 0:
        out += "<a href=\"https://example.org/a/\(random.below(9_999))?x=1&amp;y=2\""
        out += " target=\"_blank\" rel=\"noreferrer noopener\">\(words(1, 4))</a> "
      case 1: out += "<strong>\(words(1, 3))</strong>, "
      case 2: out += "<em>\(words(1, 3))</em>&nbsp;&#8211; "
      case 3: out += "<code>\(words(1, 1))</code><br>"
      default: break
      }
    }
    return out + "</p>"
  }

  private mutating func figure() -> String {
    let picture = "https://example.org/wp-content/uploads/2024/06/picture-\(random.below(9_999))"
    return "<figure class=\"wp-block-image size-large\"><img loading=\"lazy\" decoding=\"async\""
      + " width=\"1024\" height=\"768\" src=\"\(picture)-1024x768.jpg\" alt=\"\(words(2, 4))\""
      + " class=\"wp-image-1234\" srcset=\"\(picture)-1024x768.jpg 1024w, \(picture)-300x225.jpg 300w\""
      + " sizes=\"(max-width: 1024px) 100vw, 1024px\" /><figcaption>\(words(3, 6))</figcaption></figure>"
  }

  private mutating func list() -> String {
    var out = "<ul>"
    for _ in 0..<(2 + random.below(5)) { out += "<li>\(words(3, 8)) &amp; \(words(1, 3))</li>\n" }
    return out + "</ul>"
  }

  private mutating func table() -> String {
    var out = "<table style=\"border: 1px; color: red\"><tbody>"
    for _ in 0..<(2 + random.below(3)) {
      out += "<tr><td style=\"text-align:right\">\(words(1, 2))</td><td>\(words(1, 4))</td></tr>"
    }
    return out + "</tbody></table>"
  }
}
