import Foundation
import Networking

/// A call of the Fever API: one address, `?api` and what is asked for, the key in the form. A wrong key
/// is answered with 200 and `auth` 0.
protocol FeverRequest: AccountRequest {
  associatedtype Answer: Decodable
  var configuration: BackendConfiguration { get }
  var key: String { get }
  var query: String { get }
  var fields: [(name: String, value: String)] { get }
  /// Nil where what was asked for is not there: an answer without a list is not an empty list.
  func mapped(_ answer: Answer) -> Value?
}

private struct FeverSignature: Decodable {
  var auth: LooseText?
}

extension FeverRequest {
  var fields: [(name: String, value: String)] { [] }

  var httpRequest: HTTPRequest {
    .form(configuration.baseURL + "?api" + query, Form([("api_key", key)] + fields))
  }

  func value(of response: HTTPResponse) throws(AccountError) -> Value {
    guard let auth = try AccountAnswer.json(FeverSignature.self, response).auth else {
      throw .noSuchAPI(status: response.status)
    }
    guard auth.text == "1" else { throw .wrongCredentials }
    guard let value = mapped(try AccountAnswer.json(Answer.self, response)) else {
      throw .unusable(detail: AccountAnswer.excerpt(response))
    }
    return value
  }
}

/// Numbers in one text, separated by commas.
private func numbers(_ text: String) -> [String] {
  text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    .filter { !$0.isEmpty }
}

/// `feeds`, with the groups that they are in by number.
struct FeverFeedsRequest: FeverRequest {
  typealias Value = [RemoteSubscription]
  struct Answer: Decodable {
    struct Feed: Decodable {
      var id: LooseText
      var title: String?
      var url: String?
      var siteUrl: String?
    }
    struct Membership: Decodable {
      var groupId: LooseText
      var feedIds: String?
    }
    var feeds: LooseList<Feed>?
    var feedsGroups: LooseList<Membership>?
  }
  var configuration: BackendConfiguration
  var key: String
  /// Of one feed; what a server says beyond that is no order of somebody's.
  private static let mostFolders = 100

  /// Names by number, of `groups`.
  var groups: [String: String]
  let query = "&feeds"

  func mapped(_ answer: Answer) -> [RemoteSubscription]? {
    guard let feeds = answer.feeds?.elements else { return nil }
    var folders: [String: [String]] = [:]
    for membership in answer.feedsGroups?.elements ?? [] {
      guard let name = groups[membership.groupId.text] else { continue }
      for feed in numbers(membership.feedIds ?? "")
      where folders[feed, default: []].count < Self.mostFolders {
        folders[feed, default: []].append(name)
      }
    }
    return feeds.compactMap { feed in
      guard let url = feed.url, !url.isEmpty else { return nil }
      return RemoteSubscription(
        id: feed.id.text, title: feed.title ?? "", url: url, homePageURL: feed.siteUrl,
        folders: folders[feed.id.text] ?? [])
    }
  }
}

/// `groups`: folder names by number.
struct FeverGroupsRequest: FeverRequest {
  typealias Value = [String: String]
  struct Answer: Decodable {
    struct Group: Decodable {
      var id: LooseText
      var title: String?
    }
    var groups: LooseList<Group>?
  }
  var configuration: BackendConfiguration
  var key: String
  let query = "&groups"

  func mapped(_ answer: Answer) -> [String: String]? {
    guard let groups = answer.groups?.elements else { return nil }
    return Dictionary(
      groups.compactMap { group in group.title.map { (group.id.text, $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}

/// `unread_item_ids`, `saved_item_ids`: all keys at once.
struct FeverIDsRequest: FeverRequest {
  typealias Value = [String]
  struct Answer: Decodable {
    var unreadItemIds: String?
    var savedItemIds: String?
  }
  var configuration: BackendConfiguration
  var key: String
  var isStarred: Bool

  var query: String { isStarred ? "&saved_item_ids" : "&unread_item_ids" }

  func mapped(_ answer: Answer) -> [String]? {
    (isStarred ? answer.savedItemIds : answer.unreadItemIds).map(numbers)
  }
}

/// `items&with_ids=…`: articles by key.
struct FeverItemsRequest: FeverRequest {
  typealias Value = [RemoteItem]
  struct Answer: Decodable {
    struct Item: Decodable {
      var id: LooseText
      var feedId: LooseText
      var title: String?
      var author: String?
      var html: String?
      var url: String?
      var isSaved: LooseText?
      var isRead: LooseText?
      var createdOnTime: LooseText?
    }
    var items: LooseList<Item>?
  }
  var configuration: BackendConfiguration
  var key: String
  var ids: [String]

  var query: String { "&items&with_ids=" + ids.joined(separator: ",") }

  func mapped(_ answer: Answer) -> [RemoteItem]? {
    answer.items?.elements.map { item in
      RemoteItem(
        id: item.id.text, subscriptionID: item.feedId.text, url: item.url,
        title: item.title ?? "", html: item.html ?? "",
        author: item.author.flatMap { $0.isEmpty ? nil : $0 },
        published: item.createdOnTime.flatMap { Double($0.text) }.flatMap {
          $0 > 0 && $0 < 1e11 ? Date(timeIntervalSince1970: $0) : nil
        },
        isRead: item.isRead?.text == "1", isStarred: item.isSaved?.text == "1")
    }
  }
}

/// `mark=item`: one state of one article.
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
      }
    return [("mark", "item"), ("as", state), ("id", id)]
  }

  func mapped(_ answer: Answer) -> Value? { () }
}
