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
  private func call<Value>(
    _ query: String, _ fields: [(name: String, value: String)] = [],
    _ mapped: @escaping @Sendable (LooseJSON) -> Value?
  ) -> AccountCall<Value> {
    AccountCall(
      .form(baseURL + "?api" + query, Form([("api_key", key)] + fields)),
      // The API answers a wrong key with 200, so a 403 is from another program.
      failure: {
        $0.status == 403 ? .busy(status: 403, retryAfter: nil) : AccountAnswer.failure(of: $0)
      }
    ) { response throws(AccountError) in
      let answer = try AccountAnswer.json(response)
      guard let isKnown = answer["auth"].flag else { throw .noSuchAPI(status: response.status) }
      guard isKnown else { throw .wrongCredentials }
      guard let value = mapped(answer) else {
        throw .unusable(detail: AccountAnswer.excerpt(response))
      }
      return value
    }
  }

  private func title(_ text: String) -> String { FreshRSSText.title(text, at: baseURL) }

  /// Splits a text of numbers separated by commas.
  private static func numbers(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// Requests `feeds`: subscriptions with their groups by number.
  func feeds(groups: [String: String]) -> AccountCall<[RemoteFeed]> {
    call("&feeds") { answer in
      guard let feeds = answer["feeds"].list else { return nil }
      var folders: [String: [String]] = [:]
      for membership in answer["feeds_groups"].list ?? [] {
        guard let name = membership["group_id"].text.flatMap({ groups[$0] }) else { continue }
        for feed in Self.numbers(membership["feed_ids"].text ?? "")
        where folders[feed, default: []].count < Self.mostFolders {
          folders[feed, default: []].append(name)
        }
      }
      return feeds.compactMap { feed in
        feed["id"].text.map { id in
          RemoteFeed(
            id: id, title: title(feed["title"].text ?? ""),
            url: feed["url"].text.flatMap { $0.isEmpty ? nil : $0 },
            homePageURL: feed["site_url"].text, folders: folders[id] ?? [])
        }
      }
    }
  }

  /// Requests `groups`: folder names by number.
  func groups() -> AccountCall<[String: String]> {
    call("&groups") { answer in
      guard let groups = answer["groups"].list else { return nil }
      let names = groups.compactMap { group -> (String, String)? in
        guard let id = group["id"].text, let name = group["title"].text else { return nil }
        return (id, title(name))
      }
      return Dictionary(names, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Requests `unread_item_ids` or `saved_item_ids`: all keys at once.
  func ids(isStarred: Bool) -> AccountCall<[String]> {
    let name = isStarred ? "saved_item_ids" : "unread_item_ids"
    // A single key may be a number.
    return call("&" + name) { $0[name].text.map(Self.numbers) }
  }

  /// Requests `items&with_ids=…`: articles by key, each once.
  func items(_ ids: [String]) -> AccountCall<[RemoteArticle]> {
    call("&items&with_ids=" + ids.joined(separator: ",")) { answer in
      var wanted = Set(ids)
      // Only the key must be valid.
      return answer["items"].list?.compactMap { item in
        guard let id = item["id"].text, wanted.remove(id) != nil else { return nil }
        return RemoteArticle(
          item: ParsedItem(
            id: id, url: item["url"].text, title: title(item["title"].text ?? ""),
            contentHTML: item["html"].text ?? "",
            datePublished: RemoteFields.date(item["created_on_time"].text),
            authors: RemoteFields.authors(item["author"].text.map(title))),
          feed: item["feed_id"].text ?? "", isRead: item["is_read"].flag == true,
          isStarred: item["is_saved"].flag == true)
      }
    }
  }

  /// Sends `mark=item`: one state of one article, but no label, which the protocol lacks.
  func mark(_ id: String, _ edit: RemoteEdit) -> AccountCall<Void> {
    let state = (edit.isSet ? "" : "un") + (edit.state == .read ? "read" : "saved")
    return call("", [("mark", "item"), ("as", state), ("id", id)]) { _ in () }
  }
}
