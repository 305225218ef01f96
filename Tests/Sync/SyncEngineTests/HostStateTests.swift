@testable import SyncEngine

private let noon = Date(timeIntervalSince1970: 1_795_262_400)  // Sat 21 Nov 2026, 12:00 UTC

@Suite("The state of a host") final class HostStateTests {
  var host = HostState()
  private let feed = "http://a.example/feed"

  @Test("One refused address waits alone; a second one makes the whole host wait")
  func secondRefusalPausesHost() {
    #expect(host.refused(feed, status: 429, retryAfter: 300, at: noon) == noon + 300)
    #expect(host.pause(at: noon + 1) == nil)
    // The same address again is no evidence about others.
    _ = host.refused(feed, status: 429, retryAfter: 300, at: noon + 1)
    #expect(host.pause(at: noon + 1) == nil)
    host.answeredWell()
    _ = host.refused("http://a.example/other", status: 429, retryAfter: 300, at: noon + 2)
    #expect(host.pause(at: noon + 2) == nil)
    _ = host.refused(feed, status: 429, retryAfter: 300, at: noon + 3)
    #expect(host.pause(at: noon + 3) == noon + 303)
  }

  @Test("A pause lasts as long as the server says, from a minute to a week")
  func pauseLengthIsBounded() {
    for (told, kept) in [(5.0, 60.0), (300, 300), (1e12, 604_800), (.nan, 60), (-7, 60)] {
      var host = HostState()
      _ = host.refused("http://a.example/other", status: 429, retryAfter: told, at: noon)
      #expect(host.refused(feed, status: 429, retryAfter: told, at: noon) == noon + kept)
      #expect(host.pause(at: noon + kept - 1) == noon + kept)
      #expect(host.pause(at: noon + kept) == nil)
    }
  }

  @Test("Without a Retry-After, each wait doubles") func withoutAWordItDoubles() {
    var now = noon
    var waits: [Double] = []
    for _ in 0..<4 {
      let until = host.refused(feed, status: 503, retryAfter: nil, at: now)
      waits.append(until.timeIntervalSince(now))
      now = until
    }
    #expect(waits == [60, 120, 240, 480])
    host.answeredWell()
    #expect(host.pause(at: now) == nil)
    #expect(host.refused(feed, status: 503, retryAfter: nil, at: now) == now + 60)
  }

  @Test("Without a Retry-After, other addresses of the host wait at most an hour")
  func othersWaitAnHourAtMost() {
    _ = host.refused("http://a.example/other", status: 503, retryAfter: nil, at: noon)
    let until = host.refused(feed, status: 503, retryAfter: nil, earlier: 12, at: noon + 60)
    #expect(until == noon + 60 + 60 * 4_096)
    #expect(host.wait(of: feed, at: noon + 7_200) == until)
    #expect(host.pause(at: noon + 61) == noon + 3_660)
    #expect(host.pause(at: noon + 3_660) == nil)
    // A wait named by the server is kept.
    _ = host.refused(feed, status: 503, retryAfter: 90_000, at: noon + 3_660)
    #expect(host.pause(at: noon + 7_200) == noon + 93_660)
  }

  @Test("Refusals that were in flight together count once") func joinedRefusalsCountOnce() {
    #expect(host.refused(feed, status: 429, retryAfter: nil, at: noon) == noon + 60)
    #expect(host.refused(feed, status: 429, retryAfter: nil, at: noon + 1) == noon + 61)
    #expect(host.refusals == 1)
    // A shorter Retry-After does not shorten the pause.
    #expect(host.refused(feed, status: 429, retryAfter: 3_600, at: noon + 2) == noon + 3_602)
    #expect(host.refused(feed, status: 429, retryAfter: 60, at: noon + 3) == noon + 3_602)
  }

  @Test("A 403 with a page after a burst of requests counts as a refusal")
  func burst403IsARefusal() {
    for second in 0..<9 { host.asked(at: noon + Double(second)) }
    #expect(!host.isSoftRefusal(status: 403, contentType: "text/html", at: noon + 9))
    host.asked(at: noon + 9)
    #expect(host.isSoftRefusal(status: 403, contentType: "text/html; charset=utf-8", at: noon + 9))
    #expect(!host.isSoftRefusal(status: 403, contentType: "application/xml", at: noon + 9))
    #expect(!host.isSoftRefusal(status: 404, contentType: "text/html", at: noon + 9))
    #expect(!host.isSoftRefusal(status: 403, contentType: "text/html", at: noon + 120))
  }
}
