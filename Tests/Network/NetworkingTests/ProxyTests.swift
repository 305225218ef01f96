@testable import Networking

@Suite("Proxies", .timeLimit(.minutes(120))) final class ProxyTests: OriginSuite {
  private func identity(_ proxy: String) -> RequestIdentity {
    RequestIdentity(userAgent: "Weir/0", proxy: .server(proxy, hasExceptions: false))
  }
  private func request(_ proxy: String, _ url: String = "http://feeds.invalid/a") -> HTTPRequest {
    HTTPRequest(url: url, identity: identity(proxy))
  }

  @Test("A SOCKS proxy carries the request", arguments: ["socks5h", "socks5"])
  func socksProxyIsUsed(scheme: String) async throws {
    origin.on("/", .answer("through the tunnel"))
    let proxy = try TunnelProxy(to: origin.port)
    // Only the proxy resolves the name; `socks5` uses the machine's own resolver.
    let host = scheme == "socks5" ? "127.0.0.1" : "feeds.invalid"
    let response = try await sharedTransport.send(
      request("\(scheme)://127.0.0.1:\(proxy.port)", "http://\(host):81/a"))
    #expect(response.body == Array("through the tunnel".utf8))
    #expect(proxy.asked == ["\(host):81"])
    #expect(origin.log.first?.header("Host") == "\(host):81")
  }

  @Test("A SOCKS proxy gets the password and refuses a wrong one")
  func socksProxyPassword() async throws {
    origin.on("/", .answer("inside"))
    let proxy = try TunnelProxy(to: origin.port, credentials: "me:p@ss")
    let place = "@127.0.0.1:\(proxy.port)"
    #expect(try await sharedTransport.send(request("socks5h://me:p%40ss" + place)).status == 200)
    #expect(await failure(request("socks5h://me:wrong" + place))?.kind == .proxy)
    #expect(origin.log.count == 1)
    #expect(origin.log.first?.header("Authorization") == nil)
  }

  @Test("A 407 is a proxy failure with a proxy, and an ordinary status without one")
  func proxyAuthentication() async throws {
    origin.on("/", .status(407))
    origin.on("http://feeds.invalid/", .status(407))
    let proxied = request("http://127.0.0.1:\(origin.port)", "http://feeds.invalid/")
    #expect(await failure(proxied)?.kind == .proxy)
    #expect(try await sharedTransport.send(HTTPRequest(url: origin.url("/"))).status == 407)
  }

  @Test(
    "An HTTP proxy tunnels encrypted requests",
    .enabled(if: TLSOrigin.missing == nil, "TLS is not tested here"))
  func httpProxyTunnels() async throws {
    let origin = try TLSOrigin(body: "sealed")
    let proxy = try TunnelProxy(to: origin.port, credentials: "me:pw")
    let transport = CurlTransport(userAgent: "Weir/0", certificates: origin.authority)
    let response = try await transport.send(
      request("http://me:pw@127.0.0.1:\(proxy.port)", "https://localhost:444/a"))
    #expect(response.body == Array("sealed".utf8))
    #expect(proxy.asked == ["localhost:444"])
    #expect(origin.tally.authorizations == 0)
    let stranger = request("http://127.0.0.1:\(proxy.port)", "https://localhost:444/b")
    #expect(await failure(stranger, over: transport)?.kind == .proxy)
    #expect(origin.tally.requests == 1)
  }

  @Test("A probe uses the same proxy as its request") func probeUsesTheProxy() async throws {
    let proxy = try TunnelProxy(to: origin.port)
    func reaches(_ url: String, _ scheme: String) async -> Bool {
      await sharedTransport.reaches(
        url, through: identity("\(scheme)://127.0.0.1:\(proxy.port)").proxy,
        within: Patience.seconds)
    }
    #expect(await reaches("http://feeds.invalid:81/a", "socks5h"))
    #expect(await reaches("https://feeds.invalid:444/a", "http"))
    #expect(proxy.asked == ["feeds.invalid:81", "feeds.invalid:444"])
    #expect(origin.log.isEmpty)
  }

  @Test("A proxy that is not running is reported as a proxy failure")
  func missingProxyIsReported() async throws {
    let closed = try Origin()
    let port = closed.port
    closed.stop()
    for scheme in ["http", "socks5h"] {
      let error = await failure(request("\(scheme)://127.0.0.1:\(port)"))
      #expect(error == TransportError(.proxy, detail: FailureDetail.proxyUnreachable.code))
    }
  }
}
