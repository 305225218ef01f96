@testable import ArticleStore
@testable import SyncEngine

private let noon = Date(timeIntervalSince1970: 1_795_262_400)

@Suite("The registry of hosts") struct HostRegistryTests {
  let book = HostRegistry()

  @discardableResult private func refuse(
    _ book: HostRegistry, _ url: String, after: Double? = 600, at now: Date = noon
  ) -> Date {
    book.refused(
      url, by: WebAddress(url).hostKey ?? "", status: 429, contentType: nil, retryAfter: after,
      at: now)?.until ?? .distantPast
  }

  @Test("A back-off grows from an address to its host and to the domain") func backoffScopeGrows() {
    refuse(book, "http://a.example.org/1")
    #expect(book.pause(of: "a.example.org", at: noon) == nil)
    refuse(book, "http://a.example.org/2")
    #expect(book.pause(of: "a.example.org", at: noon)?.until == noon + 600)
    #expect(book.pause(of: "b.example.org", at: noon) == nil)
    // A refusal of a second host is evidence against the whole domain.
    refuse(book, "http://b.example.org/1", after: 1_200)
    for host in ["a.example.org", "b.example.org", "c.example.org", "example.org"] {
      #expect(book.pause(of: host, at: noon) != nil)
    }
    #expect(book.pause(of: "c.example.org", at: noon)?.until == noon + 1_200)
    #expect(book.pause(of: "c.example.org", at: noon + 1_200) == nil)
    #expect(book.pause(of: "other.org", at: noon) == nil)
  }

  @Test("A single refused address waits alone") func refusedAddressWaits() {
    refuse(book, "http://bücher.example/1")
    let pause = { (url: String, now: Date) in book.pause(ofAddress: url, at: now)?.until }
    #expect(pause("http://bücher.example/1", noon) == noon + 600)
    #expect(pause("http://bücher.example/1", noon + 600) == nil)
    #expect(pause("http://bücher.example/2", noon) == nil)
    refuse(book, "http://xn--bcher-kva.example./2")
    #expect(pause("http://bücher.example/3", noon) == noon + 600)
    #expect(book.pause(of: "xn--bcher-kva.example", at: noon)?.until == noon + 600)
  }

  @Test("A good answer of a sibling host limits the back-off to the refusing hosts")
  func goodSiblingNarrowsScope() {
    for host in ["a", "b"] {
      for path in 1...2 { refuse(book, "http://\(host).example.org/\(path)") }
    }
    #expect(book.pause(of: "c.example.org", at: noon) != nil)
    book.answeredWell("c.example.org")
    #expect(book.pause(of: "c.example.org", at: noon) == nil)
    #expect(book.pause(of: "a.example.org", at: noon) != nil)
  }

  @Test("Unrelated hosts under a public suffix do not share a back-off")
  func unrelatedShareNoBackoff() {
    refuse(book, "http://one.co.uk/1")
    refuse(book, "http://two.co.uk/1")
    #expect(book.pause(of: "three.co.uk", at: noon) == nil)
    refuse(book, "http://10.0.0.1/1")
    refuse(book, "http://10.1.0.1/1")
    #expect(book.pause(of: "10.2.0.1", at: noon) == nil)
  }

  @Test(
    "The registrable domain of a host follows the public suffix rules",
    arguments: [
      ("a.example.org", "example.org"), ("example.org", "example.org"),
      ("x.y.example.co.uk", "example.co.uk"), ("blog.example.com.br", "example.com.br"),
      ("feeds.school.nz", "feeds.school.nz"), ("news.ibm.de", "ibm.de"),
      ("a.github.io", "a.github.io"), ("x.a.blogspot.com", "a.blogspot.com"), ("co.uk", nil),
      ("www.example.de", "example.de"), ("localhost", nil), ("127.0.0.1", nil), ("[::1]", nil),
    ])
  func registrableDomains(host: String, domain: String?) {
    #expect(RegistrableDomain.of(host) == domain)
  }

  @Test("Stored refusals apply after a restart") func refusalsAreStored() {
    func record(_ id: Int64, _ url: String, count: Int) -> FetchRecord {
      FetchRecord(
        feed: FeedID(rawValue: id), url: url, name: "", notBefore: noon + 300,
        failure: RefreshFailure(kind: .rateLimited, status: 429, since: noon, count: count))
    }
    book.remember([
      record(1, "http://a.example/1", count: 3), record(2, "http://a.example/2", count: 0),
    ])
    #expect(book.pause(of: "a.example", at: noon)?.until == noon + 300)
    // The doubling continues after three refusals with the fourth.
    #expect(refuse(book, "http://a.example/1", after: nil, at: noon + 301) == noon + 301 + 8 * 60)
  }

  @Test("Refusals before a good answer are ignored after a restart") func earlierRefusalsAreVoid() {
    func record(_ id: Int64, _ url: String) -> FetchRecord {
      FetchRecord(
        feed: FeedID(rawValue: id), url: url, name: "", notBefore: noon + 300_000,
        failure: RefreshFailure(kind: .httpStatus, status: 503, since: noon - 600, count: 12))
    }
    let rows = [
      record(1, "http://a.example.org/1"), record(2, "http://a.example.org/2"),
      record(3, "http://b.example.org/1"),
    ]
    // No host has answered since: the domain backs off.
    let silent = HostRegistry()
    silent.remember(rows, answers: [GoodAnswer(url: "http://a.example.org/3", at: noon - 601)])
    #expect(silent.pause(of: "c.example.org", at: noon) != nil)
    // Another host of the domain has answered; the first host was refused twice.
    let mixed = HostRegistry()
    mixed.remember(rows, answers: [GoodAnswer(url: "http://c.example.org/", at: noon - 10)])
    #expect(mixed.pause(of: "c.example.org", at: noon) == nil)
    #expect(mixed.pause(of: "a.example.org", at: noon) != nil)
    let alive = HostRegistry()
    alive.remember(rows, answers: [GoodAnswer(url: "http://a.example.org/3", at: noon - 10)])
    for host in ["a.example.org", "b.example.org", "c.example.org"] {
      #expect(alive.pause(of: host, at: noon) == nil)
    }
  }

  @Test("Setting the clock back ends pauses that lie in the future") func clockSetBackEndsPauses() {
    refuse(book, "http://a.example/1", at: noon + 1e8)
    refuse(book, "http://a.example/2", at: noon + 1e8)
    #expect(book.pause(of: "a.example", at: noon + 1e8) != nil)
    #expect(book.pause(of: "a.example", at: noon) == nil)
    #expect(refuse(book, "http://a.example/1", after: 60, at: noon) == noon + 60)
  }
}
