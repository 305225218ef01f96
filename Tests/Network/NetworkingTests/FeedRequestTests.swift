@Suite("Requests for feeds") final class FeedRequestTests: OriginSuite {
  let client = NetworkClient(transport: sharedTransport)
  let body = Array("<rss><channel/></rss>".utf8)
  let etag = "W/\"a-é\\x\" odd;"
  let lastModified = "Sun, 06 Nov 1994 08:49:37 GMT (as written)"

  @Test("Validators are sent back byte for byte, and a 304 means not modified")
  func validatorsAreSentBack() async throws {
    // Latin-1, neither ASCII nor UTF-8: é is the one byte 0xE9.
    let raw = Array("HTTP/1.1 200 OK\r\nETag: W/\"".utf8) + [0xE9] + Array("\\x\" odd;\r\n".utf8)
    let rest = "Last-Modified: \(lastModified)\r\nContent-Length: 5\r\n\r\n<rss>"
    origin.on("/feed") { request in
      request.header("If-None-Match") == nil
        ? Reply(steps: [.bytes(raw + Array(rest.utf8))]) : .status(304)
    }
    let url = origin.url("/feed")
    let first = try await client.perform(DocumentRequest(HTTPRequest(url: url)))
    #expect(first.status == 200)
    #expect(first.body == Array("<rss>".utf8))
    #expect(origin.log[0].header("If-None-Match") == nil)
    #expect(origin.log[0].header("If-Modified-Since") == nil)
    let validators = try #require(first.validators)
    let second = try await client.perform(
      DocumentRequest(HTTPRequest(url: url), validators: validators, validatorsURL: first.finalURL))
    #expect(second.isCurrent)
    #expect(origin.log[1].header("If-None-Match") == "W/\"\u{E9}\\x\" odd;")
    #expect(origin.log[1].header("If-Modified-Since") == lastModified)
    #expect(second.validators == validators)
  }

  @Test("A 304 updates the stored validators and hints")
  func storesWhatA304GivesAnew() async throws {
    origin.on("/", .status(304, headers: [("ETag", "\"new\""), ("Cache-Control", "max-age=7200")]))
    let answer = try await client.perform(
      DocumentRequest(
        HTTPRequest(url: origin.url("/")),
        validators: Validators(etag: "\"old\"", lastModified: "then")))
    #expect(answer.validators == Validators(etag: "\"new\"", lastModified: "then"))
    #expect(answer.hints.freshFor == 7_200)
  }

  @Test("A Last-Modified later than the answer's own date is not stored")
  func futureIsNoValidator() {
    func stored(_ date: String?) -> String? {
      let headers = [(name: "last-modified", value: "Sat, 16 Nov 2041 19:11:00 GMT")]
      return Validators(
        of: HTTPResponse(status: 200, headers: headers + (date.map { [("date", $0)] } ?? []))
      ).lastModified
    }
    #expect(stored("Sat, 28 Nov 2026 10:00:00 GMT") == nil)
    #expect(stored("Sat, 16 Nov 2041 19:11:00 GMT") != nil)
    #expect(stored(nil) != nil)
  }

  @Test("Validators of unusable answers are not stored")
  func unusableGivesNoValidator() async throws {
    let headers = [("ETag", "\"x\"")]
    origin.on("/empty", .answer("", headers: headers))
    origin.on("/missing", .answer("no", status: 404, headers: headers))
    origin.on("/control", .answer("x", headers: [("ETag", "\"a\u{1}\"")]))
    for path in ["/empty", "/missing"] {
      let answer = try await client.perform(DocumentRequest(HTTPRequest(url: origin.url(path))))
      #expect(answer.validators == nil, "\(path)")
    }
    let control = try await client.perform(
      DocumentRequest(HTTPRequest(url: origin.url("/control"))))
    #expect(control.validators == Validators())
  }

  @Test("A 304 to an unconditional request counts as a refusal")
  func unasked304IsARefusal() async throws {
    origin.on("/", .status(304))
    let answer = try await client.perform(DocumentRequest(HTTPRequest(url: origin.url("/"))))
    #expect(answer.status == 304 && !answer.isCurrent)
  }

  @Test("A request that denies private networks does not enter one")
  func privateNetworkIsDenied() async throws {
    origin.on("/", .answer(body))
    let error = await failure(performing: HTTPRequest(url: origin.url("/"), privateAccess: .denied))
    #expect(error?.kind == .forbiddenAddress)
    #expect(origin.log.isEmpty)
  }

  @Test(
    "Every error status is returned with its body and hints",
    arguments: [404, 410, 429, 500, 503, 403])
  func statusesHaveHints(_ status: Int) async throws {
    origin.on(
      "/", .answer("<html>", status: status, type: "text/html", headers: [("Retry-After", "120")]))
    let answer = try await client.perform(DocumentRequest(HTTPRequest(url: origin.url("/"))))
    #expect(answer.status == status)
    #expect(answer.body == Array("<html>".utf8))
    #expect(answer.contentType == "text/html")
    #expect(answer.hints.retryAfter == 120)
    #expect(answer.validators == nil)
  }

  // MARK: Redirects

  @Test("Five redirects are followed, and a sixth is not")
  func followsFiveRedirects() async throws {
    for hop in 0..<6 { origin.on("/\(hop)", .redirect(302, to: "\(hop + 1)")) }
    origin.on("/6", .answer(body))
    let answer = try await client.perform(DocumentRequest(HTTPRequest(url: origin.url("/1"))))
    #expect(answer.finalURL == origin.url("/6"))
    #expect(answer.permanentURL == nil)
    #expect(answer.metrics.bytesReceived > 500)
    let error = await failure(performing: HTTPRequest(url: origin.url("/0")))
    #expect(error?.kind == .tooManyRedirects)
    #expect(origin.log.count == 6 + 6)
  }

  @Test("A redirect loop ends with an error") func endsALoop() async throws {
    origin.on("/a", .redirect(301, to: "/b"))
    origin.on("/b", .redirect(301, to: "/a#x"))
    let error = await failure(performing: HTTPRequest(url: origin.url("/a")))
    #expect(error?.kind == .tooManyRedirects)
    #expect(origin.log.count == 2)
  }

  @Test(
    "Only a chain of permanent redirects is permanent",
    arguments: [
      ([301], true), ([308], true), ([301, 308], true), ([302], false), ([303], false),
      ([307], false), ([301, 302], false), ([302, 301], false),
    ])
  func permanentChain(_ statuses: [Int], _ isPermanent: Bool) async throws {
    for (hop, status) in statuses.enumerated() {
      origin.on("/\(hop)", .redirect(status, to: "/\(hop + 1)"))
    }
    origin.on("/\(statuses.count)", .answer(body))
    let answer = try await client.perform(DocumentRequest(HTTPRequest(url: origin.url("/0"))))
    #expect(answer.finalURL == origin.url("/\(statuses.count)"))
    #expect(answer.isDetour != isPermanent)
    #expect(answer.permanentURL == (isPermanent ? answer.finalURL : nil))
  }

  @Test(
    "Redirects to other schemes are not followed",
    arguments: [
      "ftp://127.0.0.1/x", "file:///etc/passwd", "gopher://127.0.0.1:1/x", "javascript:1",
    ])
  func followsToNoOtherScheme(_ target: String) async throws {
    origin.on("/", .redirect(301, to: target))
    let error = await failure(performing: HTTPRequest(url: origin.url("/")))
    #expect(error?.kind == .forbiddenRedirect)
  }

  @Test("Validators are sent only to the address that gave them")
  func validatorsStayWithGiver() async throws {
    origin.on("/old", .redirect(302, to: "/new"))
    let body = self.body
    origin.on("/new") { .document(body, etag: "\"n\"", to: $0) }
    let url = origin.url("/old")
    let first = try await client.perform(DocumentRequest(HTTPRequest(url: url)))
    let second = try await client.perform(
      DocumentRequest(
        HTTPRequest(url: url), validators: first.validators ?? Validators(),
        validatorsURL: first.finalURL))
    #expect(second.isCurrent)
    #expect(origin.log.map { $0.header("If-None-Match") } == [nil, nil, nil, "\"n\""])
  }

  @Test("Credentials, referrers and cookies are not sent to other origins")
  func secretsStayWithOrigin() async throws {
    let home = try Origin()
    let stranger = try Origin()
    defer {
      home.stop()
      stranger.stop()
    }
    let credentials = Data("me:secret".utf8).base64EncodedString()
    home.on("/inside") { Reply.basic(credentials, to: $0, .redirect(302, to: "/further")) }
    home.on("/further") { Reply.basic(credentials, to: $0, .redirect(301, to: stranger.url("/"))) }
    stranger.on("/") { Reply.basic(credentials, to: $0, .answer("never", headers: [("X", "y")])) }
    let answer = try await client.perform(
      DocumentRequest(HTTPRequest(url: home.url("/inside", userInfo: "me:secret"))))
    #expect(answer.status == 401 && !answer.isCurrent)
    #expect(home.log.contains { $0.target == "/further" && $0.header("Authorization") != nil })
    #expect(stranger.log.count == 1)
    for request in stranger.log {
      #expect(request.header("Authorization") == nil)
      #expect(request.header("Referer") == nil)
      #expect(request.header("Cookie") == nil)
    }
    #expect(!answer.finalURL.contains("secret"))
  }
}
