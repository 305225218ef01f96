@testable import SyncEngine

@Suite("The hash of a body") struct BodyHashTests {
  @Test("Bodies are distinguished by hash and length") func bodiesAreToldApart() {
    #expect(BodyHash.of([]) == "ef46db3751d8e999-0")
    // The published value for "a".
    #expect(BodyHash.of([0x61]) == "d24ec4f1a98c6e5b-1")
    #expect(BodyHash.of(Array("<rss/>".utf8)) != BodyHash.of(Array("<rss />".utf8)))
  }
}
