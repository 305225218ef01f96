/// A grid of cells that screens draw into. Drawing outside the grid is clipped.
///
/// Invariants: a cell holds one grapheme cluster without control characters, and both columns of a
/// wide cluster are adjacent (overwriting one half blanks the other).
public struct Surface: Sendable, Equatable {
  /// Never negative.
  public private(set) var size: Size
  private(set) var cells: [StoredCell]
  /// Tables for the cells' longer texts and links.
  private var texts: [String] = []
  private var links: [String] = []
  /// The cursor's position; `nil` if hidden.
  public var cursor: (x: Int, y: Int)?
  /// The position of a hidden cursor: the selected row or the first line of a text. Braille
  /// displays and screen readers follow the cursor even if the terminal does not show it.
  public var focus: (x: Int, y: Int)?
  /// The words for the surface, for a terminal that writes lines; `nil` for one that draws.
  public var spoken: SpokenScreen?

  /// A blank surface without a cursor. Negative sizes count as 0.
  public init(size: Size) {
    self.size = Size(width: max(0, size.width), height: max(0, size.height))
    cells = Array(repeating: StoredCell(), count: self.size.width * self.size.height)
  }

  public var bounds: Rect { Rect(x: 0, y: 0, width: size.width, height: size.height) }

  /// Reads a blank cell outside the surface. Writing stores the first cluster, in two columns if
  /// wide; forbidden text and a wide cluster in the last column become blanks.
  public subscript(x: Int, y: Int) -> Cell {
    get {
      guard contains(x, y) else { return Cell() }
      return cell(cells[y * size.width + x])
    }
    set {
      guard contains(x, y) else { return }
      let cluster = newValue.text.first.flatMap { CellText.admissible($0) } ?? (" ", 1)
      let isCut = x + cluster.width > size.width
      put(
        stored(isCut ? " " : cluster.text, style: newValue.style, link: newValue.link),
        width: isCut ? 1 : cluster.width, x: x, y: y)
    }
  }

  /// Returns the cells of a row; empty if the row is outside the surface.
  public func row(_ y: Int) -> SurfaceRow { SurfaceRow(y, of: self) }

  /// Compares cells and cursor.
  public static func == (a: Surface, b: Surface) -> Bool {
    a.size == b.size && a.hasSameCursor(as: b)
      && zip(a.cells, b.cells).allSatisfy { a.isSame($0, as: $1, of: b) }
  }

  /// Returns true if both surfaces have the cursor at the same place, shown or hidden.
  public func hasSameCursor(as other: Surface) -> Bool {
    cursor?.x == other.cursor?.x && cursor?.y == other.cursor?.y
      && focus?.x == other.focus?.x && focus?.y == other.focus?.y
  }

  /// A row with changed cells, and the columns from the first to the last of them.
  public struct RowChange: Equatable, Sendable {
    /// Index of the row; 0 is the top.
    public var row: Int
    public var columns: Range<Int>
  }

  /// Returns the rows that differ from another surface of the same size, from top to bottom.
  /// - Parameter old: `nil` for a blank surface.
  public func changes(from old: Surface?) -> [RowChange] {
    let old = old ?? Surface(size: size)
    precondition(old.size == size)
    var changes: [RowChange] = []
    for row in 0..<size.height {
      let start = row * size.width
      var (first, end) = (start, start + size.width)
      while first < end, isSame(cells[first], as: old.cells[first], of: old) { first += 1 }
      if first == end { continue }
      while isSame(cells[end - 1], as: old.cells[end - 1], of: old) { end -= 1 }
      changes.append(RowChange(row: row, columns: first - start..<end - start))
    }
    return changes
  }

  // MARK: Drawing

  /// Writes one line of text, clipped at column 0, the last column and `maxWidth`. A clipped wide
  /// cluster is omitted. White space becomes blanks; control characters are dropped.
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
        put(stored(cluster.text, style: style, link: link), width: cluster.width, x: column, y: y)
      } else if column + cluster.width > 0 {
        put(stored(" ", style: style, link: link), width: 1, x: 0, y: y)
      }
      column += cluster.width
    }
    return column - x
  }

  /// Places a cell with one row and column of a picture, which a terminal with graphics replaces
  /// (`PicturePlaceholder`). Text cannot produce such a cell.
  public mutating func place(picture: UInt32, row: Int, column: Int, x: Int, y: Int) {
    guard contains(x, y), let cell = PicturePlaceholder.cell(picture, row: row, column: column)
    else { return }
    put(stored(cell.text, style: cell.style, link: nil), width: 1, x: x, y: y)
  }

  /// Fills a rectangle with blanks or another narrow cluster.
  public mutating func fill(_ rect: Rect, style: Style = .plain, with character: Character = " ") {
    let cluster = CellText.admissible(character) ?? (" ", 1)
    let cell = stored(cluster.width == 1 ? cluster.text : " ", style: style, link: nil)
    let area = clipped(rect)
    if area.width == 0 { return }
    for y in area.y..<area.y + area.height {
      let last = area.x + area.width - 1
      put(cell, width: 1, x: area.x, y: y)
      put(cell, width: 1, x: last, y: y)
      // Inner cells cannot cut a wide cluster.
      for x in area.x..<last { cells[y * size.width + x] = cell }
    }
  }

  /// Changes the style of a rectangle and keeps its text, for example for a selection.
  public mutating func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
    let area = clipped(rect)
    for y in area.y..<area.y + area.height {
      for x in area.x..<area.x + area.width { change(&cells[y * size.width + x].style) }
    }
  }

  /// Copies another surface, with its cursor if the cursor is inside. Clipped wide clusters become
  /// blanks.
  public mutating func blit(_ other: Surface, x: Int, y: Int) {
    let x = Surface.within(x)
    let y = Surface.within(y)
    let area = clipped(Rect(x: x, y: y, width: other.size.width, height: other.size.height))
    for row in area.y..<area.y + area.height {
      var column = area.x
      while column < area.x + area.width {
        let cell = other[column - x, row - y]
        let isWide = other.isWideLead(column - x, row - y)
        // A half of a clipped wide cluster becomes a blank.
        let cut = cell.text.isEmpty || (isWide && column + 1 >= area.x + area.width)
        let width = isWide && !cut ? 2 : 1
        put(
          stored(cut ? " " : cell.text, style: cell.style, link: cell.link), width: width,
          x: column, y: row)
        column += width
      }
    }
    if let cursor = other.cursor, contains(cursor.x + x, cursor.y + y) {
      self.cursor = (cursor.x + x, cursor.y + y)
    }
    if let focus = other.focus, contains(focus.x + x, focus.y + y) {
      self.focus = (focus.x + x, focus.y + y)
    }
  }

  /// Returns a copy of a rectangle, blank outside this surface.
  public func part(_ rect: Rect) -> Surface {
    var part = Surface(size: Size(width: rect.width, height: rect.height))
    part.blit(self, x: -Surface.within(rect.x), y: -Surface.within(rect.y))
    return part
  }

  /// Draws in a rectangle: `draw` receives a surface with its size and origin, and cannot draw
  /// outside.
  public mutating func draw(in rect: Rect, _ draw: (inout Surface) -> Void) {
    var part = part(rect)
    (part.cursor, part.focus) = (nil, nil)
    draw(&part)
    blit(part, x: rect.x, y: rect.y)
  }

  // MARK: Cells

  func cell(_ stored: StoredCell) -> Cell {
    Cell(
      text: text(stored), style: stored.style,
      link: stored.link == 0 ? nil : links[Int(stored.link) - 1])
  }

  private func text(_ cell: StoredCell) -> String {
    if let place = cell.place { return texts[place] }
    return cell.isSecondHalf ? "" : Unicode.Scalar(cell.text).map { String($0) } ?? ""
  }

  /// Makes a cell for `cells`; longer texts and links go into the tables.
  private mutating func stored(_ text: String, style: Style, link: String?) -> StoredCell {
    var cell = StoredCell(text: 0, link: place(of: link), style: style)
    var scalars = text.unicodeScalars.makeIterator()
    guard let first = scalars.next() else { return cell }
    cell.text = first.value
    if scalars.next() != nil {
      cell.text = StoredCell.firstPlace + UInt32(texts.count)
      texts.append(text)
    }
    return cell
  }

  private mutating func place(of link: String?) -> UInt32 {
    guard let link else { return 0 }
    // Neighbours often share a link.
    if links.last != link { links.append(link) }
    return UInt32(links.count)
  }

  private func isSame(_ a: StoredCell, as b: StoredCell, of other: Surface) -> Bool {
    guard a.style == b.style else { return false }
    if a.text != b.text || a.place != nil {
      guard let place = a.place, let otherPlace = b.place, texts[place] == other.texts[otherPlace]
      else { return false }
    }
    if a.link == 0 || b.link == 0 { return a.link == b.link }
    return links[Int(a.link) - 1] == other.links[Int(b.link) - 1]
  }

  /// Returns true if a cluster of two columns begins here.
  public func isWideLead(_ x: Int, _ y: Int) -> Bool {
    guard x + 1 < size.width, contains(x, y) else { return false }
    let index = y * size.width + x
    return !cells[index].isSecondHalf && cells[index + 1].isSecondHalf
  }

  private func contains(_ x: Int, _ y: Int) -> Bool {
    x >= 0 && y >= 0 && x < size.width && y < size.height
  }

  /// Clamps a coordinate so that sums cannot overflow.
  private static func within(_ coordinate: Int) -> Int { min(max(coordinate, -1 << 40), 1 << 40) }

  private func clipped(_ rect: Rect) -> Rect { rect.intersection(bounds) }

  /// Writes printable ASCII, clipped at column 0. The end must fit in the row.
  private mutating func put(
    _ bytes: Substring.UTF8View, x: Int, y: Int, style: Style, link: String?
  ) {
    let first = max(0, -x)
    guard first < bytes.count else { return }
    var index = y * size.width + x + first
    if cells[index].isSecondHalf { cells[index - 1].text = 0x20 }
    let link = place(of: link)
    cells.withUnsafeMutableBufferPointer { cells in
      for byte in bytes.dropFirst(first) {
        cells[index] = StoredCell(text: UInt32(byte), link: link, style: style)
        index += 1
      }
    }
    if index < (y + 1) * size.width, cells[index].isSecondHalf { cells[index].text = 0x20 }
  }

  /// Writes any other cluster, which must fit in the row.
  private mutating func put(_ cell: StoredCell, width: Int, x: Int, y: Int) {
    let index = y * size.width + x
    // Overwriting half of a wide cluster blanks the other half.
    if cells[index].isSecondHalf { cells[index - 1].text = 0x20 }
    let after = index + width
    if x + width < size.width, cells[after].isSecondHalf { cells[after].text = 0x20 }
    cells[index] = cell
    if width == 2 { cells[index + 1] = StoredCell(text: 0, link: cell.link, style: cell.style) }
  }
}

/// A row of a surface, from left to right. `Cell`s are created on access; `style` is faster.
public struct SurfaceRow: RandomAccessCollection, Sendable, Equatable {
  private let surface: Surface
  private let first: Int
  public var startIndex: Int { 0 }
  /// The number of columns; 0 for a row outside the surface.
  public let endIndex: Int

  init(_ y: Int, of surface: Surface) {
    self.surface = surface
    let isInside = y >= 0 && y < surface.size.height
    first = isInside ? y * surface.size.width : 0
    endIndex = isInside ? surface.size.width : 0
  }

  /// - Parameter column: from 0, below `endIndex`.
  public subscript(column: Int) -> Cell { surface.cell(stored(column)) }

  /// Returns the text's scalar; `nil` if there are several or none.
  public func scalar(_ column: Int) -> Unicode.Scalar? {
    let cell = stored(column)
    return cell.isSecondHalf ? nil : Unicode.Scalar(cell.text)
  }

  public func style(_ column: Int) -> Style { stored(column).style }

  /// Returns true in the second column of a wide cluster.
  public func isSecondHalf(_ column: Int) -> Bool { stored(column).isSecondHalf }

  public static func == (a: SurfaceRow, b: SurfaceRow) -> Bool { a.elementsEqual(b) }

  func stored(_ column: Int) -> StoredCell {
    precondition(column >= 0 && column < endIndex)
    return surface.cells[first + column]
  }
}

/// A stored cell without references, so that screens are copied, compared and freed as plain
/// memory. The surface has tables for longer texts and links.
struct StoredCell {
  /// The scalar of the text; 0 for none; from `firstPlace`, an index into the table of texts.
  var text: UInt32 = 0x20
  /// An index into the table of links, from 1; 0 if there is no link.
  var link: UInt32 = 0
  var style = Style.plain

  /// The first value above all scalars.
  static let firstPlace: UInt32 = 0x110000

  /// The index of a text of several scalars; `nil` for one scalar.
  var place: Int? { text < Self.firstPlace ? nil : Int(text - Self.firstPlace) }
  var isSecondHalf: Bool { text == 0 }
}
