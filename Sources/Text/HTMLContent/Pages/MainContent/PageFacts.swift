import FeedModel
import Foundation
internal import TextRules

/// The page's metadata: title, kind, base address.
struct PageFacts {
  /// The title as plain text.
  private(set) var title: String?
  /// Metadata for search engines and other sites.
  private(set) var publisher = PublisherData()
  private(set) var base: WebAddress
  /// The address of the article's next page.
  private(set) var nextPart: String?
  /// The mobile or print version on the same site.
  private(set) var otherVersion: String?
  /// True if other content in place of the article could be mistaken for it.
  private(set) var isObstacle = false

  private let page: WebAddress
  /// The page's host and those of its canonical addresses.
  private var hosts: Set<String> = []
  private var hasBase = false
  private var documentTitle: String?
  private var headings: [String] = []

  /// Longest title in characters.
  private static let maximumTitle = 500
  /// Maximum number of headings compared with the title.
  private static let maximumHeadings = 50

  init(_ nodes: [HTMLNode], url: String) {
    page = WebAddress(url)
    base = page
    addHost(url)
    read(nodes, inArticle: false)
    isObstacle = PageObstacle.hasTitleOfCheck(documentTitle) || isObstacle
    title =
      Self.clean(publisher.headline) ?? Self.clean(publisher.graphTitle)
      ?? Self.withoutSite(documentTitle, headings) ?? headings.first
  }

  /// - Parameter inArticle: true if the nearest microdata item is an article.
  private mutating func read(_ nodes: [HTMLNode], inArticle: Bool) {
    for case .element(let element) in nodes {
      var isInside = inArticle
      if let type = element["itemtype"] { isInside = PublisherData.isArticle(type) }
      if inArticle, let property = element["itemprop"]?.lowercased() {
        publisher.readMicrodata(property, of: element) {
          Self.text(of: Self.name(in: element.children) ?? element)
        }
      }
      switch element.name {
      case "meta":
        publisher.readMeta(element)
        if (element["property"] ?? element["name"])?.lowercased() == "og:url" {
          addHost(element["content"])
        }
      case "base": readBase(element)
      case "link": readLink(element)
      case "a":
        if element["rel"]?.lowercased() == "next" { readNext(element) }
        if otherVersion == nil, Self.isPrintLink(element) { readVersion(element) }
        read(element.children, inArticle: isInside)
      case "form":
        if PageObstacle.asksForConsent(element) { isObstacle = true }
        read(element.children, inArticle: isInside)
      case "title": documentTitle = documentTitle ?? Self.text(of: element)
      case "h1", "h2", "h3":
        if headings.count < Self.maximumHeadings {
          headings.append(Self.withoutAnchor(Self.text(of: element)))
        }
      case "script" where element["type"]?.lowercased().contains("ld+json") == true:
        publisher.readData(element)
      case "script", "style", "svg": continue
      default: read(element.children, inArticle: isInside)
      }
    }
  }

  private mutating func readLink(_ element: HTMLElement) {
    switch element["rel"]?.lowercased() {
    case "canonical": addHost(element["href"])
    case "next": readNext(element)
    case "amphtml": readVersion(element)
    case "alternate" where element["media"]?.lowercased() == "print": readVersion(element)
    default: break
    }
  }

  private mutating func readBase(_ element: HTMLElement) {
    guard !hasBase, let href = element["href"] else { return }
    hasBase = true
    if let target = page.resolve(WebAddress(href)), target.isHTTP { base = target }
  }

  // MARK: Title

  private static func clean(_ text: String?) -> String? {
    text.map(HTMLContent.plainText).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the name of a person in microdata.
  private static func name(in nodes: [HTMLNode]) -> HTMLElement? {
    for case .element(let element) in nodes {
      if element["itemprop"]?.lowercased() == "name" { return element }
      if let found = name(in: element.children) { return found }
    }
    return nil
  }

  private static func text(of element: HTMLElement) -> String {
    var out = ""
    func collect(_ nodes: [HTMLNode]) {
      for node in nodes {
        #if DEBUG
          VisitCounter.current?.visits += 1
        #endif
        switch node {
        case .text(let text): out += text
        case .element(let element): collect(element.children)
        }
      }
    }
    collect(element.children)
    return HTMLContent.cleanText(String(out.prefix(maximumTitle)))
  }

  /// Converts "Queues¶" to "Queues".
  private static func withoutAnchor(_ heading: String) -> String {
    heading.last == "¶" || heading.last == "#"
      ? HTMLContent.cleanText(String(heading.dropLast())) : heading
  }

  /// Converts "A quiet terminal | Example" to "A quiet terminal": the longest heading in the title,
  /// else its longest part. A short heading at the end is the name of the site.
  private static func withoutSite(_ title: String?, _ headings: [String]) -> String? {
    guard let title, !title.isEmpty else { return nil }
    let repeated = headings.filter {
      !$0.isEmpty && title.contains($0) && !($0.count * 2 < title.count && title.hasSuffix($0))
    }
    if let heading = repeated.max(by: { $0.count < $1.count }) { return heading }
    var parts = [title]
    for separator in [" | ", " — ", " – ", " · ", " :: ", " : ", " « ", " » ", " - ", "｜"] {
      parts = parts.flatMap { $0.components(separatedBy: separator) }
    }
    return parts.max { $0.count < $1.count }
  }

  /// True if one title begins the other ("Queues" begins "Queues | Example"), ignoring punctuation.
  static func isSameTitle(_ a: String, _ b: String) -> Bool {
    func letters(_ text: String) -> String {
      text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    let (a, b) = (letters(a), letters(b))
    return !a.isEmpty && !b.isEmpty && (a.hasPrefix(b) || b.hasPrefix(a))
  }

  // MARK: Addresses

  /// True for a link of words such as "Print version".
  private static func isPrintLink(_ element: HTMLElement) -> Bool {
    guard case .text(let text)? = element.children.first, text.utf8.count < 60 else {
      return false
    }
    return printLinks.contains(HTMLContent.cleanText(text).lowercased())
  }

  private static let printLinks: Set<String> = [
    "print", "print version", "print view", "print article", "print this article",
    "printable version", "printer-friendly version", "printer friendly", "drucken", "druckversion",
    "druckansicht", "imprimer", "version imprimable", "imprimir", "stampa", "印刷", "打印",
  ]

  /// Stores the first version on the same or the mobile host.
  private mutating func readVersion(_ element: HTMLElement) {
    guard otherVersion == nil, let href = element["href"],
      var target = base.resolve(WebAddress(href))
    else { return }
    var here = page
    target.fragment = nil
    here.fragment = nil
    guard target.isHTTP, target != here, let host = target.host, let own = page.host,
      Self.publisher(host) == Self.publisher(own)
    else { return }
    otherVersion = target.text
  }

  private static func publisher(_ host: String) -> String {
    for prefix in ["www.", "amp.", "m.", "print."] where host.hasPrefix(prefix) {
      return String(host.dropFirst(prefix.count))
    }
    return host
  }

  /// Stores the same address with the next number: "Next" may also lead to another post.
  private mutating func readNext(_ element: HTMLElement) {
    guard nextPart == nil, let href = element["href"],
      var target = base.resolve(WebAddress(href))
    else { return }
    target.fragment = nil
    guard target.isHTTP, target.host == page.host else { return }
    let (here, next) = (Self.numbered(page.text), Self.numbered(target.text))
    // The number in "story/42" may be that of the article.
    let isFollowing = next.stem == here.stem && next.number == (here.number ?? 1) + 1
    if isFollowing || next.stem == here.plain && next.number == 2 { nextPart = target.text }
  }

  /// Splits "story-2.html" into "story", 2, "story-2"; "story?page=3" into "story", 3,
  /// "story?page=3"; "story/" into "story", nil, "story".
  private static func numbered(
    _ address: String
  ) -> (stem: String, number: Int?, plain: String) {
    var stem = address.prefix { $0 != "#" }
    for ending in [".html", ".htm", ".php", "/"] where stem.hasSuffix(ending) {
      stem = stem.dropLast(ending.count)
      break
    }
    let digits = stem.reversed().prefix { $0.isASCII && $0.isNumber }.count
    guard (1...2).contains(digits), let number = Int(stem.suffix(digits)) else {
      return (String(stem), nil, String(stem))
    }
    var rest = stem.dropLast(digits)
    for mark in ["?page=", "&page=", "?p=", "/page/", "/page-", "-page-", "/", "-", "_", ","]
    where rest.hasSuffix(mark) {
      rest = rest.dropLast(mark.count)
      for ending in [".html", ".htm", ".php", "/"] where rest.hasSuffix(ending) {
        rest = rest.dropLast(ending.count)
        break
      }
      return (String(rest), number, String(stem))
    }
    return (String(stem), nil, String(stem))
  }

  private mutating func addHost(_ address: String?) {
    guard let address, let site = base.resolve(WebAddress(address))?.site else { return }
    hosts.insert(site)
  }

  func isElsewhereOnTheSite(_ link: String) -> Bool {
    guard var target = base.resolve(WebAddress(link)) else { return false }
    target.fragment = nil
    var here = page
    here.fragment = nil
    return target.isHTTP && target != here && target.site.map(hosts.contains) == true
  }

  /// True for a link to a person's page on the site: "/u/jo", "/@jo", "member.php?u=3".
  func isProfile(_ link: String) -> Bool {
    isElsewhereOnTheSite(link)
      && base.resolve(WebAddress(link))?.path.split(separator: "/").contains { part in
        part.first == "@" || part.first == "~"
          || Self.profiles.contains(part.lowercased().replacing(".php", with: ""))
      } == true
  }

  private static let profiles: Set<String> = [
    "member", "memberlist", "members", "people", "profile", "profiles", "u", "user", "users",
  ]
}
