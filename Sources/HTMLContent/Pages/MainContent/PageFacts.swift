import FeedModel
import Foundation
internal import TextRules

/// What a page says of itself: its name, its kind, its base address.
struct PageFacts {
  /// Plain text.
  private(set) var title: String?
  /// Whether the page calls itself an article.
  private(set) var isArticle = false
  /// Addresses in the page resolve against it.
  private(set) var base: WebAddress
  /// The text of the article as sanitised HTML, where the page carries it as data for search
  /// engines (schema.org `articleBody`).
  private(set) var statedBody: (html: String, length: Int)?
  /// The address of the next part of an article in several pages.
  private(set) var nextPart: String?
  /// Whether something stands in place of the article that would be taken for it.
  private(set) var isObstacle = false

  private let page: WebAddress
  /// Hosts of the site: the page's own and those of the addresses that it gives itself.
  private var hosts: Set<String> = []
  private var hasBase = false
  private var graphTitle: String?
  private var documentTitle: String?
  private var headline: String?
  private var headings: [String] = []

  /// Characters; what is longer is no title.
  private static let maximumTitle = 500
  /// Headings after this many are not titles.
  private static let maximumHeadings = 50
  /// Larger data than that is no description of one article.
  private static let maximumData = 2_000_000

  init(_ nodes: [HTMLNode], url: String) {
    page = WebAddress(url)
    base = page
    addHost(url)
    read(nodes)
    isObstacle = PageObstacle.hasTitleOfCheck(documentTitle) || isObstacle
    title =
      Self.clean(headline) ?? Self.clean(graphTitle) ?? Self.withoutSite(documentTitle, headings)
      ?? headings.first
  }

  private mutating func read(_ nodes: [HTMLNode]) {
    for case .element(let element) in nodes {
      switch element.name {
      case "meta": readMeta(element)
      case "base": readBase(element)
      case "link" where element["rel"]?.lowercased() == "canonical": addHost(element["href"])
      case "link" where element["rel"]?.lowercased() == "next": readNext(element)
      case "a" where element["rel"]?.lowercased() == "next":
        readNext(element)
        read(element.children)
      case "form":
        if PageObstacle.asksForConsent(element) { isObstacle = true }
        read(element.children)
      case "title": documentTitle = documentTitle ?? Self.text(of: element)
      case "h1", "h2", "h3":
        if headings.count < Self.maximumHeadings { headings.append(Self.text(of: element)) }
      case "script" where element["type"]?.lowercased().contains("ld+json") == true:
        readData(element)
      case "script", "style", "svg": continue
      default: read(element.children)
      }
    }
  }

  private mutating func readMeta(_ element: HTMLElement) {
    guard let content = element["content"] else { return }
    switch (element["property"] ?? element["name"])?.lowercased() {
    case "og:title": graphTitle = graphTitle ?? content
    case "og:url": addHost(content)
    case "og:type": if content.lowercased() == "article" { isArticle = true }
    default: break
    }
  }

  private mutating func readBase(_ element: HTMLElement) {
    guard !hasBase, let href = element["href"] else { return }
    hasBase = true
    let target = page.resolve(WebAddress(href))
    if target.isHTTP { base = target }
  }

  // MARK: Data for search engines

  private mutating func readData(_ element: HTMLElement) {
    guard case .text(let json)? = element.children.first, json.utf8.count <= Self.maximumData,
      let value = try? JSONSerialization.jsonObject(with: Data(json.utf8))
    else { return }
    read(data: value, depth: 0)
  }

  private mutating func read(data: Any, depth: Int) {
    guard depth < 4 else { return }
    if let list = data as? [Any] {
      for entry in list.prefix(100) { read(data: entry, depth: depth + 1) }
    }
    guard let object = data as? [String: Any] else { return }
    if let graph = object["@graph"] { read(data: graph, depth: depth + 1) }
    let types = (object["@type"] as? [String]) ?? [object["@type"] as? String ?? ""]
    guard types.contains(where: { $0.hasSuffix("Article") || $0.hasSuffix("BlogPosting") }) else {
      return
    }
    isArticle = true
    headline = headline ?? object["headline"] as? String
    guard statedBody == nil, let body = object["articleBody"] as? String else { return }
    statedBody = Self.paragraphs(of: body).map {
      ($0, TextWeight.of(HTMLContent.plainText($0)).weight)
    }
  }

  /// Nil if it is too short to be the article.
  private static func paragraphs(of body: String) -> String? {
    guard body.utf8.count >= 250 else { return nil }
    if body.contains("<p") { return HTMLContent.sanitise(body) }
    let lines = body.split(whereSeparator: \.isNewline)
      .map { HTMLContent.cleanText(String($0)) }.filter { !$0.isEmpty }
    var writer = HTMLWriter()
    for line in lines {
      writer.write("<p>")
      writer.write(text: line, escaping: .text)
      writer.write("</p>")
    }
    return String(decoding: writer.out, as: UTF8.self)
  }

  // MARK: Title

  private static func clean(_ text: String?) -> String? {
    text.map(HTMLContent.plainText).flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func text(of element: HTMLElement) -> String {
    var out = ""
    func collect(_ nodes: [HTMLNode]) {
      for node in nodes {
        switch node {
        case .text(let text): out += text
        case .element(let element): collect(element.children)
        }
      }
    }
    collect(element.children)
    return HTMLContent.cleanText(String(out.prefix(maximumTitle)))
  }

  /// "A quiet terminal | Example" → "A quiet terminal": the longest heading that the title repeats,
  /// else its longest part.
  private static func withoutSite(_ title: String?, _ headings: [String]) -> String? {
    guard let title, !title.isEmpty else { return nil }
    let repeated = headings.filter { !$0.isEmpty && title.contains($0) }
    if let heading = repeated.max(by: { $0.count < $1.count }) { return heading }
    var parts = [title]
    for separator in [" | ", " — ", " – ", " · ", " :: ", " « ", " » ", " - ", "｜"] {
      parts = parts.flatMap { $0.components(separatedBy: separator) }
    }
    return parts.max { $0.count < $1.count }
  }

  /// Whether one is the other, or its beginning ("A quiet terminal | Example"), punctuation aside.
  static func isSameTitle(_ a: String, _ b: String) -> Bool {
    func letters(_ text: String) -> String {
      text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    let (a, b) = (letters(a), letters(b))
    return !a.isEmpty && !b.isEmpty && (a.hasPrefix(b) || b.hasPrefix(a))
  }

  // MARK: Addresses

  /// "Next" also leads from one post of a blog to another: the next part of an article has the
  /// address of this one, with the next number at its end.
  private mutating func readNext(_ element: HTMLElement) {
    guard nextPart == nil, let href = element["href"] else { return }
    var target = base.resolve(WebAddress(href))
    target.fragment = nil
    guard target.isHTTP, target.host == page.host else { return }
    let (here, next) = (Self.numbered(page.text), Self.numbered(target.text))
    if next.stem == here.stem, next.number == (here.number ?? 1) + 1 { nextPart = target.text }
  }

  /// "story-2.html" → "story", 2; "story?page=3" → "story", 3; "story/" → "story".
  private static func numbered(_ address: String) -> (stem: String, number: Int?) {
    var stem = address.prefix { $0 != "#" }
    for ending in [".html", ".htm", ".php", "/"] where stem.hasSuffix(ending) {
      stem = stem.dropLast(ending.count)
      break
    }
    let digits = stem.reversed().prefix { $0.isASCII && $0.isNumber }.count
    guard (1...2).contains(digits), let number = Int(stem.suffix(digits)) else {
      return (String(stem), nil)
    }
    var rest = stem.dropLast(digits)
    for mark in ["?page=", "&page=", "?p=", "/page/", "/page-", "-page-", "/", "-", "_", ","]
    where rest.hasSuffix(mark) {
      rest = rest.dropLast(mark.count)
      for ending in [".html", ".htm", ".php", "/"] where rest.hasSuffix(ending) {
        rest = rest.dropLast(ending.count)
        break
      }
      return (String(rest), number)
    }
    return (String(stem), nil)
  }

  private mutating func addHost(_ address: String?) {
    guard let address, let host = base.resolve(WebAddress(address)).host else { return }
    hosts.insert(Self.site(host))
  }

  private static func site(_ host: some StringProtocol) -> String {
    String(host.hasPrefix("www.") ? host.dropFirst(4) : host[...])
  }

  /// Whether a link leads to another page of the same site.
  func isElsewhereOnTheSite(_ link: String) -> Bool {
    var target = base.resolve(WebAddress(link))
    target.fragment = nil
    var here = page
    here.fragment = nil
    return target.isHTTP && target != here
      && target.host.map { hosts.contains(Self.site($0)) } == true
  }
}
