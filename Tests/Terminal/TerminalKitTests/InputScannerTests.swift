@testable import TerminalKit

@Suite("Units of a terminal's input") struct InputScannerTests {
  private func scan(_ text: String) -> [InputScanner.Unit] {
    var scanner = InputScanner()
    return scanner.scan(text.utf8) + scanner.timeOut()
  }

  private func sequence(_ text: String) -> InputScanner.Unit { .sequence(Array(text.utf8)) }

  @Test("Text, control characters and sequences are distinguished") func units() {
    #expect(
      scan("ab漢\r\u{1B}[1;5Cx\u{1B}OP\u{1B}x\u{1B}\u{1B}[A\u{1B}\r\u{1B}") == [
        .text("ab漢"), sequence("\r"), sequence("\u{1B}[1;5C"), .text("x"), sequence("\u{1B}OP"),
        sequence("\u{1B}x"), sequence("\u{1B}"), sequence("\u{1B}[A"), sequence("\u{1B}"),
        sequence("\r"), sequence("\u{1B}"),
      ])
    #expect(scan("\u{1B}[") == [sequence("\u{1B}[")])
    #expect(scan("\u{1B}[1") == [])
  }

  @Test("Invalid UTF-8 bytes are dropped, and nothing else is") func invalid() {
    var scanner = InputScanner()
    #expect(scanner.scan([0x61, 0x80, 0x62, 0xFF, 0x63]) == [.text("abc")])
    #expect(scanner.scan([0xC3]) == [])
    #expect(scanner.wait == .sequence)
    #expect(scanner.scan([0xA9, 0x6A]) == [.text("éj")])
    #expect(scanner.wait == nil)
  }

  @Test(
    "An unrequested answer is dropped as a whole",
    arguments: [
      "\u{1B}]10;rgb:0/0/0\u{7}", "\u{1B}]52;c;aGk=\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\",
      "\u{1B}_Gi=1;OK\u{1B}\\",
    ])
  func strings(text: String) {
    #expect(scan("a" + text + "b") == [.text("a"), .text("b")])
  }

  @Test("Bytes may arrive one at a time") func slowly() {
    let text = "a漢\u{1B}[A\u{1B}[<0;3;4Mé\u{1B}[200~p\u{1B}[x\r\ny\u{1B}[201~\u{1B}OPz"
    var scanner = InputScanner()
    let units = text.utf8.flatMap { scanner.scan([$0]) }
    #expect(
      units == [
        .text("a"), .text("漢"), sequence("\u{1B}[A"), sequence("\u{1B}[<0;3;4M"), .text("é"),
        .paste("p[x\ny"), sequence("\u{1B}OP"), .text("z"),
      ])
    #expect(scanner.wait == nil)
  }

  @Test("The scanner reports what it waits for") func waits() {
    var scanner = InputScanner()
    _ = scanner.scan([0x1B])
    #expect(scanner.wait == .escape)
    _ = scanner.scan("[1;".utf8)
    #expect(scanner.wait == .sequence)
    _ = scanner.scan("2A\u{1B}[200~abc".utf8)
    #expect(scanner.wait == .paste)
    #expect(scanner.timeOut() == [.paste("abc")])
    #expect(scanner.wait == nil)
  }

  @Test("A key of the terminal's own description is one unit, whatever its form") func terminfo() {
    var scanner = InputScanner(terminfoKeys: [Array("\u{1B}[23$".utf8)])
    #expect(scanner.scan("\u{1B}[23$j".utf8) == [sequence("\u{1B}[23$"), .text("j")])
  }

  @Test("A paste is one unit, with uniform line ends and without control characters")
  func pastes() {
    #expect(
      scan("\u{1B}[200~a\r\nb\rc\td\u{1B}[31me\u{7}\u{1B}[201~q")
        == [.paste("a\nb\nc\td[31me"), .text("q")])
    let long = String(repeating: "x", count: InputScanner.pasteLimit + 500)
    #expect(
      scan("\u{1B}[200~" + long + "\u{1B}[201~j") == [
        .paste(String(repeating: "x", count: InputScanner.pasteLimit)), .text("j"),
      ])
  }

  @Test(
    "A sequence that is too long is dropped to its end, whatever it contains",
    arguments: [
      ("\u{1B}]11;", "jQ", "\u{7}"), ("\u{1B}P", "jQ;", "\u{1B}\\"), ("\u{1B}_", "é", "\u{1B}\\"),
      ("\u{1B}[", "1;", "A"), ("\u{1B}[<", "0;", "M"),
    ])
  func overlong(start: String, piece: String, end: String) {
    var scanner = InputScanner()
    #expect(scanner.scan(start.utf8) == [])
    for _ in 0..<20 {
      #expect(scanner.scan(String(repeating: piece, count: 3_000).utf8) == [])
    }
    #expect(scanner.wait == .sequence)
    var again = scanner
    #expect(scanner.scan((end + "k").utf8) == [.text("k")])
    #expect(scanner.wait == nil)
    // The end may come in two reads, or not at all.
    for byte in end.utf8 { #expect(again.scan([byte]) == []) }
    #expect(again.scan(start.utf8) == [])
    #expect(again.scan(String(repeating: piece, count: 3_000).utf8) == [])
    #expect(again.timeOut() == [])
    #expect(again.scan([UInt8(ascii: "k")]) == [.text("k")])
  }

  @Test("No bytes crash the scanner, and none are kept forever") func noise() {
    var random = SystemRandomNumberGenerator()
    let likely = Array("\u{1B}[O]P<;0123456789~MmABu\u{7}\\é漢".utf8)
    for _ in 0..<3000 {
      var scanner = InputScanner()
      for _ in 0..<4 {
        let bytes = (0..<Int.random(in: 0...30)).map { _ in
          Bool.random(using: &random)
            ? UInt8.random(in: 0...255, using: &random) : likely.randomElement() ?? 0
        }
        for unit in scanner.scan(bytes) {
          guard case .sequence(let sequence) = unit else { continue }
          _ = InputSequence.mouseReport(sequence)
          _ = InputSequence.withoutModifiers(sequence)
        }
      }
      _ = scanner.timeOut()
      #expect(scanner.wait == nil)
      #expect(scanner.scan("j".utf8) == [.text("j")])
    }
  }

  @Test("Two quick presses of a cell are a double click") func doubleClicks() {
    var clicks = ClickCounter()
    #expect(clicks.press(x: 2, y: 2, at: 1).action == .press)
    #expect(clicks.press(x: 2, y: 2, at: 1.3).action == .doubleClick)
    #expect(clicks.press(x: 2, y: 2, at: 1.5).action == .press)
    #expect(clicks.press(x: 2, y: 2, at: 2.5).action == .press)
    #expect(clicks.press(x: 3, y: 2, at: 2.6).action == .press)
  }
}
