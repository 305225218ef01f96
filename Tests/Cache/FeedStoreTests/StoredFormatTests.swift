@testable import ArticleStore
@testable import CacheCore

@Suite("Encodings and hashes of the store") struct StoredFormatTests {
  @Test(
    "XXH64 hashes equal those of the reference implementation",
    arguments: [
      ("", 0, 0xEF46_DB37_51D8_E999), ("a", 0, 0xD24E_C4F1_A98C_6E5B),
      ("abc", 0, 0x44BC_2CF5_AD77_0999),
      ("Nobody inspects the spammish repetition", 0, 0xFBCE_A83C_8A37_8BF1),
    ] as [(String, UInt64, UInt64)])
  func hashesEqualReference(_ text: String, _ seed: UInt64, _ value: UInt64) {
    #expect(XXH64.hash(text, seed: seed) == value)
  }

  @Test(
    "Stored hints are read back, including those that earlier versions encoded",
    arguments: [
      (UpdateHints(), nil), (UpdateHints(), 300), (UpdateHints(interval: 5_400.5), nil),
      (UpdateHints(interval: 1e9, skipHours: [0, 23], skipDays: [7]), 0.25),
    ] as [(UpdateHints, Double?)])
  func hints(_ hints: UpdateHints, _ freshFor: Double?) throws {
    let text = FetchRows.text(hints, freshFor)
    let isAny = hints != UpdateHints() || freshFor != nil
    #expect((text == nil) == !isAny)
    #expect(FetchRows.asked(text).hints == (isAny ? hints : nil))
    #expect(FetchRows.asked(text).freshFor == freshFor)
    if let text { _ = try JSONSerialization.jsonObject(with: Data(text.utf8)) }
    let old = #"{"freshFor":300,"skipDays":[],"interval":1800,"skipHours":[1,2]}"#
    #expect(FetchRows.asked(old).hints == UpdateHints(interval: 1_800, skipHours: [1, 2]))
    #expect(FetchRows.asked(old).freshFor == 300)
    #expect(FetchRows.asked(#"{"freshFor":null,"skipDays":"x"}"#).freshFor == nil)
  }

  @Test(
    "Lists of strings are read back unchanged",
    arguments: [
      [], ["a"], ["a", "b c"], ["", ""], ["„quoted“", "a,b", "[]"], ["\"", "\\"], ["a\",\"b"],
      ["line\nend", "\u{1F}"],
    ])
  func lists(_ strings: [String]) {
    #expect(StringList.strings(StringList.text(strings)) == strings)
  }

  @Test("Every field of an item changes its fingerprint") func everyFieldOfAnItemCounts() {
    let item = WholeItem.full
    let fingerprint = item.fingerprint
    for change in WholeItem.changes {
      var changed = item
      change(&changed)
      #expect(changed.fingerprint != fingerprint)
    }
  }

  @Test("Lists of keys are read back sorted, and decoding stops at invalid bytes")
  func keyListsAreSorted() {
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

  @Test("A cut never splits the bytes of a character") func cutKeepsCharactersWhole() {
    let text = "aé日👩‍👩‍👧z"
    for limit in 0...text.utf8.count {
      let cut = ItemText.cut(text, limit)
      #expect(cut.utf8.count <= limit)
      #expect(text.utf8.starts(with: cut.utf8))
      #expect(!cut.unicodeScalars.contains("\u{FFFD}"))
    }
  }

  @Test("Dates are stored to the millisecond, and invalid dates as zero")
  func datesAreInMilliseconds() {
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
