@testable import TerminalKit

/// A terminal with its own measure of clusters: each scalar is drawn in the columns that `width`
/// returns, one after the other, and text beyond the last column is dropped.
private struct StubbornTerminal {
  let size: Size
  let width: (Unicode.Scalar) -> Int
  private(set) var cells: [[String]]
  private var x = 0
  private var y = 0

  init(size: Size, width: @escaping (Unicode.Scalar) -> Int) {
    self.size = size
    self.width = width
    cells = Array(repeating: Array(repeating: " ", count: size.width), count: size.height)
  }

  /// Draws bytes: `⟨x,y⟩` moves, `⟨K⟩` clears the rest of the row.
  mutating func write(_ bytes: [UInt8]) {
    var scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      guard scalar == "⟨" else {
        draw(scalar)
        continue
      }
      let command = String(scalars.prefix { $0 != "⟩" })
      scalars = scalars.drop { $0 != "⟩" }.dropFirst()
      if command == "K" {
        for column in x..<size.width { cells[y][column] = " " }
      } else {
        let numbers = command.split(separator: ",").compactMap { Int($0) }
        (x, y) = (numbers[0], numbers[1])
      }
    }
  }

  private mutating func draw(_ scalar: Unicode.Scalar) {
    let columns = width(scalar)
    if columns == 0 {
      if x > 0 { cells[y][min(x, size.width) - 1].unicodeScalars.append(scalar) }
      return
    }
    guard x + columns <= size.width else { return }
    // Overwriting half of a wide character blanks its other half.
    if cells[y][x].isEmpty, x > 0 { cells[y][x - 1] = " " }
    if x + columns < size.width, cells[y][x + columns].isEmpty { cells[y][x + columns] = " " }
    cells[y][x] = String(scalar)
    if columns == 2 { cells[y][x + 1] = "" }
    x += columns
  }
}

@Suite("Text that a curses cell cannot hold") struct OverlayTests {
  private static func capabilities() -> OverlayCapabilities {
    OverlayCapabilities(
      move: { Array("⟨\($0),\($1)⟩".utf8) }, style: { _ in [] },
      holds: { cluster, _ in !GraphemeWidth.isUncertain(cluster) })
  }

  private func text(_ surface: Surface, _ capabilities: OverlayCapabilities) -> String {
    var overlay = Overlay(capabilities: capabilities)
    let rows = Array(0..<surface.size.height)
    return String(decoding: overlay.write(rows: rows, of: surface), as: UTF8.self)
  }

  /// Returns the output of ncurses for a surface, with blanks for the clusters of the overlay.
  private func drawn(_ surface: Surface) -> [UInt8] {
    var text = ""
    for y in 0..<surface.size.height {
      text += "⟨0,\(y)⟩"
      for x in 0..<surface.size.width {
        let cluster = surface[x, y].text
        let blanks = surface.isWideLead(x, y) ? "  " : " "
        text += GraphemeWidth.isUncertain(cluster) ? blanks : cluster
      }
    }
    return Array(text.utf8)
  }

  /// Four measures: scalars add up; emoji are narrow; selectors are wide; emoji take no column.
  private static let opinions: [@Sendable (Unicode.Scalar) -> Int] = [
    { GraphemeWidth.width(of: $0) }, { $0.value >= 0x1F000 ? 1 : GraphemeWidth.width(of: $0) },
    { $0.value >= 0x1F000 || $0.value == 0xFE0F ? 2 : GraphemeWidth.width(of: $0) },
    { $0.value >= 0x1F000 ? 0 : GraphemeWidth.width(of: $0) },
  ]

  @Test(
    "Text after a cluster stays in its column, however the terminal measures the cluster",
    arguments: 0..<4)
  func columns(opinion: Int) {
    let pieces = [
      "a", "b", " ", "漢", "ø", "👩‍👩‍👧‍👦", "🇫🇷", "❤\u{FE0F}", "☝🏽", "1\u{FE0F}\u{20E3}", "कि", "e\u{301}",
      "⌚",
    ]
    let size = Size(width: 24, height: 4)
    var terminal = StubbornTerminal(size: size, width: Self.opinions[opinion])
    var overlay = Overlay(capabilities: Self.capabilities())
    var old: Surface?
    for _ in 0..<200 {
      var surface = Surface(size: size)
      for y in 0..<4 {
        let line = (0..<14).compactMap { _ in pieces.randomElement() }.joined()
        surface.write(line, x: 0, y: y, maxWidth: 23)
        surface.write("│", x: 23, y: y)
      }
      terminal.write(drawn(surface))
      terminal.write(overlay.write(rows: [0, 1, 2, 3], of: surface, over: old))
      old = surface
      for y in 0..<4 {
        #expect(terminal.cells[y][23] == "│")
        for x in 0..<23 {
          let text = surface[x, y].text
          let isOwn = x == 0 || !GraphemeWidth.isUncertain(surface[x - 1, y].text)
          if !text.isEmpty, isOwn, !GraphemeWidth.isUncertain(text) {
            // (An emoji that takes no column is drawn over the text before it.)
            #expect(
              terminal.cells[y][x].unicodeScalars.starts(with: text.unicodeScalars), "column \(x)")
          }
        }
      }
    }
  }

  @Test("Nothing is written if ncurses draws everything") func nothing() {
    var surface = Surface(size: Size(width: 40, height: 2))
    surface.write("plain 漢字 e\u{301}", x: 0, y: 0, link: "https://example.org/")
    surface.write("struck", x: 0, y: 1, style: Style(attributes: .strikethrough))
    #expect(text(surface, Self.capabilities()) == "")
  }

  @Test("A cluster is written with the cells that a wider drawing may cover, and no others")
  func cluster() {
    var surface = Surface(size: Size(width: 20, height: 1))
    surface.write("ab❤\u{FE0F}cdefgh", x: 0, y: 0)
    #expect(text(surface, Self.capabilities()) == "⟨2,0⟩❤\u{FE0F}⟨4,0⟩cd")
  }

  @Test("Links are opened, closed, and made harmless") func links() {
    var capabilities = Self.capabilities()
    capabilities.supportsLinks = true
    var surface = Surface(size: Size(width: 9, height: 1))
    surface.write("ab", x: 0, y: 0, link: "https://é.example/")
    surface.write("c", x: 2, y: 0, link: "https://x/\u{1B}\\\u{7}")
    surface.write("d", x: 3, y: 0)
    let text = text(surface, capabilities)
    #expect(text.hasPrefix("⟨0,0⟩\u{1B}]8;id="))
    #expect(
      text.hasSuffix(";https://%C3%A9.example/\u{1B}\\ab\u{1B}]8;;\u{1B}\\c\u{1B}]8;;\u{1B}\\"))
    #expect(!text.contains("\u{7}"))
  }

  @Test("Strikethrough is set again after every change of style, and ended") func strikethrough() {
    var capabilities = Self.capabilities()
    capabilities.style = { Array("(\($0))".utf8) }
    capabilities.strikethrough = (Array("S".utf8), Array("s".utf8))
    var surface = Surface(size: Size(width: 9, height: 1))
    surface.write("a", x: 0, y: 0, style: Style(attributes: .strikethrough))
    surface.write("b", x: 1, y: 0, style: Style(attributes: [.strikethrough, .bold]))
    surface.write("c", x: 2, y: 0, style: Style(attributes: .bold))
    #expect(text(surface, capabilities) == "⟨0,0⟩(strikethrough)Sa(bold strikethrough)Sbs()")
  }

  @Test("Text that the overlay wrote is overwritten when it is removed") func gone() {
    var old = Surface(size: Size(width: 12, height: 1))
    old.write("a👩‍💻b漢c", x: 0, y: 0)
    var new = old
    new.write("a  b漢c", x: 0, y: 0)
    var overlay = Overlay(capabilities: Self.capabilities())
    let bytes = overlay.write(rows: [0], of: new, over: old)
    #expect(String(decoding: bytes, as: UTF8.self) == "⟨1,0⟩  ")
    var other = old
    other.write("🇫🇷", x: 1, y: 0)
    let replaced = overlay.write(rows: [0], of: other, over: old)
    #expect(String(decoding: replaced, as: UTF8.self) == "⟨1,0⟩  ⟨1,0⟩🇫🇷⟨3,0⟩b漢")
    let same = overlay.write(rows: [0], of: old, over: old)
    #expect(!String(decoding: same, as: UTF8.self).contains("  "))
    new.write("漢 ", x: 0, y: 0)
    let wide = overlay.write(rows: [0], of: new, over: old)
    #expect(String(decoding: wide, as: UTF8.self) == "⟨0,0⟩漢 ")
  }

  @Test("Without UTF-8, struck text and links are ASCII too") func ascii() {
    var capabilities = Self.capabilities()
    capabilities.supportsUTF8 = false
    capabilities.strikethrough = (Array("S".utf8), Array("s".utf8))
    var surface = Surface(size: Size(width: 16, height: 1))
    surface.write("│é“漢👩‍💻", x: 0, y: 0, style: Style(attributes: .strikethrough))
    surface.write("👩‍💻", x: 10, y: 0)
    #expect(text(surface, capabilities) == "⟨0,0⟩S|e\"????s")
  }

  @Test("No cluster is written that would wrap or scroll") func edges() {
    var capabilities = Self.capabilities()
    capabilities.fillsCorner = false
    var surface = Surface(size: Size(width: 4, height: 1))
    surface.write("a👩‍💻🇫🇷", x: 0, y: 0, maxWidth: 4)
    surface.write("🇫🇷", x: 2, y: 0)
    #expect(text(surface, capabilities) == "")
    capabilities.fillsCorner = true
    #expect(text(surface, capabilities) == "⟨2,0⟩??")
    capabilities.wrapping = (Array("w".utf8), Array("W".utf8))
    #expect(text(surface, capabilities) == "⟨2,0⟩w🇫🇷W")
  }

  @Test("A title is one line without control characters, in ASCII if the terminal takes no UTF-8")
  func titles() {
    #expect(TitleText.line("Ünï 漢\u{1B}]2;\u{9C}x", supportsUTF8: false) == "Uni ??]2;x")
    #expect(TitleText.line("Ünï 漢\u{7}\n", supportsUTF8: true) == "Ünï 漢")
  }
}
