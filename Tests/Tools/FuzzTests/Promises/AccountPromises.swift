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
  private static let fever = FeverSession(baseURL: "https://e.org/api", key: "k")

  /// Checks the values that become part of later requests, and the answers to changes.
  private static func googleReaderFault(in answer: FollowedResponse) -> String? {
    if let fault = fault(
      GoogleReaderSession.signIn(at: session.baseURL, user: "ann", password: "p"), answer,
      { word in
        // The value becomes a header.
        word.isEmpty || word.utf8.contains { !(0x20..<0x7F).contains($0) }
          ? "the session's word is \(word.debugDescription)" : nil
      })
    {
      return fault
    }
    if let fault = fault(
      session.changeToken(), answer,
      { token in
        token.isEmpty || token.utf8.contains { !(0x21...0x7E).contains($0) }
          ? "the token is \(token.debugDescription)" : nil
      })
    {
      return fault
    }
    return fault(session.quickAdd("https://e.org/"), answer) { _ in nil }
      ?? fault(session.edit(["1"], RemoteEdit(.read, isSet: true)), answer) { _ in nil }
      ?? fault(session.edit(.unsubscribe("feed/1")), answer) { _ in nil }
  }

  private static func feverFault(in answer: FollowedResponse) -> String? {
    fault(fever.mark("1", RemoteEdit(.starred, isSet: false)), answer) { _ in nil }
  }

  private static func listFault(in answer: FollowedResponse) -> String? {
    let size = answer.response.body.count
    func subscriptions(_ list: [RemoteFeed]) -> String? {
      if list.contains(where: { $0.url == "" }) { return "an address that is empty" }
      if list.contains(where: { $0.folders.count > size }) { return "more folders than bytes" }
      return list.count > size ? "more subscriptions than bytes" : nil
    }
    let groups = Dictionary(uniqueKeysWithValues: (0..<10).map { (String($0), "Group \($0)") })
    return fault(session.subscriptions(), answer, subscriptions)
      ?? fault(fever.feeds(groups: groups), answer, subscriptions)
      ?? fault(fever.groups(), answer) {
        $0.count > size ? "more groups than bytes" : nil
      }
      ?? fault(fever.ids(isStarred: true), answer) {
        $0.contains(where: \.isEmpty) ? "an article without a key" : nil
      }
      ?? fault(session.tags(), answer) {
        $0.labels.contains("") || $0.labels.count > size ? "labels that are none" : nil
      }
      ?? fault(session.orders(), answer) {
        $0.values.joined().contains { $0.count != 8 } ? "a key that is none" : nil
      }
      ?? fault(session.ids(.unread, after: "c"), answer) { page in
        if page.ids.count > size { return "more keys than bytes" }
        // The same page would be requested endlessly.
        return page.continuation == "c" || page.continuation == "" ? "an endless walk" : nil
      }
  }

  private static func itemFault(in answer: FollowedResponse) -> String? {
    let size = answer.response.body.count
    func items(_ items: [RemoteArticle]) -> String? {
      for article in items {
        let item = article.item
        if item.datePublished?.timeIntervalSince1970.isFinite == false {
          return "a date that is none"
        }
        let parts =
          [item.id, article.feed, item.title ?? "", item.contentHTML ?? "", item.url ?? ""]
          + item.tags + article.labels
        // UTF-16 grows by a half; a key of sixteen digits becomes one of twenty.
        if parts.contains(where: { $0.utf8.count > size * 2 + 32 }) { return "a text that grew" }
      }
      return items.count > size ? "more articles than bytes" : nil
    }
    return fault(session.items(["1"]), answer, items)
      ?? fault(fever.items(["1"]), answer, items)
  }

  /// - Parameter check: Returns the fault of a value that was read.
  private static func fault<Value>(
    _ call: AccountCall<Value>, _ answer: FollowedResponse, _ check: (Value) -> String?
  ) -> String? {
    let place = "\(call.request.url) as \(Value.self)"
    do {
      return check(try call.map(answer)).map { "\(place): \($0)" }
    } catch .refused(_, let detail), .unusable(let detail) {
      let isPlain = detail.unicodeScalars.allSatisfy {
        $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
      }
      if isPlain && detail.count <= 120 { return nil }
      return "\(place): the reason is \(detail.debugDescription)"
    } catch .busy(_, let seconds?) where !seconds.isFinite || seconds < 0 {
      return "\(place): to wait for \(seconds) s"
    } catch {
      return nil
    }
  }
}
