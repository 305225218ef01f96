import HTMLContent

struct Frame {
  enum Kind: Equatable {
    case plain
    /// Ends the text before the element and the text in it.
    case block
    /// Ends lines in inline text.
    case lines
    case margin
    case code
    case list
    case item
    case definitions
    case term
    case definition
    case figure
    case figureCaption
    case details
    case summary
    case table
    case tableSection
    case row
    case cell
    case caption
    case anchor
    case script
    case enclosed
    case skipped
  }

  var kind: Kind
  var context: BlockBuilder.Context

  var isRaised = false
  var cell: HTMLElement?
  var closing = ""

  // State at the beginning of the element.
  var produced = 0
  var length = 0
  var links = 0
  var places = 0
  var outerStandsApart = true
  /// True if the element sets the direction; `outerDirection` stores the outer one.
  var saysDirection = false
  var outerDirection: TextDirection?
  var hasMargin = false
  /// True for a list, table or row in code.
  var isList = false

  /// True if the last child was a term or a short definition.
  var wasTerm = false
  var wasShort = false
  /// The definitions of a list that share lines with their terms.
  var shortDefinitions: ShortDefinitions?
  /// The term in the same line as the next definition.
  var term: String?
  var code = CodeState()
}

/// The lists around the text that is read, outermost first.
struct ListStack {
  private(set) var open: [ListState] = []
  private(set) var bulletDepth = 0

  private static let bullets = ["•", "◦", "▪"]

  mutating func begin(
    isOrdered: Bool, isTight: Bool, standsApart: Bool, numbering: ListNumbering
  ) {
    open.append(
      ListState(
        isOrdered: isOrdered, bullet: Self.bullets[min(bulletDepth, Self.bullets.count - 1)],
        isTight: isTight, standsApart: standsApart, numbering: numbering))
    if !isOrdered { bulletDepth += 1 }
  }

  /// - Parameter bulletDepth: the depth before the list.
  mutating func end(bulletDepth: Int) {
    open.removeLast()
    self.bulletDepth = bulletDepth
  }

  mutating func nextMarker(_ item: HTMLElement) -> String {
    guard let last = open.indices.last else { return "" }
    open[last].isFirst = false
    return open[last].isOrdered ? open[last].numbering.next(item) : open[last].bullet
  }
}

struct ListState {
  let isOrdered: Bool
  let bullet: String
  let isTight: Bool
  let standsApart: Bool
  var numbering: ListNumbering
  var isFirst = true
}

struct TableState {
  var grid = TableGrid()
  var caption: InlineText?
  /// False if rows become blocks in several parts.
  let isWhole: Bool
  var cellCount = 0
  var header: [Table.Cell]?
  var isContinued = false
  /// Link targets of the current row.
  var rowNames: [String] = []

  /// Maximum number of cells of one part of a split table.
  static let mostHeld = 4_096
}
