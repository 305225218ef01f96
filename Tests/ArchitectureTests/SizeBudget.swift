import Foundation
import Testing

/// The size of the program: growth is decided in a commit that says what it is for.
@Suite("The size of the sources") struct SizeBudget {
  /// Lines of Swift in Sources. A commit that raises the number says for what.
  static let lines = 94_920

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
