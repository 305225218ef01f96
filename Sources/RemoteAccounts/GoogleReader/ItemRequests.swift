import Foundation
import Networking

/// `GET stream/items/ids`: one page of keys.
struct ItemIDsRequest: GoogleReaderRequest {
  static let pageSize = 1_000

  var session: GoogleReaderSession
  var list: RemoteList
  var continuation: String?

  var httpRequest: HTTPRequest {
    var fields: [(name: String, value: String)] = [("n", String(Self.pageSize))]
    switch list {
    case .unread:
      fields += [("s", GoogleReaderStream.readingList), ("xt", GoogleReaderStream.read)]
    case .starred: fields += [("s", GoogleReaderStream.starred)]
    case .subscription(let id): fields += [("s", id)]
    }
    if let continuation { fields.append(("c", continuation)) }
    return session.get("stream/items/ids", fields)
  }

  private struct Answer: Decodable {
    struct Reference: Decodable { var id: LooseText }
    // Miniflux leaves it out of an empty page, and `null` has been seen.
    var itemRefs: [Reference]?
    var continuation: LooseText?
  }

  func value(of response: HTTPResponse) throws(AccountError) -> RemotePage {
    let answer = try AccountAnswer.json(Answer.self, response)
    let next = answer.continuation?.text
    return RemotePage(
      ids: (answer.itemRefs ?? []).map { GoogleReaderID.canonical($0.id.text) },
      // A repeated one would walk for ever.
      continuation: next == "" || next == continuation ? nil : next,
      isCircular: next != nil && next != "" && next == continuation)
  }
}

/// `POST stream/items/contents`: articles by key.
struct ItemContentsRequest: GoogleReaderRequest {
  var session: GoogleReaderSession
  var ids: [String]

  var httpRequest: HTTPRequest {
    session.post(
      "stream/items/contents",
      [("output", "json")] + ids.map { ("i", GoogleReaderID.long($0)) })
  }

  private struct Answer: Decodable {
    struct Link: Decodable {
      var href: String?
      var url: String?
      var type: String?
      var length: LooseText?
    }
    struct Content: Decodable { var content: String? }
    struct Origin: Decodable { var streamId: LooseText? }
    struct Item: Decodable {
      var id: LooseText
      var title: String?
      var published: Double?
      var author: String?
      var categories: [String]?
      var canonical: [Link]?
      var alternate: [Link]?
      var enclosure: [Link]?
      var origin: Origin?
      var summary: Content?
      var content: Content?
    }
    var items: LooseList<Item>
  }

  func value(of response: HTTPResponse) throws(AccountError) -> [RemoteItem] {
    try AccountAnswer.json(Answer.self, response).items.elements.map(Self.item)
  }

  private static func item(_ item: Answer.Item) -> RemoteItem {
    let categories = (item.categories ?? []).map(GoogleReaderStream.normalised)
    return RemoteItem(
      id: GoogleReaderID.canonical(item.id.text),
      subscriptionID: item.origin?.streamId?.text ?? "",
      url: (item.canonical ?? []).first?.href ?? (item.alternate ?? []).first?.href,
      title: item.title ?? "",
      html: item.content?.content ?? item.summary?.content ?? "",
      author: item.author.flatMap { $0.isEmpty ? nil : $0 },
      published: item.published.flatMap {
        $0 > 0 && $0 < 1e11 ? Date(timeIntervalSince1970: $0) : nil
      },
      // Folders are labels too; they are known from the subscription.
      tags: categories.compactMap { category in
        if let label = GoogleReaderStream.labelName(category) { return label }
        return category.hasPrefix("user/") ? nil : category
      },
      enclosures: (item.enclosure ?? []).compactMap { link in
        (link.href ?? link.url).map {
          RemoteEnclosure(
            url: $0, mimeType: link.type, size: link.length.flatMap { Int64($0.text) })
        }
      },
      isRead: categories.contains(GoogleReaderStream.read),
      isStarred: categories.contains(GoogleReaderStream.starred))
  }
}

/// `POST edit-tag`: one state of several articles. PHP keeps only the last of two actions, and
/// FreshRSS ignores an action that comes after a thousand fields: one action, and before the keys.
struct EditTagRequest: GoogleReaderChange {
  var session: GoogleReaderSession
  var ids: [String]
  var edit: RemoteEdit

  var httpRequest: HTTPRequest {
    session.post(
      "edit-tag",
      [(edit.isSet ? "a" : "r", GoogleReaderStream.state(edit.state))]
        + ids.map { ("i", GoogleReaderID.long($0)) })
  }
}
