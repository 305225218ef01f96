/// Sends `GET tag/list`, which returns folders and labels, with types on some servers.
struct TagListRequest: GoogleReaderRequest {
  struct Tags: Sendable {
    /// Labels and perhaps folders, in the order of the list.
    var labels: [String] = []
    var folders: Set<String> = []
    var sortIDs: [String: String] = [:]

    /// Returns the labels that are not folders of a subscription.
    func labels(of subscriptions: [RemoteSubscription]) -> [String] {
      let folders = folders.union(subscriptions.flatMap(\.folders))
      var seen: Set<String> = []
      return labels.filter { !folders.contains($0) && seen.insert($0).inserted }
    }
  }

  private struct Answer: Decodable {
    struct Tag: Decodable {
      var id: LooseText
      var type: LooseField?
      var sortid: LooseField?
    }
    var tags: LooseList<Tag>
  }

  var session: GoogleReaderSession

  // Inoreader includes the types only on request.
  var httpRequest: HTTPRequest { session.get("tag/list", [("types", "1")]) }

  func value(of response: HTTPResponse) throws(AccountError) -> Tags {
    var tags = Tags()
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

/// Sends `GET preference/stream/list`, which returns the user's order of folders and subscriptions:
/// for each stream, the concatenated keys of eight digits.
struct OrderRequest: GoogleReaderRequest {
  private struct Answer: Decodable {
    struct Preference: Decodable {
      var id: LooseField?
      var value: LooseField?
    }
    var streamprefs: [String: LoosePart<LooseList<Preference>>]
  }

  var session: GoogleReaderSession

  var httpRequest: HTTPRequest { session.get("preference/stream/list") }

  func value(of response: HTTPResponse) throws(AccountError) -> [String: [String]] {
    var orders: [String: [String]] = [:]
    for (stream, preferences) in try AccountAnswer.json(Answer.self, response).streamprefs {
      let order = preferences.value?.elements.first { $0.id?.text == "subscription-ordering" }
      guard let digits = order?.value?.text, !digits.isEmpty else { continue }
      orders[GoogleReaderStream.normalised(stream)] = SubscriptionOrder.keys(digits)
    }
    return orders
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
  func sorted(_ subscriptions: [RemoteSubscription]) -> [RemoteSubscription] {
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
