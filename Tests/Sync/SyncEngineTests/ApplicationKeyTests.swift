@testable import SyncEngine

@Suite("Headers of accounts") struct ApplicationKeyTests {
  @Test("Headers set for an account are sent with each of its requests, to its origin only")
  func headers() async throws {
    let direct = FixtureTransport()
    direct.handle { _ in .status(200) }
    var settings = FeedSettings()
    settings.accountHeaders = "AppId: 1\nAppKey: k"
    let transport = AccountTransport(
      settings: settings, origin: WebAddress("https://reader.example/").origin, direct: direct)
    for url in ["https://reader.example/accounts/ClientLogin", "https://other.example/"] {
      _ = try await transport.send(HTTPRequest(url: url), observe: nil)
    }
    let names = direct.requests.map { $0.headers.map { "\($0.name): \($0.value)" } }
    #expect(names == [["AppId: 1", "AppKey: k"], []])
  }
}
