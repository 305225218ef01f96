import Foundation

/// The tokens of a session: from `ClientLogin` for all calls, and a short-lived token for changes.
/// The functions make the calls of the Google Reader API.
struct GoogleReaderSession: Sendable {
  var baseURL: String
  var auth: String
  /// The answer to `token`, sent as the field `T` with every change. Miniflux requires only this
  /// token.
  var token: String?

  private var headers: [(name: String, value: String)] {
    [("Authorization", "GoogleLogin auth=\(auth)")]
  }

  func title(_ text: String) -> String { FreshRSSText.title(text, at: baseURL) }

  /// Creates `GET reader/api/0/…`. Some servers answer 501 or XML without `output=json`.
  func get(_ path: String, _ fields: [(name: String, value: String)] = []) -> HTTPRequest {
    HTTPRequest(
      url: "\(baseURL)/reader/api/0/\(path)?" + Form([("output", "json")] + fields).text,
      headers: headers)
  }

  /// Creates `POST reader/api/0/…`. The token comes first, then the fields in order, because
  /// FreshRSS reads only the first thousand.
  func post(
    _ path: String, _ fields: [(name: String, value: String)],
    limits: TransferLimits = TransferLimits()
  ) -> HTTPRequest {
    .form(
      "\(baseURL)/reader/api/0/\(path)", Form([("T", token ?? "")] + fields), headers: headers,
      limits: limits)
  }

  // MARK: Tokens

  /// The limit of a token in bytes.
  private static let longestToken = 4_096

  /// Sends `POST accounts/ClientLogin`, which returns the token that all further calls carry.
  static func signIn(
    at baseURL: String, user: String, password: String
  ) -> AccountCall<String> {
    let fields = [
      ("Email", user), ("Passwd", password), ("client", "Weir"),
      ("accountType", "HOSTED_OR_GOOGLE"), ("service", "reader"),
    ]
    return AccountCall(
      .form(baseURL + "/accounts/ClientLogin", Form(fields)), failure: signInFailure
    ) { response throws(AccountError) in
      // Lines of `name=value`, in which the value may contain `=`.
      let text = String(decoding: response.body, as: UTF8.self)
      for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("Auth=") {
        let word = line.dropFirst("Auth=".count)
        // The token becomes part of a header.
        guard !word.isEmpty, word.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { break }
        return String(word)
      }
      throw .noSuchAPI(status: response.status)
    }
  }

  /// Recognizes 400 with `BadAuthentication`, by which some servers answer a wrong password.
  private static func signInFailure(of response: HTTPResponse) -> AccountError? {
    let detail = AccountAnswer.excerpt(response)
    let isOfUser = detail.contains("BadAuthentication")
    switch AccountAnswer.failure(of: response) {
    case .refused where isOfUser: return .wrongCredentials
    case .wrongCredentials where response.status == 403 && !isOfUser:
      return .refused(status: 403, detail: detail)
    // FreshRSS answers this if "Allow API access" is off.
    case .busy(503, _) where detail == "Service Unavailable!": return .noSuchAPI(status: 503)
    case let failure: return failure
    }
  }

  /// Sends `GET token`, which returns the token that every change carries.
  func changeToken() -> AccountCall<String> {
    AccountCall(get("token")) { response throws(AccountError) in
      let token = String(decoding: response.body, as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      // A token is one word of visible ASCII; any other answer is a page or an error.
      guard !token.isEmpty, !token.hasPrefix("<"), token.utf8.count <= Self.longestToken,
        token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else {
        throw .unusable(detail: AccountAnswer.excerpt(response))
      }
      return token
    }
  }

  // MARK: Changes

  /// Creates a change, to which the server answers `OK`.
  /// - Parameters:
  ///   - mayBeEmpty: true if an empty answer also confirms the change, which the next list of
  ///     subscriptions shows.
  ///   - ignored: statuses that mean that there is nothing to change.
  private func change(
    _ path: String, _ fields: [(name: String, value: String)], mayBeEmpty: Bool = true,
    ignored: [Int] = []
  ) -> AccountCall<Void> {
    AccountCall(
      post(path, fields),
      failure: { ignored.contains($0.status) ? nil : AccountAnswer.refusal(of: $0) }
    ) { response throws(AccountError) in
      guard (200..<300).contains(response.status) else { return }
      // An answer that begins like HTML is the page of a captive portal, which confirms nothing.
      if response.body.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
        throw .noSuchAPI(status: response.status)
      }
      let text = AccountAnswer.excerpt(response)
        .trimmingCharacters(in: CharacterSet(charactersIn: "\""))
      // Some servers send `OK` as a JSON string.
      if text.uppercased().hasPrefix("OK") { return }
      if mayBeEmpty, text.isEmpty || text == "{}" { return }
      throw .unusable(detail: text)
    }
  }

  /// Sends `POST edit-tag`: one state of several articles. PHP keeps only the last of two actions,
  /// and FreshRSS ignores an action after a thousand fields, so the only action precedes the keys.
  func edit(_ ids: [String], _ edit: RemoteEdit) -> AccountCall<Void> {
    editTag([(edit.isSet ? "a" : "r", GoogleReaderStream.state(edit.state))], of: ids)
  }

  /// Sends `POST edit-tag`: the tags that Google Reader gave to articles marked unread by hand, as
  /// newsboat sends them. PHP keeps only the last action.
  func tagKeptUnread(_ ids: [String]) -> AccountCall<Void> {
    editTag(
      [("a", GoogleReaderStream.trackingKeptUnread), ("a", GoogleReaderStream.keptUnread)], of: ids)
  }

  private func editTag(
    _ actions: [(name: String, value: String)], of ids: [String]
  ) -> AccountCall<Void> {
    change("edit-tag", actions + ids.map { ("i", GoogleReaderID.long($0)) }, mayBeEmpty: false)
  }

  /// Sends `POST subscription/edit`, `rename-tag` or `disable-tag`. Ignores that there is nothing
  /// to end or to rename, which FreshRSS answers with 400.
  func edit(_ edit: SubscriptionEdit) -> AccountCall<Void> {
    typealias Stream = GoogleReaderStream
    let gone = [400, 404]
    switch edit {
    case .unsubscribe(let id):
      return change("subscription/edit", [("ac", "unsubscribe"), ("s", id)], ignored: gone)
    case .rename(let id, let title):
      return change("subscription/edit", [("ac", "edit"), ("s", id), ("t", title)])
    case .move(let id, let old, let new):
      var fields: [(name: String, value: String)] = [("ac", "edit"), ("s", id)]
      if let new { fields.append(("a", Stream.label(new))) }
      if let old, old != new { fields.append(("r", Stream.label(old))) }
      return change("subscription/edit", fields)
    case .renameFolder(let old, let new):
      return change(
        "rename-tag", [("s", Stream.label(old)), ("dest", Stream.label(new))], ignored: gone)
    case .removeFolder(let name):
      return change("disable-tag", [("s", Stream.label(name))], ignored: gone)
    }
  }

  /// Sends `POST subscription/quickadd`, which finds the feed at an address and subscribes. The
  /// server fetches the feed first, which may take minutes. Returns the new subscription's key;
  /// `nil` if it existed. A `numResults` of 0 is a failure.
  func quickAdd(_ url: String) -> AccountCall<String?> {
    let request = post(
      "subscription/quickadd", [("quickadd", url)],
      limits: TransferLimits(silence: 120, total: 180))
    return AccountCall(request) { response throws(AccountError) in
      let answer = try AccountAnswer.json(response)
      if (answer["numResults"].text.flatMap { Int($0) } ?? 0) > 0 { return answer["streamId"].text }
      let reason = AccountAnswer.excerpt(answer["error"].text ?? "")
      if reason.lowercased().contains("already subscribed") { return nil }
      throw .refused(status: 400, detail: reason.isEmpty ? "no feed was found there" : reason)
    }
  }
}
