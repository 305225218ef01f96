/// A grid of cells that screens draw into; a value. Drawing outside of it is clipped, never an
/// error.
///
/// Two things hold always, whatever is drawn: a cell holds one grapheme cluster that is free of
/// control characters, and both columns of a wide cluster stand side by side (drawing over one half
/// blanks the other).
public struct Surface: Sendable, Equatable {
  /// Never negative.
  public private(set) var size: Size
  private var cells: [Cell]
  /// Where the text cursor shows; nil: hidden.
  public var cursor: (x: Int, y: Int)?

  /// Blank, with the cursor hidden. A negative width or height counts as 0.
  public init(size: Size) {
    self.size = Size(width: max(0, size.width), height: max(0, size.height))
    let count = self.size.width * self.size.height
    // `Array(repeating:count:)` takes ten times as long: it copies a cell.
    cells = Array(unsafeUninitializedCapacity: count) { buffer, initialized in
      for index in 0..<count { buffer.initializeElement(at: index, to: Cell()) }
      initialized = count
    }
  }

  /// The whole of it.
  public var bounds: Rect { Rect(x: 0, y: 0, width: size.width, height: size.height) }

  /// A blank cell for coordinates outside. Setting puts the first cluster of the text there, in two
  /// columns where it is wide; a wide one in the last column becomes a blank, and so does text that
  /// may not be shown.
  public subscript(x: Int, y: Int) -> Cell {
    get {
      guard contains(x, y) else { return Cell() }
      return cells[y * size.width + x]
    }
    set {
      guard contains(x, y) else { return }
      let cluster = newValue.text.first.flatMap { CellText.admissible($0) } ?? (" ", 1)
      if x + cluster.width > size.width {
        put(" ", width: 1, x: x, y: y, style: newValue.style, link: newValue.link)
      } else {
        put(
          cluster.text, width: cluster.width, x: x, y: y, style: newValue.style,
          link: newValue.link)
      }
    }
  }

  /// The cells of one row, left to right; empty outside.
  public func row(_ y: Int) -> ArraySlice<Cell> {
    guard y >= 0, y < size.height else { return [] }
    return cells[y * size.width..<(y + 1) * size.width]
  }

  /// The same cells and the same cursor.
  public static func == (a: Surface, b: Surface) -> Bool {
    a.size == b.size && a.cells == b.cells && a.hasCursor(of: b)
  }

  /// Whether the cursor shows at the same place.
  public func hasCursor(of other: Surface) -> Bool {
    cursor?.x == other.cursor?.x && cursor?.y == other.cursor?.y
  }

  /// A row in which cells differ, and the columns from the first that does to the last.
  public struct RowChange: Equatable, Sendable {
    /// From the top, 0 first.
    public var row: Int
    /// From the first cell that differs to the last.
    public var columns: Range<Int>
  }

  /// The rows in which this surface differs from another of the same size, from top to bottom; nil:
  /// a blank one.
  public func changes(from old: Surface?) -> [RowChange] {
    let old = old ?? Surface(size: size)
    precondition(old.size == size)
    var changes: [RowChange] = []
    cells.withUnsafeBufferPointer { new in
      old.cells.withUnsafeBufferPointer { old in
        for row in 0..<size.height {
          var (first, end) = (row * size.width, (row + 1) * size.width)
          while first < end, old[first] == new[first] { first += 1 }
          if first == end { continue }
          while old[end - 1] == new[end - 1] { end -= 1 }
          let start = row * size.width
          changes.append(RowChange(row: row, columns: first - start..<end - start))
        }
      }
    }
    return changes
  }

  // MARK: Drawing

  /// Writes one line of text. What is left of column 0, right of the last column or beyond
  /// `maxWidth` is clipped; a wide cluster that would stick out is left out whole. White space of
  /// any kind is one blank; control characters leave no trace.
  /// - Returns: the columns used, counted from `x`.
  @discardableResult
  public mutating func write(
    _ text: String, x: Int, y: Int, style: Style = .plain, link: String? = nil,
    maxWidth: Int = .max
  ) -> Int {
    let x = Surface.within(x)
    guard y >= 0, y < size.height, x < size.width, maxWidth > 0 else { return 0 }
    let end = maxWidth < size.width - x ? x + maxWidth : size.width
    let ascii = text.leadingASCII
    if ascii == 0 { return write(clusters: text, x: x, y: y, end: end, style: style, link: link) }
    let part = min(ascii, end - x)
    put(text.utf8.prefix(part), x: x, y: y, style: style, link: link)
    let rest = text[text.utf8.index(text.startIndex, offsetBy: part)...]
    if rest.isEmpty || x + part >= end { return part }
    return part
      + write(clusters: rest, x: x + part, y: y, end: end, style: style, link: link)
  }

  private mutating func write(
    clusters: some Sequence<Character>, x: Int, y: Int, end: Int, style: Style, link: String?
  ) -> Int {
    var column = x
    for character in clusters {
      if column >= end { break }
      guard let cluster = CellText.admissible(character) else { continue }
      if column + cluster.width > end { break }
      if column >= 0 {
        put(cluster.text, width: cluster.width, x: column, y: y, style: style, link: link)
      } else if column + cluster.width > 0 {
        put(" ", width: 1, x: 0, y: y, style: style, link: link)
      }
      column += cluster.width
    }
    return column - x
  }

  /// Puts a cell of a picture there, which a terminal with graphics replaces by its part of the
  /// picture (`PicturePlaceholder`). No text can do so.
  /// - Parameters:
  ///   - row, column: of the picture.
  public mutating func place(picture: UInt32, row: Int, column: Int, x: Int, y: Int) {
    guard contains(x, y), let cell = PicturePlaceholder.cell(picture, row: row, column: column)
    else { return }
    put(cell.text, width: 1, x: x, y: y, style: cell.style, link: nil)
  }

  /// Blanks a rectangle, or fills it with a pattern of one narrow cluster.
  public mutating func fill(_ rect: Rect, style: Style = .plain, with character: Character = " ") {
    let cluster = CellText.admissible(character) ?? (" ", 1)
    let text = cluster.width == 1 ? cluster.text : " "
    let area = clipped(rect)
    if area.width == 0 { return }
    for y in area.y..<area.y + area.height {
      let last = area.x + area.width - 1
      put(text, width: 1, x: area.x, y: y, style: style, link: nil)
      put(text, width: 1, x: last, y: y, style: style, link: nil)
      // Between them no cluster is cut.
      let cell = Cell(text: text, style: style)
      for x in area.x..<last { cells[y * size.width + x] = cell }
    }
  }

  /// Changes how a rectangle looks and leaves its text: a selection, a focus, a dimmed pane.
  public mutating func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
    let area = clipped(rect)
    for y in area.y..<area.y + area.height {
      for x in area.x..<area.x + area.width { change(&cells[y * size.width + x].style) }
    }
  }

  /// Gives a rectangle one style.
  public mutating func restyle(_ rect: Rect, style: Style) { restyle(rect) { $0 = style } }

  /// Copies another surface, its cursor too where it has one and it falls inside. A wide cluster
  /// that an edge cuts becomes a blank.
  public mutating func blit(_ other: Surface, x: Int, y: Int) {
    let x = Surface.within(x)
    let y = Surface.within(y)
    let area = clipped(Rect(x: x, y: y, width: other.size.width, height: other.size.height))
    for row in area.y..<area.y + area.height {
      var column = area.x
      while column < area.x + area.width {
        let cell = other[column - x, row - y]
        let isWide = other.isWideLead(column - x, row - y)
        // The second half of a cut cluster, or a first half with no room for the second.
        let cut = cell.text.isEmpty || (isWide && column + 1 >= area.x + area.width)
        put(
          cut ? " " : cell.text, width: isWide && !cut ? 2 : 1, x: column, y: row,
          style: cell.style, link: cell.link)
        column += isWide && !cut ? 2 : 1
      }
    }
    if let cursor = other.cursor, contains(cursor.x + x, cursor.y + y) {
      self.cursor = (cursor.x + x, cursor.y + y)
    }
  }

  /// A copy of a rectangle; what of it lies outside is blank.
  public func part(_ rect: Rect) -> Surface {
    var part = Surface(size: Size(width: rect.width, height: rect.height))
    part.blit(self, x: -Surface.within(rect.x), y: -Surface.within(rect.y))
    return part
  }

  /// Lets `draw` work on a surface of its own that is in the rectangle: its (0, 0) is the
  /// rectangle's corner, and nothing that it does reaches beyond the edges.
  public mutating func draw(in rect: Rect, _ draw: (inout Surface) -> Void) {
    var part = part(rect)
    part.cursor = nil
    draw(&part)
    blit(part, x: rect.x, y: rect.y)
  }

  // MARK: Cells

  /// Whether a cluster of two columns begins here.
  public func isWideLead(_ x: Int, _ y: Int) -> Bool {
    x + 1 < size.width && contains(x, y) && !cells[y * size.width + x].text.isEmpty
      && cells[y * size.width + x + 1].text.isEmpty
  }

  private func contains(_ x: Int, _ y: Int) -> Bool {
    x >= 0 && y >= 0 && x < size.width && y < size.height
  }

  /// Far beyond any screen, and far from where adding two of them overflows.
  private static func within(_ coordinate: Int) -> Int { min(max(coordinate, -1 << 40), 1 << 40) }

  private func clipped(_ rect: Rect) -> Rect { rect.intersection(bounds) }

  /// Each printable ASCII character, as the text of a cell.
  private static let asciiTexts = (0..<0x80).map { String(Unicode.Scalar(UInt8($0))) }

  /// Puts printable ASCII, of which what is left of column 0 is clipped; its end fits in the row.
  private mutating func put(
    _ bytes: Substring.UTF8View, x: Int, y: Int, style: Style, link: String?
  ) {
    let first = max(0, -x)
    guard first < bytes.count else { return }
    var index = y * size.width + x + first
    if cells[index].text.isEmpty { cells[index - 1].text = " " }
    let texts = Self.asciiTexts
    cells.withUnsafeMutableBufferPointer { cells in
      for byte in bytes.dropFirst(first) {
        cells[index].text = texts[Int(byte)]
        cells[index].style = style
        cells[index].link = link
        index += 1
      }
    }
    if index < (y + 1) * size.width, cells[index].text.isEmpty { cells[index].text = " " }
  }

  /// Where all other text enters a cell. The whole cluster fits in the row.
  private mutating func put(
    _ text: String, width: Int, x: Int, y: Int, style: Style, link: String?
  ) {
    let index = y * size.width + x
    // What a half of a wide cluster is taken from loses its other half.
    if cells[index].text.isEmpty { cells[index - 1].text = " " }
    let after = index + width
    if x + width < size.width, cells[after].text.isEmpty { cells[after].text = " " }
    cells[index] = Cell(text: text, style: style, link: link)
    if width == 2 { cells[index + 1] = Cell(text: "", style: style, link: link) }
  }
}
