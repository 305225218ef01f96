import FeedModel
internal import TextRules

/// A feed announced by a web page.
public struct AnnouncedFeed: Sendable, Equatable {
  /// An absolute address with http or https.
  public var url: String
  /// Plain text, if the page gives any.
  public var title: String?
  public var mimeType: String?
}

extension HTMLContent {
  /// Returns the feeds of `<link rel=alternate>` (RSS and Atom autodiscovery), or else those that
  /// the text links to, without duplicates. The best comes first, and feeds of comments come last.
  public static func announcedFeeds(in page: [UInt8], contentType: String? = nil, url: String)
    -> [AnnouncedFeed]
  {
    PageEncoding.utf8(page, contentType: contentType).withUnsafeBufferPointer { bytes in
      var search = FeedSearch(bytes, url: url)
      return search.run()
    }
  }
}

extension HTMLContent {
  /// Returns the address of `<meta http-equiv=refresh>` (WHATWG HTML §4.2.5.3); absolute, http or
  /// https.
  package static func refreshTarget(
    of page: [UInt8], contentType: String? = nil, url: String
  ) -> String? {
    PageEncoding.utf8(page, contentType: contentType).withUnsafeBufferPointer { bytes in
      var search = FeedSearch(bytes, url: url)
      _ = search.run()
      return search.refreshTarget
    }
  }
}

/// A single pass over the tags of a page.
private struct FeedSearch {
  private var tokeniser: HTMLTokeniser
  private var base: WebAddress
  private var announced: [AnnouncedFeed] = []
  private var linked: [AnnouncedFeed] = []
  private(set) var refreshTarget: String?
  private var seen: Set<String> = []
  /// The index in `linked` of the open anchor.
  private var openAnchor: Int?
  private var anchorText = PlainText(capacity: 64)
  private var hasBase = false

  private static let maximumFeeds = 200

  /// Starts at the first tag. `bytes` must outlive the search.
  init(_ bytes: UnsafeBufferPointer<UInt8>, url: String) {
    tokeniser = HTMLTokeniser(bytes)
    base = WebAddress(url)
  }

  mutating func run() -> [AnnouncedFeed] {
    let tags = HTMLTag.byName
    walk: while announced.count + linked.count < Self.maximumFeeds {
      switch tokeniser.next() {
      case .text(let range):
        if openAnchor != nil, anchorText.out.count < 200 {
          anchorText.write(tokeniser.bytes, range, decodes: true)
        }
      case .startTag:
        guard let tag = tags[tokeniser.name] else { continue }
        switch tag {
        case .base: readBase()
        case .link: readLink()
        case .meta: readRefresh()
        case .a: readAnchor()
        case .script, .style, .textarea, .iframe, .noembed, .noframes, .xmp:
          if !tokeniser.isSelfClosing { _ = tokeniser.readRawText() }
        default: break
        }
      case .endTag: if tags[tokeniser.name] == .a { closeAnchor() }
      case .unfinished, .end: break walk
      }
    }
    closeAnchor()
    let found = announced.isEmpty ? linked : announced
    return found.filter { !Self.isAboutComments($0) } + found.filter(Self.isAboutComments)
  }

  private mutating func readBase() {
    // The first base counts (WHATWG HTML §4.2.3).
    guard !hasBase, let href = value("href") else { return }
    hasBase = true
    if let address = base.resolve(WebAddress(href)), address.isHTTP { base = address }
  }

  /// Reads `5; url='address'`.
  private mutating func readRefresh() {
    guard refreshTarget == nil, value("http-equiv")?.lowercased() == "refresh",
      let match = value("content")?.firstMatch(
        of: /^[\s\d.]+[;,\s]\s*(?:[uU][rR][lL]\s*=\s*)?["']?([^"']+)/)
    else { return }
    refreshTarget = absolute(String(match.1))
  }

  private mutating func readLink() {
    guard let href = value("href"), let relation = value("rel")?.lowercased() else { return }
    let relations = relation.split { $0.isWhitespace }
    let type = value("type").map(Self.mediaType)
    let isFeed =
      switch type {
      case "application/rss+xml", "application/atom+xml", "application/feed+json",
        "application/rdf+xml", "application/x-rss+xml", "application/x.atom+xml", "text/rss+xml",
        "text/atom+xml":
        relations.contains("alternate") || relations.contains("feed")
      case "application/xml", "text/xml", "application/json":
        // WordPress announces its API as JSON; only the address of a feed contains "feed".
        (relations.contains("alternate") || relations.contains("feed"))
          && (type != "application/json" || href.lowercased().contains("feed"))
      case nil: relations.contains("feed")
      default: false
      }
    guard isFeed, !relations.contains("stylesheet"), let url = absolute(href),
      seen.insert(url).inserted
    else { return }
    let title = value("title").map(HTMLContent.cleanText)
    announced.append(
      AnnouncedFeed(url: url, title: title?.isEmpty == true ? nil : title, mimeType: type))
  }

  private mutating func readAnchor() {
    closeAnchor()
    guard let href = value("href"), Self.resemblesFeed(href), let url = absolute(href),
      !seen.contains(url), !linked.contains(where: { $0.url == url })
    else { return }
    openAnchor = linked.count
    anchorText = PlainText(capacity: 64)
    linked.append(AnnouncedFeed(url: url, mimeType: value("type").map(Self.mediaType)))
  }

  private mutating func closeAnchor() {
    guard let index = openAnchor else { return }
    openAnchor = nil
    if !anchorText.out.isEmpty { linked[index].title = anchorText.text }
  }

  private func absolute(_ reference: String) -> String? {
    var reference = reference.trimmingPrefix { $0.isWhitespace }[...]
    let lower = reference.lowercased()
    // "feed://host/…" and "feed:https://host/…" are old forms of links for subscribing.
    if lower.hasPrefix("feed://") {
      reference = "http" + reference.dropFirst(4)
    } else if lower.hasPrefix("feed:") {
      reference = reference.dropFirst(5)
    }
    var address = base.resolve(WebAddress(reference))
    address?.fragment = nil
    guard let address else { return nil }
    return address.isHTTP ? address.text : nil
  }

  private func value(_ name: String) -> String? {
    let key = PackedName(name)
    let bytes = tokeniser.bytes
    guard
      let attribute = tokeniser.attributes.first(where: { PackedName(bytes, $0.name) == key })
    else { return nil }
    var writer = HTMLWriter()
    writer.write(bytes, attribute.value, decodes: true, escaping: .none, inAttribute: true)
    return String(decoding: writer.out, as: UTF8.self)
  }

  private static func mediaType(_ value: String) -> String {
    HTMLContent.cleanText(String(value.prefix { $0 != ";" })).lowercased()
  }

  private static func isAboutComments(_ feed: AnnouncedFeed) -> Bool {
    feed.url.lowercased().contains("comment")
      || feed.title?.lowercased().contains("comment") == true
  }

  private static let fileNames: Set<String> = [
    "feed", "feeds", "rss", "rss2", "atom", "rdf", "feed.xml", "rss.xml", "atom.xml", "index.xml",
    "index.rdf", "index.rss", "feed.json", "feed.rss", "feed.atom", "index.atom", "rss.php",
    "feed.php",
  ]

  /// Checks the last parts of the path, and the query.
  private static func resemblesFeed(_ href: String) -> Bool {
    let address = WebAddress(href.lowercased())
    if address.scheme == "feed" { return true }
    let parts = address.path.split(separator: "/")
    if let last = parts.last {
      if fileNames.contains(String(last)) { return true }
      if last.hasSuffix(".rss") || last.hasSuffix(".atom") || last.hasSuffix(".rdf") { return true }
      if last.hasSuffix(".xml"),
        parts.contains(where: { $0.contains("rss") || $0.contains("feed") })
      {
        return true
      }
    }
    let query = address.query ?? ""
    return query.split(separator: "&").contains {
      $0 == "feed=rss2" || $0 == "feed=atom" || $0 == "feed=rss" || $0 == "format=rss"
        || $0 == "format=atom" || $0 == "type=rss" || $0 == "alt=rss" || $0 == "alt=atom"
    }
  }
}
