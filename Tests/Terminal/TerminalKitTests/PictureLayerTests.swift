import TestSupport

@testable import TerminalKit

@Suite("Pictures drawn over cells") final class PictureLayerTests {
  var layer = PictureLayer()

  // MARK: Sixels

  @Test("A picture of any shape has the same pixels after encoding as sixels and decoding")
  func sixels() throws {
    for (width, height) in [(1, 1), (7, 6), (20, 13), (64, 48), (3, 100)] {
      let picture = try image(width, height) { x, y in
        (x + y) % 5 == 0 ? [0, 0, 0, 0] : [UInt8(x % 2 * 255), UInt8(y % 3 * 102), 51, 255]
      }
      let sequence = SixelEncoder.sequence(picture, width: width, height: height)
      let found = SixelReceiver.receive(sequence)
      #expect(found.count == 1)
      let received = try #require(found.first)
      #expect((received.width, received.height) == (width, height))
      for y in 0..<height {
        for x in 0..<width {
          let expected = Array(picture.bytes[(y * width + x) * 4..<(y * width + x) * 4 + 4])
          #expect(received.pixel(x, y) == expected, "\(x), \(y) of \(width) × \(height)")
        }
      }
    }
  }

  @Test("A picture of many colours gets 255 colours that are close to its own")
  func palette() throws {
    let picture = try image(96, 96) { x, y in
      [UInt8(x * 2), UInt8(y * 2), UInt8((x + y) % 97 * 2), 255]
    }
    let sequence = SixelEncoder.sequence(picture, width: 96, height: 96)
    let received = try #require(SixelReceiver.receive(sequence).first)
    var most = 0
    for index in picture.bytes.indices where index % 4 < 3 {
      most = max(most, abs(Int(picture.bytes[index]) - Int(received.pixels[index])))
    }
    #expect(most < 48)
    let colors = (0..<96 * 96).map { received.pixel($0 % 96, $0 / 96) }
    #expect(Set(colors).count <= 255)
  }

  @Test("A picture is scaled to its cells, and repeated columns are counted")
  func scaling() throws {
    let picture = try image(2, 2) { x, _ in x == 0 ? [255, 0, 0, 255] : [0, 0, 255, 255] }
    let sequence = SixelEncoder.sequence(picture, width: 400, height: 12)
    let received = try #require(SixelReceiver.receive(sequence).first)
    #expect(received.pixel(199, 11) == [255, 0, 0, 255])
    #expect(received.pixel(200, 0) == [0, 0, 255, 255])
    #expect(sequence.count < 120)
  }

  // MARK: Places

  private let cells = (0..<3).map { row in (0..<4).map { Cell(text: "\(row * 4 + $0)") } }

  private func overlaid(isOpaque: Bool = true) -> OverlaidPicture {
    OverlaidPicture(
      columns: 4, rows: 3, bytes: Array("<picture>".utf8),
      cells: cells.map { $0.map { Cell(text: String($0.text.prefix(1))) } }, isOpaque: isOpaque)
  }

  private func surface(
    height: Int = 10, at y: Int, rows: Range<Int> = 0..<3, x: Int = 2
  ) -> Surface {
    var surface = Surface(size: Size(width: 20, height: height))
    for row in rows {
      for column in 0..<4 {
        surface.place(picture: 16, row: row, column: column, x: x + column, y: y + row)
      }
    }
    return surface
  }

  private func move(_ x: Int, _ y: Int) -> [UInt8] { Array("(\(x),\(y))".utf8) }

  private func drawn(
    _ layer: PictureLayer, _ plan: PictureLayer.Plan, written: Set<Int> = []
  ) -> String {
    let bytes = layer.bytes(of: plan, written: written, move: move) { _ in overlaid() }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("A picture that is wholly visible is drawn once, and again when its rows were written")
  func whole() {
    let first = layer.plan(surface(at: 1), isWhole: true, at: 0) { _ in overlaid() }
    #expect(drawn(layer, first) == "(2,1)<picture>")
    // No placeholder reaches a terminal that does not know them.
    #expect(first.surface[2, 1].text == "0" && first.surface[5, 1].text == "3")
    let second = layer.plan(surface(at: 1), isWhole: false, at: 1) { _ in overlaid() }
    #expect(second.isEmpty)
    #expect(drawn(layer, second, written: [0, 4, 5]) == "")
    #expect(drawn(layer, second, written: [3]) == "(2,1)<picture>")
    let cleared = layer.plan(surface(at: 1), isWhole: true, at: 2) { _ in overlaid() }
    #expect(drawn(layer, cleared) == "(2,1)<picture>")
    #expect(cleared.erased.isEmpty)
  }

  @Test("A picture that is cut off or covered is drawn as blocks, and its pixels are erased")
  func parts() {
    _ = layer.plan(surface(at: 1), isWhole: true, at: 0) { _ in overlaid() }
    let place = Rect(x: 2, y: 1, width: 4, height: 3)
    let cut = layer.plan(surface(at: 0, rows: 1..<3), isWhole: false, at: 1) { _ in overlaid() }
    #expect(cut.erased == [place])
    #expect(drawn(layer, cut) == "")
    #expect(cut.surface[2, 1].text == "4")
    var covered = surface(at: 1)
    _ = layer.plan(covered, isWhole: false, at: 2) { _ in overlaid() }
    covered.write("menu", x: 4, y: 3)
    let under = layer.plan(covered, isWhole: false, at: 3) { _ in overlaid() }
    #expect(under.erased == [place])
    #expect(drawn(layer, under) == "")
    #expect(under.surface[3, 3].text == "9" && under.surface[4, 3].text == "m")
    // Drawing in the last row may scroll the terminal.
    var low = PictureLayer()
    let last = low.plan(surface(at: 7), isWhole: true, at: 0) { _ in overlaid() }
    #expect(drawn(low, last) == "")
    let above = low.plan(surface(at: 6), isWhole: false, at: 1) { _ in overlaid() }
    #expect(drawn(low, above) == "(2,6)<picture>")
  }

  @Test("A picture that moves quickly is drawn as blocks, and its pixels follow when it rests")
  func motion() {
    _ = layer.plan(surface(at: 5), isWhole: true, at: 10) { _ in overlaid() }
    for step in 1...3 {
      let plan = layer.plan(surface(at: 5 - step), isWhole: false, at: 10 + 0.03 * Double(step)) {
        _ in overlaid()
      }
      #expect(drawn(layer, plan) == "")
      #expect(layer.isWaiting)
    }
    let early = layer.plan(surface(at: 2), isWhole: false, at: 10.15) { _ in overlaid() }
    #expect(drawn(layer, early) == "" && layer.isWaiting)
    let rest = layer.plan(surface(at: 2), isWhole: false, at: 10.2) { _ in overlaid() }
    #expect(drawn(layer, rest) == "(2,2)<picture>")
    #expect(!layer.isWaiting)
    // A single step is drawn at once.
    let step = layer.plan(surface(at: 1), isWhole: false, at: 11) { _ in overlaid() }
    #expect(drawn(layer, step) == "(2,1)<picture>")
    #expect(step.erased == [Rect(x: 2, y: 2, width: 4, height: 3)])
  }

  @Test("Blanks are below a transparent picture, and in place of an unknown one") func ground() {
    let clear = layer.plan(surface(at: 1), isWhole: true, at: 0) { _ in overlaid(isOpaque: false) }
    #expect(clear.surface[2, 1] == Cell())
    #expect(drawn(layer, clear) == "(2,1)<picture>")
    let unknown = layer.plan(surface(at: 1), isWhole: false, at: 1) { _ in nil }
    #expect(unknown.surface[2, 1] == Cell())
    #expect(unknown.erased.count == 1 && drawn(layer, unknown) == "")
  }

  @Test("The overlay writes the cells under removed pixels, even if the cells are unchanged")
  func erasing() {
    var overlay = Overlay(
      capabilities: OverlayCapabilities(
        move: { Array("⟨\($0),\($1)⟩".utf8) }, style: { _ in [] }, holds: { _, _ in true }))
    var surface = Surface(size: Size(width: 8, height: 3))
    surface.write("abcdefgh", x: 0, y: 1)
    let bytes = overlay.write(
      rows: [0, 1], of: surface, over: surface, erased: [Rect(x: 2, y: 0, width: 3, height: 2)])
    #expect(String(decoding: bytes, as: UTF8.self) == "⟨2,0⟩   ⟨2,1⟩cde")
  }

  @Test("Attribute 4 among a terminal's device attributes means sixels") func attributes() {
    for (answer, isThere) in [
      ("\u{1B}[?62;4;6;22c", true), ("\u{1B}[?4c", false), ("\u{1B}[?65;1;9;4c", true),
      ("\u{1B}[?62;22;14;44c", false), ("\u{1B}[?1;2c", false), ("\u{1B}[4;4c", false),
    ] {
      #expect(BackgroundAnswer.hasSixels(Array(answer.utf8)) == isThere, "\(answer.dropFirst())")
    }
  }
}
