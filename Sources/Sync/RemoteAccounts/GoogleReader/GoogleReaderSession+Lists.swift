import Foundation

// The calls that return lists: subscriptions, tags, their order, keys and articles.

extension GoogleReaderSession {
  /// Sends `GET subscription/list`.
  func subscriptions() -> AccountCall<[RemoteFeed]> {
    struct Category: Decodable {
      var id: LooseField?
      var label: LooseField?
    }
    // An unreadable subscription would count as ended, so only its key must be valid.
    struct Subscription: Decodable {
      var id: LooseText
      var title: LooseField?
      var url: LooseField?
      var htmlUrl: LooseField?
      var categories: LoosePart<LooseList<Category>>?
      var sortid: LooseField?
    }
    struct Answer: Decodable { var subscriptions: LooseList<Subscription> }
    return AccountCall(get("subscription/list")) { response throws(AccountError) in
      try AccountAnswer.json(Answer.self, response).subscriptions.elements.map {
        let id = $0.id.text
        // Some servers give the address only as part of the key.
        let inKey = id.hasPrefix("feed/http") ? String(id.dropFirst(5)) : nil
        let url = $0.url?.text ?? ""
        return RemoteFeed(
          id: id, title: title($0.title?.text ?? ""), url: url.isEmpty ? inKey : url,
          homePageURL: $0.htmlUrl?.text,
          folders: ($0.categories?.value?.elements ?? []).compactMap {
            $0.label?.text ?? $0.id?.text.flatMap(GoogleReaderStream.labelName)
          }, sortID: $0.sortid?.text)
      }
    }
  }

  /// Sends `GET tag/list`, which returns folders and labels, with types on some servers.
  func tags() -> AccountCall<GoogleReaderTags> {
    struct Tag: Decodable {
      var id: LooseText
      var type: LooseField?
      var sortid: LooseField?
    }
    struct Answer: Decodable { var tags: LooseList<Tag> }
    // Inoreader includes the types only on request.
    return AccountCall(get("tag/list", [("types", "1")])) { response throws(AccountError) in
      var tags = GoogleReaderTags()
      let found = try AccountAnswer.json(Answer.self, response).tags.elements
      // Every server lists at least one state, such as "starred", so an empty list is an error.
      guard !found.isEmpty else { throw .unusable(detail: AccountAnswer.excerpt(response)) }
      for tag in found {
        guard let name = GoogleReaderStream.labelName(tag.id.text), !name.isEmpty else { continue }
        tags.sortIDs[name] = tag.sortid?.text
        switch tag.type?.text {
        case nil, "tag": tags.labels.append(name)
        case "folder": tags.folders.insert(name)
        // Searches and other types.
        default: break
        }
      }
      return tags
    }
  }

  /// Sends `GET preference/stream/list`, which returns the user's order of folders and
  /// subscriptions: for each stream, the concatenated keys of eight digits.
  func orders() -> AccountCall<[String: [String]]> {
    struct Preference: Decodable {
      var id: LooseField?
      var value: LooseField?
    }
    struct Answer: Decodable { var streamprefs: [String: LoosePart<LooseList<Preference>>] }
    return AccountCall(get("preference/stream/list")) { response throws(AccountError) in
      var orders: [String: [String]] = [:]
      for (stream, preferences) in try AccountAnswer.json(Answer.self, response).streamprefs {
        let order = preferences.value?.elements.first { $0.id?.text == "subscription-ordering" }
        guard let digits = order?.value?.text, !digits.isEmpty else { continue }
        orders[GoogleReaderStream.normalised(stream)] = SubscriptionOrder.keys(digits)
      }
      return orders
    }
  }

  static let pageSize = 1_000

  /// Sends `GET stream/items/ids`, which returns a page of keys.
  func ids(_ list: RemoteList, after continuation: String?) -> AccountCall<RemotePage> {
    var fields: [(name: String, value: String)] = [("n", String(Self.pageSize))]
    switch list {
    case .unread:
      fields += [("s", GoogleReaderStream.readingList), ("xt", GoogleReaderStream.read)]
    case .starred: fields += [("s", GoogleReaderStream.starred)]
    case .label(let name): fields += [("s", GoogleReaderStream.label(name))]
    case .subscription(let id): fields += [("s", id)]
    }
    if let continuation { fields.append(("c", continuation)) }
    struct Reference: Decodable { var id: LooseText }
    struct Answer: Decodable {
      // Miniflux omits this field in an empty page, and another server has sent `null`.
      var itemRefs: [Reference]?
      var continuation: LooseText?
      var error: LooseField?
      var errors: LooseField?
    }
    return AccountCall(get("stream/items/ids", fields)) { response throws(AccountError) in
      let answer = try AccountAnswer.json(Answer.self, response)
      // Some servers report failures with 200. Such an answer is not an empty list, which would
      // mark everything as read.
      guard answer.error == nil, answer.errors == nil else {
        throw .unusable(detail: AccountAnswer.excerpt(response))
      }
      let next = answer.continuation?.text
      return RemotePage(
        ids: (answer.itemRefs ?? []).map { GoogleReaderID.canonical($0.id.text) },
        // A repeated continuation would never end.
        continuation: next == "" || next == continuation ? nil : next,
        isCircular: next != nil && next != "" && next == continuation)
    }
  }

  /// Sends `POST stream/items/contents`, which returns articles by key, each once.
  func items(_ ids: [String]) -> AccountCall<[RemoteArticle]> {
    struct Answer: Decodable { var items: LooseList<GoogleReaderItem> }
    let request = post(
      "stream/items/contents", [("output", "json")] + ids.map { ("i", GoogleReaderID.long($0)) })
    return AccountCall(request) { response throws(AccountError) in
      var wanted = Set(ids)
      return try AccountAnswer.json(Answer.self, response).items.elements
        .map { $0.article(title: title) }.filter { wanted.remove($0.item.id) != nil }
    }
  }
}

/// An article in an answer. Only the key must be valid.
private struct GoogleReaderItem: Decodable {
  struct Link: Decodable {
    var href: LooseField?
    var url: LooseField?
    var type: LooseField?
    var length: LooseField?
  }
  /// An object that holds the text, or the text itself.
  struct Content: Decodable {
    private struct Object: Decodable { var content: LooseField? }
    var text: String?

    init(from decoder: any Decoder) {
      text = LooseField(from: decoder).text ?? (try? Object(from: decoder))?.content?.text
    }
  }
  struct Origin: Decodable { var streamId: LooseField? }

  var id: LooseText
  var title: LooseField?
  var published: LooseField?
  var author: LooseField?
  var categories: LoosePart<LooseList<LooseText>>?
  var canonical: LoosePart<LooseList<Link>>?
  var alternate: LoosePart<LooseList<Link>>?
  var enclosure: LoosePart<LooseList<Link>>?
  var origin: LoosePart<Origin>?
  var summary: Content?
  var content: Content?

  func article(title written: (String) -> String) -> RemoteArticle {
    let categories = (categories?.value?.elements ?? [])
      .map { GoogleReaderStream.normalised($0.text) }
    let pages = [canonical, alternate].compactMap { $0?.value?.elements.first?.href?.text }
    return RemoteArticle(
      item: RemoteFields.item(
        id: GoogleReaderID.canonical(id.text), url: pages.first,
        title: written(title?.text ?? ""), html: content?.text ?? summary?.text ?? "",
        author: author?.text.map(written), published: published?.text,
        tags: categories.filter { !$0.hasPrefix("user/") },
        enclosures: (enclosure?.value?.elements ?? []).compactMap { link in
          (link.href?.text ?? link.url?.text).map {
            Enclosure(
              url: $0, mimeType: link.type?.text ?? "",
              size: link.length?.text.flatMap { Int64($0) })
          }
        }),
      feed: origin?.value?.streamId?.text ?? "",
      isRead: categories.contains(GoogleReaderStream.read),
      isStarred: categories.contains(GoogleReaderStream.starred),
      labels: categories.compactMap(GoogleReaderStream.labelName))
  }
}

/// The folders and labels of an account.
struct GoogleReaderTags: Sendable {
  /// Labels and perhaps folders, in the order of the list.
  var labels: [String] = []
  var folders: Set<String> = []
  var sortIDs: [String: String] = [:]

  /// Returns the labels that are not folders of a subscription.
  func labels(of subscriptions: [RemoteFeed]) -> [String] {
    let folders = folders.union(subscriptions.flatMap(\.folders))
    var seen: Set<String> = []
    return labels.filter { !folders.contains($0) && seen.insert($0).inserted }
  }
}

/// The order in which the user arranged folders and subscriptions at the server.
struct SubscriptionOrder {
  private static let root = "user/-/state/com.google/root"

  /// The orders of the root and the folders, by stream.
  var orders: [String: [String]]
  /// The sort ids of folders, by name.
  var sortIDs: [String: String]

  /// Splits a text into keys of eight digits.
  static func keys(_ digits: String) -> [String] {
    let bytes = Array(digits.lowercased().utf8)
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return [] }
    return stride(from: 0, through: bytes.count - 8, by: 8).map {
      String(decoding: bytes[$0..<$0 + 8], as: UTF8.self)
    }
  }

  /// Sorts by folder. Entries without an order come last, in list order.
  func sorted(_ subscriptions: [RemoteFeed]) -> [RemoteFeed] {
    let root = places(Self.root)
    let byFolder = orders.keys.reduce(into: [:]) { $0[$1] = places($1) }
    let ranked = subscriptions.enumerated().map { index, subscription in
      let folder = subscription.folders.first
      let inFolder = folder.map { byFolder[GoogleReaderStream.label($0)] ?? [:] } ?? root
      return (
        folder.flatMap { root[sortIDs[$0]?.lowercased() ?? ""] } ?? (folder == nil ? -1 : .max),
        inFolder[subscription.sortID?.lowercased() ?? ""] ?? .max, index
      )
    }
    return ranked.sorted { $0 < $1 }.map { subscriptions[$0.2] }
  }

  private func places(_ stream: String) -> [String: Int] {
    Dictionary(
      (orders[stream] ?? []).enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
