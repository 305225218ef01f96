import Foundation
import Testing

/// A limit for the size of the program, raised only in a commit that states the reason.
@Suite("The size of the sources") struct SizeBudget {
  /// The allowed lines of Swift in Sources.
  static let lines = 107_264

  @Test("Sources have no more lines than the budget")
  func sourcesStayWithinBudget() throws {
    let count = try ImportRules.files(under: "Sources", withExtensions: ["swift"])
      .map { try String(contentsOf: $0, encoding: .utf8).count(where: \.isNewline) }
      .reduce(0, +)
    #expect(
      count <= Self.lines,
      "Remove lines that do not pay, or raise the budget in a commit that says for what.")
  }
}
