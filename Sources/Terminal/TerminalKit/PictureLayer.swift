/// A picture that a terminal draws over its cells, by sixels or iTerm2's protocol.
package struct OverlaidPicture: Sendable {
  package var columns: Int
  package var rows: Int
  package var bytes: [UInt8]
  /// Cells that are shown if the picture cannot be drawn whole.
  package var cells: [[Cell]]
  /// True if the picture hides all cells below it.
  package var isOpaque: Bool

  package init(columns: Int, rows: Int, bytes: [UInt8], cells: [[Cell]], isOpaque: Bool) {
    (self.columns, self.rows, self.bytes, self.cells) = (columns, rows, bytes, cells)
    self.isOpaque = isOpaque
  }
}

/// Decides which pictures are drawn over a frame. Replaces each `PicturePlaceholder` cell by a cell
/// that the terminal can show. If all cells of a picture are visible, its pixels are drawn over
/// them. Pictures that are partly covered or clipped are shown as blocks.
///
/// While pictures move in quick succession, only blocks are shown; pixels follow after `pause`
/// seconds without movement.
package struct PictureLayer {
  struct Placement: Hashable {
    var picture: UInt32
    var rect: Rect
  }

  /// The changes for one frame.
  package struct Plan {
    package var surface: Surface
    /// Areas of removed pictures, where all cells must be written.
    package var erased: [Rect] = []
    var staying: [Placement] = []
    var new: [Placement] = []

    /// True if only differing cells must be drawn.
    package var isEmpty: Bool { erased.isEmpty && new.isEmpty }
  }

  /// Seconds without movement before pixels are drawn.
  package static let pause = 0.1

  private var drawn: [Placement] = []
  private var wanted: [Placement] = []
  private var movedAt = -Double.infinity
  /// True if pixels are pending; the caller plans again after `pause`.
  package private(set) var isWaiting = false

  package init() {}

  /// - Parameters:
  ///   - isWhole: true if the terminal's screen is cleared before.
  ///   - time: seconds on any steady clock.
  ///   - picture: returns the picture of a number; `nil` if unknown.
  package mutating func plan(
    _ surface: Surface, isWhole: Bool, at time: Double, picture: (UInt32) -> OverlaidPicture?
  ) -> Plan {
    if isWhole { drawn = [] }
    var pictures: [UInt32: OverlaidPicture] = [:]
    let parts = Self.parts(of: surface)
    for part in parts where pictures[part.picture] == nil {
      pictures[part.picture] = picture(part.picture)
    }
    let placements = Self.whole(parts, pictures, in: surface.size)
    if placements != wanted {
      isWaiting = !placements.isEmpty && time - movedAt < Self.pause
      (wanted, movedAt) = (placements, time)
    } else if isWaiting, time - movedAt >= Self.pause {
      isWaiting = false
    }
    var plan = Plan(surface: surface)
    plan.staying = drawn.filter(placements.contains)
    plan.erased = drawn.filter { !placements.contains($0) }.map(\.rect)
    if !isWaiting { plan.new = placements.filter { !drawn.contains($0) } }
    drawn = plan.staying + plan.new
    let isDrawn = Set(drawn)
    for part in parts {
      let shown = pictures[part.picture]
      let covers = shown.map { isDrawn.contains(part.placement($0)) && !$0.isOpaque } ?? true
      let cells = shown?.cells
      let cell: Cell? =
        covers || cells?.indices.contains(part.row) != true
          || cells?[part.row].indices.contains(part.column) != true
        ? nil : cells?[part.row][part.column]
      plan.surface[part.x, part.y] = cell ?? Cell()
    }
    return plan
  }

  /// Returns the bytes that draw new pictures, and redraw pictures over written rows.
  package func bytes(
    of plan: Plan, written rows: Set<Int>, move: (_ x: Int, _ y: Int) -> [UInt8],
    picture: (UInt32) -> OverlaidPicture?
  ) -> [UInt8] {
    let touched = plan.staying.filter { placement in
      (placement.rect.y..<placement.rect.y + placement.rect.height).contains(where: rows.contains)
    }
    return (plan.new + touched).flatMap { placement in
      move(placement.rect.x, placement.rect.y) + (picture(placement.picture)?.bytes ?? [])
    }
  }

  // MARK: Placeholders

  /// A cell of a picture.
  private struct Part {
    var picture: UInt32
    var row: Int
    var column: Int
    var x: Int
    var y: Int

    func placement(_ shown: OverlaidPicture) -> Placement {
      Placement(
        picture: picture,
        rect: Rect(x: x - column, y: y - row, width: shown.columns, height: shown.rows))
    }
  }

  private static func parts(of surface: Surface) -> [Part] {
    var parts: [Part] = []
    for y in 0..<surface.size.height {
      let row = surface.row(y)
      // Placeholder texts have several scalars.
      for x in row.indices where row.stored(x).place != nil {
        guard let found = PicturePlaceholder.part(of: row[x]) else { continue }
        let before = parts.last.flatMap { $0.y == y && $0.x == x - 1 ? $0.column : nil }
        parts.append(
          Part(
            picture: found.picture, row: found.row, column: found.column ?? (before ?? -1) + 1,
            x: x, y: y))
      }
    }
    return parts
  }

  /// Returns pictures with all cells visible. Excludes the last row, where drawing may scroll.
  private static func whole(
    _ parts: [Part], _ pictures: [UInt32: OverlaidPicture], in size: Size
  ) -> [Placement] {
    var counts: [Placement: Int] = [:]
    var order: [Placement] = []
    for part in parts {
      guard let shown = pictures[part.picture], !shown.bytes.isEmpty else { continue }
      let placement = part.placement(shown)
      if counts[placement] == nil { order.append(placement) }
      counts[placement, default: 0] += 1
    }
    return order.filter { placement in
      counts[placement] == placement.rect.width * placement.rect.height
        && placement.rect.y + placement.rect.height < size.height
    }
  }
}
