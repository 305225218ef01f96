import ArgumentParser
import FeedModel
import Foundation
import Testing

@testable import weir

@Suite("Arguments of packs") struct PackArgumentTests {
  @Test(
    "A size with or without a unit is read",
    arguments: [
      ("20M", 20_000_000), ("1.5G", 1_500_000_000), ("800k", 800_000), ("200MB", 200_000_000),
      ("50000", 50_000),
    ] as [(String, Int64)])
  func sizes(text: String, bytes: Int64) throws {
    #expect(try PackArguments.size(text) == bytes)
  }

  @Test(
    "An invalid size is rejected", arguments: ["", "M", "-5M", "5", "1T", "nan", "2e9G", "ten"])
  func noSizes(text: String) {
    #expect(throws: ValidationError.self) { try PackArguments.size(text) }
  }

  @Test("Over a slow network, a pack takes no more than can arrive in time")
  func slowNetwork() {
    let now = Date(timeIntervalSince1970: 1_795_262_400)
    #expect(PackNetwork.edge.fits(100_000_000, until: now + 300, from: now) == 6_000_000)
    #expect(PackNetwork.edge.fits(1_000_000, until: now + 300, from: now) == 1_000_000)
    #expect(PackNetwork.edge.fits(100_000_000, until: nil, from: now) == 100_000_000)
    #expect(PackNetwork(.poor) == .edge && PackNetwork(.fair) == .threeG)
    #expect(PackNetwork(.good) == nil && PackNetwork(.offline) == nil && PackNetwork(nil) == nil)
  }

  @Test("A time means its next occurrence")
  func times() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let noon = Date(timeIntervalSince1970: 1_795_262_400)
    let morning = try PackArguments.time("07:40").next(after: noon, calendar: calendar)
    #expect(morning == noon + (19 * 60 + 40) * 60)
    let evening = try PackArguments.time("18:05").next(after: noon, calendar: calendar)
    #expect(evening == noon + (6 * 60 + 5) * 60)
    for text in ["7", "24:00", "12:60", "12:5", "a:b", "-1:00"] {
      #expect(throws: ValidationError.self) { try PackArguments.time(text) }
    }
  }
}
