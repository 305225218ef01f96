import CNcurses
import Foundation
import TestSupport
import Testing

@testable import NcursesTerminal
@testable import TerminalKit

/// Serialized, because ncurses has a single screen in a process.
@Suite("ncurses", .serialized) struct CursesTests {}

extension CursesTests {
  @Suite("Drawing frames with ncurses") struct CursesScreenTests {
    private func screen(_ environment: [String: String] = [:]) throws -> CursesScreen {
      try #require(Curses.isOpen)
      let types = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]
      let profile = TerminalDescription.profile(environment: types.merging(environment) { $1 })
      weir_take()
      _ = CursesScreen.removeDrawn()
      return CursesScreen(TerminalDescription(profile: profile, supportsUTF8: true))
    }

    private func resized(_ width: Int, _ height: Int) -> Surface {
      weir_resize(CInt(width), CInt(height))
      return Surface(size: Size(width: width, height: height))
    }

    @Test("An equal frame sends no byte, and a change sends little more than its cells")
    func differences() throws {
      let screen = try screen()
      var surface = resized(40, 3)
      surface.write("some words in a row", x: 0, y: 1)
      #expect(String(decoding: screen.draw(surface), as: UTF8.self).contains("some words in a row"))
      #expect(screen.draw(surface).isEmpty)
      surface.write("X", x: 7, y: 1)
      let change = screen.draw(surface)
      #expect(change.count(where: { $0 == UInt8(ascii: "X") }) == 1)
      #expect(change.count < 30)
      screen.forget()
      #expect(String(decoding: screen.draw(surface), as: UTF8.self).contains("some woXds"))
    }

    @Test("A frame moves the hidden cursor to the focus, and a shown cursor precedes it")
    func focus() throws {
      let screen = try screen()
      var surface = resized(40, 5)
      surface.focus = (3, 2)
      let first = String(decoding: screen.draw(surface), as: UTF8.self)
      #expect(!first.contains("\u{1B}[?25h"), "\(first.debugDescription)")
      surface.focus = (20, 4)
      #expect(String(decoding: screen.draw(surface), as: UTF8.self).contains("[5;21H"))
      #expect(screen.draw(surface).isEmpty)
      surface.cursor = (7, 1)
      let shown = String(decoding: screen.draw(surface), as: UTF8.self)
      #expect(shown.contains("[2;8H") && shown.contains("\u{1B}["), "\(shown.debugDescription)")
      // The cursor stays where it is if the focus is outside.
      (surface.cursor, surface.focus) = (nil, (50, 9))
      _ = screen.draw(surface)
    }

    @Test("24-bit colours, palette colours and the terminal's own colours are drawn as requested")
    func colours() throws {
      let screen = try screen()
      var surface = resized(20, 1)
      surface.write("a", x: 0, y: 0, style: Style(foreground: .rgb(250, 200, 60)))
      surface.write("b", x: 1, y: 0, style: Style(background: .rgb(0, 0, 5)))
      surface.write("c", x: 2, y: 0, style: Style(foreground: .palette(9)))
      surface.write("d", x: 3, y: 0, style: Style(background: .palette(200)))
      let text = String(decoding: screen.draw(surface), as: UTF8.self)
      for sequence in ["38;2;250;200;60m", "48;2;0;0;5m", "[91m", "48;5;200m"] {
        #expect(text.contains(sequence), "\(text.debugDescription)")
      }
    }

    @Test("A link does not take the colours of the link before it") func linkColours() throws {
      let screen = try screen()
      var surface = resized(20, 2)
      let blocks = Style(foreground: .palette(114), background: .palette(120))
      surface.write("▀▀", x: 0, y: 0, style: blocks, link: "https://example.org/")
      surface.write("ab", x: 0, y: 1, style: Style(attributes: .dim), link: "https://example.org/")
      let text = String(decoding: screen.draw(surface), as: UTF8.self)
      let words = try #require(text.range(of: "ab", options: .backwards))
      let blue = try #require(text[..<words.lowerBound].range(of: "48;5;120m", options: .backwards))
      let between = text[blue.upperBound..<words.lowerBound]
      #expect(
        between.contains("\u{1B}[m") || between.contains("[39;49m"), "\(text.debugDescription)")
    }

    @Test("A cluster that is removed leaves no trace") func clusters() throws {
      let screen = try screen()
      var surface = resized(20, 1)
      surface.write("a👩‍👩‍👧‍👦b", x: 0, y: 0)
      #expect(String(decoding: screen.draw(surface), as: UTF8.self).contains("👩‍👩‍👧‍👦"))
      surface.write("a  b", x: 0, y: 0)
      // ncurses assumes that the two blanks are already drawn.
      let gone = String(decoding: screen.draw(surface), as: UTF8.self)
      #expect(gone.contains("\u{1B}[1;2H  "), "\(gone.debugDescription)")
      #expect(!gone.contains("👩"))
    }

    @Test("A picture is sent after the frame, and its cells when it is removed")
    func pictures() throws {
      let screen = try screen()
      let cells = [[Cell]](repeating: [Cell](repeating: Cell(text: "▀"), count: 3), count: 2)
      let picture = OverlaidPicture(
        columns: 3, rows: 2, bytes: Array("\u{1B}P0;1;0q~\u{1B}\\".utf8), cells: cells,
        isOpaque: true)
      screen.picture = { $0 == 16 ? picture : nil }
      func frame(with isThere: Bool) -> Surface {
        var surface = resized(20, 6)
        surface.write("words", x: 0, y: 5)
        for row in 0..<2 {
          for column in 0..<3 {
            if isThere {
              surface.place(picture: 16, row: row, column: column, x: 4 + column, y: 1 + row)
            } else {
              surface.write("▀", x: 4 + column, y: 1 + row)
            }
          }
        }
        return surface
      }
      let first = String(decoding: screen.draw(frame(with: true), at: 1), as: UTF8.self)
      let blocks = try #require(first.range(of: "▀"))
      let pixels = try #require(first.range(of: "\u{1B}[2;5H\u{1B}P0;1;0q~"))
      #expect(blocks.lowerBound < pixels.lowerBound)
      #expect(!first.contains("\u{10EEEE}"))
      #expect(screen.draw(frame(with: true), at: 2).isEmpty)
      // Without the picture the cells are the same for ncurses, but the pixels must go.
      let gone = String(decoding: screen.draw(frame(with: false), at: 3), as: UTF8.self)
      #expect(gone.contains("▀▀▀") && !gone.contains("\u{1B}P"))
      #expect(screen.draw(frame(with: false), at: 4).isEmpty)
    }

    @Test("No row is scrolled by the terminal, because the overlay's text would move with it")
    func rows() throws {
      let screen = try screen()
      var surface = resized(60, 24)
      func draw(from first: Int) -> TerminalStream {
        for y in 1..<23 {
          let letter = Character(Unicode.Scalar(UInt8(ascii: "A") + UInt8(first + y)))
          surface.fill(Rect(x: 0, y: y, width: 60, height: 1))
          surface.write(String(repeating: letter, count: 40) + " 👍🏽", x: 0, y: y)
        }
        return TerminalStream(screen.draw(surface))
      }
      for first in [0, 1, 2, 0, 5, 4] {
        let stream = draw(from: first)
        #expect(stream.faults == [])
        #expect(stream.characters >= 22 * 40)
      }
    }

    @Test("If there are more colours than pairs, some cells are drawn without colour")
    func pairs() throws {
      let screen = try screen()
      var surface = resized(100, 60)
      for y in 0..<60 {
        for x in 0..<100 {
          let color = Color.rgb(UInt8(x), UInt8(y), 1)
          surface.write("x", x: x, y: y, style: Style(foreground: color))
        }
      }
      let text = String(decoding: screen.draw(surface), as: UTF8.self)
      #expect(text.contains("38;2;99;0;1m"))
      #expect(!text.contains("38;2;99;59;1m"))
      surface.write("y", x: 99, y: 59, style: Style(foreground: .rgb(1, 2, 3)))
      #expect(String(decoding: screen.draw(surface), as: UTF8.self).contains("y"))
    }

    @Test("A frame larger than any pipe is drawn at once, with sequences that terminals know")
    func large() throws {
      let screen = try screen(["FORCE_HYPERLINK": "1"])
      var surface = resized(500, 200)
      for y in 0..<200 {
        for x in stride(from: 0, to: 500, by: 2) {
          let color = Color.rgb(UInt8(x % 32 * 8), UInt8(y % 32 * 8), 7)
          surface.write(
            x % 50 == 0 ? "😀" : "漢", x: x, y: y, style: Style(foreground: color, attributes: .bold),
            link: x % 10 == 0 ? "https://example.org/\(x)" : nil)
        }
      }
      let bytes = screen.draw(surface)
      #expect(bytes.count > 1 << 20)
      let stream = TerminalStream(bytes)
      #expect(stream.faults == [])
      #expect(!stream.hasOpenLink)
    }
  }
}
