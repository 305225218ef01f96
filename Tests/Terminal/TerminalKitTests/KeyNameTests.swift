@testable import TerminalKit

@Suite("Names of keys") struct KeyNameTests {
  private static let keys: [Key] =
    [
      .enter, .escape, .tab, .backTab, .backspace, .delete, .insert, .up, .down, .left, .right,
      .home, .end, .pageUp, .pageDown, .function(1), .function(12), .control("a"), .control("z"),
      .control("@"), .control("]"), .control("_"), .control("^"), .control("\\"), .alt("x"),
      .alt("X"), .alt(" "), .alt("\u{7F}"), .alt("-"), .alt("é"),
    ] + "jkgG!/|?:<>^-+ é漢👩‍💻.~\"".map { .character($0) }

  @Test("The name of a key is read back as that key", arguments: keys)
  func roundTrip(key: Key) throws {
    let name = try #require(key.name)
    #expect(Key(name: name) == key)
    #expect(Key(name: "<\(name)>") == key)
    let sequence = try #require(KeySequence([key, key, .character("g")]))
    #expect(KeySequence(sequence.description) == sequence)
  }

  @Test("Random sequences survive being written and read") func randomRoundTrip() throws {
    for _ in 0..<500 {
      let keys = (0..<Int.random(in: 1...4)).compactMap { _ in Self.keys.randomElement() }
      let sequence = try #require(KeySequence(keys))
      #expect(KeySequence(sequence.description) == sequence, "\(sequence)")
    }
  }

  @Test(
    "Other programs' notations of keys are understood",
    arguments: [
      ("ctrl-d", [.control("d")]), ("C-d", [.control("d")]), ("<C-D>", [.control("d")]),
      ("^d", [.control("d")]), ("Control+d", [.control("d")]), ("ctrl-space", [.control("@")]),
      ("ctrl-m", [.enter]), ("ctrl-i", [.tab]), ("ctrl-h", [.backspace]), ("ctrl-[", [.escape]),
      ("M-x", [.alt("x")]), ("alt-space", [.alt(" ")]), ("S-Tab", [.backTab]),
      ("shift-g", [.character("G")]), ("pagedown", [.pageDown]), ("f10", [.function(10)]),
      ("gg", [.character("g"), .character("g")]), ("g /", [.character("g"), .character("/")]),
      ("g<Space>", [.character("g"), .character(" ")]), ("<lt>", [.character("<")]),
      ("ctrl-x s", [.control("x"), .character("s")]), ("up", [.up]),
      ("u p", [.character("u"), .character("p")]), ("-", [.character("-")]),
    ] as [(String, [Key])])
  func spellings(text: String, keys: [Key]) {
    #expect(KeySequence(text)?.keys == keys)
  }

  @Test(
    "An invalid key is rejected",
    arguments: [
      "", " ", "ctrl-foo", "ctrl-é", "alt-", "ctrl-1", "shift-é-x", "a\u{1B}", "f99x\u{7}",
    ])
  func refused(text: String) {
    #expect(KeySequence(text) == nil)
  }

  @Test("Sequences are shown as people type them") func sequencesShownPeopleType() {
    #expect(KeySequence([.character("g"), .character("g")])?.description == "gg")
    #expect(KeySequence([.character("u"), .character("p")])?.description == "u p")
    #expect(KeySequence([.control("x"), .pageDown])?.description == "Ctrl-x PgDn")
    #expect(KeySequence([.focusIn]) == nil)
  }
}
