internal import TextRules

// Interpreters use these names instead of prefixes.

/// A vocabulary, identified by its namespace address.
enum Vocabulary: UInt8 {
  /// No namespace, or one of RSS's many addresses.
  case core
  case atom
  case rdf
  case content
  case dublinCore
  case dublinCoreTerms
  case media
  case itunes
  case podcast
  /// Podlove Simple Chapters.
  case chapters
  case slash
  case threading
  case syndication
  case xhtml
  case feedburner
  case xml
  /// Weir's attributes of OPML outlines (`weirAddress`).
  case weir
  case other

  /// Ignores case and a final slash or hash, which vary between feeds.
  init(address: String) {
    var key = address.lowercased()
    while let last = key.utf8.last, last == UInt8(ascii: "/") || last == UInt8(ascii: "#") {
      key.removeLast()
    }
    if key.hasPrefix("https://") { key = "http://" + key.dropFirst(8) }
    self = Self.byAddress[key] ?? .other
  }

  /// Returns the conventional meaning of a prefix that a feed does not declare.
  init(undeclaredPrefix prefix: String) {
    self = Self.byPrefix[prefix.lowercased()] ?? .other
  }

  /// Modules that are known by their prefix if a feed declares it with an unknown address.
  static let modules: Set<Vocabulary> = [
    .content, .dublinCore, .dublinCoreTerms, .itunes, .media, .syndication,
  ]

  /// The namespace of Weir's settings in OPML.
  static let weirAddress = "https://github.com/weir-reader/weir/opml"

  private static let byAddress: [String: Vocabulary] = [
    "": .core,
    "http://backend.userland.com/rss": .core,
    "http://backend.userland.com/rss2": .core,
    "http://backend.userland.com/rss091": .core,
    "http://backend.userland.com/rss092": .core,
    "http://blogs.law.harvard.edu/tech/rss": .core,
    "http://cyber.law.harvard.edu/rss": .core,
    "http://cyber.law.harvard.edu/rss/rss.html": .core,
    "http://www.rssboard.org/rss-specification": .core,
    "http://purl.org/net/rss1.1": .core,
    "http://purl.org/rss/1.0": .core,
    "http://my.netscape.com/rdf/simple/0.9": .core,
    "http://my.netscape.com/publish/formats/rss-0.91.dtd": .core,
    "http://channel.netscape.com/rdf/simple/0.9": .core,
    "http://purl.org/echo": .atom,
    "uri/of/echo/namespace": .atom,
    "http://purl.org/pie": .atom,
    "http://www.w3.org/2005/atom": .atom,
    "http://purl.org/atom/ns": .atom,
    "http://purl.org/atom": .atom,
    "http://purl.org/atom/app": .other,
    "http://www.w3.org/1999/02/22-rdf-syntax-ns": .rdf,
    "http://purl.org/rss/1.0/modules/content": .content,
    "http://purl.org/dc/elements/1.1": .dublinCore,
    "http://purl.org/dc/elements/1.0": .dublinCore,
    "http://purl.org/rss/modules/dc": .dublinCore,
    "http://purl.org/dc/terms": .dublinCoreTerms,
    "http://search.yahoo.com/mrss": .media,
    "http://search.yahoo.com/rss": .media,
    "http://www.rssboard.org/media-rss": .media,
    "http://video.search.yahoo.com/mrss": .media,
    "http://tools.search.yahoo.com/mrss": .media,
    "http://www.itunes.com/dtds/podcast-1.0.dtd": .itunes,
    "http://www.itunes.com/dtds/podcast-1.1.dtd": .itunes,
    "http://www.itunes.com/dtds/podcast-2.0.dtd": .itunes,
    "http://www.google.com/schemas/play-podcasts/1.0": .itunes,
    "http://www.google.com/schemas/play-podcasts/1.0/play-podcasts.xsd": .itunes,
    "http://podcastindex.org/namespace/1.0": .podcast,
    "http://github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": .podcast,
    "http://podlove.org/simple-chapters": .chapters,
    "http://purl.org/rss/1.0/modules/slash": .slash,
    "http://purl.org/syndication/thread/1.0": .threading,
    "http://purl.org/rss/1.0/modules/syndication": .syndication,
    "http://www.w3.org/1999/xhtml": .xhtml,
    "http://www.w3.org/tr/rec-html40": .xhtml,
    "http://rssnamespace.org/feedburner/ext/1.0": .feedburner,
    "http://www.w3.org/xml/1998/namespace": .xml,
    "http://github.com/weir-reader/weir/opml": .weir,
  ]

  private static let byPrefix: [String: Vocabulary] = [
    "rss": .core, "atom": .atom, "atom10": .atom, "atom03": .atom, "a10": .atom, "rdf": .rdf,
    "content": .content, "dc": .dublinCore, "dcterms": .dublinCoreTerms, "media": .media,
    "itunes": .itunes, "googleplay": .itunes, "podcast": .podcast, "psc": .chapters,
    "slash": .slash, "thr": .threading, "sy": .syndication, "xhtml": .xhtml,
    "feedburner": .feedburner, "xml": .xml, "weir": .weir,
  ]
}

/// The format of a document, by its root element.
///
/// Many generators declare the namespace of a module as the default (`<rss
/// xmlns="http://www.w3.org/2005/Atom">`). An element whose name the format defines is then read as
/// an element of the format, and any other element as an element of the module.
enum DocumentFamily {
  case rss, atom, outline

  func defines(_ name: Name) -> Bool {
    switch self {
    case .rss:
      switch name {
      case .rss, .rdf, .channel, .item, .items, .title, .link, .description, .language,
        .managingeditor, .webmaster, .pubdate, .lastbuilddate, .category, .cloud, .ttl, .image,
        .textinput, .skiphours, .skipdays, .hour, .day, .guid, .author, .comments, .enclosure,
        .source, .url, .name, .generator:
        true
      default: false
      }
    case .atom:
      switch name {
      case .feed, .entry, .title, .link, .id, .updated, .published, .modified, .issued, .created,
        .author, .contributor, .name, .email, .uri, .url, .category, .subtitle, .tagline, .info,
        .summary, .content, .logo, .icon, .source, .rights, .generator:
        true
      default: false
      }
    case .outline: false
    }
  }

  /// Returns true for the elements in which generators redeclare the default namespace of the whole
  /// document.
  func isStructure(_ name: Name) -> Bool {
    switch self {
    case .rss: name == .channel || name == .items || name == .item
    case .atom: name == .entry
    case .outline: false
    }
  }

  /// Returns true for a vocabulary of the format itself, false for one of a module.
  func isOwn(_ vocabulary: Vocabulary) -> Bool {
    switch self {
    case .rss: vocabulary == .core || vocabulary == .rdf
    case .atom: vocabulary == .core || vocabulary == .atom
    case .outline: true
    }
  }

  /// The meaning of an unknown namespace.
  var vocabulary: Vocabulary { self == .atom ? .atom : .core }
}

/// A known local name of an element or attribute.
enum Name: String, CaseIterable {
  case unknown = ""
  // Roots and containers.
  case rss, rdf, feed, channel, item, items, entry, source, opml
  // Content of a feed or an item.
  case title, link, description, summary, subtitle, tagline, info, content, encoded, body, div
  case fullitem, abstract, guid, id, about, identifier, language, category, subject, tags, keywords
  case comments, enclosure, image, url, logo, icon, thumbnail, rights
  case pubdate, published, issued, created, date, updated, modified, lastbuilddate
  // People.
  case author, managingeditor, webmaster, creator, contributor, publisher, owner, name, email, uri
  case homepage, person, credit
  // Media and podcasts.
  case group, text, player, duration, origlink, origenclosurelink, peerlink
  case chapters, chapter, start
  case newFeedURL = "new-feed-url"
  // Schedule and generator.
  case generator, ttl, skiphours, skipdays, hour, day, updateperiod, updatefrequency
  // Elements whose content must not be read as the feed's.
  case textinput, cloud
  // OPML.
  case head, outline, ownername

  // Attributes.
  case href, src, rel, type, mode, length, term, label, ispermalink, resource, lang, base
  case filesize, medium, role, lastmod, xmlurl, htmlurl
  case selfAddress = "self"
  // Weir's attributes in OPML; see `FeedOption`.
  case priority, apart, important, interval, proxy, headers, cookies, sort, download
  case userAgent = "user-agent"
  case keepArticles = "keep-articles"
  case keepDays = "keep-days"
  case fullText = "full-text"
  case markRead = "mark-read"

  /// The names by their lower-case form.
  static let table = Table()

  struct Table: Sendable {
    private let names = NameTable(allCases.map(\.rawValue))
    private let cases = allCases

    subscript(name: PackedName) -> Name? { names.place(of: name).map { cases[$0] } }
  }
}
