import Foundation

/// A call of the Fever API: the query `?api`, and the key in the form. A server answers a wrong key
/// with 200 and `auth` 0.
protocol FeverRequest: AccountRequest {
  associatedtype Answer: Decodable
  var configuration: BackendConfiguration { get }
  var key: String { get }
  var query: String { get }
  var fields: [(name: String, value: String)] { get }
  /// Returns `nil` if the requested part is missing: an answer without a list is not an empty list.
  func mapped(_ answer: Answer) -> Value?
}

private struct FeverSignature: Decodable {
  var auth: LooseFlag?
}

extension FeverRequest {
  var fields: [(name: String, value: String)] { [] }

  var httpRequest: HTTPRequest {
    .form(configuration.baseURL + "?api" + query, Form([("api_key", key)] + fields))
  }

  /// Treats 403 as busy: the API answers a wrong key with 200, so a 403 is from another program.
  func failure(of response: HTTPResponse) -> AccountError? {
    response.status == 403
      ? .busy(status: 403, retryAfter: nil) : AccountAnswer.failure(of: response)
  }

  func value(of response: HTTPResponse) throws(AccountError) -> Value {
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

extension FeverRequest {
  /// Returns a title as the publisher or the user wrote it.
  func title(_ text: String) -> String {
    configuration.isFreshRSS ? FreshRSSText.unescaped(text) : text
  }
}

/// Splits a text of numbers separated by commas.
private func numbers(_ text: String) -> [String] {
  text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    .filter { !$0.isEmpty }
}

/// Requests `feeds`: subscriptions with their groups by number.
struct FeverFeedsRequest: FeverRequest {
  typealias Value = [RemoteSubscription]
  struct Answer: Decodable {
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
    var feeds: LooseList<Feed>?
    var feedsGroups: LooseList<Membership>?
  }
  var configuration: BackendConfiguration
  var key: String
  /// The maximum number of folders of a feed.
  private static let mostFolders = 100

  var groups: [String: String]
  let query = "&feeds"

  func mapped(_ answer: Answer) -> [RemoteSubscription]? {
    guard let feeds = answer.feeds?.elements else { return nil }
    var folders: [String: [String]] = [:]
    for membership in answer.feedsGroups?.elements ?? [] {
      guard let name = groups[membership.groupId.text] else { continue }
      for feed in numbers(membership.feedIds?.text ?? "")
      where folders[feed, default: []].count < Self.mostFolders {
        folders[feed, default: []].append(name)
      }
    }
    return feeds.map { feed in
      RemoteSubscription(
        id: feed.id.text, title: title(feed.title?.text ?? ""),
        url: feed.url?.text.flatMap { $0.isEmpty ? nil : $0 }, homePageURL: feed.siteUrl?.text,
        folders: folders[feed.id.text] ?? [])
    }
  }
}

/// Requests `groups`: folder names by number.
struct FeverGroupsRequest: FeverRequest {
  typealias Value = [String: String]
  struct Answer: Decodable {
    struct Group: Decodable {
      var id: LooseText
      var title: LooseField?
    }
    var groups: LooseList<Group>?
  }
  var configuration: BackendConfiguration
  var key: String
  let query = "&groups"

  func mapped(_ answer: Answer) -> [String: String]? {
    guard let groups = answer.groups?.elements else { return nil }
    return Dictionary(
      groups.compactMap { group in group.title?.text.map { (group.id.text, title($0)) } },
      uniquingKeysWith: { first, _ in first })
  }
}

/// Requests `unread_item_ids` or `saved_item_ids`: all keys at once.
struct FeverIDsRequest: FeverRequest {
  typealias Value = [String]
  struct Answer: Decodable {
    // A single key may be a number.
    var unreadItemIds: LooseText?
    var savedItemIds: LooseText?
  }
  var configuration: BackendConfiguration
  var key: String
  var isStarred: Bool

  var query: String { isStarred ? "&saved_item_ids" : "&unread_item_ids" }

  func mapped(_ answer: Answer) -> [String]? {
    (isStarred ? answer.savedItemIds : answer.unreadItemIds).map { numbers($0.text) }
  }
}

/// Requests `items&with_ids=…`: articles by key.
struct FeverItemsRequest: FeverRequest {
  typealias Value = [RemoteItem]
  struct Answer: Decodable {
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
    var items: LooseList<Item>?
  }
  var configuration: BackendConfiguration
  var key: String
  var ids: [String]

  var query: String { "&items&with_ids=" + ids.joined(separator: ",") }

  /// Returns the requested articles, each once.
  func mapped(_ answer: Answer) -> [RemoteItem]? {
    var wanted = Set(ids)
    return answer.items?.elements.filter { wanted.remove($0.id.text) != nil }.map { item in
      RemoteItem(
        id: item.id.text, subscriptionID: item.feedId?.text ?? "", url: item.url?.text,
        title: title(item.title?.text ?? ""), html: item.html?.text ?? "",
        author: item.author?.text.flatMap { RemoteAuthors.once(title($0)) },
        published: item.createdOnTime?.text.flatMap { Double($0) }.flatMap {
          $0 > 0 && $0 < 1e11 ? Date(timeIntervalSince1970: $0) : nil
        },
        isRead: item.isRead?.value == true, isStarred: item.isSaved?.value == true)
    }
  }
}

/// Sends `mark=item`: one state of one article.
struct FeverMarkRequest: FeverRequest {
  typealias Value = Void
  struct Answer: Decodable {}
  var configuration: BackendConfiguration
  var key: String
  var id: String
  var edit: RemoteEdit
  let query = ""

  var fields: [(name: String, value: String)] {
    let state =
      switch (edit.state, edit.isSet) {
      case (.read, true): "read"
      case (.read, false): "unread"
      case (.starred, true): "saved"
      case (.starred, false): "unsaved"
      // The protocol has no labels.
      case (.label, _): ""
      }
    return [("mark", "item"), ("as", state), ("id", id)]
  }

  func mapped(_ answer: Answer) -> Value? { () }
}
