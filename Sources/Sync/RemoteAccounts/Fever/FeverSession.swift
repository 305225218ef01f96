import Foundation

/// The address and the key of an account. The functions make the calls of the Fever API: the query
/// `?api`, and the key in the form. A server answers a wrong key with 200 and `auth` 0.
struct FeverSession: Sendable {
  var baseURL: String
  var key: String

  /// The maximum number of folders of a feed.
  private static let mostFolders = 100

  /// - Parameter mapped: returns `nil` if the requested part is missing: an answer without a list
  ///   is not an empty list.
  private func call<Answer: Decodable & SendableMetatype, Value>(
    _ query: String, _ fields: [(name: String, value: String)] = [],
    _ mapped: @escaping @Sendable (Answer) -> Value?
  ) -> AccountCall<Value> {
    return AccountCall(
      .form(baseURL + "?api" + query, Form([("api_key", key)] + fields)),
      // The API answers a wrong key with 200, so a 403 is from another program.
      failure: {
        $0.status == 403 ? .busy(status: 403, retryAfter: nil) : AccountAnswer.failure(of: $0)
      }
    ) { response throws(AccountError) in
      guard let isKnown = try AccountAnswer.json(FeverSignature.self, response).auth?.value else {
        throw .noSuchAPI(status: response.status)
      }
      guard isKnown else { throw .wrongCredentials }
      guard let value = mapped(try AccountAnswer.json(Answer.self, response)) else {
        throw .unusable(detail: AccountAnswer.excerpt(response))
      }
      return value
    }
  }

  /// Returns a title as the publisher or the user wrote it.
  private func title(_ text: String) -> String {
    FreshRSSText.isEscaped(at: baseURL) ? FreshRSSText.unescaped(text) : text
  }

  /// Splits a text of numbers separated by commas.
  private static func numbers(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// Requests `feeds`: subscriptions with their groups by number.
  func feeds(groups: [String: String]) -> AccountCall<[RemoteFeed]> {
    struct Feed: Decodable {
      var id: LooseText
      var title: LooseField?
      var url: LooseField?
      var siteUrl: LooseField?
    }
    struct Membership: Decodable {
      var groupId: LooseText
      var feedIds: LooseField?
    }
    struct Answer: Decodable {
      var feeds: LooseList<Feed>?
      var feedsGroups: LooseList<Membership>?
    }
    return call("&feeds") { (answer: Answer) in
      guard let feeds = answer.feeds?.elements else { return nil }
      var folders: [String: [String]] = [:]
      for membership in answer.feedsGroups?.elements ?? [] {
        guard let name = groups[membership.groupId.text] else { continue }
        for feed in Self.numbers(membership.feedIds?.text ?? "")
        where folders[feed, default: []].count < Self.mostFolders {
          folders[feed, default: []].append(name)
        }
      }
      return feeds.map { feed in
        RemoteFeed(
          id: feed.id.text, title: title(feed.title?.text ?? ""),
          url: feed.url?.text.flatMap { $0.isEmpty ? nil : $0 }, homePageURL: feed.siteUrl?.text,
          folders: folders[feed.id.text] ?? [])
      }
    }
  }

  /// Requests `groups`: folder names by number.
  func groups() -> AccountCall<[String: String]> {
    struct Group: Decodable {
      var id: LooseText
      var title: LooseField?
    }
    struct Answer: Decodable { var groups: LooseList<Group>? }
    return call("&groups") { (answer: Answer) in
      guard let groups = answer.groups?.elements else { return nil }
      return Dictionary(
        groups.compactMap { group in group.title?.text.map { (group.id.text, title($0)) } },
        uniquingKeysWith: { first, _ in first })
    }
  }

  /// Requests `unread_item_ids` or `saved_item_ids`: all keys at once.
  func ids(isStarred: Bool) -> AccountCall<[String]> {
    // A single key may be a number.
    struct Answer: Decodable {
      var unreadItemIds: LooseText?
      var savedItemIds: LooseText?
    }
    return call(isStarred ? "&saved_item_ids" : "&unread_item_ids") { (answer: Answer) in
      (isStarred ? answer.savedItemIds : answer.unreadItemIds).map { Self.numbers($0.text) }
    }
  }

  /// Requests `items&with_ids=…`: articles by key, each once.
  func items(_ ids: [String]) -> AccountCall<[RemoteArticle]> {
    // Only the key must be valid.
    struct Item: Decodable {
      var id: LooseText
      var feedId: LooseField?
      var title: LooseField?
      var author: LooseField?
      var html: LooseField?
      var url: LooseField?
      var isSaved: LooseFlag?
      var isRead: LooseFlag?
      var createdOnTime: LooseField?
    }
    struct Answer: Decodable { var items: LooseList<Item>? }
    return call("&items&with_ids=" + ids.joined(separator: ",")) { (answer: Answer) in
      var wanted = Set(ids)
      return answer.items?.elements.filter { wanted.remove($0.id.text) != nil }.map { item in
        RemoteArticle(
          item: RemoteFields.item(
            id: item.id.text, url: item.url?.text, title: title(item.title?.text ?? ""),
            html: item.html?.text ?? "", author: item.author?.text.map(title),
            published: item.createdOnTime?.text),
          feed: item.feedId?.text ?? "", isRead: item.isRead?.value == true,
          isStarred: item.isSaved?.value == true)
      }
    }
  }

  /// Sends `mark=item`: one state of one article.
  func mark(_ id: String, _ edit: RemoteEdit) -> AccountCall<Void> {
    struct Answer: Decodable {}
    let state =
      switch (edit.state, edit.isSet) {
      case (.read, true): "read"
      case (.read, false): "unread"
      case (.starred, true): "saved"
      case (.starred, false): "unsaved"
      // The protocol has no labels.
      case (.label, _): ""
      }
    return call("", [("mark", "item"), ("as", state), ("id", id)]) { (_: Answer) in () }
  }
}

private struct FeverSignature: Decodable {
  var auth: LooseFlag?
}
