@testable import TerminalKit

@Suite("The surface") struct SurfaceTests {
  private func surface(_ width: Int, _ height: Int = 1) -> Surface {
    Surface(size: Size(width: width, height: height))
  }

  private func texts(_ surface: Surface, _ y: Int = 0) -> [String] { surface.row(y).map(\.text) }

  @Test("Writing gives the columns used and clips at both edges") func writingGivesColumnsUsed() {
    var s = surface(4)
    #expect(s.write("abcdef", x: 1, y: 0) == 3)
    #expect(texts(s) == [" ", "a", "b", "c"])
    #expect(s.write("xyz", x: -1, y: 0) == 3)
    #expect(texts(s) == ["y", "z", "b", "c"])
    #expect(s.write("abc", x: 0, y: 0, maxWidth: 2) == 2)
    #expect(s.write("abc", x: 0, y: 7) == 0)
    #expect(s.write("abc", x: 9, y: 0) == 0)
    #expect(s.write("abc", x: .min, y: 0) == 3)
  }

  @Test("A mark stays on the ASCII letter before it") func markStaysASCIILetter() {
    var s = surface(6)
    #expect(s.write("abe\u{301}c…", x: 0, y: 0) == 5)
    #expect(texts(s) == ["a", "b", "e\u{301}", "c", "…", " "])
    #expect(s.write("xye\u{301}z", x: -2, y: 0, maxWidth: 3) == 3)
    #expect(texts(s) == ["e\u{301}", "b", "e\u{301}", "c", "…", " "])
  }

  @Test("ASCII over half of a wide cluster blanks the other half") func asciiOverHalfWide() {
    var s = surface(6)
    s.write("漢漢字", x: 0, y: 0)
    s.write("ab", x: 1, y: 0)
    #expect(texts(s) == [" ", "a", "b", " ", "字", ""])
    s.write("cd", x: 4, y: 0)
    #expect(texts(s) == [" ", "a", "b", " ", "c", "d"])
  }

  @Test("No plain character is a mark, a blank or invisible") func plainCharacterMarkBlank() {
    let properties = (0...0x10FFFF).compactMap(Unicode.Scalar.init).filter(CellText.isPlain)
      .map(\.properties)
    #expect(properties.count > 35_000)
    #expect(
      properties.allSatisfy {
        switch $0.generalCategory {
        case .nonspacingMark, .enclosingMark, .spaceSeparator, .control, .format: false
        default: !$0.isDefaultIgnorableCodePoint && !$0.isBidiControl
        }
      })
  }

  @Test("A wide cluster is never split at an edge") func wideClusterNeverSplit() {
    var s = surface(3)
    #expect(s.write("漢字", x: 0, y: 0) == 2)
    #expect(texts(s) == ["漢", "", " "])
    s.write("漢字", x: -1, y: 0)
    #expect(texts(s) == [" ", "字", ""])
  }

  @Test("Drawing over half of a wide cluster blanks the other half") func drawingOverHalfWide() {
    var s = surface(4)
    s.write("漢字", x: 0, y: 0)
    s.write("x", x: 1, y: 0)
    #expect(texts(s) == [" ", "x", "字", ""])
    s.write("y", x: 2, y: 0)
    #expect(texts(s) == [" ", "x", "y", " "])
    s.write("漢字", x: 0, y: 0)
    s.write("語", x: 1, y: 0)
    #expect(texts(s) == [" ", "語", "", " "])
    s[3, 0] = Cell(text: "漢")
    #expect(texts(s) == [" ", "語", "", " "])
  }

  @Test("No control character, escape, bidi control or tag enters a cell")
  func controlsNeverEnterACell() {
    let hostile =
      "\u{1B}]0;x\u{7}\u{9B}31m\u{202E}ab\u{2066}\u{200B}c\u{AD}\u{E0041}\u{E007F}\u{FEFF}d\r\ne\tf"
      + "\u{85}\u{2028}g\u{3164}\u{115F}\u{FFF9}h\u{0}"
    var s = surface(60)
    s.write(hostile, x: 0, y: 0)
    s[50, 0] = Cell(text: "\u{1B}[2J")
    s[51, 0] = Cell(text: "ab\u{7}")
    s[52, 0] = Cell(text: "e\u{202E}")
    for cell in s.row(0) {
      for scalar in cell.text.unicodeScalars {
        #expect(scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value))
        #expect(!scalar.properties.isBidiControl)
        #expect(!scalar.properties.isDefaultIgnorableCodePoint)
      }
    }
    #expect(s.row(0).map(\.text).joined().hasPrefix("]0;x31mabcd e f  gh  "))
    #expect(texts(s)[50...52] == [" ", "a", "e"])
  }

  @Test("At most four marks stay on one base") func mostFourMarksStay() {
    var s = surface(3)
    s.write("a" + String(repeating: "\u{301}", count: 300) + "b", x: 0, y: 0)
    #expect(texts(s)[0].unicodeScalars.count == 5)
    #expect(texts(s)[1] == "b")
  }

  @Test("Random Unicode leaves every row exactly as wide as it is")
  func randomUnicodeLeavesEvery() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      var s = surface(20)
      for _ in 0..<4 {
        var text = String.UnicodeScalarView()
        for _ in 0..<30 {
          let ranges: [ClosedRange<UInt32>] = [
            0...0x7F, 0x300...0x36F, 0x900...0x97F, 0x1100...0x11FF, 0x2000...0x206F,
            0x4E00...0x4E20, 0xFE00...0xFE0F, 0x1F1E6...0x1F1FF, 0x1F300...0x1FAFF, 0...0x10FFFF,
          ]
          guard let range = ranges.randomElement(using: &random) else { continue }
          if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
            text.append(scalar)
          }
        }
        s.write(String(text), x: Int.random(in: -3...19), y: 0)
        s.write(String(text), x: 3, y: 0, maxWidth: 6)
      }
      var columns = 0
      for (x, cell) in s.row(0).enumerated() where !cell.text.isEmpty {
        #expect(cell.text.count == 1)
        let width = GraphemeWidth.width(of: cell.text)
        #expect(width == (s.isWideLead(x, 0) ? 2 : 1), "\(Array(cell.text.unicodeScalars))")
        columns += width
      }
      #expect(columns == 20)
    }
  }

  @Test("Filling and restyling stay inside") func fillsStayInside() {
    var s = surface(3, 2)
    let accent = Style(foreground: .palette(4))
    s.write("漢x", x: 0, y: 0)
    s.fill(Rect(x: 1, y: -1, width: 1, height: 9), style: accent, with: "│")
    #expect(texts(s) == [" ", "│", "x"])
    #expect(texts(s, 1) == [" ", "│", " "])
    s.restyle(Rect(x: 2, y: 0, width: .max, height: 1)) { $0.attributes.insert(.reverse) }
    #expect(s[2, 0].style.attributes == .reverse)
    #expect(s[2, 0].text == "x")
    #expect(s[2, 1].style == .plain)
    #expect(s[1, 0].style == accent)
  }

  @Test("A part is drawn in its own coordinates and cannot reach beyond")
  func partDrawnOwnCoordinates() {
    var s = surface(6, 2)
    s.draw(in: Rect(x: 2, y: 0, width: 3, height: 1)) { pane in
      pane.write("漢字漢字", x: 0, y: 0)
      pane.write("never", x: 0, y: 1)
      pane.cursor = (1, 0)
      pane.focus = (2, 0)
    }
    #expect(texts(s) == [" ", " ", "漢", "", " ", " "])
    #expect(texts(s, 1) == Array(repeating: " ", count: 6))
    #expect(s.cursor?.x == 3)
    #expect(s.focus?.x == 4)
    var moved = s
    moved.focus = (0, 1)
    #expect(moved != s && !moved.hasSameCursor(as: s))
    var narrow = surface(3)
    narrow.blit(s, x: 0, y: 0)
    #expect(texts(narrow) == [" ", " ", " "])
    #expect(texts(s.part(Rect(x: 3, y: 0, width: 2, height: 1))) == [" ", " "])
  }

  @Test("Text is aligned and shortened in its space") func textFitsItsSpace() {
    var s = surface(8)
    s.write("12", x: 0, y: 0, width: 8, alignment: .right)
    #expect(texts(s).joined() == "      12")
    s.write("a long title", x: 0, y: 0, width: 5, alignment: .right)
    #expect(texts(s).joined() == "a lo… 12")
    s = surface(8)
    s.write("ab", x: 0, y: 0, width: 6, alignment: .centre)
    #expect(texts(s).joined() == "  ab    ")
  }

  @Test("No size is too small") func sizeTooSmall() {
    for size in [Size(width: 0, height: 0), Size(width: -3, height: 4), Size(width: 1, height: 1)] {
      var s = Surface(size: size)
      s.write("漢字 text", x: 0, y: 0)
      s.fill(Rect(x: -5, y: -5, width: 50, height: 50))
      s.restyle(s.bounds) { $0 = .plain }
      s.blit(surface(9, 9), x: -2, y: -2)
      #expect(s.size.width >= 0 && s.size.width <= 1)
    }
  }

  @Test("Changes are reported by row, from the first column that differs to the last")
  func changes() {
    var surface = Surface(size: Size(width: 10, height: 4))
    #expect(surface.changes(from: nil).isEmpty)
    let blank = surface
    surface.write("ab", x: 3, y: 1)
    surface.write("z", x: 9, y: 1)
    surface.write(" ", x: 0, y: 3, style: Style(attributes: .bold))
    let expected = [
      Surface.RowChange(row: 1, columns: 3..<10), Surface.RowChange(row: 3, columns: 0..<1),
    ]
    #expect(surface.changes(from: nil) == expected)
    #expect(blank.changes(from: surface) == expected)
    #expect(surface.changes(from: surface).isEmpty)
  }
}
