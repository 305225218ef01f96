/// A ceiling for the size of the program. A commit may lower it; only the owner raises it.
@Suite("The size of the sources") struct SizeBudget {
  /// The allowed lines of Swift in Sources.
  static let lines = 100_000

  @Test("Sources have no more lines than the budget") func sourcesStayWithinBudget() throws {
    let count = try ImportRules.files(under: "Sources", withExtensions: ["swift"])
      .map { try String(contentsOf: $0, encoding: .utf8).count(where: \.isNewline) }
      .reduce(0, +)
    #expect(
      count <= Self.lines,
      "Growth is paid for in the same change: remove as many lines elsewhere.")
  }
}
