internal import FeedModel
internal import Foundation
internal import HTMLContent
internal import TextRules

/// Interprets the elements of RSS, RDF, Atom and CDF documents.
///
/// One reader serves all formats: documents mix their vocabularies (Atom links in RSS, Dublin Core
/// in both), and the meaning of an element seldom depends on the root.
final class FeedReader: XMLInterpreter {
  let format: FeedFormat
  var feed = FeedDraft()
  var item = ItemDraft()
  var person = PersonDraft()
  var isInItem = false
  /// True if the root or a title proves that this is a feed.
  var isFeed: Bool { isCertain || feed.title.value != nil }
  private var isCertain: Bool
  /// True if any title was read, even that of a picture.
  var hasReadTitle = false
  private var openFeeds = 0
  /// True while items can follow. In RDF, items follow the channel.
  var expectsItems: Bool { openFeeds > 0 || isInItem || format == .rdf }
  /// The feed's `xml:lang`; items store only a different language.
  var documentLanguage: String?

  init(format: FeedFormat, isCertain: Bool) { (self.format, self.isCertain) = (format, isCertain) }

  /// - Parameter isCut: true if the document is truncated where items could follow.
  func finish(isCut: Bool) -> ParsedFeed {
    if feed.language.value == nil { feed.language.offer(documentLanguage, rank: Rank.inherited) }
    return feed.finish(format, isCut: isCut)
  }

  // MARK: Opening

  func open(_ element: XMLElement, in context: Context) -> Reading {
    switch context {
    case .document: openRoot(element)
    case .root, .feed: openInFeed(element)
    case .item: openInItem(element)
    case .person: element.name.isOfPerson ? .text(.plain) : .skip
    case .source: element.name == .author ? openPerson() : .skip
    case .image, .itemImage: element.name == .url ? .text(.plain) : .skip
    case .mediaGroup, .mediaContent: openMedia(element)
    case .category: openITunes(element)
    case .chapters: openChapter(element)
    case .skipHours: element.name == .hour ? .text(.plain) : .skip
    case .skipDays: element.name == .day ? .text(.plain) : .skip
    }
  }

  private func openRoot(_ element: XMLElement) -> Reading {
    documentLanguage = element.language
    switch element.name {
    case .rss, .rdf: return .children(.root)
    case .feed, .channel: return openFeed(element)
    case .item, .entry: return openItem(element)
    default: return .skip
    }
  }

  private func openFeed(_ element: XMLElement) -> Reading {
    openFeeds += 1
    if format == .cdf { readCDFChannel(element) }
    if let language = element.language { documentLanguage = language }
    return .children(.feed)
  }

  private func openInFeed(_ element: XMLElement) -> Reading {
    switch (element.vocabulary, element.name) {
    case (.core, .channel), (.rdf, .channel):
      isCertain = true
      return openFeed(element)
    case (.core, .item), (.core, .entry), (.atom, .entry), (.atom, .item), (.rdf, .item):
      return openItem(element)
    case (.core, .items): return .children(.root)
    default: return openElement(element)
    }
  }

  private func openItem(_ element: XMLElement) -> Reading {
    guard !isInItem else { return .skip }
    element.base.assume(feed.feedURL)
    element.base.assume(feed.homePage.value)
    isCertain = true
    isInItem = true
    item = ItemDraft()
    if element.language != documentLanguage { item.language = element.language }
    for attribute in element.attributes where attribute.vocabulary == .rdf {
      guard attribute.name == .about, let id = Values.identity(attribute.value.utf8) else {
        continue
      }
      item.id.offer(id, rank: Rank.rdfAbout)
      item.url.offer(Values.address(id, in: element), rank: Rank.lastResort)
    }
    if format == .cdf { readCDFItem(element) }
    return .children(.item)
  }

  private func openInItem(_ element: XMLElement) -> Reading { openElement(element) }

  private func openElement(_ element: XMLElement) -> Reading {
    switch element.vocabulary {
    case .core, .atom, .rdf: openOwn(element)
    case .content, .dublinCore, .dublinCoreTerms, .syndication, .feedburner:
      openModule(element)
    case .media: openMedia(element)
    case .itunes: openITunes(element)
    case .xhtml: isInItem && (element.name == .body || element.name == .div) ? .text(.xhtml) : .skip
    case .chapters: isInItem && element.name == .chapters ? .children(.chapters) : .skip
    case .podcast: openPodcast(element)
    case .slash, .threading, .xml, .weir, .other: .skip
    }
  }

  func openPerson() -> Reading {
    person = PersonDraft()
    return .children(.person)
  }

  // MARK: Closing

  func close(_ element: XMLElement, as context: Context, in parent: Context, text: [UInt8]) {
    switch context {
    case .item:
      guard isInItem else { return }
      isInItem = false
      // Atom's references are relative to the document (RFC 4287, §2).
      if format != .atom { item.page = page(element) }
      feed.add(item, documentLanguage: documentLanguage)
    case .feed: openFeeds -= 1
    case .person: closePerson(element, in: parent, text: text)
    case .image, .itemImage: readImage(text.string, element)
    default: break
    }
  }

  /// Returns the item's page on the feed's site, else the page that it links to: that of a planet's
  /// item is on another site, and that of a link blog is named by its id.
  private func page(_ element: XMLElement) -> Base? {
    let site = element.base.known?.site
    let pages = [item.url.value, item.id.value].lazy.compactMap { $0.map { WebAddress($0) } }
    let page = pages.first {
      $0.isHTTP && ($0.site == site || $0.site == WebAddress(feed.homePage.value ?? "").site)
    }
    return page.map { Base(address: $0) } ?? item.url.value.map { Base($0) }
  }

  private func closePerson(_ element: XMLElement, in parent: Context, text: [UInt8]) {
    let author = person.author(base: element.base) ?? Values.author(text)
    let rank: Int
    switch (element.vocabulary, element.name) {
    case (_, .contributor), (_, .owner): rank = Rank.contributor
    default: rank = parent == .source ? Rank.inherited : Rank.own
    }
    if isInItem {
      item.authors.add(author, rank: rank)
    } else {
      feed.authors.add(author, rank: rank)
    }
  }

  func readImage(_ text: String, _ element: XMLElement) {
    let address = Values.address(text, in: element)
    let rank = element.vocabulary == .itunes ? Rank.itunes : Rank.own
    if isInItem {
      item.image.offer(address, rank: rank)
    } else {
      feed.icon.offer(address, rank: rank)
    }
  }

  // MARK: Texts

  func read(_ text: XMLText, in context: Context) {
    switch context {
    case .person: person.read(text)
    case .image, .itemImage: readImage(text.bytes.string, text.element)
    case .skipHours:
      if let hour = Values.integer(text.bytes), (0...24).contains(hour) {
        feed.hints.skipHours.append(hour % 24)
      }
    case .skipDays:
      if let day = Weekdays.number(text.bytes) { feed.hints.skipDays.append(day) }
    case .mediaGroup, .mediaContent: readMedia(text)
    default: readElement(text)
    }
  }

  private func readElement(_ text: XMLText) {
    switch text.element.vocabulary {
    case .core, .atom, .rdf: readOwn(text)
    case .content, .dublinCore, .dublinCoreTerms, .syndication, .feedburner: readModule(text)
    case .media: readMedia(text)
    case .itunes: readITunes(text)
    case .xhtml:
      item.content.offer(
        Body(text.bytes, form: text.hasMarkup ? .html : .text, element: text.element),
        rank: Rank.xhtml)
    case .podcast, .chapters, .slash, .threading, .xml, .weir, .other: break
    }
  }
}

/// Ranks of values for the same property.
enum Rank {
  /// The format's own element in its preferred form.
  static let preferred = 70
  static let own = 60
  static let xhtml = 55
  static let secondary = 50
  static let terms = 45
  static let dublinCore = 40
  static let itunes = 30
  static let itunesShort = 25
  static let media = 20
  static let permalink = 15
  static let rdfAbout = 15
  static let contributor = 10
  static let inherited = 5
  static let lastResort = 1
  /// An Atom id that is a web address, used if there is no link.
  static let identity = 0
}

/// An author while the element is open.
struct PersonDraft {
  private var name: String?
  private var address: String?
  private var mail: String?

  mutating func read(_ text: XMLText) {
    let value = PlainText.read(text.bytes, isHTML: true, limit: 512)
    switch text.element.name {
    case .name: name = name ?? value
    case .email: mail = mail ?? value
    default: address = address ?? text.bytes.string
    }
  }

  /// Returns `nil` if there are no child elements.
  func author(base: Base) -> Author? {
    let url = Values.address(address, base: base)
    guard name != nil || mail != nil || url != nil else { return nil }
    // Older tools write both mail and name into the name.
    let plain = name.flatMap { Values.author(Array($0.utf8))?.name }
    return Author(name: plain ?? (url == nil ? mail : nil), url: url)
  }
}

extension Name {
  fileprivate var isOfPerson: Bool {
    switch self {
    case .name, .email, .uri, .url, .homepage: true
    default: false
    }
  }
}

enum Weekdays {
  /// Returns 1 = Sunday … 7 = Saturday, by the first three letters.
  static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let word = bytes.trimmed.prefix(3).map(\.asciiLowercased).string
    return ["sun", "mon", "tue", "wed", "thu", "fri", "sat"].firstIndex(of: word).map { $0 + 1 }
  }
}
