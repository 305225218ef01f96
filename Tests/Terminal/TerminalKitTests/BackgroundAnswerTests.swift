import TerminalKit

@Suite("Answers about the terminal's background") struct BackgroundAnswerTests {
  @Test(
    "A background colour is dark or light",
    arguments: [
      ("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\", true), ("\u{1B}]11;rgb:ffff/fafa/f7f7\u{7}", false),
      ("\u{1B}]11;rgb:14/17/1c\u{1B}\\", true), ("\u{1B}]11;rgba:ff/ff/ff/ff\u{1B}\\", false),
      ("\u{1B}]11;?\u{1B}\\", nil), ("\u{1B}]11;rgb:zz/00/00\u{1B}\\", nil), ("", nil),
    ] as [(String, Bool?)])
  func colours(answer: String, isDark: Bool?) {
    #expect(BackgroundAnswer.isDark(Array(answer.utf8)) == isDark)
  }

  @Test("An answer is one unit even if it arrives in pieces, and no part of it is a key")
  func units() {
    let bytes = Array("a\u{1B}]11;rgb:1414/1717/1c1c\u{1B}\\\u{1B}[?62;4cb".utf8)
    for length in [1, 5, bytes.count] {
      var scanner = InputScanner()
      var units: [InputScanner.Unit] = []
      for start in stride(from: 0, to: bytes.count, by: length) {
        units += scanner.scan(bytes[start..<min(bytes.count, start + length)])
      }
      #expect(
        units == [
          .text("a"), .answer(Array(bytes[1...25])), .sequence(Array("\u{1B}[?62;4c".utf8)),
          .text("b"),
        ])
    }
    #expect(BackgroundAnswer.isEnd(Array("\u{1B}[?62;4c".utf8)))
    #expect(!BackgroundAnswer.isEnd(Array("\u{1B}[1;5C".utf8)))
  }
}
