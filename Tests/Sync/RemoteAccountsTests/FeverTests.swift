import Foundation
import Synchronization

@testable import RemoteAccounts

@Suite("The Fever API") struct FeverTests {
  let server = Script()

  /// RFC 1321, A.5.
  @Test(
    "MD5 digests match the examples of the RFC",
    arguments: [
      ("", "d41d8cd98f00b204e9800998ecf8427e"),
      ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
      (
        "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
        "57edf4a22be3c955ac49da2e2107b67a"
      ),
    ])
  func digests(text: String, hex: String) { #expect(MD5.hex(text) == hex) }

  private static let base = "https://aggregator.example/api.php?api"

  private func backend(_ server: Script) -> FeverBackend {
    FeverBackend(Script.base, user: "ann", client: server.client) { "pw" }
  }

  @Test("The API key is the digest of user and password") func keyIsADigest() async throws {
    server.transport.script(
      Self.base + "&groups", .text(#"{"api_version":3,"auth":1,"groups":[]}"#))
    try await backend(server).signIn()
    #expect(server.bodies("groups") == ["api_key=" + MD5.hex("ann:pw")])
  }

  @Test("FreshRSS's full-width characters are converted back over Fever too")
  func freshRSSText() async throws {
    let base = "https://aggregator.example/api/fever.php"
    let fever = FeverBackend(base, user: "ann", client: server.client) { "pw" }
    server.transport.script(
      base + "?api&groups", .text(#"{"auth":1,"groups":[{"id":1,"title":"R＆D"}]}"#))
    server.transport.script(
      base + "?api&feeds",
      .text(
        """
        {"auth":1,"feeds":[{"id":1,"title":"Q＆A","url":"https://a.example/"}],
         "feeds_groups":[{"group_id":1,"feed_ids":"1"}]}
        """))
    server.transport.script(
      base + "?api&items&with_ids=1",
      .text(#"{"auth":1,"items":[{"id":1,"title":"a ＜ b","author":"Ann ＆ Bob"}]}"#))
    let feed = try #require(try await fever.subscriptions().first)
    #expect(feed.title == "Q&A")
    #expect(feed.folders == ["R&D"])
    let item = try #require(try await fever.items(["1"]).first)
    #expect(item.item.title == "a < b")
    #expect(item.item.authors == [Author(name: "Ann & Bob")])
  }

  @Test("A 403 does not count as a wrong password") func forbidden() async {
    server.transport.script(Self.base + "&groups", .text("no", status: 403))
    await #expect(throws: AccountError.busy(status: 403, retryAfter: nil)) {
      try await backend(server).signIn()
    }
  }

  @Test("An answer with status 200 can reject the key") func wrongKeyWithStatus200() async {
    server.transport.script(Self.base + "&groups", .text(#"{"api_version":3,"auth":0}"#))
    await #expect(throws: AccountError.wrongCredentials) { try await backend(server).signIn() }
  }

  @Test("A page that is not an API is reported as such") func nonAPIPageIsReported() async {
    server.transport.script(
      Self.base + "&groups",
      .text("<!doctype html>", headers: [("content-type", "text/html")]))
    await #expect(throws: AccountError.noSuchAPI(status: 200)) {
      try await backend(server).signIn()
    }
  }

  @Test("Feeds are assigned to their groups") func feedsKnowTheirGroups() async throws {
    server.transport.script(
      Self.base + "&groups", .text(#"{"auth":1,"groups":[{"id":2,"title":"News"}]}"#))
    server.transport.script(
      Self.base + "&feeds",
      .text(
        """
        {"auth":"1","feeds":[{"id":1,"title":"A","url":"https://a.example/f","site_url":"https://a.example/"},
        {"id":"5","title":"B","url":"https://b.example/f"}],"feeds_groups":[{"group_id":2,"feed_ids":"5, 9"}]}
        """))
    let all = try await backend(server).subscriptions()
    #expect(all.map(\.id) == ["1", "5"])
    #expect(all.map(\.folders) == [[], ["News"]])
  }

  @Test("Ids come newest first, and states are sent one by one")
  func newestKeysComeFirst() async throws {
    server.transport.script(
      Self.base + "&unread_item_ids", .text(#"{"auth":1,"unread_item_ids":"7,8,9"}"#))
    server.transport.script(Self.base, .text(#"{"auth":1}"#))
    let backend = backend(server)
    #expect(try await backend.ids(.unread, after: nil) == RemotePage(ids: ["9", "8", "7"]))
    try await backend.edit(["7", "8"], RemoteEdit(.starred, isSet: false))
    #expect(
      server.bodies("?api").suffix(2).map {
        $0.split(separator: "&").dropFirst().joined(separator: "&")
      }
        == ["mark=item&as=unsaved&id=7", "mark=item&as=unsaved&id=8"])
  }

  /// Without a list in the answer, nothing is unsubscribed or marked read.
  @Test("An answer without a list is an error, not an empty list")
  func missingListIsAnError() async {
    for query in ["&groups", "&feeds", "&unread_item_ids", "&saved_item_ids"] {
      server.transport.script(Self.base + query, .text(#"{"auth":1}"#))
    }
    let backend = backend(server)
    let unusable = AccountError.unusable(detail: #"{"auth":1}"#)
    await #expect(throws: unusable) { try await backend.signIn() }
    await #expect(throws: unusable) { try await backend.ids(.unread, after: nil) }
    await #expect(throws: unusable) { try await backend.ids(.starred, after: nil) }
    server.transport.script(Self.base + "&groups", .text(#"{"auth":1,"groups":[]}"#))
    await #expect(throws: unusable) { try await backend.subscriptions() }
  }

  /// coldsweat answers 404 for an article that it has deleted, as does a server without this API.
  @Test("A missing article is not taken for a missing API") func goneArticleIsNoAPIError() async {
    server.transport.script(Self.base, .text("Not Found", status: 404))
    server.transport.script(Self.base + "&groups", .text(#"{"auth":1,"groups":[]}"#))
    let backend = backend(server)
    await #expect(throws: AccountError.refused(status: 404, detail: "")) {
      try await backend.edit(["7"], RemoteEdit(.read, isSet: true))
    }
    server.transport.script(Self.base + "&groups", .text("Not Found", status: 404))
    await #expect(throws: AccountError.noSuchAPI(status: 404)) {
      try await backend.edit(["7"], RemoteEdit(.read, isSet: true))
    }
  }

  @Test("The password is requested once, and again only if its key is refused")
  func keyIsKept() async throws {
    let asked = Mutex(0)
    let backend = FeverBackend(Script.base, user: "ann", client: server.client) { () in
      asked.withLock {
        $0 += 1
        return "password \(min($0, 2))"
      }
    }
    server.transport.script(
      Self.base + "&unread_item_ids", .text(#"{"auth":1,"unread_item_ids":""}"#))
    for _ in 0..<3 { _ = try await backend.ids(.unread, after: nil) }
    #expect(asked.withLock { $0 } == 1)
    server.transport.script(Self.base + "&unread_item_ids", .text(#"{"auth":0}"#))
    for count in [2, 3] {
      await #expect(throws: AccountError.wrongCredentials) {
        try await backend.ids(.unread, after: nil)
      }
      #expect(asked.withLock { $0 } == count)
    }
  }

  @Test("Articles have the server's states") func articlesCarryTheirStates() async throws {
    server.transport.script(
      Self.base + "&items&with_ids=1,2",
      .text(
        """
        {"auth":1,"items":[{"id":"1","feed_id":3,"title":"T","author":"","html":"<p>x","url":"https://a.example/1",
        "is_saved":0,"is_read":1,"created_on_time":1795144167},{"nothing":1}]}
        """))
    let items = try await backend(server).items(["1", "2"])
    #expect(items.map(\.feed) == ["3"])
    #expect(items.first?.isRead == true && items.first?.isStarred == false)
    #expect(items.first?.item.datePublished == Date(timeIntervalSince1970: 1_795_144_167))
  }
}
