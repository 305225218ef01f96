import Foundation

// The calls that return lists: subscriptions, tags, their order, keys and articles.

extension GoogleReaderSession {
  /// Sends `GET subscription/list`.
  func subscriptions() -> AccountCall<[RemoteFeed]> {
    AccountCall(get("subscription/list")) { response throws(AccountError) in
      guard let list = try AccountAnswer.json(response)["subscriptions"].list else {
        throw .unusable(detail: AccountAnswer.excerpt(response))
      }
      // An unreadable subscription would count as ended, so only its key must be valid.
      return list.compactMap { feed in
        guard let id = feed["id"].text else { return nil }
        // Some servers give the address only as part of the key.
        let inKey = id.hasPrefix("feed/http") ? String(id.dropFirst(5)) : nil
        let url = feed["url"].text ?? ""
        return RemoteFeed(
          id: id, title: title(feed["title"].text ?? ""), url: url.isEmpty ? inKey : url,
          homePageURL: feed["htmlUrl"].text,
          folders: (feed["categories"].objects ?? []).compactMap {
            $0["label"].text ?? $0["id"].text.flatMap(GoogleReaderStream.labelName)
          }, sortID: feed["sortid"].text)
      }
    }
  }

  /// Sends `GET tag/list`, which returns folders and labels, with types on some servers.
  func tags() -> AccountCall<GoogleReaderTags> {
    // Inoreader includes the types only on request.
    AccountCall(get("tag/list", [("types", "1")])) { response throws(AccountError) in
      var tags = GoogleReaderTags()
      let found = try AccountAnswer.json(response)["tags"].list ?? []
      // Every server lists at least one state, such as "starred", so an empty list is an error.
      guard !found.isEmpty else { throw .unusable(detail: AccountAnswer.excerpt(response)) }
      for tag in found {
        guard let name = tag["id"].text.flatMap(GoogleReaderStream.labelName), !name.isEmpty else {
          continue
        }
        tags.sortIDs[name] = tag["sortid"].text
        switch tag["type"].text {
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
    AccountCall(get("preference/stream/list")) { response throws(AccountError) in
      guard let streams = try AccountAnswer.json(response)["streamprefs"].fields else {
        throw .unusable(detail: AccountAnswer.excerpt(response))
      }
      var orders: [String: [String]] = [:]
      for (stream, preferences) in streams {
        let order = preferences.list?.first { $0["id"].text == "subscription-ordering" }
        guard let digits = order?["value"].text, !digits.isEmpty else { continue }
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
    return AccountCall(get("stream/items/ids", fields)) { response throws(AccountError) in
      let answer = try AccountAnswer.json(response)
      let references = answer["itemRefs"]
      let ids = (references.list ?? []).map(\.["id"].text)
      // Some servers report failures with 200. Such an answer is not an empty list, which would
      // mark everything as read. Miniflux omits the list in an empty page.
      guard answer["error"].isAbsent, answer["errors"].isAbsent, !ids.contains(nil),
        references.isAbsent || references.list != nil
      else { throw .unusable(detail: AccountAnswer.excerpt(response)) }
      let next = answer["continuation"].text
      return RemotePage(
        ids: ids.compactMap { $0.map(GoogleReaderID.canonical) },
        // A repeated continuation would never end.
        continuation: next == "" || next == continuation ? nil : next,
        isCircular: next != nil && next != "" && next == continuation)
    }
  }

  /// Sends `POST stream/items/contents`, which returns articles by key, each once.
  func items(_ ids: [String]) -> AccountCall<[RemoteArticle]> {
    let request = post(
      "stream/items/contents", [("output", "json")] + ids.map { ("i", GoogleReaderID.long($0)) })
    return AccountCall(request) { response throws(AccountError) in
      guard let items = try AccountAnswer.json(response)["items"].list else {
        throw .unusable(detail: AccountAnswer.excerpt(response))
      }
      var wanted = Set(ids)
      return items.compactMap(article).filter { wanted.remove($0.item.id) != nil }
    }
  }

  /// Returns an article of an answer; `nil` if it has no key.
  private func article(_ answer: LooseJSON) -> RemoteArticle? {
    guard let id = answer["id"].text else { return nil }
    let categories = (answer["categories"].list ?? [])
      .compactMap { $0.text.map(GoogleReaderStream.normalised) }
    let pages = ["canonical", "alternate"].compactMap { answer[$0].objects?.first?["href"].text }
    // An object that holds the text, or the text itself.
    let texts = ["content", "summary"].compactMap {
      answer[$0].text ?? answer[$0]["content"].text
    }
    return RemoteArticle(
      item: ParsedItem(
        id: GoogleReaderID.canonical(id), url: pages.first,
        title: title(answer["title"].text ?? ""), contentHTML: texts.first ?? "",
        datePublished: RemoteFields.date(answer["published"].text),
        authors: RemoteFields.authors(answer["author"].text.map(title)),
        tags: categories.filter { !$0.hasPrefix("user/") },
        enclosures: (answer["enclosure"].objects ?? []).compactMap { link in
          (link["href"].text ?? link["url"].text).map {
            Enclosure(
              url: $0, mimeType: link["type"].text ?? "",
              size: link["length"].text.flatMap { Int64($0) })
          }
        }),
      feed: answer["origin"]["streamId"].text ?? "",
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
