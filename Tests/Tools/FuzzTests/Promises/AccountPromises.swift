import Foundation

@testable import Networking
@testable import RemoteAccounts

/// Properties of answers from an account's server that hold for any bytes. Each answer is read as
/// that of every call of both protocols, as a success and as each kind of refusal.
enum AccountPromises {
  static func fault(in bytes: [UInt8]) -> String? {
    for status in [200, 400, 401, 404, 429, 500, 503] {
      let response = HTTPResponse(
        status: status,
        headers: [("retry-after", String(decoding: bytes.prefix(64), as: UTF8.self))],
        body: bytes)
      let answer = FollowedResponse(response: response, finalURL: "https://e.org/api")
      if let fault = googleReaderFault(in: answer) ?? feverFault(in: answer) { return fault }
      // The code for refusals is common to all calls, so two calls represent them.
      if status != 200 { continue }
      if let fault = listFault(in: answer) ?? itemFault(in: answer) { return fault }
    }
    return nil
  }

  private static let session = GoogleReaderSession(
    baseURL: "https://e.org/api", auth: "word", token: "token")
  private static let account = BackendConfiguration(
    kind: .fever, baseURL: "https://e.org/api", user: "ann")

  /// Checks the values that become part of later requests, and the answers to changes.
  private static func googleReaderFault(in answer: FollowedResponse) -> String? {
    if let fault = fault(
      SignInRequest(configuration: account, password: "p"), answer,
      { word in
        // The value becomes a header.
        word.isEmpty || word.utf8.contains { !(0x20..<0x7F).contains($0) }
          ? "the session's word is \(word.debugDescription)" : nil
      })
    {
      return fault
    }
    if let fault = fault(
      TokenRequest(session: session), answer,
      { token in
        token.isEmpty || token.utf8.contains { !(0x21...0x7E).contains($0) }
          ? "the token is \(token.debugDescription)" : nil
      })
    {
      return fault
    }
    return fault(QuickAddRequest(session: session, url: "https://e.org/"), answer) { _ in nil }
      ?? fault(
        EditTagRequest(session: session, ids: ["1"], edit: RemoteEdit(.read, isSet: true)), answer
      ) { _ in nil }
      ?? fault(
        SubscriptionEditRequest(session: session, id: "feed/1", action: .unsubscribe), answer
      ) { _ in nil }
  }

  private static func feverFault(in answer: FollowedResponse) -> String? {
    fault(
      FeverMarkRequest(
        configuration: account, key: "k", id: "1", edit: RemoteEdit(.starred, isSet: false)), answer
    ) { _ in nil }
  }

  private static func listFault(in answer: FollowedResponse) -> String? {
    let size = answer.response.body.count
    func subscriptions(_ list: [RemoteSubscription]) -> String? {
      if list.contains(where: { $0.url == "" }) { return "an address that is empty" }
      if list.contains(where: { $0.folders.count > size }) { return "more folders than bytes" }
      return list.count > size ? "more subscriptions than bytes" : nil
    }
    let groups = Dictionary(uniqueKeysWithValues: (0..<10).map { (String($0), "Group \($0)") })
    return fault(SubscriptionListRequest(session: session), answer, subscriptions)
      ?? fault(
        FeverFeedsRequest(configuration: account, key: "k", groups: groups), answer, subscriptions)
      ?? fault(FeverGroupsRequest(configuration: account, key: "k"), answer) {
        $0.count > size ? "more groups than bytes" : nil
      }
      ?? fault(FeverIDsRequest(configuration: account, key: "k", isStarred: true), answer) {
        $0.contains(where: \.isEmpty) ? "an article without a key" : nil
      }
      ?? fault(TagListRequest(session: session), answer) {
        $0.labels.contains("") || $0.labels.count > size ? "labels that are none" : nil
      }
      ?? fault(OrderRequest(session: session), answer) {
        $0.values.joined().contains { $0.count != 8 } ? "a key that is none" : nil
      }
      ?? fault(ItemIDsRequest(session: session, list: .unread, continuation: "c"), answer) { page in
        if page.ids.count > size { return "more keys than bytes" }
        // The same page would be requested endlessly.
        return page.continuation == "c" || page.continuation == "" ? "an endless walk" : nil
      }
  }

  private static func itemFault(in answer: FollowedResponse) -> String? {
    let size = answer.response.body.count
    func items(_ items: [RemoteItem]) -> String? {
      for item in items {
        if item.published?.timeIntervalSince1970.isFinite == false { return "a date that is none" }
        let parts =
          [item.id, item.subscriptionID, item.title, item.html, item.url ?? ""] + item.tags
          + item.labels
        // UTF-16 grows by a half; a key of sixteen digits becomes one of twenty.
        if parts.contains(where: { $0.utf8.count > size * 2 + 32 }) { return "a text that grew" }
      }
      return items.count > size ? "more articles than bytes" : nil
    }
    return fault(ItemContentsRequest(session: session, ids: ["1"]), answer, items)
      ?? fault(FeverItemsRequest(configuration: account, key: "k", ids: ["1"]), answer, items)
  }

  /// - Parameter check: Returns the fault of a value that was read.
  private static func fault<Request: AccountRequest>(
    _ request: Request, _ answer: FollowedResponse, _ check: (Request.Value) -> String?
  ) -> String? {
    guard let result = try? request.map(answer) else { return "a failure of the transport" }
    switch result {
    case .success(let value): return check(value).map { "\(Request.self): \($0)" }
    case .failure(.refused(_, let detail)), .failure(.unusable(let detail)):
      let isPlain = detail.unicodeScalars.allSatisfy {
        $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
      }
      if isPlain && detail.count <= 120 { return nil }
      return "\(Request.self): the reason is \(detail.debugDescription)"
    case .failure(.busy(_, let seconds?)) where !seconds.isFinite || seconds < 0:
      return "\(Request.self): to wait for \(seconds) s"
    case .failure: return nil
    }
  }
}
