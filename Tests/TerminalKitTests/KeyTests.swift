import Testing

@testable import TerminalKit

@Suite struct KeyNameTests {
  private static let keys: [Key] =
    [
      .enter, .escape, .tab, .backTab, .backspace, .delete, .insert, .up, .down, .left, .right,
      .home, .end, .pageUp, .pageDown, .function(1), .function(12), .control("a"), .control("z"),
      .control("@"), .control("]"), .control("_"), .control("^"), .control("\\"), .alt("x"),
      .alt("X"), .alt(" "), .alt("\u{7F}"), .alt("-"), .alt("é"),
    ] + "jkgG!/|?:<>^-+ é漢👩‍💻.~\"".map { .character($0) }

  @Test("A key's name reads as that key", arguments: keys)
  func roundTrip(key: Key) throws {
    let name = try #require(key.name)
    #expect(Key(name: name) == key)
    #expect(Key(name: "<\(name)>") == key)
    let sequence = try #require(KeySequence([key, key, .character("g")]))
    #expect(KeySequence(sequence.description) == sequence)
  }

  @Test func `Random sequences survive being written and read`() throws {
    for _ in 0..<500 {
      let keys = (0..<Int.random(in: 1...4)).compactMap { _ in Self.keys.randomElement() }
      let sequence = try #require(KeySequence(keys))
      #expect(KeySequence(sequence.description) == sequence, "\(sequence)")
    }
  }

  @Test(
    "Other programs' ways of writing keys are understood",
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
    "What is no key is refused",
    arguments: [
      "", " ", "ctrl-foo", "ctrl-é", "alt-", "ctrl-1", "shift-é-x", "a\u{1B}", "f99x\u{7}",
    ])
  func refused(text: String) {
    #expect(KeySequence(text) == nil)
  }

  @Test func `Sequences are shown as people type them`() {
    #expect(KeySequence([.character("g"), .character("g")])?.description == "gg")
    #expect(KeySequence([.character("u"), .character("p")])?.description == "u p")
    #expect(KeySequence([.control("x"), .pageDown])?.description == "Ctrl-x PgDn")
    #expect(KeySequence([.focusIn]) == nil)
  }
}

@Suite struct KeyDecoderTests {
  private func decode(_ text: String, _ decoder: KeyDecoder = KeyDecoder()) -> [Key] {
    var decoder = decoder
    return decoder.decode(Array(text.utf8), at: 0) + decoder.timeOut()
  }

  @Test(
    "Keys are decoded",
    arguments: [
      ("j", [.character("j")]), ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]),
      ("\u{7F}\u{8}", [.backspace, .backspace]), ("\u{4}", [.control("d")]),
      ("\0", [.control("@")]), ("\u{1F}", [.control("_")]), ("\u{1A}", [.control("z")]),
      ("\u{1B}[A\u{1B}OB", [.up, .down]), ("\u{1B}[1;5C", [.right]), ("\u{1B}[5~", [.pageUp]),
      ("\u{1B}[15~\u{1B}OP\u{1B}[24;2~", [.function(5), .function(1), .function(12)]),
      ("\u{1B}[Z", [.backTab]), ("\u{1B}[I\u{1B}[O", [.focusIn, .focusOut]),
      ("\u{1B}", [.escape]), ("\u{1B}\u{1B}", [.escape, .escape]), ("\u{1B}x", [.alt("x")]),
      ("\u{1B}é", [.alt("é")]), ("\u{1B}[", [.alt("[")]), ("\u{1B}O", [.alt("O")]),
      ("\u{1B}\r", [.escape, .enter]), ("\u{1B}\u{7F}", [.alt("\u{7F}")]),
      ("\u{1B}\u{1B}[A", [.escape, .up]), ("e\u{301}漢👩‍👩‍👧", "e\u{301}漢👩‍👩‍👧".map { .character($0) }),
      ("\u{1B}[27;5;106~", [.enter]), ("\u{1B}[100;5u", [.control("d")]),
      ("\u{1B}[97;3u", [.alt("a")]), ("\u{1B}Oj\u{1B}Op", [.character("*"), .character("0")]),
    ] as [(String, [Key])])
  func keys(text: String, keys: [Key]) {
    #expect(decode(text) == keys)
  }

  @Test(
    "An unknown sequence is swallowed whole",
    arguments: [
      "\u{1B}[?1;2c", "\u{1B}[99~", "\u{1B}[1;2;3;4y", "\u{1B}]11;rgb:0/0/0\u{7}",
      "\u{1B}]52;c;aGk=\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\", "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}[[A",
      "\u{1B}Oz", "\u{1B}[>0;1u", "\u{1B}[<99999999999999999999;1;1M", "\u{1B}[<0;0;0M",
      "\u{1B}[57441;1u", "\u{1B}[1",
    ])
  func unknown(text: String) {
    #expect(decode(text) == [])
    #expect(decode("a" + text).first == .character("a"))
  }

  @Test func `Bytes may arrive one at a time`() {
    let text = "a漢\u{1B}[A\u{1B}[<0;3;4Mé\u{1B}[200~p\u{1B}[x\r\ny\u{1B}[201~\u{1B}OPz"
    var decoder = KeyDecoder()
    let keys = text.utf8.flatMap { decoder.decode([$0], at: 0) }
    #expect(
      keys == [
        .character("a"), .character("漢"), .up, .mouse(MouseEvent(.press, x: 2, y: 3)),
        .character("é"), .paste("p[x\ny"), .function(1), .character("z"),
      ])
    #expect(decoder.wait == nil)
  }

  @Test func `Marks that come alone are keys, other invisible characters are none`() {
    var decoder = KeyDecoder()
    for text in [
      "ก", "\u{E35}", "ह", "\u{94D}", "ש", "\u{5B8}", "\u{20DD}", "\u{200C}", "\u{200D}",
      "\u{FE0F}",
    ] {
      #expect(decoder.decode(Array(text.utf8), at: 0) == [.character(Character(text))])
    }
    for text in [
      "\u{202E}", "\u{2066}", "\u{200E}", "\u{200B}", "\u{AD}", "\u{34F}", "\u{E0001}",
    ] {
      #expect(decoder.decode(Array(text.utf8), at: 0) == [], "\(text.unicodeScalars)")
    }
    #expect(decoder.decode(Array("\u{1B}\u{E35}".utf8), at: 0) == [])
  }

  @Test func `It says what it waits for`() {
    var decoder = KeyDecoder()
    _ = decoder.decode([0x1B], at: 0)
    #expect(decoder.wait == .escape)
    _ = decoder.decode(Array("[1;".utf8), at: 0)
    #expect(decoder.wait == .sequence)
    _ = decoder.decode(Array("2A\u{1B}[200~abc".utf8), at: 0)
    #expect(decoder.wait == .paste)
    #expect(decoder.timeOut() == [.paste("abc")])
    #expect(decoder.wait == nil)
  }

  @Test func `The terminal's own description goes first`() {
    let decoder = KeyDecoder(terminfoKeys: [
      Array("\u{1B}[A".utf8): .home, Array("\u{1B}[[A".utf8): .function(1),
    ])
    #expect(decode("\u{1B}[A\u{1B}[[A\u{1B}[B", decoder) == [.home, .function(1), .down])
  }

  @Test func `Several mouse events in one read are all there`() {
    let events = decode(
      "\u{1B}[<64;5;6M\u{1B}[<64;5;6M\u{1B}[<65;5;6M\u{1B}[<66;5;6M\u{1B}[<0;1;1M\u{1B}[<0;1;1m"
        + "\u{1B}[<2;1;1M\u{1B}[<35;1;1M\u{1B}[M !!\u{1B}[M`!!")
    #expect(
      events == [
        .mouse(MouseEvent(.wheelUp, x: 4, y: 5)), .mouse(MouseEvent(.wheelUp, x: 4, y: 5)),
        .mouse(MouseEvent(.wheelDown, x: 4, y: 5)), .mouse(MouseEvent(.press, x: 0, y: 0)),
        .mouse(MouseEvent(.release, x: 0, y: 0)), .mouse(MouseEvent(.doubleClick, x: 0, y: 0)),
        .mouse(MouseEvent(.wheelUp, x: 0, y: 0)),
      ])
  }

  @Test func `Two presses of a cell are a double click if they are quick`() {
    var decoder = KeyDecoder()
    let press = Array("\u{1B}[<0;3;3M".utf8)
    let elsewhere = Array("\u{1B}[<0;4;3M".utf8)
    func actions(_ bytes: [UInt8], _ time: Double) -> [MouseEvent.Action] {
      decoder.decode(bytes, at: time).compactMap {
        if case .mouse(let event) = $0 { event.action } else { nil }
      }
    }
    #expect(actions(press, 1) == [.press])
    #expect(actions(press, 1.3) == [.doubleClick])
    #expect(actions(press, 1.5) == [.press])
    #expect(actions(press, 2.5) == [.press])
    #expect(actions(elsewhere, 2.6) == [.press])
  }

  @Test func `A paste is one key, its lines end alike and it holds no controls`() {
    #expect(
      decode("\u{1B}[200~a\r\nb\rc\td\u{1B}[31me\u{7}\u{1B}[201~q")
        == [.paste("a\nb\nc\td[31me"), .character("q")])
    let long = String(repeating: "x", count: KeyDecoder.pasteLimit + 500)
    #expect(
      decode("\u{1B}[200~" + long + "\u{1B}[201~j") == [
        .paste(String(repeating: "x", count: KeyDecoder.pasteLimit)), .character("j"),
      ])
  }

  @Test(
    "A sequence longer than any is swallowed to its end, whatever it holds",
    arguments: [
      ("\u{1B}]11;", "jQ", "\u{7}"), ("\u{1B}P", "jQ;", "\u{1B}\\"), ("\u{1B}_", "é", "\u{1B}\\"),
      ("\u{1B}[", "1;", "A"), ("\u{1B}[<", "0;", "M"),
    ])
  func overlong(start: String, piece: String, end: String) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(start.utf8, at: 0) == [])
    for _ in 0..<20 {
      #expect(decoder.decode(String(repeating: piece, count: 3_000).utf8, at: 0) == [])
    }
    #expect(decoder.wait == .sequence)
    var again = decoder
    #expect(decoder.decode((end + "k").utf8, at: 0) == [.character("k")])
    #expect(decoder.wait == nil)
    // The end may come in two reads, or not at all.
    for byte in end.utf8 { #expect(again.decode([byte], at: 0) == []) }
    #expect(again.decode(start.utf8, at: 0) == [])
    #expect(again.decode(String(repeating: piece, count: 3_000).utf8, at: 0) == [])
    #expect(again.timeOut() == [])
    #expect(again.decode([UInt8(ascii: "k")], at: 0) == [.character("k")])
  }

  @Test func `No bytes crash it, and none are kept for ever`() {
    var random = SystemRandomNumberGenerator()
    let likely = Array("\u{1B}[O]P<;0123456789~MmABu\u{7}\\é漢".utf8)
    for _ in 0..<3000 {
      var decoder = KeyDecoder()
      for _ in 0..<4 {
        let bytes = (0..<Int.random(in: 0...30)).map { _ in
          Bool.random(using: &random)
            ? UInt8.random(in: 0...255, using: &random) : likely.randomElement() ?? 0
        }
        _ = decoder.decode(bytes, at: 0)
      }
      _ = decoder.timeOut()
      #expect(decoder.wait == nil)
      #expect(decoder.decode(Array("j".utf8), at: 0) == [.character("j")])
    }
  }
}
