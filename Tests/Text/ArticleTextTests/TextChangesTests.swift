@Suite("Differences between texts") struct TextChangesTests {
  @Test("Removed and added words are found") func wordsAreToldApart() {
    let changes = TextChanges(
      fromHTML: "<p>The lake is 40 m deep and cold.</p>",
      toHTML: "<p>The <b>lake</b> is 42 m deep, and very cold.</p>")
    #expect(
      changes.runs == [
        .init(.same, "The lake is"), .init(.removed, "40"), .init(.added, "42"), .init(.same, "m"),
        .init(.removed, "deep"), .init(.added, "deep,"), .init(.same, "and"), .init(.added, "very"),
        .init(.same, "cold."),
      ])
    #expect(changes.wordsAdded == 3)
    #expect(changes.wordsRemoved == 2)
  }

  @Test("Empty, equal and new texts are compared") func nothingAndEverything() {
    #expect(TextChanges(from: "", to: "").runs.isEmpty)
    #expect(TextChanges(from: "a b", to: "a  b").runs == [.init(.same, "a b")])
    #expect(TextChanges(from: "", to: "a").runs == [.init(.added, "a")])
    #expect(TextChanges(from: "a", to: "").runs == [.init(.removed, "a")])
  }

  @Test("Both texts can be restored from the differences") func bothTextsCanBeReadFromIt() {
    var random = SeededRandom(seed: 5)
    for _ in 0..<200 {
      func text() -> String {
        (0..<Int.random(in: 0..<40, using: &random))
          .map { _ in String(Int.random(in: 0..<6, using: &random)) }.joined(separator: " ")
      }
      let (old, new) = (text(), text())
      let runs = TextChanges(from: old, to: new).runs
      func joined(_ kind: TextChanges.Kind) -> String {
        runs.filter { $0.kind == .same || $0.kind == kind }.map(\.text).joined(separator: " ")
      }
      #expect(joined(.removed) == old)
      #expect(joined(.added) == new)
    }
  }

  @Test("Very long texts are replaced as a whole") func longTextsAreReplaced() {
    let old = (0..<9_000).map { "a\($0)" }.joined(separator: " ")
    let new = (0..<9_000).map { "b\($0)" }.joined(separator: " ")
    #expect(
      TextChanges(from: "x " + old, to: "x " + new).runs.map(\.kind) == [.same, .removed, .added])
  }
}
