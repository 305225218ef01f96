import TerminalKit

// Geometry and the canvas, independent of feeds.

/// The three panes, from left to right.
nonisolated enum PaneKind: Int, CaseIterable, Comparable, Sendable {
  case feeds, articles, reader
  static func < (a: PaneKind, b: PaneKind) -> Bool { a.rawValue < b.rawValue }
}

/// The division of the window, which depends only on its size and its content.
nonisolated struct Layout: Equatable {
  /// The minimum size of the window. A smaller one shows only the message that it is too small.
  static let minimum = Size(width: 20, height: 4)

  var size: Size
  var isTooSmall: Bool
  /// The row of the line above the panes.
  let frameLine = 0
  var statusLine: Rect
  /// The row of the rule below the panes; `nil` if the window is lower than 8 rows.
  var lowerRule: Int?
  /// The visible panes, from left to right; between two of them, one column holds the rule.
  var panes: [(kind: PaneKind, frame: Rect)]
  /// The area between the rules.
  var body: Rect

  static func == (a: Layout, b: Layout) -> Bool {
    a.size == b.size && a.panes.map(\.kind) == b.panes.map(\.kind)
      && a.panes.map(\.frame) == b.panes.map(\.frame)
  }

  /// - Parameters:
  ///   - focus: The focused pane, which is always visible.
  ///   - hasArticle: True if an article is open; then two panes show articles and reader.
  ///   - isZoomed: True if the focused pane fills the window.
  ///   - widths: The wanted widths, reduced if other panes would become too narrow.
  init(
    size: Size, focus: PaneKind, hasArticle: Bool, isZoomed: Bool, widths: PaneWidths = .init()
  ) {
    self.size = size
    isTooSmall = size.width < Self.minimum.width || size.height < Self.minimum.height
    statusLine = Rect(x: 0, y: max(0, size.height - 1), width: size.width, height: 1)
    let isStacked = size.width < Self.leastForTwo
    let hasRules = size.height >= 8
    lowerRule = hasRules ? size.height - 2 : nil
    body = Rect(
      x: 0, y: 1, width: size.width, height: max(0, size.height - (hasRules ? 3 : 2)))

    let kinds: [PaneKind]
    if isZoomed || isStacked {
      kinds = [focus]
    } else if size.width < 140 {
      switch focus {
      case .feeds: kinds = [.feeds, .articles]
      case .articles: kinds = hasArticle ? [.articles, .reader] : [.feeds, .articles]
      case .reader: kinds = [.articles, .reader]
      }
    } else {
      kinds = PaneKind.allCases
    }
    let columns = Self.columns(kinds, size.width, widths)
    panes = []
    var x = 0
    for (kind, width) in zip(kinds, columns) {
      panes.append((kind, Rect(x: x, y: body.y, width: width, height: body.height)))
      x += width + 1
    }
  }

  /// The minimum width of a window with two panes. Narrower windows show one pane.
  private static let leastForTwo = 90
  /// The minimum columns of each pane.
  private static let leastColumns = (feeds: 12, articles: 20, reader: 30)

  /// Returns the columns of each pane, without the rules between panes. Beside an article, a title
  /// of the list has 34 columns, and 40 from 140 columns on.
  private static func columns(_ kinds: [PaneKind], _ width: Int, _ wanted: PaneWidths) -> [Int] {
    let least = leastColumns
    func clamp(_ value: Int, _ low: Int, _ high: Int) -> Int { min(max(value, low), high) }
    switch kinds {
    case [.feeds, .articles]:
      let feeds = clamp(
        wanted.feeds ?? clamp(width * 3 / 10, 26, 38), least.feeds, width - 1 - least.articles)
      return [feeds, width - 1 - feeds]
    case [.articles, .reader]:
      let articles = clamp(
        wanted.articles ?? max(45, width * 9 / 20), least.articles, width - 1 - least.reader)
      return [articles, width - 1 - articles]
    case [.feeds, .articles, .reader]:
      let feeds = clamp(
        wanted.feeds ?? clamp(width / 5, 26, 36), least.feeds,
        width - 2 - least.articles - least.reader)
      let rest = width - 2 - feeds
      let articles = clamp(
        wanted.articles ?? clamp(rest * 9 / 20, 51, 100), least.articles, rest - least.reader)
      return [feeds, articles, rest - articles]
    default: return [width]
    }
  }

  func frame(_ kind: PaneKind) -> Rect? { panes.first { $0.kind == kind }?.frame }

  func border(x: Int, y: Int) -> PaneKind? {
    guard y >= body.y, y < body.y + body.height else { return nil }
    return panes.dropLast().first { $0.frame.x + $0.frame.width == x }?.kind
  }

  func pane(x: Int, y: Int) -> (kind: PaneKind, frame: Rect)? {
    panes.first { $0.frame.contains(x: x, y: y) }
  }
}

/// The state of the three panes: focus, zoom and size.
struct PaneState {
  var size: Size
  var focus = PaneKind.feeds
  var isZoomed = false
  /// True if the article was opened, not only selected; two panes then include the reader.
  var hasOpened = false
  /// The pane whose right border the user drags.
  var draggedBorder: PaneKind?
  /// The last press of a mouse button, and its cell.
  private var lastPress: (x: Int, y: Int, cell: Cell)?

  init(size: Size) { self.size = size }

  struct Cell {
    var pane: PaneKind
    var x: Int
    var y: Int
  }

  /// Returns the cell at the pointer; `nil` outside the panes. A double click belongs to the cell
  /// of the first press, which may have moved the panes.
  mutating func cell(of event: MouseEvent, in layout: Layout) -> Cell? {
    guard let cell = find(event, in: layout) else { return nil }
    lastPress = event.action == .press ? (event.x, event.y, cell) : nil
    return cell
  }

  private func find(_ event: MouseEvent, in layout: Layout) -> Cell? {
    if event.action == .doubleClick, let press = lastPress, press.x == event.x, press.y == event.y {
      return press.cell
    }
    guard let (kind, frame) = layout.pane(x: event.x, y: event.y) else { return nil }
    return Cell(pane: kind, x: event.x - frame.x, y: event.y - frame.y)
  }
}
