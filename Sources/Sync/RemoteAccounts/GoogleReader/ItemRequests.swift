import Foundation

/// Sends `GET stream/items/ids`, which returns a page of keys.
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
    case .label(let name): fields += [("s", GoogleReaderStream.label(name))]
    case .subscription(let id): fields += [("s", id)]
    }
    if let continuation { fields.append(("c", continuation)) }
    return session.get("stream/items/ids", fields)
  }

  private struct Answer: Decodable {
    struct Reference: Decodable { var id: LooseText }
    // Miniflux omits this field in an empty page, and another server has sent `null`.
    var itemRefs: [Reference]?
    var continuation: LooseText?
    var error: LooseField?
    var errors: LooseField?
  }

  func value(of response: HTTPResponse) throws(AccountError) -> RemotePage {
    let answer = try AccountAnswer.json(Answer.self, response)
    // Some servers report failures with 200. Such an answer is not an empty list, which would mark
    // everything as read.
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

/// Sends `POST stream/items/contents`, which returns articles by key.
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
    // Only the key must be valid.
    struct Item: Decodable {
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
    }
    var items: LooseList<Item>
  }

  /// Returns the requested articles, each once.
  func value(of response: HTTPResponse) throws(AccountError) -> [RemoteItem] {
    var wanted = Set(ids)
    return try AccountAnswer.json(Answer.self, response).items.elements.map(item)
      .filter { wanted.remove($0.id) != nil }
  }

  private func item(_ item: Answer.Item) -> RemoteItem {
    let categories = (item.categories?.value?.elements ?? [])
      .map { GoogleReaderStream.normalised($0.text) }
    let pages = [item.canonical, item.alternate].compactMap {
      $0?.value?.elements.first?.href?.text
    }
    return RemoteItem(
      id: GoogleReaderID.canonical(item.id.text),
      subscriptionID: item.origin?.value?.streamId?.text ?? "",
      url: pages.first,
      title: session.title(item.title?.text ?? ""),
      html: item.content?.text ?? item.summary?.text ?? "",
      author: item.author?.text.flatMap { RemoteAuthors.once(session.title($0)) },
      published: item.published?.text.flatMap { Double($0) }.flatMap {
        $0 > 0 && $0 < 1e11 ? Date(timeIntervalSince1970: $0) : nil
      },
      tags: categories.filter { !$0.hasPrefix("user/") },
      labels: categories.compactMap(GoogleReaderStream.labelName),
      enclosures: (item.enclosure?.value?.elements ?? []).compactMap { link in
        (link.href?.text ?? link.url?.text).map {
          RemoteEnclosure(
            url: $0, mimeType: link.type?.text, size: link.length?.text.flatMap { Int64($0) })
        }
      },
      isRead: categories.contains(GoogleReaderStream.read),
      isStarred: categories.contains(GoogleReaderStream.starred))
  }
}

/// Sends `POST edit-tag`: one state of several articles. PHP keeps only the last of two actions,
/// and FreshRSS ignores an action after a thousand fields, so the only action precedes the keys.
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

/// Sends `POST edit-tag`: the tags that Google Reader gave to articles marked unread by hand, as
/// newsboat sends them. PHP keeps only the last action.
struct KeepUnreadRequest: GoogleReaderChange {
  var session: GoogleReaderSession
  var ids: [String]

  var httpRequest: HTTPRequest {
    session.post(
      "edit-tag",
      [("a", GoogleReaderStream.trackingKeptUnread), ("a", GoogleReaderStream.keptUnread)]
        + ids.map { ("i", GoogleReaderID.long($0)) })
  }
}
