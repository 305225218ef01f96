import CNcurses

/// Draws surfaces with ncurses, and overlays content that its cells cannot hold; returns the bytes
/// for the terminal.
final class CursesScreen {
  private let supportsUTF8: Bool
  private let styles: StyleTable
  private let move: (_ x: Int, _ y: Int) -> [UInt8]
  private var overlay: Overlay
  private var shown: Surface?
  /// Pictures by number, for terminals that draw them over cells.
  var picture: ((UInt32) -> OverlaidPicture?)?
  private var layer = PictureLayer()
  private var cells: [weir_cell] = []
  // Neighbours often share a style.
  private var lastStyle = Style.plain
  private var lastEntry = StyleTable.Entry()

  init(_ description: TerminalDescription) {
    supportsUTF8 = description.supportsUTF8
    let styles = StyleTable(depth: description.colorDepth)
    self.styles = styles
    let capabilities = description.overlay(styles)
    move = capabilities.move
    overlay = Overlay(capabilities: capabilities)
  }

  /// Discards the known screen content: the next frame is drawn whole.
  func forget() { shown = nil }

  /// True if pictures of the last frame wait for another frame.
  var isWaiting: Bool { layer.isWaiting }

  /// Returns the bytes for a frame; empty if it is on screen.
  /// - Parameter time: seconds on any steady clock.
  func draw(_ surface: Surface, at time: Double = 0) -> [UInt8] {
    if shown?.size != surface.size { shown = nil }
    let isNew = shown == nil
    let plan = picture.map { layer.plan(surface, isWhole: isNew, at: time, picture: $0) }
    let surface = plan?.surface ?? surface
    var changes = surface.changes(from: shown)
    if changes.isEmpty, plan?.isEmpty ?? true, let shown, shown.hasSameCursor(as: surface) {
      return []
    }
    put(changes, of: surface, isNew: isNew)
    if styles.hasOverflowed {
      styles.reset()
      (lastStyle, lastEntry) = (.plain, StyleTable.Entry())
      shown = nil
      changes = surface.changes(from: nil)
      put(changes, of: surface, isNew: true)
    }
    let isCleared = shown == nil
    let isInside = { (place: (x: Int, y: Int)) in surface.bounds.contains(x: place.x, y: place.y) }
    let cursor = surface.cursor.flatMap { isInside($0) ? $0 : nil }
    let (x, y) = cursor ?? surface.focus.flatMap { isInside($0) ? $0 : nil } ?? (0, 0)
    if !changes.isEmpty { weir_show_cursor(false) }
    weir_update(CInt(x), CInt(y))
    let rows = Set(isCleared ? Array(0..<surface.size.height) : changes.map(\.row))
    let over = overlayBytes(plan, rows, of: surface)
    var bytes = over.isEmpty ? [] : Self.removeDrawn() + over + move(x, y)
    weir_show_cursor(cursor != nil)
    bytes += Self.removeDrawn()
    shown = surface
    return bytes
  }

  /// Overlaid clusters and links, then pictures.
  private func overlayBytes(
    _ plan: PictureLayer.Plan?, _ rows: Set<Int>, of surface: Surface
  ) -> [UInt8] {
    let erased = plan?.erased ?? []
    let all = erased.reduce(into: rows) { $0.formUnion($1.y..<$1.y + $1.height) }
    let over = overlay.write(
      rows: all.filter { $0 < surface.size.height }.sorted(), of: surface, over: shown,
      erased: erased)
    guard let plan, let picture else { return over }
    return over + layer.bytes(of: plan, written: rows, move: move, picture: picture)
  }

  /// Removes and returns the bytes written by ncurses.
  static func removeDrawn() -> [UInt8] {
    let length = weir_drawn()
    if length == 0 { return [] }
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      count = weir_remove_drawn(buffer.baseAddress, length)
    }
  }

  // MARK: Cells

  private func put(_ changes: [Surface.RowChange], of surface: Surface, isNew: Bool) {
    if isNew { weir_erase() }
    for change in changes {
      put(surface, row: change.row, from: change.columns.lowerBound, to: change.columns.upperBound)
    }
  }

  private func put(_ surface: Surface, row y: Int, from first: Int, to end: Int) {
    let row = surface.row(y)
    var start = first
    while start > 0, row.isSecondHalf(start) { start -= 1 }
    var x = start
    cells.removeAll(keepingCapacity: true)
    while x < end {
      let width = x + 1 < row.endIndex && row.isSecondHalf(x + 1) ? 2 : 1
      append(row, x, width)
      x += width
    }
    weir_put(CInt(start), CInt(y), cells, cells.count)
  }

  private func append(_ row: SurfaceRow, _ x: Int, _ width: Int) {
    var drawn = weir_cell()
    let style = row.style(x)
    if style != lastStyle {
      lastStyle = style
      lastEntry = styles.entry(for: style)
    }
    drawn.pair = lastEntry.pair
    drawn.attributes = lastEntry.attributes
    drawn.width = 1
    if let scalar = row.scalar(x), scalar.isASCII || supportsUTF8 && Self.holds(scalar, width) {
      drawn.base = scalar.value
      drawn.width = UInt8(width)
      cells.append(drawn)
      return
    }
    let cluster = row[x].text
    if supportsUTF8, Self.holds(cluster, width) {
      var scalars = cluster.unicodeScalars.makeIterator()
      drawn.base = scalars.next()?.value ?? 0x20
      let marks = (scalars.next(), scalars.next(), scalars.next(), scalars.next())
      drawn.marks = (
        marks.0?.value ?? 0, marks.1?.value ?? 0, marks.2?.value ?? 0, marks.3?.value ?? 0
      )
      drawn.width = UInt8(width)
      cells.append(drawn)
    } else {
      let blanks = String(repeating: " ", count: width)
      let text = supportsUTF8 ? blanks : ASCIIFallback.text(for: cluster, columns: width)
      for byte in text.utf8 {
        drawn.base = UInt32(byte)
        cells.append(drawn)
      }
    }
  }

  /// Cached results of `holds` for each character of the basic plane in one column, then in two; 0
  /// if unknown.
  private static var known = [UInt8](repeating: 0, count: 1 << 17)

  /// True if a curses cell can hold a non-ASCII character, with the same width in ncurses.
  static func holds(_ scalar: Unicode.Scalar, _ width: Int) -> Bool {
    guard scalar.value < 1 << 16, width == 1 || width == 2 else {
      return holds(String(scalar), width)
    }
    let place = Int(scalar.value) << 1 | (width - 1)
    if known[place] == 0 { known[place] = holds(String(scalar), width) ? 1 : 2 }
    return known[place] == 1
  }

  /// Checks a whole cluster, without the table.
  static func holds(_ cluster: String, _ width: Int) -> Bool {
    if GraphemeWidth.isUncertain(cluster) { return false }
    let scalars = cluster.unicodeScalars
    guard let first = scalars.first, scalars.count <= 5 else { return false }
    return weir_columns(first.value) == CInt(width)
      && scalars.dropFirst().allSatisfy { weir_columns($0.value) == 0 }
  }
}
