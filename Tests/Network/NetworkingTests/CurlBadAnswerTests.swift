@Suite("Truncated, wrongly coded, endless and missing answers", .timeLimit(.minutes(120)))
final class CurlBadAnswerTests: OriginSuite {
  @Test("A compressed body that stops short fails as truncated")
  func shortGzipIsTruncated() async throws {
    let body = Array((0..<5_000).map { "<item>\($0 &* 7_919)</item>" }.joined().utf8)
    let whole = Gzip.compress(body)
    for cut in [1, 4, 8, 9, 1_000, whole.count - 11] {
      let part = Array(whole.dropLast(cut))
      origin.on("/close\(cut)/", .untilClose(part, headers: [("Content-Encoding", "gzip")]))
      origin.on("/length\(cut)/", .answer(part, headers: [("Content-Encoding", "gzip")]))
      origin.on(
        "/chunked\(cut)/", .chunked(part, sizes: [999, 5], headers: [("Content-Encoding", "gzip")]))
      for path in ["close", "length", "chunked"] {
        let error = await failure(HTTPRequest(url: origin.url("/\(path)\(cut)/")))
        #expect(error?.kind == .truncated, "\(path) \(cut)")
      }
    }
    let zlib = Array(Gzip.zlib(body).dropLast(30))
    origin.on("/deflate", .untilClose(zlib, headers: [("Content-Encoding", "deflate")]))
    #expect(await failure(HTTPRequest(url: origin.url("/deflate")))?.kind == .truncated)
  }

  @Test("A body shorter than announced fails as truncated")
  func shortBodyIsTruncated() async throws {
    origin.on("/length", .partial(Array("<rss>".utf8), promised: 100))
    origin.on("/chunked", .chunked(Array("<rss>".utf8), isComplete: false))
    origin.on("/reset", .partial(Array("<rss>".utf8), promised: 100, then: .reset))
    #expect(await failure(HTTPRequest(url: origin.url("/length")))?.kind == .truncated)
    #expect(await failure(HTTPRequest(url: origin.url("/chunked")))?.kind == .truncated)
    let reset = await failure(HTTPRequest(url: origin.url("/reset")))?.kind
    #expect(reset == .connectionLost || reset == .truncated)
  }

  @Test("A body that does not have its declared coding fails as badly encoded")
  func wrongCodingFails() async throws {
    origin.on("/", .answer("plain text", headers: [("Content-Encoding", "gzip")]))
    #expect(await failure(HTTPRequest(url: origin.url("/")))?.kind == .badEncoding)
  }

  @Test(
    "An answer that is not HTTP fails as such",
    arguments: [
      "<rss><channel></channel></rss>", "HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 0\r\n\r\n",
    ])
  func notHTTP(answer: String) async throws {
    origin.on("/", Reply(steps: [.bytes(Array(answer.utf8))], closes: true))
    #expect(await failure(HTTPRequest(url: origin.url("/")))?.kind == .notHTTP)
  }

  @Test("A decompression bomb ends at the size limit") func endsABombAtTheLimit() async throws {
    let bomb = Gzip.bomb(decoded: 300 << 20)
    origin.on("/", .answer(bomb, headers: [("Content-Encoding", "gzip")]))
    let error = await failure(HTTPRequest(url: origin.url("/")))
    #expect(error?.kind == .tooLarge)
  }

  @Test("Endless bodies and headers end at their limits") func endlessBodiesEnd() async throws {
    let limits = TransferLimits(decodedBody: 1 << 20)
    let filler = [UInt8](repeating: 0x78, count: 10_000)
    origin.on("/body", .endless(filler))
    origin.on("/headers", .endlessHeaders)
    origin.on("/announced", .partial([], promised: 1 << 40, then: .hang))
    // Empty blocks of stored deflate make a body that never grows.
    let start = Array(Gzip.compress([]).prefix(10))
    let empty: [UInt8] = (0..<2_000).flatMap { _ in [0, 0, 0, 0xFF, 0xFF] as [UInt8] }
    origin.on(
      "/empty",
      Reply(steps: [
        Reply.head(200, [("Content-Encoding", "gzip")]), .bytes(start), .endless(empty),
      ]))
    #expect(
      await failure(HTTPRequest(url: origin.url("/headers"), limits: limits))?.kind
        == .headersTooLarge)
    for path in ["/body", "/announced", "/empty"] {
      let error = await failure(HTTPRequest(url: origin.url(path), limits: limits))
      #expect(error?.kind == .tooLarge, "\(path)")
    }
  }

  @Test("Every kind of silence ends as a stall") func endsSilenceOfEveryKind() async throws {
    origin.on("/hang", .hang)
    origin.on(
      "/middle", .partial(Array(repeating: 0x78, count: 5_000), promised: 9_000, then: .hang))
    origin.on("/drip", .drip(Array(repeating: 0x78, count: 5_000), every: 0.02))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for path in ["/hang", "/middle", "/drip"] {
        group.addTask { [origin] in
          let error = await failure(HTTPRequest(url: origin.url(path), limits: quickLimits))
          #expect(error?.kind == .stalled, "\(path)")
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("A transfer that receives too little for its time ends as a stall")
  func slowTransferStalls() async throws {
    origin.on("/", .drip(Array(repeating: 0x78, count: 50_000), every: 0.005))
    let error = await failure(HTTPRequest(url: origin.url("/"), limits: TransferLimits(total: 0.5)))
    #expect(error?.kind == .stalled)
  }

  @Test("A slow server and a body that keeps flowing are waited for")
  func slowServerIsAwaited() async throws {
    let limits = TransferLimits(silence: 3)
    // Each wait is far below the limit; their sum is not.
    let part = [UInt8](repeating: 0x78, count: 500)
    let steps: [Reply.Step] = (0..<6).flatMap { _ in [.bytes(part), .wait(0.5)] }
    let head = Reply.head(200, [("Content-Length", "3000")])
    origin.on("/", Reply(steps: [.wait(0.5), head] + steps))
    let response = try await sharedTransport.send(HTTPRequest(url: origin.url("/"), limits: limits))
    #expect(response.body.count == 3_000)
    #expect(response.metrics.total > 3)
  }

  /// Replies by name, because the bytes of a reply would make long test names.
  private static let headerFloods: [String: Reply] = [
    "headers": .endlessHeaders("X-Filler: x"),
    "cookies": .endlessHeaders("Set-Cookie: a=b; Path=/"),
    "one header": .endlessHeaderLine, "100": .endlessInterim(100), "103": .endlessInterim(103),
    "trailers": .rawChunks("1\r\n<\r\n0\r\n", endless: "X-Trailer: x\r\n"),
    "one trailer": .rawChunks("1\r\n<\r\n0\r\nX-Trailer: ", endless: "x"),
  ]

  @Test(
    "Endless header lines fail as too large wherever they are",
    arguments: headerFloods.keys.sorted())
  func endlessHeaderLines(name: String) async throws {
    origin.on("/", try #require(Self.headerFloods[name]))
    let error = await failure(HTTPRequest(url: origin.url("/")))
    #expect(error?.kind == .headersTooLarge, "\(error?.detail ?? "")")
  }

  private static let framingFloods: [String: Reply] = [
    "bytes": .rawChunks("", endless: "1\r\n \r\n"),
    "extensions": .rawChunks("", endless: "1;x=\(String(repeating: "x", count: 900))\r\n \r\n"),
    "one extension": .rawChunks("1;x=", endless: "x"),
    "long sizes": .rawChunks("", endless: "0000000000000001\r\n \r\n"),
  ]

  @Test(
    "Chunks that are mostly framing end the transfer long before the body's limit",
    arguments: framingFloods.keys.sorted())
  func framing(name: String) async throws {
    origin.on("/", try #require(Self.framingFloods[name]))
    let received = Mutex(0)
    do {
      _ = try await sharedTransport.send(HTTPRequest(url: origin.url("/"))) { event in
        if case .received(let bytes) = event { received.withLock { $0 += bytes } }
      }
      Issue.record("An endless body ended")
    } catch {
      #expect(error.kind == .tooMuchFraming, "\(error)")
    }
    #expect(received.withLock { $0 } < 1 << 20)
  }

  @Test("A drip ends as too slow if the minimum rate is enforced, and otherwise goes on")
  func minimumRate() async throws {
    origin.on("/", .drip([UInt8](repeating: 0x78, count: 500), every: 0.002))
    let rate = MinimumRate(bytesPerSecond: 50_000, grace: 0.2)
    // A short silence makes the transport check often; its limit is far below the drip.
    let request = HTTPRequest(
      url: origin.url("/"), limits: TransferLimits(silence: 1), minimumRate: rate)
    #expect(try await sharedTransport.send(request).body.count == 500)
    rate.isEnforced = true
    #expect(await failure(request)?.kind == .tooSlow)
  }

  @Test("A feed in small chunks arrives complete") func smallChunks() async throws {
    origin.on("/one", .chunked([UInt8](repeating: 0x78, count: 100_000), sizes: [1]))
    origin.on("/sixteen", .chunked([UInt8](repeating: 0x78, count: 3_000_000), sizes: [16]))
    let one = try await sharedTransport.send(HTTPRequest(url: origin.url("/one")))
    #expect(one.body.count == 100_000)
    let sixteen = try await sharedTransport.send(HTTPRequest(url: origin.url("/sixteen")))
    #expect(sixteen.body.count == 3_000_000)
  }
}
