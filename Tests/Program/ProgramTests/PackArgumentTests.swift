import ArgumentParser

@testable import weir

@Suite("Arguments of packs") struct PackArgumentTests {
  @Test(
    "A size with or without a unit is read",
    arguments: [
      ("20M", 20_000_000), ("1.5G", 1_500_000_000), ("800k", 800_000), ("200MB", 200_000_000),
      ("50000", 50_000),
    ] as [(String, Int64)])
  func sizes(text: String, bytes: Int64) throws {
    #expect(try PackSelection.size(text) == bytes)
  }

  @Test(
    "An invalid size is rejected", arguments: ["", "M", "-5M", "5", "1T", "nan", "2e9G", "ten"])
  func noSizes(text: String) {
    #expect(throws: ValidationError.self) { try PackSelection.size(text) }
  }
}
