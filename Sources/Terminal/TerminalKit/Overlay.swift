/// Escape sequences for content that curses cells cannot hold.
package struct OverlayCapabilities {
  package var move: (_ x: Int, _ y: Int) -> [UInt8]
  /// Sets the style, except strikethrough.
  package var style: (Style) -> [UInt8]
  /// Sequences that start and end strikethrough; empty if not supported.
  package var strikethrough: (on: [UInt8], off: [UInt8])
  /// Sequences that disable and enable automatic wrapping; empty if not supported.
  package var wrapping: (off: [UInt8], on: [UInt8])
  /// True if the last cell of the screen can be written without scrolling.
  package var fillsCorner: Bool
  /// True if the terminal supports hyperlinks (OSC 8).
  package var supportsLinks: Bool
  /// False if text is replaced by ASCII.
  package var supportsUTF8: Bool
  /// Returns true if a curses cell can hold a cluster of that many columns.
  package var holds: (_ cluster: String, _ columns: Int) -> Bool
  package var holdsScalar: (_ scalar: Unicode.Scalar, _ columns: Int) -> Bool

  /// - Parameter holdsScalar: a faster `holds` for single scalars.
  package init(
    move: @escaping (_ x: Int, _ y: Int) -> [UInt8], style: @escaping (Style) -> [UInt8],
    strikethrough: (on: [UInt8], off: [UInt8]) = ([], []),
    wrapping: (off: [UInt8], on: [UInt8]) = ([], []), fillsCorner: Bool = true,
    supportsLinks: Bool = false, supportsUTF8: Bool = true,
    holds: @escaping (_ cluster: String, _ columns: Int) -> Bool,
    holdsScalar: ((_ scalar: Unicode.Scalar, _ columns: Int) -> Bool)? = nil
  ) {
    self.move = move
    self.style = style
    self.strikethrough = strikethrough
    self.wrapping = wrapping
    self.fillsCorner = fillsCorner
    self.supportsLinks = supportsLinks
    self.supportsUTF8 = supportsUTF8
    self.holds = holds
    self.holdsScalar = holdsScalar ?? { holds(String($0), $1) }
  }
}

/// Writes content that curses cells cannot hold over the rows that ncurses has drawn: clusters of
/// several spacing characters, links (OSC 8) and strikethrough.
///
/// Columns stay correct on terminals that measure a cluster differently from `GraphemeWidth`: the
/// cells after it that it may have covered are written again.
package struct Overlay {
  private let capabilities: OverlayCapabilities

  // State while rows are written.
  private var bytes: [UInt8] = []
  private var style = Style.plain
  private var link: String?
  private var isWrappingOff = false
  private var erased: [Rect] = []

  package init(capabilities: OverlayCapabilities) { self.capabilities = capabilities }

  /// Returns the bytes for rows; empty if ncurses has drawn all of their cells.
  /// - Parameter old: the previous screen, of the same size. Overlaid cells, which ncurses does not
  /// know, are overwritten.
  /// - Parameter erased: areas of removed pictures (`PictureLayer`), which are written again.
  package mutating func write(
    rows: [Int], of surface: Surface, over old: Surface? = nil, erased: [Rect] = []
  ) -> [UInt8] {
    bytes = []
    self.erased = erased
    for y in rows { write(row: y, of: surface, over: old) }
    setLink(nil)
    setStyle(.plain)
    if isWrappingOff { bytes += capabilities.wrapping.on }
    isWrappingOff = false
    defer { bytes = [] }
    return bytes
  }

  private mutating func write(row y: Int, of surface: Surface, over old: Surface?) {
    let isErased = erased.contains { $0.y <= y && y < $0.y + $0.height }
    let row = surface.row(y)
    let own = ownColumns(of: row)
    let oldOwn = old.map { ownColumns(of: $0.row(y)) } ?? []
    if own.isEmpty && oldOwn.isEmpty && !isErased { return }
    let size = surface.size
    var x = 0
    /// The cursor's column; `nil` if unknown.
    var column: Int?
    var coveredEnd = 0
    while x < size.width {
      let cell = surface[x, y]
      let width = surface.isWideLead(x, y) ? 2 : 1
      defer { x += width }
      let isOwn = !own.isEmpty && own[x]
      let isHeld = !isOwn || holds(row, x, width)
      let columns = x..<x + width
      let isOver =
        !oldOwn.isEmpty && columns.contains { oldOwn[$0] }
        || isErased && columns.contains { x in erased.contains { $0.contains(x: x, y: y) } }
      if !isOwn && x >= coveredEnd && !isOver { continue }
      if !capabilities.fillsCorner, x + width == size.width, y == size.height - 1 {
        if capabilities.wrapping.off.isEmpty { return }
        stopWrapping()
      }
      if column != x { bytes += capabilities.move(x, y) }
      setStyle(cell.style)
      setLink(cell.link)
      column = x + width
      if !capabilities.supportsUTF8 {
        bytes += ASCIIFallback.text(for: cell.text, columns: width).utf8
      } else if isHeld {
        bytes += cell.text.utf8
      } else if capabilities.wrapping.off.isEmpty && x + 8 > size.width {
        // A wide cluster must not wrap into the next row.
        bytes += ASCIIFallback.text(for: cell.text, columns: width).utf8
      } else {
        stopWrapping()
        // A terminal that does not draw the cluster would leave the old content.
        if (isOver && old?[x, y] != cell) || cell.style.attributes.contains(.strikethrough) {
          bytes += repeatElement(0x20, count: width)
          bytes += capabilities.move(x, y)
        }
        bytes += cell.text.utf8
        column = nil
        // Terminals use at most two columns for a scalar.
        coveredEnd = max(coveredEnd, x + 2 * cell.text.unicodeScalars.count)
      }
    }
  }

  /// Returns true for each column that the overlay writes; empty if there is none.
  private func ownColumns(of row: SurfaceRow) -> [Bool] {
    var own: [Bool] = []
    for x in row.indices {
      let cell = row.stored(x)
      if cell.isSecondHalf {
        if !own.isEmpty, x > 0 { own[x] = own[x - 1] }
        continue
      }
      let width = x + 1 < row.endIndex && row.isSecondHalf(x + 1) ? 2 : 1
      if !isMarked(cell), holds(row, x, width) { continue }
      if own.isEmpty { own = Array(repeating: false, count: row.count) }
      own[x] = true
    }
    return own
  }

  private func holds(_ row: SurfaceRow, _ x: Int, _ width: Int) -> Bool {
    guard capabilities.supportsUTF8 else { return true }
    guard let scalar = row.scalar(x) else { return capabilities.holds(row[x].text, width) }
    return scalar.isASCII || capabilities.holdsScalar(scalar, width)
  }

  private func isMarked(_ cell: StoredCell) -> Bool {
    (capabilities.supportsLinks && cell.link != 0)
      || (!capabilities.strikethrough.on.isEmpty && cell.style.attributes.contains(.strikethrough))
  }

  // MARK: State

  private mutating func stopWrapping() {
    if isWrappingOff { return }
    bytes += capabilities.wrapping.off
    isWrappingOff = !capabilities.wrapping.off.isEmpty
  }

  private mutating func setStyle(_ new: Style) {
    if new == style { return }
    let wasStruck = style.attributes.contains(.strikethrough)
    let isStruck = new.attributes.contains(.strikethrough)
    if wasStruck && !isStruck { bytes += capabilities.strikethrough.off }
    bytes += capabilities.style(new)
    // The style sequence may have ended strikethrough.
    if isStruck { bytes += capabilities.strikethrough.on }
    style = new
  }

  private mutating func setLink(_ new: String?) {
    guard capabilities.supportsLinks, new != link else { return }
    link = new
    guard let new, let address = Self.linkAddress(new) else {
      bytes += "\u{1B}]8;;\u{1B}\\".utf8
      return
    }
    // A shared id connects the lines of a broken link.
    var hash: UInt32 = 2_166_136_261
    for byte in address.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    bytes += "\u{1B}]8;id=\(String(hash, radix: 36));\(address)\u{1B}\\".utf8
  }

  /// Returns the link in percent-encoded ASCII; `nil` if terminals may not accept it.
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
}
