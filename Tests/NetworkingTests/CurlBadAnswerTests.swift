import Foundation
import Networking
import TestSupport
import Testing

/// Answers that stop short, lie about their coding, never end or never come.
@Suite struct CurlBadAnswerTests {
  @Test func callsACompressedBodyThatStopsShortTruncated() async throws {
    let origin = try Origin()
    defer { origin.stop() }
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

  @Test func callsABodyShorterThanPromisedTruncated() async throws {
    let origin = try Origin()
    defer { origin.stop() }
    origin.on("/length", .partial(Array("<rss>".utf8), promised: 100))
    origin.on("/chunked", .chunked(Array("<rss>".utf8), isComplete: false))
    origin.on("/reset", .partial(Array("<rss>".utf8), promised: 100, then: .reset))
    #expect(await failure(HTTPRequest(url: origin.url("/length")))?.kind == .truncated)
    #expect(await failure(HTTPRequest(url: origin.url("/chunked")))?.kind == .truncated)
    let reset = await failure(HTTPRequest(url: origin.url("/reset")))?.kind
    #expect(reset == .connectionLost || reset == .truncated)
  }

  @Test func refusesWhatIsNotTheCodingThatItClaims() async throws {
    let origin = try Origin()
    defer { origin.stop() }
    origin.on("/", .answer("plain text", headers: [("Content-Encoding", "gzip")]))
    #expect(await failure(HTTPRequest(url: origin.url("/")))?.kind == .badEncoding)
  }

  @Test func endsABombAtTheLimit() async throws {
    let origin = try Origin()
    defer { origin.stop() }
    let bomb = Gzip.bomb(decoded: 300 << 20)
    origin.on("/", .answer(bomb, headers: [("Content-Encoding", "gzip")]))
    let error = await failure(HTTPRequest(url: origin.url("/")))
    #expect(error?.kind == .tooLarge)
  }

  @Test func endsEndlessBodiesAndHeaders() async throws {
    let origin = try Origin()
    defer { origin.stop() }
    let limits = TransferLimits(decodedBody: 1 << 20)
    let filler = [UInt8](repeating: 0x78, count: 10_000)
    origin.on("/body", .endless(filler))
    origin.on("/headers", .endlessHeaders)
    origin.on("/announced", .partial([], promised: 1 << 40, then: .hang))
    // Blocks of stored deflate that hold nothing: a body that never grows.
    let start = Array(Gzip.compress([]).prefix(10))
    let empty: [UInt8] = (0..<2_000).flatMap { _ in [0, 0, 0, 0xFF, 0xFF] as [UInt8] }
    origin.on(
      "/empty",
      Reply(steps: [
        Reply.head(200, [("Content-Encoding", "gzip")]), .bytes(start), .endless(empty),
      ]))
    for path in ["/body", "/headers", "/announced", "/empty"] {
      let error = await failure(HTTPRequest(url: origin.url(path), limits: limits))
      #expect(error?.kind == .tooLarge, "\(path)")
    }
  }

  @Test func endsSilenceOfEveryKind() async throws {
    let origin = try Origin()
    defer { origin.stop() }
    origin.on("/hang", .hang)
    origin.on(
      "/middle", .partial(Array(repeating: 0x78, count: 5_000), promised: 9_000, then: .hang))
    origin.on("/drip", .drip(Array(repeating: 0x78, count: 5_000), every: 0.02))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for path in ["/hang", "/middle", "/drip"] {
        group.addTask {
          let error = await failure(
            HTTPRequest(url: origin.url(path), limits: quickLimits))
          #expect(error?.kind == .stalled, "\(path)")
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(.timeLimit(.minutes(1))) func endsWhatBringsTooLittleForItsTime() async throws {
    let origin = try Origin()
    defer { origin.stop() }
    origin.on("/", .drip(Array(repeating: 0x78, count: 50_000), every: 0.005))
    let error = await failure(
      HTTPRequest(url: origin.url("/"), limits: TransferLimits(total: 0.5)))
    #expect(error?.kind == .stalled)
  }

  @Test func waitsForAServerThatThinksAndABodyThatFlows() async throws {
    let origin = try Origin()
    defer { origin.stop() }
    let limits = TransferLimits(silence: 1)
    // Each wait is short of the limit, all of them together are not.
    let part = [UInt8](repeating: 0x78, count: 500)
    let steps: [Reply.Step] = (0..<6).flatMap { _ in [.bytes(part), .wait(0.25)] }
    let head = Reply.head(200, [("Content-Length", "3000")])
    origin.on("/", Reply(steps: [.wait(0.5), head] + steps))
    let response = try await sharedTransport.send(HTTPRequest(url: origin.url("/"), limits: limits))
    #expect(response.body.count == 3_000)
    #expect(response.metrics.total > 1.5)
  }
}
