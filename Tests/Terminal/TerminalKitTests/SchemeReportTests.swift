@testable import TerminalKit

@Suite("Reports of the terminal's colour scheme") struct SchemeReportTests {
  @Test(
    "Only reports of dark and light are reports",
    arguments: [
      ("\u{1B}[?997;1n", true), ("\u{1B}[?997;2n", true), ("\u{1B}[?997;0n", false),
      ("\u{1B}[?997n", false), ("\u{1B}[?996n", false), ("\u{1B}[997;1n", false), ("", false),
    ])
  func reports(sequence: String, isReport: Bool) {
    #expect(SchemeReport.isReport(Array(sequence.utf8)) == isReport)
  }
}
