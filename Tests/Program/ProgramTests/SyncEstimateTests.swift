import Testing

@testable import weir

@Suite("The estimated duration of a sync, and the hosts that it waits for")
struct SyncEstimateTests {
  private static let good = (1...30).map { "good\($0).example" }

  @Test("A host that does not answer is named, and the estimate includes it")
  func silence() {
    var estimate = SyncEstimate(feeds: Self.good + ["slow.example"])
    estimate.update(left: ["slow.example"], at: 0.6)
    #expect(estimate.secondsLeft(at: 0.8) == nil)
    #expect(estimate.awaitedHosts(at: 1).isEmpty)
    #expect(estimate.awaitedHosts(at: 10) == ["slow.example"])
    #expect((9...10).contains(estimate.secondsLeft(at: 10) ?? 0))
    estimate.update(left: [], at: 20)
    #expect(estimate.wait?.hosts == ["slow.example"])
    #expect((19...20).contains(estimate.wait?.seconds ?? 0))
  }

  @Test("The estimate follows the host with the most feeds")
  func pacedHost() {
    let many = [String](repeating: "many.example", count: 100)
    var estimate = SyncEstimate(feeds: Self.good + many)
    estimate.update(left: Array(many.dropFirst(5)), at: 5)
    // Five in five seconds, and 95 are left.
    #expect(estimate.secondsLeft(at: 5) == 95)
    #expect(estimate.awaitedHosts(at: 5).isEmpty)
  }

  @Test("A steady sync is estimated by its speed, and no host is named")
  func steady() {
    let feeds = (0..<100).map { "host\($0).example" }
    var estimate = SyncEstimate(feeds: feeds)
    for second in 1...100 {
      estimate.update(left: Array(feeds.dropFirst(second)), at: Double(second))
      #expect(
        estimate.secondsLeft(at: Double(second)) ?? 0 == (second > 1 ? Double(100 - second) : 0))
    }
    #expect(estimate.wait == nil)
  }

  @Test("No host is named when there are too many")
  func many() {
    var estimate = SyncEstimate(feeds: Self.good)
    estimate.update(left: Array(Self.good.dropFirst(10)), at: 1)
    #expect(estimate.awaitedHosts(at: 30).isEmpty)
    estimate.update(left: [], at: 40)
    #expect(estimate.wait == nil)
  }

  @Test("A sync of a single host does not name it, because there is no other to compare")
  func alone() {
    var estimate = SyncEstimate(feeds: ["a.example"])
    estimate.update(left: [], at: 40)
    #expect(estimate.wait == nil)
  }
}
