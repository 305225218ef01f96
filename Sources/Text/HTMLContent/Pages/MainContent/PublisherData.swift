import Foundation
internal import TextRules

/// The publisher's metadata of an article, in this order of trust: JSON-LD (schema.org), microdata,
/// Open Graph, other `meta` elements.
struct PublisherData {
  enum Source: Int {
    case data
    case microdata
    case graph
    case meta
  }

  /// The value of the most trusted source; the first value of sources that are equally trusted.
  struct Field {
    private(set) var text: String?
    private var source: Source?

    mutating func offer(_ text: String?, from source: Source) {
      guard let text, !text.isEmpty, source.rawValue < self.source?.rawValue ?? .max else { return }
      (self.text, self.source) = (text, source)
    }
  }

  private(set) var isArticle = false
  /// True for an article for subscribers (schema.org/isAccessibleForFree).
  private(set) var isPaid = false
  /// Classes and ids of the parts for subscribers, in lower case.
  private(set) var paidParts: Set<Substring> = []
  private(set) var words = 0
  private(set) var headline: String?
  private(set) var graphTitle: String?
  private(set) var author = Field()
  private(set) var date = Field()
  private(set) var picture = Field()
  /// The text of the article as plain text or HTML.
  private(set) var body: String?
  /// Minimum number of characters expected from the description and the number of words.
  private(set) var promisedLength = 0
  private var properties: Set<String> = []

  /// Longest data in bytes; larger data do not describe one article.
  private static let maximumData = 2_000_000
  private static let maximumAuthor = 200
  /// Low estimate of the characters in a word, with a space.
  private static let charactersOfWord = 3

  var published: Date? { date.text.flatMap(DateParser.parse) }

  /// The address of the lead picture, unless it names a logo or placeholder.
  var lead: String? {
    picture.text.flatMap { address in
      let lower = address.lowercased()
      return Self.substitutes.contains { lower.contains($0) } ? nil : address
    }
  }

  private static let substitutes = [
    "logo", "default", "placeholder", "avatar", "favicon", "icon.", "-icon", "_icon", "fallback",
    "blank", ".svg", "opengraph", "og-image", "social-card", "share-image",
  ]

  // MARK: Elements

  mutating func readMeta(_ element: HTMLElement) {
    guard let content = element["content"] else { return }
    switch (element["property"] ?? element["name"])?.lowercased() {
    case "og:title": graphTitle = graphTitle ?? content
    case "og:type": if content.lowercased() == "article" { isArticle = true }
    case "og:image", "og:image:url": picture.offer(content, from: .graph)
    case "og:description", "description":
      promisedLength = max(promisedLength, HTMLContent.cleanText(content).count)
    case "article:published_time": date.offer(content, from: .graph)
    case "article:author": offer(author: content, from: .graph)
    case "author", "parsely-author", "dc.creator", "sailthru.author":
      offer(author: content, from: .meta)
    case "date", "parsely-pub-date", "dc.date", "dc.date.issued", "sailthru.date", "pubdate":
      date.offer(content, from: .meta)
    default: break
    }
  }

  /// Reads a property of an article; the first of a name counts.
  /// - Parameter text: the text of the element.
  mutating func readMicrodata(_ property: String, of element: HTMLElement, text: () -> String) {
    guard ["author", "datepublished", "image", "isaccessibleforfree"].contains(property),
      properties.insert(property).inserted
    else { return }
    switch property {
    case "isaccessibleforfree": readPrice(element["content"])
    case "author": offer(author: element["content"] ?? text(), from: .microdata)
    case "datepublished":
      date.offer(element["content"] ?? element["datetime"] ?? text(), from: .microdata)
    default: picture.offer(element["content"] ?? element["src"], from: .microdata)
    }
  }

  /// True for microdata of an article, not a comment or shop.
  static func isArticle(_ type: String) -> Bool {
    type.hasSuffix("Article") || type.hasSuffix("BlogPosting")
  }

  /// Reads "By Jo Marsh" as "Jo Marsh"; ignores addresses of profiles.
  private mutating func offer(author text: String?, from source: Source) {
    guard let text, !text.contains("://") else { return }
    let name = HTMLContent.plainText(text)
    let bare = name.lowercased().hasPrefix("by ") ? String(name.dropFirst(3)) : name
    if bare.count <= Self.maximumAuthor { author.offer(bare, from: source) }
  }

  // MARK: JSON-LD

  mutating func readData(_ element: HTMLElement) {
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
    guard types.contains(where: Self.isArticle) else { return }
    isArticle = true
    let title = object["headline"] as? String
    // Ignores other articles, which the page links to.
    guard headline == nil || title == nil || title == headline else { return }
    headline = headline ?? title
    offer(author: Self.names(in: object["author"] ?? object["creator"]), from: .data)
    date.offer(object["datePublished"] as? String, from: .data)
    picture.offer(Self.address(in: object["image"] ?? object["thumbnailUrl"]), from: .data)
    body = body ?? object["articleBody"] as? String
    let count = (object["wordCount"] as? Int) ?? Int(object["wordCount"] as? String ?? "") ?? 0
    words = max(words, min(count, Self.maximumData))
    promisedLength = max(promisedLength, words * Self.charactersOfWord)
    readPrice(object["isAccessibleForFree"])
    let parts = object["hasPart"] as? [Any] ?? [object["hasPart"] as Any]
    for case let part as [String: Any] in parts.prefix(10) {
      readPrice(part["isAccessibleForFree"])
      guard let selector = part["cssSelector"] as? String else { continue }
      paidParts.formUnion(selector.lowercased().split { ".#, ".contains($0) })
    }
  }

  /// - Parameter isFree: a Boolean, or a text such as "False" or "http://schema.org/False".
  private mutating func readPrice(_ isFree: Any?) {
    let text = (isFree as? Bool).map(String.init) ?? isFree as? String ?? ""
    if text.lowercased().hasSuffix("false") { isPaid = true }
  }

  /// Reads "Jo Marsh", { "name": "Jo Marsh" }, or several.
  private static func names(in value: Any?) -> String? {
    let people = (value as? [Any] ?? [value as Any]).prefix(10)
    let names = people.compactMap { person in
      person as? String ?? (person as? [String: Any])?["name"] as? String
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  /// Reads an address, { "url": address }, or the first of several.
  private static func address(in value: Any?) -> String? {
    let first = (value as? [Any])?.first ?? value
    if let address = first as? String { return address }
    let object = first as? [String: Any]
    return (object?["url"] ?? object?["contentUrl"]) as? String
  }
}
