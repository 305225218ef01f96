import FeedStore

@testable import weir

@Suite("The progress of opening a cache") struct OpeningProgressTests {
  private let upgrade = "Waiting for another Weir process to upgrade the database"

  @Test("An opening that ends in time shows nothing") func fast() {
    var progress = OpeningProgress(canQuit: true)
    #expect(progress.report(.copying(bytes: 1_000)) == nil)
    #expect(progress.report(.migrating(number: 1, count: 2)) == nil)
    #expect(progress.report(.ended) == nil)
    #expect(progress.end() == nil)
    #expect(progress.report(.waitingForLock) == nil)
  }

  @Test("A late opening shows the last reason, each later one, and removes the line at the end")
  func late() {
    var progress = OpeningProgress(canQuit: true)
    #expect(progress.report(.waitingForUpgrade) == nil)
    #expect(progress.becomeLate() == upgrade + " (q quits)")
    #expect(progress.report(.waitingForUpgrade) == nil)
    #expect(
      progress.report(.migrating(number: 1, count: 2))
        == "Updating the database: step 1 of 2 \u{2026} (q quits)")
    #expect(progress.report(.ended) == "Opening the database (q quits)")
    #expect(progress.end() == "")
    #expect(progress.end() == nil)
    #expect(progress.report(.waitingForLock) == nil)
  }

  @Test("Lines that stay need a reason") func linear() {
    var progress = OpeningProgress(canQuit: true, isLinear: true)
    #expect(progress.becomeLate() == nil)
    #expect(progress.report(.waitingForUpgrade) == upgrade + " (q quits)")
    #expect(progress.report(.ended) == nil)
    #expect(progress.end() == "")
  }

  @Test("A late opening without a known reason says that the database is opened") func unknown() {
    var progress = OpeningProgress(canQuit: false)
    #expect(progress.becomeLate() == "Opening the database")
    #expect(
      progress.report(.waitingForLock) == "Waiting for another program to release the database")
  }
}
