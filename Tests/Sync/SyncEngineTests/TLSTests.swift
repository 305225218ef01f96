@testable import SyncEngine

/// The engine over TLS: checks of certificates, and limits of hosts for each protocol.
@Suite("Syncs over TLS", .enabled(if: TLSOrigin.missing == nil, "\(TLSOrigin.missing ?? "")"))
final class TLSTests: EngineSuite {
  private func sync(
    _ origin: TLSOrigin, _ urls: [String], certificates: String?, _ fixture: EngineFixture
  ) async throws -> (SyncSummary, [FeedID]) {
    let feeds = try await fixture.subscribe(urls)
    var configuration = SyncConfiguration(directory: fixture.directory)
    configuration.initialSpread = .zero
    configuration.measuresHosts = false
    let controller = NetworkController(
      store: fixture.store.engine, accounts: fixture.store.accountSync,
      transport: { CurlTransport(userAgent: "Weir/0", certificates: certificates) },
      configuration: configuration, clock: fixture.clock)
    return (await controller.runUntilIdle(), feeds)
  }

  @Test("An unknown authority is its feed's failure, and no request is sent")
  func unknownAuthorityFails() async throws {
    let origin = try TLSOrigin(body: rss("Secret"))
    let url = "https://me:secret@127.0.0.1:\(origin.port)/feed"
    let (summary, feeds) = try await sync(origin, [url], certificates: nil, fixture)
    #expect(summary.failed == 1)
    #expect(try fixture.state(feeds[0])?.failure?.kind == .tls)
    #expect(origin.tally.requests == 0)
  }

  @Test("A known authority is accepted only for its names")
  func authorityOnlyForItsNames() async throws {
    let origin = try TLSOrigin(body: rss("Secret"))
    let strange = "https://127.0.0.2:\(origin.port)/feed"
    let (_, feeds) = try await sync(
      origin, [origin.url("/feed"), strange], certificates: origin.authority, fixture)
    #expect(try fixture.feeds.feed(feeds[0])?.name == "Secret")
    #expect(try fixture.state(feeds[1])?.failure != nil)
    #expect(origin.tally.requests == 1)
  }

  @Test("Over TLS, a password is sent with the first request")
  func passwordGoesFirstOnTLS() async throws {
    let origin = try TLSOrigin(body: rss("Secret"))
    let url = "https://me:secret@127.0.0.1:\(origin.port)/feed"
    let (summary, _) = try await sync(origin, [url], certificates: origin.authority, fixture)
    #expect(summary.failed == 0)
    #expect(origin.tally.requests == 1)
    #expect(origin.tally.authorizations == 1)
  }

  @Test("HTTP/1 hosts receive two requests at once") func twoAtATimeOverHTTP1() async throws {
    let origin = try TLSOrigin(thinks: 0.05, body: rss("Feed"))
    let (summary, _) = try await sync(
      origin, (1...12).map { origin.url("/\($0)") }, certificates: origin.authority, fixture)
    #expect(summary.failed == 0)
    #expect(origin.tally.requests == 12)
    #expect(origin.tally.peak <= 2)
    #expect(origin.tally.connections <= 2)
  }

  @Test("HTTP/2 hosts receive six requests at once over one connection")
  func http2ReceivesSix() async throws {
    let origin = try TLSOrigin(speaksHTTP2: true, thinks: 0.1, body: rss("Feed"))
    let (summary, _) = try await sync(
      origin, (1...40).map { origin.url("/\($0)") }, certificates: origin.authority, fixture)
    #expect(summary.failed == 0)
    #expect(origin.tally.requests == 40)
    #expect((3...6).contains(origin.tally.peak))
    #expect(origin.tally.connections <= 2)
  }

  @Test("HTTP/2 of one origin does not raise the limit of another origin of its host")
  func http2LimitIsPerOrigin() async throws {
    let secure = try TLSOrigin(speaksHTTP2: true, body: rss("Feed"))
    let plain = try Origin()
    plain.on("/") { Reply.answer(rss($0.path)).after(0.02) }
    let urls = (1...12).map { secure.url("/\($0)") } + (1...12).map { plain.url("/\($0)") }
    let (summary, _) = try await sync(secure, urls, certificates: secure.authority, fixture)
    plain.stop()
    #expect(summary.failed == 0)
    #expect(summary.done == 24)
    #expect(plain.peakConcurrency <= 2)
    #expect(plain.connectionCount <= 2)
  }
}
