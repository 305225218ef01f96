import Testing

@testable import TerminalKit

@Suite struct SurfaceDiffTests {
  private func surface(_ rows: String...) -> Surface {
    var surface = Surface(size: Size(width: 24, height: rows.count))
    for (y, row) in rows.enumerated() { surface.write(row, x: 0, y: y) }
    return surface
  }

  @Test func `Equal surfaces need nothing`() {
    #expect(SurfaceDiff(from: surface("a", "漢"), to: surface("a", "漢")).runs.isEmpty)
  }

  @Test func `An unknown or resized screen needs everything`() {
    let new = surface("a", "b")
    let all = [SurfaceDiff.Run(x: 0, y: 0, width: 24), SurfaceDiff.Run(x: 0, y: 1, width: 24)]
    #expect(SurfaceDiff(from: nil, to: new).runs == all)
    #expect(SurfaceDiff(from: Surface(size: Size(width: 3, height: 2)), to: new).runs == all)
  }

  @Test func `Changes far apart are written apart, near ones together`() {
    let runs = SurfaceDiff(
      from: surface("one two three four five"), to: surface("One Two three four fivE")
    ).runs
    #expect(runs == [.init(x: 0, y: 0, width: 5), .init(x: 22, y: 0, width: 1)])
  }

  @Test func `A run holds whole clusters`() {
    var new = surface("漢字")
    new.restyle(Rect(x: 1, y: 0, width: 1, height: 1)) { $0.attributes.insert(.bold) }
    #expect(SurfaceDiff(from: surface("漢字"), to: new).runs == [.init(x: 0, y: 0, width: 2)])
  }

  @Test func `After a cluster of uncertain width the rest of the row is written, old or new`() {
    let rest = [SurfaceDiff.Run(x: 1, y: 0, width: 23)]
    #expect(SurfaceDiff(from: surface("a漢z"), to: surface("a👩‍💻z")).runs == rest)
    #expect(SurfaceDiff(from: surface("a👩‍💻z"), to: surface("a漢z")).runs == rest)
  }

  @Test func `Written runs turn the old surface into the new one`() {
    var random = SystemRandomNumberGenerator()
    let pieces = ["a", "b", " ", "漢", "字", "é", "👩‍💻", "🇫🇷"]
    func line() -> String {
      (0..<12).compactMap { _ in pieces.randomElement(using: &random) }.joined()
    }
    for _ in 0..<200 {
      let old = surface(line(), line())
      let new = surface(line(), line())
      var screen = old
      for run in SurfaceDiff(from: old, to: new).runs {
        screen.blit(
          new.part(Rect(x: run.x, y: run.y, width: run.width, height: 1)), x: run.x, y: run.y)
      }
      #expect(screen == new)
    }
  }
}

@MainActor @Suite struct VirtualTerminalTests {
  @Test func `It shows text and styles for golden files`() {
    let terminal = VirtualTerminal(size: Size(width: 10, height: 2))
    var surface = Surface(size: terminal.size)
    surface.write("Unread", x: 0, y: 0, style: Style(attributes: .bold))
    surface.write("漢", x: 2, y: 1, style: Style(foreground: .rgb(1, 2, 255)), link: "https://a.b/")
    surface.cursor = (1, 1)
    terminal.present(surface)
    #expect(terminal.text == "Unread\n  漢\n")
    #expect(
      terminal.styled
        == "Unread\n  漢\n--\naaaaaa\n..bb\n--\na bold\nb fg=#0102ff link=https://a.b/\ncursor 1,1\n"
    )
    #expect(terminal.presentCount == 1)
  }

  @Test func `Keys arrive once, and input is announced`() {
    let terminal = VirtualTerminal()
    var calls = 0
    terminal.onInput = { calls += 1 }
    terminal.type("j\n")
    terminal.resize(to: Size(width: 9, height: 3))
    #expect(
      terminal.readKeys() == [.character("j"), .enter, .resize(Size(width: 9, height: 3))])
    #expect(terminal.readKeys().isEmpty)
    #expect(calls == 2)
    #expect(terminal.size.width == 9)
  }
}
