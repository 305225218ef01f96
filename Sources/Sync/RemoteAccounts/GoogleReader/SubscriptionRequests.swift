/// Sends `GET subscription/list`.
struct SubscriptionListRequest: GoogleReaderRequest {
  var session: GoogleReaderSession

  var httpRequest: HTTPRequest { session.get("subscription/list") }

  private struct Answer: Decodable {
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
    var subscriptions: LooseList<Subscription>
  }

  func value(of response: HTTPResponse) throws(AccountError) -> [RemoteSubscription] {
    try AccountAnswer.json(Answer.self, response).subscriptions.elements.map {
      let id = $0.id.text
      // Some servers give the address only as part of the key.
      let inKey = id.hasPrefix("feed/http") ? String(id.dropFirst(5)) : nil
      let url = $0.url?.text ?? ""
      return RemoteSubscription(
        id: id, title: session.title($0.title?.text ?? ""), url: url.isEmpty ? inKey : url,
        homePageURL: $0.htmlUrl?.text,
        folders: ($0.categories?.value?.elements ?? []).compactMap {
          $0.label?.text ?? $0.id?.text.flatMap(GoogleReaderStream.labelName)
        }, sortID: $0.sortid?.text)
    }
  }
}

/// Sends `POST subscription/edit`, which unsubscribes, renames or moves.
struct SubscriptionEditRequest: GoogleReaderChange {
  enum Action: Sendable, Equatable {
    case unsubscribe
    case rename(String)
    case move(from: String?, to: String?)
  }
  var session: GoogleReaderSession
  var id: String
  var action: Action

  var httpRequest: HTTPRequest {
    var fields: [(name: String, value: String)]
    switch action {
    case .unsubscribe: fields = [("ac", "unsubscribe"), ("s", id)]
    case .rename(let title): fields = [("ac", "edit"), ("s", id), ("t", title)]
    case .move(let old, let new):
      fields = [("ac", "edit"), ("s", id)]
      if let new { fields.append(("a", GoogleReaderStream.label(new))) }
      if let old, old != new { fields.append(("r", GoogleReaderStream.label(old))) }
    }
    return session.post("subscription/edit", fields)
  }

  /// Ignores a repeated unsubscribe, which FreshRSS answers with 400.
  func failure(of response: HTTPResponse) -> AccountError? {
    if action == .unsubscribe, response.status == 400 || response.status == 404 { return nil }
    return AccountAnswer.refusal(of: response)
  }

  func value(of response: HTTPResponse) throws(AccountError) {
    if (200..<300).contains(response.status) {
      // The next list of subscriptions shows the change.
      try requireOK(response, orNothing: true)
    }
  }
}

/// Sends `POST rename-tag` or `POST disable-tag` for a folder with all its feeds.
struct FolderEditRequest: GoogleReaderChange {
  var session: GoogleReaderSession
  var name: String
  /// The new name; `nil` removes the folder.
  var newName: String?

  var httpRequest: HTTPRequest {
    let stream = ("s", GoogleReaderStream.label(name))
    guard let newName else { return session.post("disable-tag", [stream]) }
    return session.post("rename-tag", [stream, ("dest", GoogleReaderStream.label(newName))])
  }

  /// Ignores a missing folder, for which FreshRSS answers 400.
  func failure(of response: HTTPResponse) -> AccountError? {
    if response.status == 400 || response.status == 404 { return nil }
    return AccountAnswer.refusal(of: response)
  }

  func value(of response: HTTPResponse) throws(AccountError) {
    if (200..<300).contains(response.status) {
      // The next list of subscriptions shows the change.
      try requireOK(response, orNothing: true)
    }
  }
}

/// Sends `POST subscription/quickadd`, which finds the feed at an address and subscribes. The
/// server fetches the feed first, which may take minutes.
struct QuickAddRequest: GoogleReaderRequest {
  var session: GoogleReaderSession
  var url: String

  var httpRequest: HTTPRequest {
    session.post(
      "subscription/quickadd", [("quickadd", url)],
      limits: TransferLimits(silence: 120, total: 180))
  }

  private struct Answer: Decodable {
    var numResults: LooseField?
    var streamId: LooseField?
    var error: LooseField?
  }

  /// Returns the new subscription's key; `nil` if it existed. A `numResults` of 0 is a failure.
  func value(of response: HTTPResponse) throws(AccountError) -> String? {
    let answer = try AccountAnswer.json(Answer.self, response)
    if (answer.numResults?.text.flatMap { Int($0) } ?? 0) > 0 { return answer.streamId?.text }
    let reason = AccountAnswer.excerpt(answer.error?.text ?? "")
    if reason.lowercased().contains("already subscribed") { return nil }
    throw .refused(status: 400, detail: reason.isEmpty ? "no feed was found there" : reason)
  }
}
