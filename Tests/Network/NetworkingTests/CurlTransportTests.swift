@testable import Networking

@Suite("The transport", .timeLimit(.minutes(120))) final class CurlTransportTests: OriginSuite {
  let transport = sharedTransport

  @Test("A request has exactly the expected headers, even after a cookie was set")
  func sendsExactHeaders() async throws {
    origin.on("/feed", .answer("<rss/>", headers: [("Set-Cookie", "a=b; Path=/")]))
    for _ in 0..<2 {
      _ = try await transport.send(
        HTTPRequest(url: origin.url("/feed"), headers: [("Accept", "text/xml")]))
    }
    let request = try #require(origin.log.last)
    #expect(request.headerNames.sorted() == ["Accept", "Accept-Encoding", "Host", "User-Agent"])
    #expect(request.header("User-Agent") == "Weir/0 (+https://weir.example/)")
    #expect(request.header("Accept-Encoding")?.contains("gzip") == true)
    #expect(request.header("Accept") == "text/xml")
    #expect(request.target == "/feed")
  }

  @Test("A connection is reused, and only a new one has a connection time")
  func connectionIsReused() async throws {
    origin.on("/", Reply.answer(String(repeating: "x", count: 5_000)).after(0.05))
    let own = CurlTransport(userAgent: "Weir/0")
    let first = try await own.send(HTTPRequest(url: origin.url("/a"))).metrics
    let second = try await own.send(HTTPRequest(url: origin.url("/b"))).metrics
    #expect(origin.connectionCount == 1)
    let connect = try #require(first.connect)
    #expect((0..<1).contains(connect))
    #expect(second.connect == nil)
    #expect(first.tls == nil)
    for metrics in [first, second] {
      #expect(metrics.firstByte >= 0.045)
      #expect(metrics.total >= metrics.firstByte)
      #expect((5_000..<5_300).contains(metrics.bytesReceived))
      #expect((50..<400).contains(metrics.bytesSent))
      #expect(metrics.remoteAddress == "127.0.0.1")
      #expect(metrics.httpVersion == "1.1")
    }
  }

  @Test("Events are reported in the order in which they happen")
  func eventsAreInOrder() async throws {
    origin.on("/", .answer(String(repeating: "x", count: 200_000)))
    let events = Mutex<[TransferEvent]>([])
    let response = try await CurlTransport(userAgent: "Weir/0")
      .send(HTTPRequest(url: origin.url("/"))) { event in events.withLock { $0.append(event) } }
    let seen = events.withLock { $0 }
    var received = 0
    var kinds: [String] = []
    for event in seen {
      switch event {
      case .connected(let seconds):
        kinds.append("connected")
        #expect(seconds >= 0)
      case .firstByte(let seconds):
        kinds.append("firstByte")
        #expect(seconds > 0)
      case .received(let bytes): received += bytes
      case .requesting: kinds.append("requesting")
      case .roundTrip: kinds.append("roundTrip")
      }
    }
    #expect(kinds == ["connected", "requesting", "firstByte"])
    #expect(Int64(received) == response.metrics.bytesReceived)
  }

  @Test("The time of the first byte is measured from its request, on new and reused connections")
  func firstByte() async throws {
    origin.on("/", Reply.answer("x").after(0.2))
    let transport = CurlTransport(userAgent: "Weir/0")
    let seconds = Mutex<[Double]>([])
    for _ in 0..<2 {
      _ = try await transport.send(HTTPRequest(url: origin.url("/"))) { event in
        guard case .firstByte(let time) = event else { return }
        seconds.withLock { $0.append(time) }
      }
    }
    #expect(origin.connectionCount == 1)
    #expect(seconds.withLock { $0.map { $0 >= 0.195 } } == [true, true])
  }

  @Test("A reused connection reports its round-trip time") func reusedRoundTripTime() async throws {
    origin.on("/", .answer("x"))
    let transport = CurlTransport(userAgent: "Weir/0")
    _ = try await transport.send(HTTPRequest(url: origin.url("/")))
    let events = Mutex<[TransferEvent]>([])
    _ = try await transport.send(HTTPRequest(url: origin.url("/"))) { event in
      events.withLock { $0.append(event) }
    }
    #expect(origin.connectionCount == 1)
    var trips: [(Double, Double)] = []
    for event in events.withLock({ $0 }) {
      if case .connected = event { Issue.record("a connection that was there connected") }
      if case .roundTrip(let seconds, let least) = event { trips.append((seconds, least)) }
    }
    #if os(Linux)
      #expect(trips.count == 1)
      #expect(trips.allSatisfy { $0.1 > 0 && $0.1 <= $0.0 && $0.0 < 1 })
    #endif
  }

  /// Waits until limits have ended a transfer of a server that sends nothing.
  private func expectTimeout(_ limits: TransferLimits) async {
    do {
      let origin = try Origin()
      origin.on("/", .hang)
      _ = try await transport.send(HTTPRequest(url: origin.url("/"), limits: limits))
      Issue.record("a transfer without an answer has not ended")
    } catch {}
  }

  @Test("A paused token stops the body until it is resumed")
  func pausedTokenStopsTheBody() async throws {
    let body = Array(repeating: UInt8(ascii: "x"), count: 12 << 20)
    origin.on("/", .answer(body))
    let token = PauseToken()
    token.pause()
    let received = Mutex(0)
    let request = HTTPRequest(
      url: origin.url("/"), limits: TransferLimits(silence: 0.3, receiveBuffer: 16 << 10),
      pauseToken: token)
    async let response = sharedTransport.send(request) { event in
      if case .received(let bytes) = event { received.withLock { $0 += bytes } }
    }
    // Silence ends a transfer after 0.3 s, as that of another one with the same limits shows; a
    // paused transfer is not silent.
    await expectTimeout(request.limits)
    let atRest = received.withLock { $0 }
    #expect(atRest < 1 << 20)
    token.resume()
    #expect(try await response.body.count == body.count)
    // Paused in the middle, and resumed.
    async let second = sharedTransport.send(request)
    token.pause()
    token.resume()
    #expect(try await second.body.count == body.count)
  }

  @Test("A pause by an observer of bytes takes effect at the next buffer")
  func observerPauses() async throws {
    origin.on("/", .answer(Array(repeating: UInt8(ascii: "x"), count: 12 << 20)))
    let token = PauseToken()
    let received = Mutex(0)
    let (paused, end) = AsyncStream<Void>.makeStream()
    let request = HTTPRequest(url: origin.url("/"), pauseToken: token)
    let transfer = Task {
      try await sharedTransport.send(request) { event in
        guard case .received(let bytes) = event else { return }
        received.withLock { $0 += bytes }
        guard received.withLock({ $0 > 4_096 }) else { return }
        token.pause()
        end.finish()
      }
    }
    for await _ in paused {}
    transfer.cancel()
    await #expect(throws: TransportError(.cancelled)) { try await transfer.value }
    #expect(received.withLock { $0 } < 3 * 16_384)
  }

  @Test("Paused time does not count towards the total limit")
  func pausedTimeDoesNotCount() async throws {
    let body = Array(repeating: UInt8(ascii: "x"), count: 4 << 20)
    origin.on("/", .answer(body))
    let token = PauseToken()
    token.pause()
    let request = HTTPRequest(
      url: origin.url("/"), limits: TransferLimits(total: 0.5, receiveBuffer: 16 << 10),
      pauseToken: token)
    async let response = sharedTransport.send(request)
    await expectTimeout(request.limits)
    token.resume()
    #expect(try await response.body.count == body.count)
  }

  @Test("A response reports whether its framing marks the end of the body")
  func reportsFramedBodies() async throws {
    let body = Array("<rss></rss>".utf8)
    origin.on("/length", .answer(body))
    origin.on("/chunked", .chunked(body))
    origin.on("/close", .untilClose(body))
    origin.on("/gzip", .untilClose(Gzip.compress(body), headers: [("Content-Encoding", "gzip")]))
    for (path, isFramed) in [
      ("/length", true), ("/chunked", true), ("/close", false), ("/gzip", true),
    ] {
      let response = try await transport.send(HTTPRequest(url: origin.url(path)))
      #expect(response.body == body, "\(path)")
      #expect(response.isFramed == isFramed, "\(path)")
    }
  }

  @Test("A probe connects and sends no request") func probeSendsNoRequest() async throws {
    origin.on("/", .answer("x"))
    func reaches(_ url: String, within seconds: Double = Patience.seconds) async -> Bool {
      await transport.reaches(url, through: .environment, within: seconds)
    }
    #expect(await reaches(origin.url("/feed")))
    #expect(origin.log.isEmpty)
    let url = origin.url("/")
    origin.stop()
    #expect(await !reaches(url))
    #expect(await !reaches("not an address"))
    // No host answers there (RFC 5737), or the machine has no route; both end in time.
    #expect(await !reaches("https://192.0.2.1/", within: 0.3))
  }

  @Test("Compressed bodies are decoded, and the bytes before decoding are counted")
  func countsCompressedBytes() async throws {
    let body = Array(String(repeating: "<item>weir</item>\n", count: 2_000).utf8)
    origin.on("/gzip", .gzipped(body))
    origin.on("/deflate", .answer(Gzip.zlib(body), headers: [("Content-Encoding", "deflate")]))
    origin.on("/raw", .answer(Gzip.deflate(body), headers: [("Content-Encoding", "deflate")]))
    origin.on(
      "/chunked",
      .chunked(Gzip.compress(body), sizes: [3, 1, 50, 7], headers: [("Content-Encoding", "gzip")]))
    origin.on("/close", .untilClose(Gzip.compress(body), headers: [("Content-Encoding", "gzip")]))
    for path in ["/gzip", "/deflate", "/raw", "/chunked", "/close"] {
      let response = try await transport.send(HTTPRequest(url: origin.url(path)))
      #expect(response.body == body, "\(path)")
      #expect(response.metrics.bytesReceived < Int64(body.count / 4), "\(path)")
    }
  }

  @Test("Brotli and zstd are decoded if the library supports them")
  func decodesBrotliAndZstd() async throws {
    let hello = Array("hello".utf8)
    let streams: [String: [UInt8]] = [
      "br": [0x0B, 0x02, 0x80] + hello + [0x03],
      "zstd": [0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x05, 0x29, 0, 0] + hello,
    ]
    for (coding, bytes) in streams {
      origin.on("/\(coding)", .answer(bytes, headers: [("Content-Encoding", coding)]))
      origin.on(
        "/cut/\(coding)", .untilClose(bytes.dropLast(2), headers: [("Content-Encoding", coding)]))
      _ = try await transport.send(HTTPRequest(url: origin.url("/")))
      let offered = origin.log.last?.header("Accept-Encoding") ?? ""
      guard offered.contains(coding) else { continue }
      let response = try await transport.send(HTTPRequest(url: origin.url("/\(coding)")))
      #expect(response.body == hello, "\(coding)")
      let error = await failure(HTTPRequest(url: origin.url("/cut/\(coding)")))
      #expect(error?.kind == .truncated, "\(coding)")
    }
  }

  @Test("A cancelled request ends at once") func cancelsAtOnce() async throws {
    origin.on("/", .hang)
    let url = origin.url("/")
    let task = Task { await failure(HTTPRequest(url: url)) }
    while origin.log.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    task.cancel()
    // The origin never answers and the limit of silence is long: only cancelling ends the request.
    #expect(await task.value?.kind == .cancelled)

    // The same holds before the request begins, and in any race of the two.
    for _ in 0..<50 {
      let task = Task { await failure(HTTPRequest(url: url)) }
      task.cancel()
      #expect(await task.value?.kind == .cancelled)
    }
  }

  @Test("Stopping the transport cancels running and later requests")
  func stoppingCancels() async throws {
    origin.on("/", .hang)
    let own = CurlTransport(userAgent: "Weir/0")
    let url = origin.url("/")
    let task = Task { await failure(HTTPRequest(url: url), over: own) }
    while origin.log.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    own.mailbox.stop()
    #expect(await task.value?.kind == .cancelled)
    #expect(await failure(HTTPRequest(url: url), over: own)?.kind == .cancelled)
  }

  @Test("Two hundred transfers run at once") func twoHundredTransfers() async throws {
    let origin = try Origin(address: "0.0.0.0")
    origin.on("/") { request in Reply.answer("body of \(request.target)").after(1) }
    let transport = self.transport
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask {
          let response = try await transport.send(
            HTTPRequest(url: origin.url("/\(index)", host: "127.0.1.\(index % 100 + 1)")))
          #expect(response.body == Array("body of /\(index)".utf8))
        }
      }
      try await group.waitForAll()
    }
    #expect(origin.log.count == 200)
    #expect(origin.peakConcurrency > 100)
  }

  @Test("Each failure has its own kind") func namesWhatWentWrong() async throws {
    origin.on("/reset", .reset)
    origin.on("/close", .close)
    let closed = origin.url("/")
    #expect(await failure(HTTPRequest(url: origin.url("/reset")))?.kind == .connectionLost)
    #expect(await failure(HTTPRequest(url: origin.url("/close")))?.kind == .connectionLost)
    let tls = "https" + origin.url("/").dropFirst(4)
    #expect(await failure(HTTPRequest(url: tls))?.kind == .tls)
    origin.stop()
    #expect(await failure(HTTPRequest(url: closed))?.kind == .connectionRefused)
    let unknown = await failure(HTTPRequest(url: "http://no-such-host.invalid/"))?.kind
    #expect(unknown == .hostNotFound || unknown == .offline)
    #expect(await failure(HTTPRequest(url: "ftp://127.0.0.1/"))?.kind == .unsupportedScheme)
    #expect(await failure(HTTPRequest(url: "file:///etc/passwd"))?.kind == .unsupportedScheme)
    #expect(await failure(HTTPRequest(url: "http:///feed"))?.kind == .badURL)
  }

  @Test("A feed's own proxy overrides the environment") func proxyOfFeedIsUsed() async throws {
    let proxy = try Origin()
    proxy.on("http://", .answer("through the proxy"))
    let identity = RequestIdentity(
      userAgent: "Other/1",
      proxy: .server("http://me:pw@127.0.0.1:\(proxy.port)", hasExceptions: false))
    let response = try await CurlTransport(userAgent: "Weir/0")
      .send(HTTPRequest(url: "http://feeds.invalid/a", identity: identity))
    #expect(response.body == Array("through the proxy".utf8))
    let request = try #require(proxy.log.first)
    #expect(request.target == "http://feeds.invalid/a")
    #expect(request.header("User-Agent") == "Other/1")
    #expect(request.header("Proxy-Authorization") != nil)
    #expect(request.header("Authorization") == nil)
  }

  @Test("Addresses of feeds are percent-encoded for the request")
  func addressesAreEncoded() async throws {
    origin.on("/", .answer("x"))
    _ = try await transport.send(HTTPRequest(url: origin.url("/a b/ü/../%41?q=<é>#part")))
    #expect(origin.log.last?.target == "/a%20b/%C3%BC/../%41?q=%3C%C3%A9%3E")
  }

  @Test("POST sends a body, and HEAD receives only headers") func postAndHead() async throws {
    origin.on("/", .answer("body"))
    _ = try await transport.send(
      HTTPRequest(method: .post, url: origin.url("/post"), body: Array("a=1".utf8)))
    let post = try #require(origin.log.last)
    #expect(post.method == "POST")
    #expect(post.body == Array("a=1".utf8))
    #expect(post.header("Expect") == nil)
    #expect(post.header("Content-Type") == nil)
    let head = try await transport.send(HTTPRequest(method: .head, url: origin.url("/head")))
    #expect(head.body.isEmpty)
    #expect(head.header("content-length") == "4")
    #expect(origin.log.last?.method == "HEAD")
  }

  @Test("Private addresses are refused if the request denies them")
  func privateAddressesRefused() async throws {
    origin.on("/", .answer("secret"))
    let url = origin.url("/", host: "localhost")
    // A request that denies private addresses must not reuse a connection that was allowed.
    _ = try await transport.send(HTTPRequest(url: url))
    let seen = origin.log.count
    for host in ["localhost", "127.0.0.1"] {
      let request = HTTPRequest(url: origin.url("/", host: host), privateAccess: .denied)
      #expect(await failure(request)?.kind == .forbiddenAddress, "\(host)")
    }
    #expect(origin.log.count == seen)
  }

  @Test("Only the named private server is reached, by any of its host names")
  func onePrivateServer() async throws {
    let (origin, other) = (try Origin(), try Origin())
    for each in [origin, other] { each.on("/", .answer("inside")) }
    let answer = try await transport.send(HTTPRequest(url: origin.url("/", host: "localhost")))
    let server = try #require(answer.metrics.privateServer)
    for host in ["localhost", "127.0.0.1"] {
      let allowed = HTTPRequest(url: origin.url("/", host: host), privateAccess: .only(server))
      #expect(try await transport.send(allowed).status == 200, "\(host)")
      let request = HTTPRequest(url: other.url("/", host: host), privateAccess: .only(server))
      #expect(await failure(request)?.kind == .forbiddenAddress, "\(host)")
    }
    #expect(other.log.isEmpty)
  }

  @Test("IPv6 addresses are supported") func speaksIPv6() async throws {
    guard let origin = try? Origin(address: "::1") else { return }
    origin.on("/", .answer("six"))
    let response = try await transport.send(HTTPRequest(url: origin.url("/")))
    #expect(response.body == Array("six".utf8))
    #expect(response.metrics.remoteAddress == "::1")
  }

  @Test("A header with a line break is refused") func splitHeaderIsRefused() async throws {
    let request = HTTPRequest(url: "http://127.0.0.1:1/", headers: [("X", "a\r\nEvil: b")])
    #expect(await failure(request)?.kind == .other)
  }
}
