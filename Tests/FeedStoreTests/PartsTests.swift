import FeedModel
import Foundation
import TestSupport
import Testing

@testable import FeedStore

@Suite struct PartsTests {
  /// Values of the reference implementation.
  @Test(
    arguments: [
      ("", 0, 0xEF46_DB37_51D8_E999), ("a", 0, 0xD24E_C4F1_A98C_6E5B),
      ("abc", 0, 0x44BC_2CF5_AD77_0999),
      ("Nobody inspects the spammish repetition", 0, 0xFBCE_A83C_8A37_8BF1),
    ] as [(String, UInt64, UInt64)])
  func hashesAreThoseOfTheSpecification(_ text: String, _ seed: UInt64, _ value: UInt64) {
    #expect(XXH64.hash(text, seed: seed) == value)
  }

  @Test func everyFieldOfAnItemCounts() {
    let item = WholeItem.full
    let fingerprint = Fingerprint.content(item)
    for change in WholeItem.changes {
      var changed = item
      change(&changed)
      #expect(Fingerprint.content(changed) != fingerprint)
    }
  }

  @Test func listsOfKeysComeBackSortedAndStopAtNonsense() {
    var random = SeededRandom(seed: 9)
    let ids = (0..<2_000).map { _ in Int64.random(in: 1...Int64.max, using: &random) }
    #expect(IDList.ids(IDList.data(ids)) == Set(ids).sorted())
    #expect(IDList.data([3, 1, 2, 2]) == Data([1, 1, 1]))
    #expect(IDList.data(Array(1...1_000_000)).count == 1_000_000)
    for _ in 0..<1_000 {
      let length = Int.random(in: 0...40, using: &random)
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      let read = IDList.ids(Data(bytes))
      #expect(zip(read, read.dropFirst()).allSatisfy(<=))
    }
  }

  @Test func aCutNeverSplitsACharactersBytes() {
    let text = "aé日👩‍👩‍👧z"
    for limit in 0...text.utf8.count {
      let cut = ItemText.cut(text, limit)
      #expect(cut.utf8.count <= limit)
      #expect(text.utf8.starts(with: cut.utf8))
      #expect(!cut.unicodeScalars.contains("\u{FFFD}"))
    }
  }

  @Test func datesSurviveToTheMillisecond() {
    for milliseconds in [-62_135_596_800_000, -1, 0, 1, 1_795_255_200_123, 4_070_908_800_999]
      as [Int64]
    {
      #expect(Date(milliseconds: milliseconds).milliseconds == milliseconds)
    }
    _ = Date.distantFuture.milliseconds
    #expect(Date(timeIntervalSince1970: .nan).milliseconds == 0)
    #expect(Date(timeIntervalSince1970: .infinity).milliseconds == 0)
  }
}
