import Testing

@testable import TerminalKit

/// A terminal that measures clusters in its own way: every scalar is drawn in as many columns as
/// `width` says, one after another, and text beyond the last column is dropped.
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

  /// `⟨x,y⟩` moves, `⟨K⟩` clears the rest of the row.
  mutating func take(_ bytes: [UInt8]) {
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
    // Half of a wide one that is written over goes blank.
    if cells[y][x].isEmpty, x > 0 { cells[y][x - 1] = " " }
    if x + columns < size.width, cells[y][x + columns].isEmpty { cells[y][x + columns] = " " }
    cells[y][x] = String(scalar)
    if columns == 2 { cells[y][x + 1] = "" }
    x += columns
  }
}

@Suite struct FrameEncoderTests {
  private var vocabulary: TerminalVocabulary {
    TerminalVocabulary(
      move: { Array("⟨\($0),\($1)⟩".utf8) }, style: { _ in [] }, clearToEndOfLine: Array("⟨K⟩".utf8)
    )
  }

  /// Scalars add up; emoji are narrow; selectors are wide; emoji take no column.
  private static let opinions: [@Sendable (Unicode.Scalar) -> Int] = [
    { GraphemeWidth.width(of: $0) },
    { $0.value >= 0x1F000 ? 1 : GraphemeWidth.width(of: $0) },
    { $0.value >= 0x1F000 || $0.value == 0xFE0F ? 2 : GraphemeWidth.width(of: $0) },
    { $0.value >= 0x1F000 ? 0 : GraphemeWidth.width(of: $0) },
  ]

  @Test(
    "What follows a cluster stays in its column, whatever the terminal thinks", arguments: 0..<4)
  func columns(opinion: Int) {
    let pieces = [
      "a", "b", " ", "漢", "ø", "👩‍👩‍👧‍👦", "🇫🇷", "❤\u{FE0F}", "☝🏽", "1\u{FE0F}\u{20E3}", "कि", "e\u{301}",
      "⌚",
    ]
    let size = Size(width: 24, height: 4)
    var terminal = StubbornTerminal(size: size, width: Self.opinions[opinion])
    var encoder = FrameEncoder(vocabulary: vocabulary)
    for _ in 0..<200 {
      var surface = Surface(size: size)
      for y in 0..<4 {
        let line = (0..<14).compactMap { _ in pieces.randomElement() }.joined()
        surface.write(line, x: 0, y: y, maxWidth: 23)
        surface.write("│", x: 23, y: y)
      }
      terminal.take(encoder.encode(surface))
      for y in 0..<4 {
        #expect(terminal.cells[y][23] == "│")
        for x in 0..<23 {
          let text = surface[x, y].text
          let isOwn = x == 0 || !GraphemeWidth.isUncertain(surface[x - 1, y].text)
          if !text.isEmpty, isOwn, !GraphemeWidth.isUncertain(text) {
            // (Where an emoji takes no column, it is drawn over what stands before it.)
            #expect(
              terminal.cells[y][x].unicodeScalars.starts(with: text.unicodeScalars), "column \(x)")
          }
        }
      }
    }
  }

  @Test func `An equal frame costs no byte, a change only its run`() {
    var encoder = FrameEncoder(vocabulary: vocabulary)
    var surface = Surface(size: Size(width: 40, height: 3))
    surface.write("some words in a row", x: 0, y: 1)
    #expect(!encoder.encode(surface).isEmpty)
    #expect(encoder.encode(surface).isEmpty)
    surface.write("X", x: 7, y: 1)
    #expect(String(decoding: encoder.encode(surface), as: UTF8.self) == "⟨7,1⟩X")
    surface.fill(Rect(x: 4, y: 1, width: 36, height: 1))
    #expect(String(decoding: encoder.encode(surface), as: UTF8.self) == "⟨5,1⟩⟨K⟩")
    encoder.forget()
    #expect(
      String(decoding: encoder.encode(surface), as: UTF8.self) == "⟨0,0⟩⟨K⟩⟨0,1⟩some⟨K⟩⟨0,2⟩⟨K⟩")
  }

  @Test func `Links are opened, closed, and made harmless`() {
    var words = vocabulary
    words.takesLinks = true
    var encoder = FrameEncoder(vocabulary: words)
    var surface = Surface(size: Size(width: 9, height: 1))
    surface.write("ab", x: 0, y: 0, link: "https://é.example/")
    surface.write("c", x: 2, y: 0, link: "https://x/\u{1B}\\\u{7}")
    let text = String(decoding: encoder.encode(surface), as: UTF8.self)
    #expect(text.contains(";https://%C3%A9.example/\u{1B}\\ab\u{1B}]8;;\u{1B}\\c"))
    #expect(!text.contains("\u{7}"))
    var plain = FrameEncoder(vocabulary: vocabulary)
    #expect(!plain.encode(surface).contains(0x1B))
  }

  @Test func `Without UTF-8 every cell is ASCII and the columns stay`() {
    var words = vocabulary
    words.takesUTF8 = false
    words.clearToEndOfLine = nil
    var encoder = FrameEncoder(vocabulary: words)
    var surface = Surface(size: Size(width: 16, height: 1))
    surface.write("│ é…“Ł” 漢👩‍💻●─┼▶", x: 0, y: 0)
    let text = encoder.encode(surface).drop { $0 != 0xA9 }.dropFirst()
    #expect(String(decoding: text, as: UTF8.self) == "| e.\"L\" ????*-+>")
    #expect(encoder.line("Ünï 漢\u{1B}]2;\u{9C}x") == "Uni ??]2;x")
    #expect(FrameEncoder(vocabulary: vocabulary).line("Ünï 漢\u{7}\n") == "Ünï 漢")
  }

  @Test func `The corner that would scroll is left alone, and no cluster risked that would wrap`() {
    var words = vocabulary
    words.fillsCorner = false
    words.dropsOverflow = false
    var encoder = FrameEncoder(vocabulary: words)
    var surface = Surface(size: Size(width: 4, height: 1))
    surface.write("a👩‍💻z", x: 0, y: 0)
    #expect(String(decoding: encoder.encode(surface), as: UTF8.self) == "⟨0,0⟩a??")
  }

  @Test func `The cursor is hidden while it draws and shown where it belongs`() {
    var words = vocabulary
    words.showCursor = Array("S".utf8)
    words.hideCursor = Array("H".utf8)
    var encoder = FrameEncoder(vocabulary: words)
    var surface = Surface(size: Size(width: 4, height: 1))
    surface.write("abcd", x: 0, y: 0)
    surface.cursor = (2, 0)
    #expect(String(decoding: encoder.encode(surface), as: UTF8.self) == "H⟨0,0⟩abcd⟨2,0⟩S")
    surface.cursor = (3, 0)
    #expect(String(decoding: encoder.encode(surface), as: UTF8.self) == "⟨3,0⟩")
    surface.cursor = nil
    #expect(String(decoding: encoder.encode(surface), as: UTF8.self) == "H")
    surface.cursor = (9, 0)
    #expect(String(decoding: encoder.encode(surface), as: UTF8.self) == "")
  }
}

@Suite struct TerminalProfileTests {
  private func profile(_ environment: [String: String], colors: Int = 256) -> TerminalProfile {
    TerminalProfile(environment: environment, description: .init(colors: colors))
  }

  @Test func `Colours follow the description, COLORTERM and NO_COLOR`() {
    #expect(profile(["TERM": "xterm-256color"]).colorDepth == .ansi256)
    #expect(profile(["TERM": "xterm-256color", "COLORTERM": "truecolor"]).colorDepth == .trueColor)
    #expect(profile(["TERM": "xterm", "COLORTERM": "truecolor"], colors: 8).colorDepth == .ansi16)
    #expect(profile(["TERM": "vt100"], colors: 0).colorDepth == .mono)
    #expect(profile(["TERM": "xterm-256color", "NO_COLOR": "1"]).colorDepth == .mono)
    #expect(profile(["TERM": "xterm-256color", "NO_COLOR": ""]).colorDepth == .ansi256)
    #expect(profile(["TERM": "xterm-direct"], colors: 1 << 24).colorDepth == .trueColor)
  }

  @Test func `Nothing beyond terminfo is sent to a terminal that is not known to take it`() {
    for type in ["vt100", "linux", "ansi", "sun", "vt220"] {
      let profile = profile(["TERM": type])
      #expect(!profile.takesPrivateModes && !profile.takesTitle)
      #expect(!profile.takesLinks && !profile.takesClipboard)
    }
  }

  @Test func `Links go where they are known to work`() {
    #expect(profile(["TERM": "xterm-kitty"]).takesLinks)
    #expect(profile(["TERM": "xterm-256color", "VTE_VERSION": "7200"]).takesLinks)
    #expect(!profile(["TERM": "xterm-256color", "VTE_VERSION": "4600"]).takesLinks)
    #expect(!profile(["TERM": "xterm-256color"]).takesLinks)
    #expect(profile(["TERM": "xterm-256color", "FORCE_HYPERLINK": "1"]).takesLinks)
    #expect(!profile(["TERM": "xterm-kitty", "FORCE_HYPERLINK": "0"]).takesLinks)
    let tmux = ["TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "VTE_VERSION": "7200"]
    #expect(!profile(tmux.merging(["TERM_PROGRAM_VERSION": "3.3a"]) { $1 }).takesLinks)
    #expect(profile(tmux.merging(["TERM_PROGRAM_VERSION": "3.4"]) { $1 }).takesLinks)
    #expect(profile(tmux.merging(["TERM_PROGRAM_VERSION": "next-3.6"]) { $1 }).takesLinks)
    #expect(!profile(["TERM": "screen", "TERM_PROGRAM": "iTerm.app"]).takesLinks)
  }

  @Test func `Copying goes where OSC 52 is not known to fail`() {
    #expect(profile(["TERM": "xterm-256color"]).takesClipboard)
    #expect(!profile(["TERM": "xterm-256color", "VTE_VERSION": "7200"]).takesClipboard)
    #expect(profile(["TERM": "tmux-256color", "VTE_VERSION": "7200"]).takesClipboard)
  }
}

@Suite struct ColorReductionTests {
  @Test func `A colour becomes the nearest that there is`() {
    #expect(Color.rgb(255, 0, 0).reduced(to: .ansi16) == .palette(9))
    #expect(Color.rgb(255, 0, 0).reduced(to: .ansi256) == .palette(196))
    #expect(Color.rgb(128, 128, 128).reduced(to: .ansi256) == .palette(244))
    #expect(Color.rgb(1, 2, 3).reduced(to: .trueColor) == .rgb(1, 2, 3))
    #expect(Color.rgb(1, 2, 3).reduced(to: .mono) == .default)
    #expect(Color.palette(12).reduced(to: .ansi256) == .palette(12))
    #expect(Color.palette(196).reduced(to: .ansi16) == .palette(9))
    #expect(Color.palette(255).reduced(to: .ansi16) == .palette(7))
    #expect(Color.default.reduced(to: .ansi16) == .default)
    #expect(Color.palette(12).reducedToEight() == (.palette(4), true))
    #expect(Color.palette(8).reducedToEight() == (.default, false))
  }

  @Test func `Each colour of the 256 is its own nearest`() {
    for red in [0, 95, 135, 175, 215, 255] as [UInt8] {
      for blue in [0, 95, 135, 175, 215, 255] as [UInt8] {
        let color = Color.rgb(red, 95, blue)
        guard case .palette(let index) = color.reduced(to: .ansi256) else {
          Issue.record("no palette colour")
          continue
        }
        #expect(index >= 16)
        #expect(Color.palette(index).reduced(to: .ansi256) == color.reduced(to: .ansi256))
      }
    }
  }
}
