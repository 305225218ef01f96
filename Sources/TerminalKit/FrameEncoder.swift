/// How a terminal is told things, as bytes.
public struct TerminalVocabulary {
  /// Moves the cursor to a column and a row.
  public var move: (_ x: Int, _ y: Int) -> [UInt8]
  /// Sets how what follows looks, whatever was before.
  public var style: (Style) -> [UInt8]
  /// Blanks the rest of the row, in the terminal's own colours; nil where it cannot.
  public var clearToEndOfLine: [UInt8]?
  public var showCursor: [UInt8]
  public var hideCursor: [UInt8]
  /// Before and after a frame that shall be shown at once.
  public var beginFrame: [UInt8]
  public var endFrame: [UInt8]
  /// OSC 8.
  public var takesLinks: Bool
  /// Whether text is UTF-8; else it goes out in ASCII's nearest.
  public var takesUTF8: Bool
  /// Text beyond the last column is dropped there, not wrapped.
  public var dropsOverflow: Bool
  /// The last cell of the last row can be written without scrolling the screen.
  public var fillsCorner: Bool

  public init(
    move: @escaping (_ x: Int, _ y: Int) -> [UInt8], style: @escaping (Style) -> [UInt8],
    clearToEndOfLine: [UInt8]? = nil, showCursor: [UInt8] = [], hideCursor: [UInt8] = [],
    beginFrame: [UInt8] = [], endFrame: [UInt8] = [], takesLinks: Bool = false,
    takesUTF8: Bool = true, dropsOverflow: Bool = true, fillsCorner: Bool = true
  ) {
    self.move = move
    self.style = style
    self.clearToEndOfLine = clearToEndOfLine
    self.showCursor = showCursor
    self.hideCursor = hideCursor
    self.beginFrame = beginFrame
    self.endFrame = endFrame
    self.takesLinks = takesLinks
    self.takesUTF8 = takesUTF8
    self.dropsOverflow = dropsOverflow
    self.fillsCorner = fillsCorner
  }
}

/// Turns surfaces into the bytes that bring a terminal from what it shows to what it shall show.
///
/// The columns stay true on terminals that measure a cluster otherwise than `GraphemeWidth`: its
/// cells are blanked first, it is written, the cursor is put right, and the rest of the row is
/// written again over whatever the terminal made of it.
public struct FrameEncoder {
  private let vocabulary: TerminalVocabulary
  private var shown: Surface?
  private var cursorIsShown: Bool?

  // While a frame is encoded:
  private var bytes: [UInt8] = []
  private var style = Style.plain
  private var link: String?

  public init(vocabulary: TerminalVocabulary) { self.vocabulary = vocabulary }

  /// Nothing is known of the screen any more: the next frame is written whole.
  public mutating func forget() {
    shown = nil
    cursorIsShown = nil
  }

  /// Empty where the terminal already shows it.
  public mutating func encode(_ surface: Surface) -> [UInt8] {
    if let shown, shown == surface { return [] }
    let runs = SurfaceDiff(from: shown, to: surface).runs
    bytes = vocabulary.beginFrame
    bytes += hideCursorWhileDrawing(runs.isEmpty)
    if shown == nil { bytes += vocabulary.style(.plain) }
    style = .plain
    link = nil
    for run in runs { write(run, of: surface) }
    setLink(nil)
    setStyle(.plain)
    placeCursor(surface.cursor, in: surface.size)
    bytes += vocabulary.endFrame
    shown = surface
    defer { bytes = [] }
    return bytes
  }

  /// A text for a title: one line, of at most 200 columns, that holds nothing that could end a sequence.
  public func line(_ text: String) -> String {
    var surface = Surface(size: Size(width: 200, height: 1))
    surface.write(text, x: 0, y: 0)
    var line = ""
    for x in 0..<200 {
      let text = surface[x, 0].text
      line +=
        vocabulary.takesUTF8
        ? text : ASCIIFallback.text(for: text, columns: surface.isWideLead(x, 0) ? 2 : 1)
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  // MARK: Runs

  private mutating func write(_ run: SurfaceDiff.Run, of surface: Surface) {
    let end = run.x + run.width
    let blankFrom = blankTail(of: surface, row: run.y)
    bytes += vocabulary.move(run.x, run.y)
    var x = run.x
    while x < end {
      if x >= blankFrom, end - x >= Self.leastClear, let clear = vocabulary.clearToEndOfLine {
        setLink(nil)
        setStyle(.plain)
        bytes += clear
        return
      }
      let width = surface.isWideLead(x, run.y) ? 2 : 1
      let isCorner = x + width == surface.size.width && run.y == surface.size.height - 1
      if isCorner && !vocabulary.fillsCorner { return }
      write(surface[x, run.y], width: width, x: x, y: run.y, of: surface.size)
      x += width
    }
  }

  private mutating func write(_ cell: Cell, width: Int, x: Int, y: Int, of size: Size) {
    setStyle(cell.style)
    setLink(vocabulary.takesLinks ? cell.link : nil)
    if !vocabulary.takesUTF8 {
      bytes += ASCIIFallback.text(for: cell.text, columns: width).utf8
    } else if !GraphemeWidth.isUncertain(cell.text) {
      bytes += cell.text.utf8
    } else if !vocabulary.dropsOverflow && x + 8 > size.width {
      // Where too wide a cluster would be wrapped into the next row, it is not risked.
      bytes += ASCIIFallback.text(for: cell.text, columns: width).utf8
    } else {
      bytes += repeatElement(0x20, count: width)
      bytes += vocabulary.move(x, y)
      bytes += cell.text.utf8
      if x + width < size.width { bytes += vocabulary.move(x + width, y) }
    }
  }

  /// Fewer blanks than this are written rather than cleared.
  private static let leastClear = 6

  /// The column from which the row is nothing but blanks.
  private func blankTail(of surface: Surface, row y: Int) -> Int {
    let row = surface.row(y)
    return row.count
      - row.reversed().prefix { $0.text == " " && $0.style == .plain && $0.link == nil }.count
  }

  // MARK: State

  private mutating func setStyle(_ new: Style) {
    if new == style { return }
    bytes += vocabulary.style(new)
    style = new
  }

  private mutating func setLink(_ new: String?) {
    if new == link { return }
    link = new
    guard let new, let address = Self.linkAddress(new) else {
      bytes += "\u{1B}]8;;\u{1B}\\".utf8
      return
    }
    // The parts of a link that is broken over lines light up together: they share an id.
    var hash: UInt32 = 2_166_136_261
    for byte in address.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    bytes += "\u{1B}]8;id=\(String(hash, radix: 36));\(address)\u{1B}\\".utf8
  }

  /// Printable ASCII only (the rest percent-encoded), and no longer than terminals take.
  private static func linkAddress(_ link: String) -> String? {
    var address = ""
    for byte in link.utf8 {
      if byte > 0x20 && byte < 0x7F {
        address.unicodeScalars.append(Unicode.Scalar(byte))
      } else if byte >= 0x80 {
        address += "%" + String(byte, radix: 16, uppercase: true)
      } else {
        return nil
      }
    }
    return address.isEmpty || address.utf8.count > 2083 ? nil : address
  }

  private mutating func hideCursorWhileDrawing(_ nothingToDraw: Bool) -> [UInt8] {
    if nothingToDraw || cursorIsShown == false { return [] }
    cursorIsShown = false
    return vocabulary.hideCursor
  }

  private mutating func placeCursor(_ cursor: (x: Int, y: Int)?, in size: Size) {
    guard let cursor, cursor.x >= 0, cursor.y >= 0, cursor.x < size.width, cursor.y < size.height
    else {
      if cursorIsShown != false { bytes += vocabulary.hideCursor }
      cursorIsShown = false
      return
    }
    bytes += vocabulary.move(cursor.x, cursor.y)
    if cursorIsShown != true { bytes += vocabulary.showCursor }
    cursorIsShown = true
  }
}
