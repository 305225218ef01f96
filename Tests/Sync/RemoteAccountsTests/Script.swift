@testable import RemoteAccounts

/// A scripted server, which records requests and sends prepared answers.
struct Script {
  let transport = FixtureTransport()

  /// Returns a server that accepts the user.
  static func signedIn() -> Script {
    let server = Script()
    server.signsIn()
    return server
  }

  var client: NetworkClient { NetworkClient(transport: transport) }

  var googleReader: GoogleReaderBackend {
    GoogleReaderBackend(Self.base, user: "ann", client: client) { "se=cret&" }
  }

  /// Returns the bodies of the requests to a path, in order.
  func bodies(_ path: String) -> [String] {
    transport.requests.filter { $0.url.contains(path) }
      .map { String(decoding: $0.body ?? [], as: UTF8.self) }
  }

  static let base = "https://aggregator.example/api.php"
  static let login = base + "/accounts/ClientLogin"
  static func api(_ path: String) -> String { base + "/reader/api/0/" + path }

  func signsIn(token: FixtureTransport.Reply = .text("tok1\n")) {
    transport.script(Self.login, .text("SID=x\nLSID=null\nAuth=ann/4=2\n"))
    transport.script(Self.api("token?output=json"), token)
  }
}
