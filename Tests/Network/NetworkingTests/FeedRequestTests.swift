import Foundation
import Networking
import SimulatedNetwork
import TestSupport
import Testing

@Suite("Requests for feeds") struct FeedRequestTests {
  let client = NetworkClient(transport: sharedTransport)
  let body = Array("<rss><channel/></rss>".utf8)
  let etag = "W/\"a-é\\x\" odd;"
  let lastModified = "Sun, 06 Nov 1994 08:49:37 GMT (as written)"

  @Test("Validators are sent back byte for byte, and a 304 means not modified")
  func validatorsAreSentBack() async throws {
    let origin = try Origin()
    defer { origin.stop() }
    // Latin-1, neither ASCII nor UTF-8: é is the one byte 0xE9.
    let raw = Array("HTTP/1.1 200 OK\r\nETag: W/\"".utf8) + [0xE9] + Array("\\x\" odd;\r\n".utf8)
    let rest = "Last-Modified: \(lastModified)\r\nContent-Length: 5\r\n\r\n<rss>"
    origin.on("/feed") { request in
      request.header("If-None-Match") == nil
        ? Reply(steps: [.bytes(raw + Array(rest.utf8))]) : .status(304)
    }
    let url = origin.url("/feed")
    let first = try await client.perform(FeedRequest(url: url))
    guard case .document(let body, _) = first.outcome else {
      Issue.record("\(first.outcome)")
      return
    }
    #expect(body == Array("<rss>".utf8))
    #expect(origin.log[0].header("If-None-Match") == nil)
    #expect(origin.log[0].header("If-Modified-Since") == nil)
    let validators = try #require(first.validators)
    let second = try await client.perform(
      FeedRequest(url: url, validators: validators, validatorsURL: first.finalURL))
    guard case .notModified = second.outcome else {
      Issue.record("\(second.outcome)")
      return
    }
    #expect(origin.log[1].header("If-None-Match") == "W/\"\u{E9}\\x\" odd;")
    #expect(origin.log[1].header("If-Modified-Since") == lastModified)
    #expect(second.validators == validators)
  }

  @Test("A 304 updates the stored validators and hints")
  func storesWhatA304GivesAnew() async throws {
    let origin = try Origin()
    defer { origin.stop() }
    origin.on(
      "/", .status(304, headers: [("ETag", "\"new\""), ("Cache-Control", "max-age=7200")]))
    let answer = try await client.perform(
      FeedRequest(
        url: origin.url("/"), validators: Validators(etag: "\"old\"", lastModified: "then")))
    #expect(answer.validators == Validators(etag: "\"new\"", lastModified: "then"))
    #expect(answer.hints.freshFor == 7_200)
  }

  @Test("Validators of unusable answers are not stored")
  func unusableGivesNoValidator() async throws {
    let origin = try Origin()
    defer { origin.stop() }
    let headers = [("ETag", "\"x\"")]
    origin.on("/empty", .answer("", headers: headers))
    origin.on("/missing", .answer("no", status: 404, headers: headers))
    origin.on("/control", .answer("x", headers: [("ETag", "\"a\u{1}\"")]))
    for path in ["/empty", "/missing"] {
      let answer = try await client.perform(FeedRequest(url: origin.url(path)))
      #expect(answer.validators == nil, "\(path)")
    }
    let control = try await client.perform(FeedRequest(url: origin.url("/control")))
    #expect(control.validators == Validators())
  }

  @Test("A 304 to an unconditional request counts as a refusal")
  func unasked304IsARefusal() async throws {
    let origin = try Origin()
    defer { origin.stop() }
    origin.on("/", .status(304))
    let answer = try await client.perform(FeedRequest(url: origin.url("/")))
    guard case .refused(304, _, _) = answer.outcome else {
      Issue.record("\(answer.outcome)")
      return
    }
  }

  @Test("A request that denies private networks does not enter one")
  func privateNetworkIsDenied() async throws {
    let origin = try Origin()
    defer { origin.stop() }
    origin.on("/", .answer(body))
    let error = await failure(
      performing: FeedRequest(
        url: origin.url("/"), terms: RequestTerms(privateAccess: .denied)))
    #expect(error?.kind == .forbiddenAddress)
    #expect(origin.log.isEmpty)
  }

  @Test(
    "Every error status is returned with its body and hints",
    arguments: [404, 410, 429, 500, 503, 403])
  func statusesHaveHints(_ status: Int) async throws {
    let origin = try Origin()
    defer { origin.stop() }
    origin.on(
      "/", .answer("<html>", status: status, type: "text/html", headers: [("Retry-After", "120")]))
    let answer = try await client.perform(FeedRequest(url: origin.url("/")))
    guard case .refused(let got, let body, let type) = answer.outcome else {
      Issue.record("\(answer.outcome)")
      return
    }
    #expect(got == status)
    #expect(body == Array("<html>".utf8))
    #expect(type == "text/html")
    #expect(answer.hints.retryAfter == 120)
    #expect(answer.validators == nil)
  }

  // MARK: Redirects

  @Test("Five redirects are followed, and a sixth is not")
  func followsFiveRedirects() async throws {
    let origin = try Origin()
    defer { origin.stop() }
    for hop in 0..<6 { origin.on("/\(hop)", .redirect(302, to: "\(hop + 1)")) }
    origin.on("/6", .answer(body))
    let answer = try await client.perform(FeedRequest(url: origin.url("/1")))
    #expect(answer.finalURL == origin.url("/6"))
    #expect(answer.permanentURL == nil)
    #expect(answer.metrics.bytesReceived > 500)
    let error = await failure(performing: FeedRequest(url: origin.url("/0")))
    #expect(error?.kind == .tooManyRedirects)
    #expect(origin.log.count == 6 + 6)
  }

  @Test("A redirect loop ends with an error")
  func endsALoop() async throws {
    let origin = try Origin()
    defer { origin.stop() }
    origin.on("/a", .redirect(301, to: "/b"))
    origin.on("/b", .redirect(301, to: "/a#x"))
    let error = await failure(performing: FeedRequest(url: origin.url("/a")))
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
    let origin = try Origin()
    defer { origin.stop() }
    for (hop, status) in statuses.enumerated() {
      origin.on("/\(hop)", .redirect(status, to: "/\(hop + 1)"))
    }
    origin.on("/\(statuses.count)", .answer(body))
    let answer = try await client.perform(FeedRequest(url: origin.url("/0")))
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
    let origin = try Origin()
    defer { origin.stop() }
    origin.on("/", .redirect(301, to: target))
    let error = await failure(performing: FeedRequest(url: origin.url("/")))
    #expect(error?.kind == .forbiddenRedirect)
  }

  @Test("Validators are sent only to the address that gave them")
  func validatorsStayWithGiver() async throws {
    let origin = try Origin()
    defer { origin.stop() }
    origin.on("/old", .redirect(302, to: "/new"))
    let body = self.body
    origin.on("/new") { .document(body, etag: "\"n\"", to: $0) }
    let url = origin.url("/old")
    let first = try await client.perform(FeedRequest(url: url))
    let second = try await client.perform(
      FeedRequest(
        url: url, validators: first.validators ?? Validators(), validatorsURL: first.finalURL))
    guard case .notModified = second.outcome else {
      Issue.record("\(second.outcome)")
      return
    }
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
    stranger.on("/") {
      Reply.basic(credentials, to: $0, .answer("never", headers: [("X", "y")]))
    }
    let answer = try await client.perform(
      FeedRequest(url: home.url("/inside", userInfo: "me:secret")))
    guard case .refused(401, _, _) = answer.outcome else {
      Issue.record("\(answer.outcome)")
      return
    }
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

/// Rules that need more than loopback addresses, tested over the fixture transport.
@Suite("The redirect policy") struct RedirectPolicyTests {
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
    let fixture = FixtureTransport()
    fixture.script("https://me:pw@a.example/", answer(301, to: "http://a.example/"))
    let error = await failure(
      performing: FeedRequest(url: "https://me:pw@a.example/"), over: fixture)
    #expect(error?.kind == .forbiddenRedirect)
    #expect(fixture.requests.count == 1)
  }

  @Test("A redirect from TLS to plain HTTP is followed without credentials")
  func leavesTLSIfNoSecrets() async throws {
    let fixture = FixtureTransport()
    fixture.script("https://a.example/", answer(301, to: "http://a.example/"))
    fixture.script("http://a.example/", .text("<rss/>"))
    let answer = try await NetworkClient(transport: fixture)
      .perform(FeedRequest(url: "https://a.example/"))
    #expect(answer.permanentURL == "http://a.example/")
  }

  @Test("Private addresses are denied only after a public one")
  func privateAfterPublicDenied() async throws {
    let fixture = FixtureTransport()
    fixture.script("http://lan.example/", answer(302, to: "http://b.example/", from: "192.168.1.2"))
    fixture.script("http://b.example/", answer(302, to: "http://c.example/", from: "1.1.1.1"))
    fixture.script("http://c.example/", .text("<rss/>"))
    _ = try await NetworkClient(transport: fixture).perform(FeedRequest(url: "http://lan.example/"))
    #expect(fixture.requests.map(\.privateAccess) == [.allowed, .allowed, .denied])
  }

  @Test("Credentials in a redirect's location are ignored")
  func locationSecretsIgnored() async throws {
    let fixture = FixtureTransport()
    fixture.script("http://a.example/", answer(302, to: "http://root:toor@b.example/x"))
    fixture.script("http://b.example/x", .text("<rss/>"))
    let answer = try await NetworkClient(transport: fixture)
      .perform(FeedRequest(url: "http://a.example/"))
    #expect(answer.finalURL == "http://b.example/x")
  }

  @Test("Credentials are kept within an origin")
  func sameOriginCredentials() async throws {
    let fixture = FixtureTransport()
    fixture.script("http://me:pw@a.example/", answer(301, to: "/feed"))
    fixture.script("http://me:pw@a.example/feed", .text("<rss/>"))
    let answer = try await NetworkClient(transport: fixture)
      .perform(FeedRequest(url: "http://me:pw@a.example/"))
    #expect(answer.permanentURL == "http://me:pw@a.example/feed")
    #expect(answer.finalURL == "http://a.example/feed")
  }

  struct Post: NetworkRequest {
    var httpRequest = HTTPRequest(
      method: .post, url: "http://a.example/", headers: [("Authorization", "secret")],
      body: Array("Passwd=x".utf8))
    func map(_ answer: FollowedResponse) -> Int { answer.response.status }
  }

  @Test("A body is never sent to another origin")
  func sendsABodyToNoStranger() async throws {
    let fixture = FixtureTransport()
    fixture.script("http://a.example/", answer(307, to: "http://b.example/"))
    #expect(await failure(performing: Post(), over: fixture)?.kind == .forbiddenRedirect)
    fixture.script("http://a.example/", answer(302, to: "http://b.example/"))
    fixture.script("http://b.example/", .status(200))
    _ = try await NetworkClient(transport: fixture).perform(Post())
    let last = try #require(fixture.requests.last)
    #expect(last.method == .get)
    #expect(last.body == nil)
    #expect(last.headers.isEmpty)
  }

  @Test("A redirect without a target is the answer itself")
  func redirectWithoutTarget() async throws {
    let fixture = FixtureTransport()
    fixture.script("http://a.example/", .status(302))
    let answer = try await NetworkClient(transport: fixture)
      .perform(FeedRequest(url: "http://a.example/"))
    guard case .refused(302, _, _) = answer.outcome else {
      Issue.record("\(answer.outcome)")
      return
    }
  }
}
