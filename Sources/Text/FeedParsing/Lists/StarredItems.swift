package import FeedModel
internal import Foundation
internal import HTMLContent
internal import TextRules

/// Starred articles in Google Reader's JSON, which Inoreader, The Old Reader and FreshRSS export.
package struct StarredItems: Sendable {
  /// A feed of the file with its articles, in the order of the file.
  package struct Feed: Sendable, Equatable {
    package var url: String
    /// Plain text; may be empty.
    package var title: String
    package var homePageURL: String?
    package var articles: [Article] = []
  }

  package struct Article: Sendable, Equatable {
    /// Cleaned like the item of a feed.
    package var item: ParsedItem
    package var labels: [String]
  }

  package private(set) var feeds: [Feed] = []
  /// The number of articles without the address of a feed or a page.
  package private(set) var skipped = 0
  private var places: [String: Int] = [:]

  /// - Throws: unless the file is complete and has articles.
  package static func parse(_ bytes: [UInt8]) throws(ParseError) -> StarredItems {
    try Sniffer.requireText(bytes)
    var found = StarredItems()
    var count = 0
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    let document = JSONValue.read(text, list: "items") { value, _ in
      count += 1
      found.add(value)
    }
    guard let (root, end) = document, root["items"]?.elements != nil else {
      throw ParseError(Sniffer.kind(ofText: text))
    }
    guard end == .whole else { throw .damaged("the JSON is damaged or ends within its articles") }
    guard count <= ItemList.maximumCount else { throw .damaged("it has too many articles") }
    return found
  }

  private mutating func add(_ value: JSONValue) {
    guard case .object = value else { return }
    let page = Self.link(value["canonical"]) ?? Self.link(value["alternate"])
    let origin = value["origin"]
    let home = Self.address(origin?["htmlUrl"]?.scalar)
    let stream = origin?["streamId"]?.scalar.map {
      $0.hasPrefix("feed/") ? $0.dropFirst(5) : $0[...]
    }
    // FreshRSS numbers its streams, and names the address beside them.
    let url =
      Self.address(origin?["feedUrl"]?.scalar) ?? Self.address(stream.map(String.init)) ?? home
      ?? page.flatMap { Self.site(of: $0) }
    guard let url else {
      skipped += 1
      return
    }
    let article = Article(item: Self.item(value, page), labels: Self.labels(value["categories"]))
    let place = places[url] ?? feeds.count
    if place == feeds.count {
      places[url] = place
      let title = PlainText.title(origin?["title"]?.scalar) ?? ""
      feeds.append(Feed(url: url, title: title, homePageURL: home))
    }
    feeds[place].articles.append(article)
  }

  private static func item(_ value: JSONValue, _ page: String?) -> ParsedItem {
    var draft = ItemDraft()
    draft.id.offer(value["id"]?.scalar.flatMap { Values.identity($0.utf8) }, rank: Rank.own)
    draft.url.offer(page, rank: Rank.own)
    draft.title.offer(PlainText.title(value["title"]?.scalar), rank: Rank.own)
    let base = Base(page)
    let element = XMLElement(
      vocabulary: .core, name: .item, attributes: [], base: base, language: nil)
    for (rank, body) in [(Rank.own, value["content"]), (Rank.secondary, value["summary"])] {
      guard let html = body?["content"]?.scalar else { continue }
      draft.content.offer(Body(Array(html.utf8), form: .html, element: element), rank: rank)
    }
    draft.published.offer(date(value["published"]), rank: Rank.own)
    draft.modified.offer(date(value["updated"]), rank: Rank.own)
    draft.authors.add(
      PlainText.read(value["author"]?.scalar, isHTML: true).map { Author(name: $0) }, rank: Rank.own
    )
    for file in value["enclosure"]?.elements ?? [] {
      draft.enclosures.add(
        address(file["href"]?.scalar), type: file["type"]?.scalar,
        size: Values.wholeNumber(file["length"]?.scalar))
    }
    return draft.finish()
  }

  /// Returns the user's labels: `user/1005921515/label/To read` is "To read".
  private static func labels(_ categories: JSONValue?) -> [String] {
    var list = TagList()
    for category in categories?.elements ?? [] {
      let parts = (category.scalar ?? "").split(separator: "/", maxSplits: 3)
      guard parts.count == 4, parts[0] == "user", parts[2] == "label" else { continue }
      list.add(PlainText.read(String(parts[3]), isHTML: false, limit: PlainText.maximumLabel))
    }
    return list.values
  }

  /// Returns the first web address of `[{"href": …}]`.
  private static func link(_ links: JSONValue?) -> String? {
    links?.elements?.lazy.compactMap { address($0["href"]?.scalar) }.first
  }

  private static func address(_ text: String?) -> String? {
    guard let text = text.flatMap(Values.clean), text.utf8.count <= Values.maximumAddress,
      let url = Values.subscription(text), WebAddress(url).isHTTP
    else { return nil }
    return url
  }

  /// Returns the front page of the site of a page.
  private static func site(of page: String) -> String? {
    WebAddress(page).host.flatMap { address("https://\($0)/") }
  }

  /// Reads seconds since 1970; some exporters write milliseconds or microseconds.
  private static func date(_ value: JSONValue?) -> Date? {
    guard var seconds = value?.scalar.flatMap({ Double($0) }), seconds.isFinite, seconds > 0 else {
      return nil
    }
    while seconds > 100_000_000_000 { seconds /= 1_000 }
    return Date(timeIntervalSince1970: seconds)
  }
}
