import Foundation
import TestSupport

@testable import TerminalKit

@Suite("Pictures in cells") struct PictureTests {
  private let red: [UInt8] = [200, 32, 32, 255]
  private let blue: [UInt8] = [32, 32, 200, 255]

  // MARK: Blocks

  @Test("Two by two pixels become the quadrant with their colours") func quadrants() throws {
    let cases: [([Int], String)] = [
      ([1, 1, 0, 0], "▀"), ([1, 0, 1, 0], "▌"), ([1, 0, 0, 0], "▘"), ([0, 1, 0, 0], "▝"),
      ([0, 0, 1, 0], "▖"), ([0, 1, 1, 0], "▞"), ([1, 1, 1, 0], "▛"),
    ]
    for (mask, character) in cases {
      let art = try BlockArt.cells(
        image(2, 2) { x, y in mask[y * 2 + x] == 1 ? red : blue }, columns: 1, rows: 1)
      #expect(art[0][0].text == character)
      #expect(art[0][0].style.foreground == .rgb(200, 32, 32))
      #expect(art[0][0].style.background == .rgb(32, 32, 200))
    }
  }

  @Test("A single colour is a blank with that background, and transparency shows the screen")
  func flatAndClear() throws {
    let flat = try BlockArt.cells(image(8, 8) { _, _ in red }, columns: 2, rows: 2)
    #expect(flat.joined().allSatisfy { $0 == Cell(style: Style(background: .rgb(200, 32, 32))) })
    let clear = try BlockArt.cells(
      image(2, 2) { x, _ in x == 0 ? red : [0, 0, 0, 0] }, columns: 1, rows: 1)
    #expect(clear[0][0] == Cell(text: "▌", style: Style(foreground: .rgb(200, 32, 32))))
    let nothing = try BlockArt.cells(image(2, 2) { _, _ in [9, 9, 9, 0] }, columns: 1, rows: 1)
    #expect(nothing[0][0] == Cell())
  }

  @Test("A picture of another size than the cells is sampled, not cut") func sampling() throws {
    let art = try BlockArt.cells(
      image(100, 3) { x, _ in x < 50 ? red : blue }, columns: 10, rows: 4)
    #expect(art.count == 4 && art.allSatisfy { $0.count == 10 })
    #expect(art[3][0].style.background == .rgb(200, 32, 32))
    #expect(art[3][9].style.background == .rgb(32, 32, 200))
    #expect(try BlockArt.cells(image(1, 1) { _, _ in red }, columns: 0, rows: 4).isEmpty)
  }

  @Test("Each cell is the mean of the pixels that it covers") func means() throws {
    let stripes = try image(8, 8) { x, _ in x % 2 == 0 ? red : blue }
    let art = BlockArt.cells(stripes, columns: 2, rows: 2)
    #expect(
      art.joined().allSatisfy { $0 == Cell(style: Style(background: .rgb(120, 32, 120))) },
      "\(art)")
  }

  @Test("The size of a cell is read from the terminal's answer and from no other sequence")
  func cellSize() {
    func size(_ text: String) -> Size? { CellSizeAnswer.size(Array("\u{1B}[\(text)".utf8)) }
    #expect(size("6;20;10t") == Size(width: 10, height: 20))
    for text in [
      "6;20t", "6;0;10t", "6;20;10;1t", "4;20;10t", "6;20;9999t", "6;-3;10t", "6;;10t", "6;20;10c",
    ] {
      #expect(size(text) == nil, "\(text)")
    }
  }

  // MARK: Placeholders

  @Test("A placeholder has a picture, row and column, is one column wide, and survives a blit")
  func placeholder() throws {
    var surface = Surface(size: Size(width: 4, height: 2))
    let number: UInt32 = 7 << 24 | 200
    surface.place(picture: number, row: 3, column: 12, x: 1, y: 1)
    let part = try #require(PicturePlaceholder.part(of: surface[1, 1]))
    #expect((part.picture, part.row, part.column) == (number, 3, 12))
    #expect(surface[0, 1].text == " " && surface[2, 1].text == " ")
    var other = Surface(size: Size(width: 4, height: 2))
    other.blit(surface, x: 1, y: -1)
    #expect(PicturePlaceholder.part(of: other[2, 0])?.row == 3)
  }

  @Test("The first marks are those of the protocol, and there are enough for a large window")
  func marks() {
    #expect(
      PicturePlaceholder.cell(16, row: 0, column: 0)?.text == "\u{10EEEE}\u{305}\u{305}\u{305}")
    #expect(
      PicturePlaceholder.cell(16, row: 1, column: 2)?.text == "\u{10EEEE}\u{30D}\u{30E}\u{305}")
    #expect(PicturePlaceholder.maximumCells >= 256)
    #expect(PicturePlaceholder.cell(16, row: 5_000, column: 0) == nil)
    #expect(PicturePlaceholder.cell(16, row: 0, column: 5_000)?.text == "\u{10EEEE}\u{305}")
  }

  @Test("No text can place a part of a picture") func textIsNoPicture() {
    var surface = Surface(size: Size(width: 10, height: 1))
    surface.write("a\u{10EEEE}\u{305}\u{305}b", x: 0, y: 0, style: Style(foreground: .palette(16)))
    surface[5, 0] = Cell(text: "\u{10EEEE}\u{305}")
    for x in 0..<10 { #expect(PicturePlaceholder.part(of: surface[x, 0]) == nil) }
    #expect(surface[1, 0].text == "b")
  }

  // MARK: Sequences

  @Test("A picture is sent in sequences of the protocol's size") func transmission() throws {
    for isOpaque in [true, false] {
      let sent = try image(64, 48) { x, y in [UInt8(x), UInt8(y), 7, isOpaque || x > 0 ? 255 : 0] }
      let picture = TerminalPicture(key: 1, image: sent, columns: 8, rows: 3)
      let sequences = GraphicsSequence.transmission(of: picture, number: 99)
      #expect(sequences.allSatisfy { $0.count < 4_096 + 100 })
      let received = try #require(KittyReceiver.receive(sequences.flatMap(\.self))[99])
      #expect((received.width, received.height) == (64, 48))
      #expect(received.pixels == sent.bytes)
      #expect((received.columns, received.rows) == (8, 3))
    }
  }

  @Test("Through tmux every escape is doubled, within one sequence of tmux") func tmux() {
    let wrapped = GraphicsSequence.throughTmux(GraphicsSequence.removal(5))
    #expect(
      String(decoding: wrapped, as: UTF8.self)
        == "\u{1B}Ptmux;\u{1B}\u{1B}_Ga=d,d=I,q=2,i=5\u{1B}\u{1B}\\\u{1B}\\")
  }

  @Test("The answer of a terminal with graphics is not a key") func answer() {
    var scanner = InputScanner()
    let units = scanner.scan(Array("a\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62cb".utf8))
    #expect(
      units == [
        .text("a"), .answer(Array("\u{1B}_Gi=31;OK\u{1B}\\".utf8)),
        .sequence(Array("\u{1B}[?62c".utf8)), .text("b"),
      ])
    #expect(GraphicsSequence.isYes(Array("\u{1B}_Gi=31;OK\u{1B}\\".utf8)))
    #expect(!GraphicsSequence.isYes(Array("\u{1B}_Gi=31;ENOTSUP:x\u{1B}\\".utf8)))
  }
}

/// Returns a picture with these channels at each pixel.
func image(
  _ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]
) throws -> PixelImage {
  var bytes: [UInt8] = []
  for y in 0..<height { for x in 0..<width { bytes += pixel(x, y) } }
  return try #require(PixelImage(width: width, height: height, bytes: bytes))
}
