import Foundation

@testable import RemoteAccounts

@Suite("The Google Reader API") struct GoogleReaderTests {
  let server = Script.signedIn()

  @Test("Signing in reads all after the first equals sign, and sends no secret in an address")
  func signInReadsWholeToken() async throws {
    server.transport.script(
      Script.api("subscription/list?output=json"), .text(#"{"subscriptions":[]}"#))
    let backend = server.googleReader
    try await backend.signIn()
    #expect(try await backend.subscriptions() == [])
    let last = try #require(server.transport.requests.last)
    #expect(last.headers.contains { $0 == ("Authorization", "GoogleLogin auth=ann/4=2") })
    #expect(server.bodies("ClientLogin").first?.contains("Passwd=se%3Dcret%26") == true)
    // The secret is in no address.
    #expect(server.transport.requests.allSatisfy { !$0.url.contains("se=cret") })
  }

  @Test(
    "A failed sign-in is reported with its reason",
    arguments: [
      (FixtureTransport.Reply.text("Unauthorized!", status: 401), AccountError.wrongCredentials),
      (.text("Error=BadAuthentication", status: 400), .wrongCredentials),
      (.text("Not Found", status: 404), .noSuchAPI(status: 404)),
      (.text("<html>Welcome</html>"), .noSuchAPI(status: 200)),
      (.text("Service Unavailable!\n", status: 503), .noSuchAPI(status: 503)),
      (
        .text("", status: 503, headers: [("retry-after", "90")]), .busy(status: 503, retryAfter: 90)
      ),
      (
        // Independent of the local clock.
        .text(
          "", status: 429,
          headers: [
            ("date", "Wed, 21 Oct 2015 07:28:00 GMT"),
            ("retry-after", "Wed, 21 Oct 2015 07:29:30 GMT"),
          ]), .busy(status: 429, retryAfter: 90)
      ),
      (.text("it\u{1B}[31m broke\n", status: 500), .refused(status: 500, detail: "it [31m broke")),
      (.failure(TransportError(.offline)), .transport(TransportError(.offline))),
    ])
  func signingInFailsForAReason(reply: FixtureTransport.Reply, error: AccountError) async {
    let server = Script()
    server.transport.script(Script.login, reply)
    await #expect(throws: error) { try await server.googleReader.signIn() }
  }

  @Test("Subscriptions are read with ids of any form") func subscriptionIDForms() async throws {
    server.transport.script(
      Script.api("subscription/list?output=json"),
      .text(
        """
        {"subscriptions":[
          {"id":"feed/2","title":"Beta ＆ co","url":"https://b.example/feed","htmlUrl":"https://b.example/",
           "categories":[{"id":"user/-/label/News & Views","label":"News & Views"}]},
          {"id":7,"title":"Seven","url":"https://s.example/","categories":[{"id":"user/1/label/x/y"}]},
          {"id":"feed/https://old.example/rss","title":null},
          {"id":"feed/8","title":2024,"url":"https://n.example/","categories":[3,{"id":9},{"label":7}]},
          {"title":"no key"}, 3
        ]}
        """))
    let all = try await server.googleReader.subscriptions()
    #expect(all.map(\.id) == ["feed/2", "7", "feed/https://old.example/rss", "feed/8"])
    #expect(all.map(\.folders) == [["News & Views"], ["x/y"], [], ["7"]])
    #expect(all[2].url == "https://old.example/rss")
  }

  @Test("A walk over ids ends at a repeated continuation")
  func repeatedTokenEndsWalk() async throws {
    server.transport.handle { request in
      request.url.contains("&c=")
        ? .text(#"{"itemRefs":[{"id":3}],"continuation":"c1"}"#)
        : .text(#"{"itemRefs":[{"id":"1"},{"id":"2"}],"continuation":"c1"}"#)
    }
    let backend = server.googleReader
    let first = try await backend.ids(.unread, after: nil)
    #expect(first == RemotePage(ids: ["1", "2"], continuation: "c1"))
    #expect(try await backend.ids(.unread, after: "c1") == RemotePage(ids: ["3"], isCircular: true))
    let asked = try #require(server.transport.requests.last?.url)
    #expect(asked.contains("xt=user%2F-%2Fstate%2Fcom.google%2Fread"))
    #expect(asked.contains("output=json") && asked.contains("n=1000"))
  }

  @Test(
    "An id has a decimal and a long form",
    arguments: [
      ("1795230570237225", "tag:google.com,2005:reader/item/000660c0b06dcd29"),
      ("-1", "tag:google.com,2005:reader/item/ffffffffffffffff"),
      ("5254b0e0c5d1e0a8e3000012", "tag:google.com,2005:reader/item/5254b0e0c5d1e0a8e3000012"),
    ])
  func keysHaveTwoForms(canonical: String, long: String) {
    #expect(GoogleReaderID.long(canonical) == long)
    #expect(GoogleReaderID.canonical(long) == canonical)
    #expect(GoogleReaderID.canonical(canonical) == canonical)
  }

  /// Ids without leading zeros or without the prefix.
  @Test(
    "Ids are read in any form",
    arguments: [
      ("tag:google.com,2005:reader/item/1f", "31"), ("000000000000001f", "31"),
      ("0000000000000010", "16"), ("ffffffffffffffff", "-1"),
      ("1795230570237225", "1795230570237225"),
      ("1795230570237", "1795230570237"),
      ("18446744073709551615", "-1"), ("9223372036854775808", "-9223372036854775808"),
    ])
  func idsOfAnyFormAreRead(text: String, canonical: String) {
    #expect(GoogleReaderID.canonical(text) == canonical)
  }

  @Test("Articles have states, tags, labels and enclosures")
  func articlesHaveTheirStates() async throws {
    server.transport.script(
      Script.api("stream/items/contents"),
      .text(
        """
        {"items":[{"id":"tag:google.com,2005:reader/item/0000000000000010","published":1795230567,
          "title":"T","canonical":[{"href":"https://b.example/0"}],
          "categories":["user/1005/state/com.google/read","user/-/label/Later","cat0"],
          "origin":{"streamId":"feed/2"},"content":{"content":"<p>long"},"summary":{"content":"short"},
          "enclosure":[{"url":"https://b.example/0.mp3","type":"audio/mpeg","length":"12"}],"author":""}]}
        """))
    let items = try await server.googleReader.items(["16"])
    #expect(
      items == [
        RemoteArticle(
          item: ParsedItem(
            id: "16", url: "https://b.example/0", title: "T", contentHTML: "<p>long",
            datePublished: Date(timeIntervalSince1970: 1_795_230_567), tags: ["cat0"],
            enclosures: [
              Enclosure(url: "https://b.example/0.mp3", mimeType: "audio/mpeg", size: 12)
            ]),
          feed: "feed/2", isRead: true, isStarred: false, labels: ["Later"])
      ])
    #expect(
      server.bodies("items/contents") == [
        "T=tok1&output=json&i=tag%3Agoogle.com%2C2005%3Areader%2Fitem%2F0000000000000010"
      ])
  }

  private static let subscriptions = """
    {"subscriptions":[
      {"id":"feed/1","title":"A","url":"https://a.example/","sortid":"000000A1",
       "categories":[{"id":"user/-/label/News","label":"News"}]},
      {"id":"feed/2","title":"B","url":"https://b.example/","sortid":"000000a2",
       "categories":[{"id":"user/-/label/News","label":"News"}]},
      {"id":"feed/3","title":"C","url":"https://c.example/","sortid":"000000A3",
       "categories":[{"id":"user/-/label/Art","label":"Art"}]},
      {"id":"feed/4","title":"D","url":"https://d.example/","sortid":"000000A4","categories":[]}
    ]}
    """
  private static let tags = """
    {"tags":[{"id":"user/-/state/com.google/starred"},
      {"id":"user/1005/label/News","type":"folder","sortid":"000000F1"},
      {"id":"user/-/label/Art","sortid":"000000F2"},
      {"id":"user/-/label/To read","type":"tag","unread_count":3},{"id":"user/-/label/Later"},
      {"id":"user/-/label/Later"},{"id":"user/-/label/A search","type":"active_search"},{"x":1}]}
    """

  @Test("Labels are distinguished from folders, and subscriptions are in the user's order")
  func tree() async throws {
    server.transport.script(Script.api("subscription/list?output=json"), .text(Self.subscriptions))
    server.transport.script(Script.api("tag/list?output=json&types=1"), .text(Self.tags))
    server.transport.script(
      Script.api("preference/stream/list?output=json"),
      .text(
        """
        {"streamprefs":{"user/1005/state/com.google/root":
            [{"id":"is-expanded","value":"true"},
             {"id":"subscription-ordering","value":"000000F2000000F1000000A4"}],
          "user/-/label/News":[{"id":"subscription-ordering","value":"000000A2000000a1000"}],
          "user/-/label/Art":[]}}
        """))
    let tree = try await server.googleReader.tree()
    #expect(tree.labels == ["To read", "Later"])
    #expect(tree.isArranged)
    #expect(tree.subscriptions.map(\.title) == ["D", "C", "B", "A"])
  }

  @Test(
    "A server without labels or an order still returns its subscriptions",
    arguments: ["[]", "{}", "<html>", "{\"tags\":[],\"streamprefs\":[]}"], [200, 400, 404, 500])
  func noTree(answer: String, status: Int) async throws {
    server.transport.script(Script.api("subscription/list?output=json"), .text(Self.subscriptions))
    for call in ["tag/list?output=json&types=1", "preference/stream/list?output=json"] {
      server.transport.script(Script.api(call), .text(answer, status: status))
    }
    let tree = try await server.googleReader.tree()
    #expect(tree.labels == nil && !tree.isArranged)
    #expect(tree.subscriptions.map(\.title) == ["A", "B", "C", "D"])
  }

  @Test("A label is sent in the server's spelling") func label() async throws {
    server.transport.script(Script.api("edit-tag"), .text("OK"))
    try await server.googleReader.edit(["1"], RemoteEdit(.label("To read & more"), isSet: true))
    let body = try #require(server.bodies("edit-tag").first)
    #expect(body.hasPrefix("T=tok1&a=user%2F-%2Flabel%2FTo%20read%20%26%20more&i="))
  }

  @Test("An edit names its single action before the ids") func editNamesActionFirst() async throws {
    server.transport.script(Script.api("edit-tag"), .text("OK"))
    try await server.googleReader.edit(["1", "2"], RemoteEdit(.starred, isSet: false))
    let body = try #require(server.bodies("edit-tag").first)
    #expect(body.hasPrefix("T=tok1&r=user%2F-%2Fstate%2Fcom.google%2Fstarred&i="))
    #expect(body.components(separatedBy: "&i=").count == 3)
    let request = try #require(server.transport.requests.last)
    #expect(request.headers.contains { $0.name == "Authorization" })
  }

  @Test("Articles marked unread are tagged as kept unread, until the server refuses the tag")
  func keptUnread() async throws {
    server.transport.script(
      Script.api("edit-tag"), .text("OK"), .text("OK"), .text("OK"),
      .text("Bad Request!", status: 400), .text("OK"))
    let backend = server.googleReader
    try await backend.edit(["1"], RemoteEdit(.read, isSet: false))
    try await backend.edit(["2"], RemoteEdit(.read, isSet: false))
    try await backend.edit(["3"], RemoteEdit(.read, isSet: false))
    let actions = server.bodies("edit-tag").map {
      $0.replacing("user%2F-%2Fstate%2Fcom.google%2F", with: "").components(separatedBy: "&i=")[0]
    }
    let kept = "T=tok1&a=tracking-kept-unread&a=kept-unread"
    #expect(actions == ["T=tok1&r=read", kept, "T=tok1&r=read", kept, "T=tok1&r=read"])
  }

  @Test("Articles that become read are not tagged as kept unread")
  func notKeptUnread() async throws {
    server.transport.script(Script.api("edit-tag"), .text("OK"), .text("OK"))
    try await server.googleReader.edit(["1"], RemoteEdit(.read, isSet: true))
    try await server.googleReader.edit(["1"], RemoteEdit(.starred, isSet: false))
    #expect(server.bodies("edit-tag").count == 2)
  }

  @Test("A folder is renamed and removed by one call, and a web page is not accepted as the answer")
  func folders() async throws {
    server.transport.script(Script.api("rename-tag"), .text("OK"), .text("<p>Please sign in"))
    server.transport.script(
      Script.api("disable-tag"), .text("Bad Request!", status: 400), .text("<p>Please sign in"))
    let backend = server.googleReader
    try await backend.edit(.renameFolder("News & more", to: "Science"))
    #expect(
      server.bodies("rename-tag")
        == ["T=tok1&s=user%2F-%2Flabel%2FNews%20%26%20more&dest=user%2F-%2Flabel%2FScience"])
    // A folder that does not exist counts as removed.
    try await backend.edit(.removeFolder("Old"))
    #expect(server.bodies("disable-tag") == ["T=tok1&s=user%2F-%2Flabel%2FOld"])
    await #expect(throws: AccountError.noSuchAPI(status: 200)) {
      try await backend.edit(.renameFolder("Science", to: "Arts"))
    }
    await #expect(throws: AccountError.noSuchAPI(status: 200)) {
      try await backend.edit(.removeFolder("Old"))
    }
  }

  @Test("An expired token is renewed before the session") func tokenIsRenewedFirst() async throws {
    server.transport.script(Script.api("token?output=json"), .text("tok1"), .text("tok2"))
    server.transport.script(
      Script.api("edit-tag"), .text("Unauthorized!", status: 401), .text("OK"))
    try await server.googleReader.edit(["1"], RemoteEdit(.read, isSet: true))
    #expect(server.bodies("edit-tag").map { $0.prefix(6) } == ["T=tok1", "T=tok2"])
    #expect(server.bodies("ClientLogin").count == 1)
  }

  @Test("A request rejected in a new session is retried later, and the password counts as right")
  func rejectedInNewSession() async throws {
    server.transport.script(Script.api("edit-tag"), .text("Unauthorized!", status: 401))
    let backend = server.googleReader
    await #expect(throws: AccountError.busy(status: 403, retryAfter: nil)) {
      try await backend.edit(["1"], RemoteEdit(.read, isSet: true))
    }
    #expect(server.bodies("ClientLogin").count == 2)
    #expect(server.bodies("edit-tag").count == 3)
  }

  /// Servers lock accounts after repeated wrong passwords.
  @Test("A refused password is sent only once") func refusedPasswordSentOnce() async {
    let server = Script()
    server.transport.script(Script.login, .text("Unauthorized!", status: 401))
    let backend = server.googleReader
    await #expect(throws: AccountError.wrongCredentials) { try await backend.subscriptions() }
    #expect(server.bodies("ClientLogin").count == 1)
    await #expect(throws: AccountError.wrongCredentials) {
      try await backend.edit(["1"], RemoteEdit(.read, isSet: true))
    }
    #expect(server.bodies("ClientLogin").count == 2)
  }

  @Test("A token is used as a whole, and one that is too long is an error")
  func aTokenIsTakenAsAWhole() async throws {
    let server = Script()
    let token = String(repeating: "0123456789", count: 20)
    server.signsIn(token: .text("\n" + token + "\r\n"))
    server.transport.script(Script.api("edit-tag"), .text("OK"))
    try await server.googleReader.edit(["1"], RemoteEdit(.read, isSet: true))
    #expect(server.bodies("edit-tag").first?.hasPrefix("T=\(token)&") == true)
    server.signsIn(token: .text(String(repeating: "0", count: 5_000)))
    let backend = server.googleReader
    await #expect(throws: AccountError.unusable(detail: String(repeating: "0", count: 120))) {
      try await backend.edit(["1"], RemoteEdit(.read, isSet: true))
    }
  }

  /// A request to another origin has no secrets, so its answer does not count.
  @Test("A redirect to another origin is reported as a move of the server")
  func otherOriginIsReported() async {
    let server = Script()
    server.transport.script(
      Script.login,
      .text("", status: 301, headers: [("location", "https://elsewhere.example/x?y=1")]))
    server.transport.script("https://elsewhere.example/x?y=1", .text("Unauthorized!", status: 401))
    await #expect(throws: AccountError.moved(to: "https://elsewhere.example")) {
      try await server.googleReader.signIn()
    }
  }

  @Test(
    "HTTPS is used if the server redirects to it",
    arguments: [
      ("https://rss.example/", "https://rss.example/api"),
      ("https://rss.example:8443/login", "https://rss.example:8443/api"),
      ("https://elsewhere.example/", nil), ("http://rss.example/login", nil),
    ])
  func httpsIsUsedIfRedirected(target: String, address: String?) async throws {
    let transport = FixtureTransport()
    transport.script(
      "http://rss.example/api", .text("", status: 308, headers: [("location", target)]))
    transport.script(target, .text("Hello"))
    let client = NetworkClient(transport: transport)
    #expect(try await client.encryptedAddress(of: "http://rss.example/api") == address)
    #expect(transport.requests.allSatisfy { $0.method == .get && $0.body == nil })
  }

  /// The session is valid: the feed is missing, not the API.
  @Test("A 404 for a subscription does not mean a missing API")
  func missingFeedIsNoAPIError() async {
    server.transport.script(Script.api("subscription/edit"), .text("Not Found", status: 404))
    await #expect(throws: AccountError.refused(status: 404, detail: "Not Found")) {
      try await server.googleReader.edit(.rename("feed/2", to: "x"))
    }
  }

  @Test("Unsubscribing twice succeeds") func goneTwiceIsGone() async throws {
    server.transport.script(
      Script.api("subscription/edit"), .text("OK"), .text("Bad Request!", status: 400))
    let backend = server.googleReader
    try await backend.edit(.unsubscribe("feed/2"))
    try await backend.edit(.unsubscribe("feed/2"))
    #expect(server.bodies("subscription/edit")[1].contains("ac=unsubscribe&s=feed%2F2"))
    await #expect(throws: AccountError.refused(status: 400, detail: "Bad Request!")) {
      try await backend.edit(.rename("feed/2", to: "x"))
    }
  }

  @Test("Subscribing again succeeds, and finding no feed fails")
  func resubscribingSucceeds() async throws {
    server.transport.script(
      Script.api("subscription/quickadd"),
      .text(#"{"numResults":0,"error":"Already subscribed! https://x.example/"}"#),
      .text(#"{"numResults":0,"error":"No feed"}"#),
      .text(#"{"numResults":1,"streamId":"feed/9"}"#))
    server.transport.script(Script.api("subscription/edit"), .text("OK"))
    let backend = server.googleReader
    try await backend.subscribe(url: "https://x.example/", title: nil, folder: nil)
    await #expect(throws: AccountError.refused(status: 400, detail: "No feed")) {
      try await backend.subscribe(url: "https://y.example/", title: nil, folder: nil)
    }
    try await backend.subscribe(url: "https://z.example/", title: "Z", folder: "F & G")
    #expect(
      server.bodies("subscription/edit") == [
        "T=tok1&ac=edit&s=feed%2F9&t=Z",
        "T=tok1&ac=edit&s=feed%2F9&a=user%2F-%2Flabel%2FF%20%26%20G",
      ])
  }

  @Test(
    "A damaged answer is a failure",
    arguments: [#"{"items":[{"id""#, "[]", "", "\u{1}\u{2}", #"{"items":3}"#])
  func aDamagedAnswerIsAFailure(body: String) async {
    server.transport.script(Script.api("stream/items/contents"), .text(body))
    let backend = server.googleReader
    await #expect {
      _ = try await backend.items(["1"])
    } throws: { error in
      if case AccountError.unusable = error { true } else { false }
    }
  }
}
