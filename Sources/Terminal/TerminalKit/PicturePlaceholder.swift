/// The terminal's protocol for pictures.
public enum PictureProtocol: String, Sendable, CaseIterable {
  /// kitty's graphics protocol with Unicode placeholders
  /// (sw.kovidgoyal.net/kitty/graphics-protocol).
  case kitty
  /// Sixels, drawn over cells with a reduced palette (`SixelEncoder`).
  case sixel
  /// iTerm2's inline images, drawn over cells as files (`InlineImage`).
  case iterm

  /// True if pictures are drawn over cells instead of by them (`PictureLayer`).
  public var isOverCells: Bool { self != .kitty }
}

/// The treatment of pictures.
public enum PictureChoice: Sendable, Equatable {
  case none
  /// No graphics; queries only the cell size, for the proportions of blocks.
  case blocks
  /// Queries graphics support if the terminal's name suggests it.
  case ask
  /// Uses a protocol regardless of the name; kitty's within tmux, if the outer terminal has it.
  case use(PictureProtocol)
}

/// A picture for the terminal.
public struct TerminalPicture: Sendable, Hashable {
  public var key: UInt64
  /// The pixels, which the terminal scales to fill the cells.
  public var image: PixelImage
  /// Width in cells.
  public var columns: Int
  /// Height in cells.
  public var rows: Int

  /// - Parameter key: equal for equal pixels.
  public init(key: UInt64, image: PixelImage, columns: Int, rows: Int) {
    (self.key, self.image, self.columns, self.rows) = (key, image, columns, rows)
  }

  /// Compares keys instead of pixels.
  public static func == (a: TerminalPicture, b: TerminalPicture) -> Bool {
    a.key == b.key && a.columns == b.columns && a.rows == b.rows
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(columns)
    hasher.combine(rows)
  }
}

/// A cell for a part of a picture: U+10EEEE with marks for the row, the column and the highest byte
/// of the picture's number, whose lowest byte is the text colour. Terminals scroll, clip and
/// overwrite it like text.
public enum PicturePlaceholder {
  /// A private use code point (kitty's graphics protocol, "Unicode placeholders").
  public static let base: UInt32 = 0x10EEEE
  /// Colours that every terminal writes as a number, not as one of 16 names.
  public static let lowestByte: ClosedRange<UInt32> = 16...255

  /// The number of rows and columns that have a mark.
  public static var maximumCells: Int { marks.count }

  /// Returns the cell for a part of a picture; `nil` for a row without a mark.
  static func cell(_ picture: UInt32, row: Int, column: Int) -> (text: String, style: Style)? {
    guard marks.indices.contains(row), let base = Unicode.Scalar(base),
      marks.indices.contains(Int(picture >> 24))
    else { return nil }
    var text = String.UnicodeScalarView()
    text.append(base)
    text.append(marks[row])
    // A column without a mark continues its left neighbour.
    if marks.indices.contains(column) {
      text.append(marks[column])
      text.append(marks[Int(picture >> 24)])
    }
    return (String(text), Style(foreground: .palette(UInt8(truncatingIfNeeded: picture))))
  }

  /// The part of a picture that a cell shows.
  public struct Part: Sendable, Equatable {
    public var picture: UInt32
    public var row: Int
    /// `nil` if the part continues that of the cell to the left.
    public var column: Int?
  }

  /// Returns the part that a cell shows; `nil` for text.
  public static func part(of cell: Cell) -> Part? {
    let scalars = Array(cell.text.unicodeScalars)
    guard scalars.first?.value == base, scalars.count >= 2,
      case .palette(let color) = cell.style.foreground,
      let row = places[scalars[1]]
    else { return nil }
    let column = scalars.count > 2 ? places[scalars[2]] : nil
    let high = scalars.count > 3 ? places[scalars[3]] ?? 0 : 0
    return Part(picture: UInt32(high) << 24 | UInt32(color), row: row, column: column)
  }

  private static let places: [Unicode.Scalar: Int] = Dictionary(
    uniqueKeysWithValues: marks.enumerated().map { ($1, $0) })

  /// Marks for 0, 1, 2 …, as the protocol lists them: combining class 230 in Unicode 6.0, without
  /// those that normalisation composes.
  private static let marks: [Unicode.Scalar] = ranges.flatMap { range in
    range.compactMap { Unicode.Scalar($0) }
  }

  private static let ranges: [ClosedRange<UInt32>] = [
    0x305...0x305, 0x30D...0x30E, 0x310...0x310, 0x312...0x312, 0x33D...0x33F, 0x346...0x346,
    0x34A...0x34C, 0x350...0x352, 0x357...0x357, 0x35B...0x35B, 0x363...0x36F, 0x483...0x487,
    0x592...0x595, 0x597...0x599, 0x59C...0x5A1, 0x5A8...0x5A9, 0x5AB...0x5AC, 0x5AF...0x5AF,
    0x5C4...0x5C4, 0x610...0x617, 0x657...0x65B, 0x65D...0x65E, 0x6D6...0x6DC, 0x6DF...0x6E2,
    0x6E4...0x6E4, 0x6E7...0x6E8, 0x6EB...0x6EC, 0x730...0x730, 0x732...0x733, 0x735...0x736,
    0x73A...0x73A, 0x73D...0x73D, 0x73F...0x741, 0x743...0x743, 0x745...0x745, 0x747...0x747,
    0x749...0x74A, 0x7EB...0x7F1, 0x7F3...0x7F3, 0x816...0x819, 0x81B...0x823, 0x825...0x827,
    0x829...0x82D, 0x951...0x951, 0x953...0x954, 0xF82...0xF83, 0xF86...0xF87, 0x135D...0x135F,
    0x17DD...0x17DD, 0x193A...0x193A, 0x1A17...0x1A17, 0x1A75...0x1A7C, 0x1B6B...0x1B6B,
    0x1B6D...0x1B73, 0x1CD0...0x1CD2, 0x1CDA...0x1CDB, 0x1CE0...0x1CE0, 0x1DC0...0x1DC1,
    0x1DC3...0x1DC9, 0x1DCB...0x1DCC, 0x1DD1...0x1DE6, 0x1DFE...0x1DFE, 0x20D0...0x20D1,
    0x20D4...0x20D7, 0x20DB...0x20DC, 0x20E1...0x20E1, 0x20E7...0x20E7, 0x20E9...0x20E9,
    0x20F0...0x20F0, 0x2CEF...0x2CF1, 0x2DE0...0x2DFF, 0xA66F...0xA66F, 0xA67C...0xA67D,
    0xA6F0...0xA6F1, 0xA8E0...0xA8F1, 0xAAB0...0xAAB0, 0xAAB2...0xAAB3, 0xAAB7...0xAAB8,
    0xAABE...0xAABF, 0xAAC1...0xAAC1, 0xFE20...0xFE26,
  ]
}
