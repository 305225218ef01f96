import SimulatedNetwork

private let now = Date(timeIntervalSince1970: 1_795_262_400)

@Suite("Cookies and the user's own headers") struct CookieTests {
  private static let file = """
    # Netscape HTTP Cookie File
    .example.org\tTRUE\t/\tFALSE\t0\tsession\tabc
    #HttpOnly_example.org\tFALSE\t/private\tTRUE\t1900000000\ttoken\tsecret
    example.org\tFALSE\t/\tFALSE\t1000\told\tgone
    other.example\tTRUE\t/\tFALSE\t0\telse\t1
    no cookie at all
    example.org\tFALSE\t/\tFALSE\t0\tbad\ta;b
    """

  @Test(
    "A cookie is sent to the hosts, paths and schemes that it is meant for",
    arguments: [
      ("https://example.org/private/feed", "token=secret; session=abc"),
      ("https://example.org/privately", "session=abc"),
      ("http://example.org/private/feed", "session=abc"),
      ("https://www.example.org/", "session=abc"),
      ("https://badexample.org/", nil), ("https://other.example.com/", nil),
      ("https://sub.other.example/x", "else=1"), ("file:///etc/passwd", nil),
    ] as [(String, String?)])
  func isSentWhereItIsMeant(url: String, header: String?) {
    let cookies = Cookie.file(Array(Self.file.utf8), at: now)
    #expect(cookies.map(\.name) == ["session", "token", "else"])
    #expect(Cookie.header(cookies, for: url) == header)
  }

  @Test("The user's own headers and cookies are sent only to the first host")
  func redirects() async throws {
    let transport = FixtureTransport()
    transport.script(
      "https://a.example/feed", .status(302, headers: [("location", "https://b.example/feed")]))
    transport.script("https://b.example/feed", .status(200))
    let identity = RequestIdentity(
      headers: "X-Key: 1\nAccept: text/xml",
      cookies: Cookie.file(
        Array("a.example\tFALSE\t/\tFALSE\t0\ta\t1\nb.example\tFALSE\t/\tFALSE\t0\tb\t2\n".utf8),
        at: now))
    _ = try await NetworkClient(transport: transport).perform(
      DocumentRequest(HTTPRequest(url: "https://a.example/feed", identity: identity)))
    let sent = transport.requests
    #expect(sent.map(\.url) == ["https://a.example/feed", "https://b.example/feed"])
    #expect(sent[0].headers.first { $0.name == "X-Key" }?.value == "1")
    #expect(sent[0].headers.filter { $0.name == "Accept" }.map(\.value) == ["text/xml"])
    #expect(sent[0].headers.first { $0.name == "Cookie" }?.value == "a=1")
    #expect(!sent[1].headers.contains { $0.name == "X-Key" })
    #expect(!sent[1].headers.contains { $0.name == "Cookie" })
  }

  /// Answers requests in this order; without a location, with the document.
  private func chain(
    _ hops: [(url: String, location: String?, cookie: String?)]
  ) -> FixtureTransport {
    let transport = FixtureTransport()
    let left = Mutex(hops[...])
    transport.handle { request in
      guard let hop = left.withLock({ $0.popFirst() }), hop.url == request.url else {
        return .status(404)
      }
      var headers = hop.location.map { [(name: "location", value: $0)] } ?? []
      if let cookie = hop.cookie { headers.append((name: "set-cookie", value: cookie)) }
      return .status(hop.location == nil ? 200 : 302, headers: headers)
    }
    return transport
  }

  @Test("A cookie that a redirect sets is sent to its host until the end of the chain")
  func cookieOfTheChain() async throws {
    let here = "https://a.example/feed"
    let transport = chain([
      (here, "https://www.a.example/consent", "token=1; Domain=.a.example; Secure"),
      ("https://www.a.example/consent", "https://b.example/", "own=2; Path=/; HttpOnly"),
      ("https://b.example/", here, nil), (here, nil, nil),
    ])
    _ = try await NetworkClient(transport: transport).follow(HTTPRequest(url: here))
    let sent = transport.requests.map { request in
      request.headers.first { $0.name == "Cookie" }?.value
    }
    #expect(sent == [nil, "token=1", nil, "token=1"])
  }

  @Test(
    "A cookie for another host, without a value or with control characters is not sent",
    arguments: [
      "a=1; Domain=b.example", "a=1; Domain=example", "a", "=1", "a=1\u{1}", "a=1; Path=/other",
    ])
  func uselessCookie(cookie: String) async throws {
    let here = "https://a.example/feed"
    let transport = chain([(here, "/next", cookie), ("https://a.example/next", nil, nil)])
    _ = try await NetworkClient(transport: transport).follow(HTTPRequest(url: here))
    #expect(transport.requests.last?.headers.contains { $0.name == "Cookie" } == false)
  }

  @Test("A redirect to an address already visited is followed once after a cookie was set")
  func loopWithCookie() async throws {
    let here = "https://a.example/feed"
    let once = chain([(here, here, "seen=1"), (here, nil, nil)])
    _ = try await NetworkClient(transport: once).follow(HTTPRequest(url: here))
    #expect(once.requests.count == 2)
    let loop = chain([(here, here, "seen=1"), (here, here, "seen=2"), (here, nil, nil)])
    let error = await failure(performing: HTTPRequest(url: here), over: loop)
    #expect(error?.kind == .tooManyRedirects)
    #expect(loop.requests.count == 2)
  }

  @Test("A redirect from TLS to plain HTTP is refused if the request has the user's own headers")
  func staysInTLS() async {
    let transport = FixtureTransport()
    transport.script(
      "https://a.example/feed", .status(302, headers: [("location", "http://a.example/feed")]))
    await #expect(throws: TransportError.self) {
      try await NetworkClient(transport: transport).perform(
        DocumentRequest(
          HTTPRequest(
            url: "https://a.example/feed", identity: RequestIdentity(headers: "X-Key: 1"))))
    }
    #expect(transport.requests.count == 1)
  }
}
