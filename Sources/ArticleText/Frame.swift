import HTMLContent

/// An element that is being read.
struct Frame {
  enum Kind: Equatable {
    case plain
    /// What is before and in it ends with it.
    case block
    /// As `block`, for inline text: lines end.
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

  // What was when it began.
  var produced = 0
  var length = 0
  var links = 0
  var places = 0
  var outerStandsApart = true
  /// It says at which side its text begins, and what was said around it.
  var saysDirection = false
  var outerDirection: TextDirection?
  /// It has a part of the margin, which ends with it.
  var hasMargin = false

  /// The last child was a term, or a definition of a few words.
  var wasTerm = false
  var wasShort = false
  /// Of a list of definitions: what is in one line with its term.
  var shortDefinitions: ShortDefinitions?
  /// The term of the definition that comes next, where they are in one line.
  var term: String?
  // Of code: whether anything of it was read, whether it has lines already, and empty lines that
  // are shown if others follow.
  var hasContent = false
  /// The language, as far as it is said, and the tokens that the page itself has marked.
  var language: CodeLanguage?
  var lexer: CodeLexer?
  var hasOwnTokens = false
  var isCodeBegun = false
  var heldBlankLines = 0
}

/// A list that is being read.
struct ListState {
  let isOrdered: Bool
  let bullet: String
  let isTight: Bool
  let standsApart: Bool
  var numbering: ListNumbering
  var isFirst = true
}

/// A table that is being read.
struct TableState {
  var grid = TableGrid()
  var caption: InlineText?
  /// Its rows are handed on in parts.
  let isWhole: Bool
  var cellCount = 0
  var header: [Table.Cell]?
  var isContinued = false
  /// What links can call the row that is being read.
  var rowNames: [String] = []

  /// Cells of one part of a table that is too large to be held.
  static let mostHeld = 4_096
}
