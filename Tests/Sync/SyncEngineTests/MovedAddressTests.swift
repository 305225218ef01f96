@testable import SyncEngine

private let noon = Date(timeIntervalSince1970: 1_795_262_400)  // Sat 21 Nov 2026, 12:00 UTC

@Suite("Moved addresses") struct MovedAddressTests {
  private func decide(
    _ url: String = "http://a.example/feed", to permanent: String?,
    pending: (to: String, since: Date)? = nil
  ) -> MovedAddress.Decision {
    MovedAddress.decide(url: url, permanentURL: permanent, pending: pending, at: noon)
  }

  @Test("A new address is used after two answers a day apart") func twoAnswersMoveAddress() {
    let new = "http://b.example/feed"
    #expect(decide(to: new) == .pending(to: new, since: noon))
    #expect(
      decide(to: new, pending: (new, noon - 86_399)) == .pending(to: new, since: noon - 86_399))
    #expect(decide(to: new, pending: (new, noon - 86_400)) == .accept(new))
  }

  @Test("A different answer restarts the wait") func anotherAnswerBeginsAnew() {
    let pending = (to: "http://b.example/feed", since: noon - 90_000)
    #expect(
      decide(to: "http://c.example/feed", pending: pending)
        == .pending(to: "http://c.example/feed", since: noon))
    #expect(decide(to: nil, pending: pending) == .none)
  }

  @Test("Setting the clock back restarts the wait") func clockSetBackRestartsWait() {
    let new = "http://b.example/feed"
    #expect(decide(to: new, pending: (new, noon + 1e9)) == .pending(to: new, since: noon))
  }

  @Test("Only a change of the scheme to HTTPS is used at once") func onlySchemeMovesAtOnce() {
    #expect(decide(to: "https://a.example/feed") == .accept("https://a.example/feed"))
    for other in [
      "https://www.a.example/feed", "https://a.example/feed/", "https://a.example/feed?x=1",
      "https://a.example:8443/feed",
    ] {
      #expect(decide(to: other) == .pending(to: other, since: noon))
    }
  }

  @Test("An address without encryption is only offered to the user")
  func unencrypted() {
    let (url, new) = ("https://a.example/feed", "http://a.example/feed")
    #expect(decide(url, to: new) == .pending(to: new, since: noon))
    #expect(
      decide(url, to: new, pending: (new, noon - 1e6)) == .pending(to: new, since: noon - 1e6))
  }
}
