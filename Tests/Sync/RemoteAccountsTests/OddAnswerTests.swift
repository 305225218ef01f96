import Foundation

@testable import RemoteAccounts

/// Answers that deviate from the protocols, of which the usable parts are read.
@Suite("Odd answers of servers") struct OddAnswerTests {
  let server = Script.signedIn()
  private static let read = RemoteEdit(.read, isSet: true)

  @Test("An odd field does not lose its article") func oddFieldLosesNothing() async throws {
    server.transport.script(
      Script.api("stream/items/contents"),
      .text(
        """
        {"items":[
          {"id":"1","title":2024,"published":"1795230567","author":{},"summary":"text",
           "categories":[7,{},"user/1/state/com.google/read"],"canonical":"https://b.example/0",
           "alternate":[{"href":"https://b.example/1"}],"origin":{"streamId":3},
           "enclosure":[3,{"href":"https://b.example/1.mp3","type":5,"length":1.5}]},
          {"id":2,"title":["T"],"published":"soon","summary":{"content":5},"categories":null,
           "origin":"feed/3","enclosure":{}}
        ]}
        """))
    let items = try await server.googleReader.items(["1", "2"])
    #expect(
      items == [
        RemoteArticle(
          item: ParsedItem(
            id: "1", url: "https://b.example/1", title: "2024", contentHTML: "text",
            datePublished: Date(timeIntervalSince1970: 1_795_230_567), tags: ["7"],
            enclosures: [Enclosure(url: "https://b.example/1.mp3", mimeType: "5")]),
          feed: "3", isRead: true, isStarred: false),
        RemoteArticle(
          item: ParsedItem(id: "2", title: "", contentHTML: "5"), feed: "", isRead: false,
          isStarred: false),
      ])
  }

  @Test("An odd field does not lose its article over Fever")
  func oddFeverFieldIsHarmless() async throws {
    let server = Fever()
    server.transport.script(
      server.api("&items&with_ids=1,2"),
      .text(
        """
        {"auth":true,"items":[
          {"id":1,"feed_id":3,"title":7,"author":null,"html":false,"url":{},"is_saved":"1",
           "is_read":true,"created_on_time":1795144167.0},
          {"id":"2","is_read":[],"created_on_time":{}}
        ]}
        """))
    let items = try await server.backend.items(["1", "2"])
    #expect(items.map(\.item.id) == ["1", "2"])
    #expect(items.map(\.item.title) == ["7", ""])
    #expect(items.map(\.isRead) == [true, false])
    #expect(items.map(\.isStarred) == [true, false])
    #expect(items.map(\.item.datePublished) == [Date(timeIntervalSince1970: 1_795_144_167), nil])
  }

  @Test("Articles that were not requested are ignored") func unrequestedIsIgnored() async throws {
    server.transport.script(
      Script.api("stream/items/contents"),
      .text(#"{"items":[{"id":"1"},{"id":"2"},{"id":"1","title":"again"},{"id":"3"}]}"#))
    #expect(try await server.googleReader.items(["3", "1"]).map(\.item.id) == ["1", "3"])
    let fever = Fever()
    fever.transport.script(
      fever.api("&items&with_ids=3,1"),
      .text(#"{"auth":1,"items":[{"id":1},{"id":2},{"id":"1"},{"id":3}]}"#))
    #expect(try await fever.backend.items(["3", "1"]).map(\.item.id) == ["1", "3"])
  }

  /// A listed subscription is followed even if its address is unknown.
  @Test("A subscription without an address is listed") func unaddressedIsListed() async throws {
    server.transport.script(
      Script.api("subscription/list?output=json"),
      .text(#"{"subscriptions":[{"id":"feed/1"},{"id":"feed/2","url":"","title":true}]}"#))
    let all = try await server.googleReader.subscriptions()
    #expect(all.map(\.id) == ["feed/1", "feed/2"])
    #expect(all.allSatisfy { $0.url == nil })
    let fever = Fever()
    fever.transport.script(fever.api("&groups"), .text(#"{"auth":1,"groups":[]}"#))
    fever.transport.script(fever.api("&feeds"), .text(#"{"auth":1,"feeds":[{"id":1,"url":{}}]}"#))
    #expect(try await fever.backend.subscriptions() == [RemoteFeed(id: "1", title: "", url: nil)])
  }

  /// Miniflux leaves out an empty list; an answer with an error has failed.
  @Test("An error is not an empty list") func anErrorIsNoEmptyList() async throws {
    let backend = server.googleReader
    func answer(_ body: String) {
      server.transport.handle { _ in .text(body) }
    }
    answer("{}")
    #expect(try await backend.ids(.unread, after: nil) == RemotePage(ids: []))
    answer(#"{"itemRefs":[],"error":null}"#)
    #expect(try await backend.ids(.unread, after: nil) == RemotePage(ids: []))
    for body in [#"{"error":"database is locked"}"#, #"{"errors":[{"code":5}],"itemRefs":[]}"#] {
      answer(body)
      await #expect(throws: AccountError.unusable(detail: body)) {
        try await backend.ids(.unread, after: nil)
      }
    }
  }

  @Test(
    "A confirmation may have several forms",
    arguments: ["OK", "OK\n", "ok", "\"OK\"", "\"OK\"\n"])
  func aYesHasManyForms(body: String) async throws {
    server.transport.script(Script.api("edit-tag"), .text(body))
    try await server.googleReader.edit(["1"], Self.read)
    #expect(server.bodies("edit-tag").count == 1)
  }

  @Test(
    "An answer that is not a confirmation is a failure",
    arguments: [
      ("<!doctype html><p>Welcome", AccountError.noSuchAPI(status: 200)),
      ("<title>OK</title><p>Sign in", AccountError.noSuchAPI(status: 200)),
      ("no idea", .unusable(detail: "no idea")),
    ])
  func whatIsNoYesIsAFailure(body: String, error: AccountError) async {
    server.transport.script(Script.api("edit-tag"), .text(body))
    let backend = server.googleReader
    await #expect(throws: error) { try await backend.edit(["1"], Self.read) }
    server.transport.script(Script.api("subscription/edit"), .text(body))
    await #expect(throws: error) { try await backend.edit(.rename("feed/1", to: "A")) }
    await #expect(throws: error) { try await backend.edit(.unsubscribe("feed/1")) }
  }

  @Test("A reason is plain and short") func aReasonIsPlainAndShort() async {
    let reason = #"\u001b[31mno\nfeed "# + String(repeating: "x", count: 200)
    server.transport.script(
      Script.api("subscription/quickadd"), .text(#"{"numResults":"0","error":"\#(reason)"}"#))
    let backend = server.googleReader
    let plain = "[31mno feed " + String(repeating: "x", count: 108)
    await #expect(throws: AccountError.refused(status: 400, detail: plain)) {
      try await backend.subscribe(url: "https://x.example/", title: nil, folder: nil)
    }
  }

  @Test(
    "The reason of an error page is its title, or else its text",
    arguments: [
      ("<html><title>502 Bad Gateway</title><style>a{}</style><h1>x", "502 Bad Gateway"),
      ("\n <h1>Oops</h1><p>no\nmore", "Oops no more"), ("<TITLE></TITLE><p>a", "a"),
      ("a < b", "a < b"), ("<", ""),
    ])
  func errorPage(body: String, reason: String) async {
    server.transport.script(Script.api("edit-tag"), .text(body, status: 500))
    let backend = server.googleReader
    await #expect(throws: AccountError.refused(status: 500, detail: reason)) {
      try await backend.edit(["1"], Self.read)
    }
  }

  // MARK: Fever's address

  private struct Fever {
    let transport = FixtureTransport()
    let backend: FeverBackend

    init() {
      backend = FeverBackend(
        "https://aggregator.example/fever", user: "ann",
        client: NetworkClient(transport: transport)
      ) { "pw" }
    }

    func api(_ query: String, slash: Bool = false) -> String {
      "https://aggregator.example/fever" + (slash ? "/" : "") + "?api" + query
    }
  }

  /// Miniflux has nothing at `/fever`.
  @Test("The address of the Fever API may end with a slash")
  func addressMayEndInSlash() async throws {
    let server = Fever()
    server.transport.handle { _ in .text("Not Found", status: 404) }
    let yes = FixtureTransport.Reply.text(#"{"auth":1,"groups":[],"unread_item_ids":"7"}"#)
    server.transport.script(server.api("&groups", slash: true), yes)
    server.transport.script(server.api("&unread_item_ids", slash: true), yes)
    try await server.backend.signIn()
    #expect(try await server.backend.ids(.unread, after: nil).ids == ["7"])
    // The second call uses the found address.
    #expect(
      server.transport.requests.map(\.url) == [
        server.api("&groups"), server.api("&groups", slash: true),
        server.api("&unread_item_ids", slash: true),
      ])
  }

  @Test("A missing API is reported after the address with a slash was tried too")
  func slashIsTriedToo() async {
    let server = Fever()
    server.transport.handle { _ in .text("Not Found", status: 404) }
    await #expect(throws: AccountError.noSuchAPI(status: 404)) { try await server.backend.signIn() }
  }

  /// Other statuses redirect to a page for signing in by hand.
  @Test(
    "A redirect within the same server repeats the request with its body",
    arguments: [301, 307, 308])
  func redirectRepeatsBody(status: Int) async throws {
    let server = Fever()
    server.transport.script(
      server.api("&groups"), .status(status, headers: [("location", "/fever/?api&groups")]))
    server.transport.script(server.api("&groups", slash: true), .text(#"{"auth":1,"groups":[]}"#))
    try await server.backend.signIn()
    let sent = server.transport.requests
    #expect(sent.map(\.method) == [.post, .post])
    #expect(sent.map(\.body) == Array(repeating: sent.first?.body, count: 2))
  }
}
