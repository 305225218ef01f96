import SimulatedNetwork

/// Rules that need more than loopback addresses, tested over the fixture transport.
@Suite("The redirect policy") struct RedirectPolicyTests {
  let fixture = FixtureTransport()

  func answer(_ status: Int, to location: String, from address: String? = nil)
    -> FixtureTransport.Reply
  {
    var metrics = TransferMetrics()
    metrics.remoteAddress = address
    return .response(
      HTTPResponse(status: status, headers: [("location", location)], metrics: metrics))
  }

  @Test("A redirect from TLS to plain HTTP is refused if the request has credentials")
  func credentialsStayWithinTLS() async {
    fixture.script("https://me:pw@a.example/", answer(301, to: "http://a.example/"))
    let error = await failure(
      performing: HTTPRequest(url: "https://me:pw@a.example/"), over: fixture)
    #expect(error?.kind == .forbiddenRedirect)
    #expect(fixture.requests.count == 1)
  }

  @Test("Private addresses are denied only after a public one")
  func privateAfterPublicDenied() async throws {
    fixture.script("http://lan.example/", answer(302, to: "http://b.example/", from: "192.168.1.2"))
    fixture.script("http://b.example/", answer(302, to: "http://c.example/", from: "1.1.1.1"))
    fixture.script("http://c.example/", .text("<rss/>"))
    _ = try await NetworkClient(transport: fixture).perform(
      DocumentRequest(HTTPRequest(url: "http://lan.example/")))
    #expect(fixture.requests.map(\.privateAccess) == [.allowed, .allowed, .denied])
  }

  @Test(
    "A redirect is followed without credentials, except those of its own origin",
    arguments: [
      ("https://a.example/", 301, "http://a.example/", "http://a.example/"),
      ("http://a.example/", 302, "http://root:toor@b.example/x", "http://b.example/x"),
      ("http://me:pw@a.example/", 301, "/feed", "http://me:pw@a.example/feed"),
    ])
  func redirectedAddress(url: String, status: Int, location: String, next: String) async throws {
    fixture.script(url, answer(status, to: location))
    fixture.script(next, .text("<rss/>"))
    let answer = try await NetworkClient(transport: fixture).perform(
      DocumentRequest(HTTPRequest(url: url)))
    #expect(answer.permanentURL == (status == 301 ? next : nil))
    #expect(answer.finalURL == next.replacing("me:pw@", with: ""))
  }

  private static let post = HTTPRequest(
    method: .post, url: "http://a.example/", headers: [("Authorization", "secret")],
    body: Array("Passwd=x".utf8))

  @Test("A body is never sent to another origin") func sendsABodyToNoStranger() async throws {
    fixture.script("http://a.example/", answer(307, to: "http://b.example/"))
    #expect(await failure(performing: Self.post, over: fixture)?.kind == .forbiddenRedirect)
    fixture.script("http://a.example/", answer(302, to: "http://b.example/"))
    fixture.script("http://b.example/", .status(200))
    _ = try await NetworkClient(transport: fixture).follow(Self.post)
    let last = try #require(fixture.requests.last)
    #expect(last.method == .get)
    #expect(last.body == nil)
    #expect(last.headers.isEmpty)
  }

  @Test("A redirect without a target is the answer itself")
  func redirectWithoutTarget() async throws {
    fixture.script("http://a.example/", .status(302))
    let answer = try await NetworkClient(transport: fixture)
      .perform(DocumentRequest(HTTPRequest(url: "http://a.example/")))
    #expect(answer.status == 302)
  }
}
