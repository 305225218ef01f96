internal import FeedModel
internal import Foundation
internal import HTMLContent
internal import TextRules

/// Reads JSON Feed 1.0 and 1.1 (jsonfeed.org/version/1.1).
enum JSONFeedReader {
  static func read(_ text: [UInt8], base: Base) throws(ParseError) -> ParsedFeed {
    var items = ItemList()
    var hasElements = false
    let document = JSONValue.read(text, list: "items") { element, before in
      hasElements = true
      add(element, base, by: Generator(before), to: &items)
    }
    guard let (root, end) = document, isFeed(root) else { throw .otherJSON }
    guard root["items"]?.elements != nil else {
      // A list of items identifies a feed, but a truncated document may lack it.
      throw end == .whole ? .otherJSON : .damaged("the JSON ends before the items")
    }
    let generator = Generator(root)
    var feed = ParsedFeed(format: .jsonFeed)
    feed.title = plain(root["title"], by: generator) ?? ""
    feed.summary = plain(root["description"], by: generator, limit: PlainText.maximumSummary)
    feed.homePageURL = address(root["home_page_url"], base)
    feed.feedURL = address(root["feed_url"], base)
    feed.olderURL = address(root["next_url"], base)
    feed.iconURL = address(root["icon"], base)
    feed.faviconURL = address(root["favicon"], base)
    feed.language = PlainText.read(string(root["language"]), isHTML: false, limit: 64)
    feed.authors = authors(of: root, base, by: generator)
    feed.items = items.finish(isCut: end == .cut, homePage: feed.homePageURL)
    if feed.items.isEmpty, hasElements || end == .cut {
      throw .damaged(end == .cut ? "it ends within its articles" : "its articles could not be read")
    }
    return feed
  }

  private struct Generator {
    /// True for `JSONFeedWriter`, whose items are complete.
    var isOwn: Bool
    /// True for WordPress, recognised by its plugin's comment: its plain text has HTML references.
    var escapes: Bool

    init(_ root: JSONValue) {
      isOwn = string(root[JSONFeedWriter.generatorMember]) == JSONFeedWriter.generator
      escapes = string(root["user_comment"])?.contains("the JSON Feed format") == true
    }
  }

  /// Returns a title, name or label as plain text, unescaped for WordPress.
  private static func plain(
    _ value: JSONValue?, by generator: Generator, limit: Int = PlainText.maximumTitle
  ) -> String? {
    plain(string(value), by: generator, limit: limit)
  }

  private static func plain(_ text: String?, by generator: Generator, limit: Int) -> String? {
    guard let text else { return nil }
    return PlainText.read(
      text, isHTML: generator.escapes && PlainText.isEscaped(text), limit: limit)
  }

  /// True if the version is the specification's address, with any scheme and host.
  private static func isFeed(_ root: JSONValue) -> Bool {
    guard let version = string(root["version"])?.lowercased() else { return false }
    return version.contains("jsonfeed.org/version/")
  }

  private static func add(
    _ value: JSONValue, _ base: Base, by generator: Generator, to items: inout ItemList
  ) {
    guard case .object = value else { return }
    var draft = ItemDraft()
    draft.id.offer(value["id"]?.scalar.flatMap { Values.identity($0.utf8) }, rank: Rank.own)
    draft.url.offer(address(value["url"], base), rank: Rank.own)
    if !generator.isOwn, let id = draft.id.value, WebAddress(id).isHTTP {
      draft.url.offer(Values.address(id, base: base), rank: Rank.identity)
    }
    draft.externalURL = address(value["external_url"], base)
    if !generator.isOwn || value[JSONFeedWriter.derivedTitleMember] == nil {
      draft.title.offer(plain(value["title"], by: generator), rank: Rank.own)
    }
    if base.known != nil { draft.page = draft.url.value.map { Base($0) } }
    let element = XMLElement(
      vocabulary: .core, name: .item, attributes: [], base: base, language: nil)
    if let html = string(value["content_html"]) {
      draft.content.offer(Body(Array(html.utf8), form: .html, element: element), rank: Rank.own)
    }
    if let text = string(value["content_text"]) {
      draft.content.offer(
        Body(Array(text.utf8), form: .text, element: element), rank: Rank.secondary)
    }
    draft.image.offer(address(value["image"], base), rank: Rank.own)
    draft.image.offer(address(value["banner_image"], base), rank: Rank.secondary)
    draft.published.offer(string(value["date_published"]).flatMap(DateParser.parse), rank: Rank.own)
    draft.modified.offer(string(value["date_modified"]).flatMap(DateParser.parse), rank: Rank.own)
    for author in authors(of: value, base, by: generator) {
      draft.authors.add(author, rank: Rank.own)
    }
    let tags = value["tags"]
    for label in string(tags)?.split(separator: ",") ?? [] {
      draft.tags.add(plain(String(label), by: generator, limit: PlainText.maximumLabel))
    }
    for tag in tags?.elements ?? [] {
      draft.tags.add(plain(tag.scalar, by: generator, limit: PlainText.maximumLabel))
    }
    draft.language = PlainText.read(string(value["language"]), isHTML: false, limit: 64)
    for file in value["attachments"]?.elements ?? [] {
      draft.enclosures.add(
        address(file["url"], base), type: string(file["mime_type"]),
        title: PlainText.read(string(file["title"]), isHTML: false, limit: 512),
        size: Values.wholeNumber(file["size_in_bytes"]?.scalar),
        duration: Values.duration(file["duration_in_seconds"]?.scalar))
    }
    var item = draft.finish()
    // A summary is never used as the body.
    item.summary = plain(value["summary"], by: generator, limit: PlainText.maximumSummary)
    items.append(item, isNamed: draft.id.value != nil)
  }

  /// Reads the list of version 1.1, or the single author of 1.0; some feeds have both.
  private static func authors(of value: JSONValue, _ base: Base, by generator: Generator)
    -> [Author]
  {
    var values = value["authors"]?.elements ?? value["authors"].map { [$0] } ?? []
    if let author = value["author"] { values.append(author) }
    var authors: [Author] = []
    for value in values.prefix(100) {
      let name = plain(
        string(value["name"]) ?? string(value), by: generator, limit: PlainText.maximumLabel)
      let url = address(value["url"], base)
      guard name != nil || url != nil, !authors.contains(where: { $0.name == name }) else {
        continue
      }
      authors.append(Author(name: name, url: url))
    }
    return authors
  }

  private static func string(_ value: JSONValue?) -> String? { value?.text }

  private static func address(_ value: JSONValue?, _ base: Base) -> String? {
    Values.address(string(value), base: base)
  }
}
