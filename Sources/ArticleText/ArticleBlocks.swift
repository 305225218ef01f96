import HTMLContent

/// An article's body as blocks: paragraphs, headings, lines of code, rows of tables. Independent of any
/// width, so that a resize lays out again without reading again.
public struct ArticleBlocks: Sendable {
  /// Addresses in the order of their numbers: the link shown as [1] is `links[0]`.
  public let links: [String]
  /// Names of the places in the article that links lead to.
  let places: [String]
  let blocks: [Block]
  /// Number of blocks: `TextLine.block` is below it.
  public let count: Int

  /// Reads clean HTML (`HTMLContent.sanitise`); anything else is read as far as it goes.
  ///
  /// - `address`: the article's own. Links to a part of it lead to that place in the text, as links
  ///   that are but `#part` do, where the text has such a place.
  public init(html: String, address: String? = nil) {
    var builder = BlockBuilder()
    builder.page = address.map { String($0.prefix { $0 != "#" }) }
    builder.build(HTMLContent.parse(html))
    self.init(builder)
  }

  /// Reads text without markup: lines stay lines, empty lines separate paragraphs.
  public init(plainText: String) {
    var builder = BlockBuilder()
    builder.build(plainText: plainText)
    self.init(builder)
  }

  private init(_ builder: BlockBuilder) {
    links = builder.links.texts
    places = builder.places.texts
    blocks = builder.blocks
    count = builder.nextBlock
  }

  /// The lines for a width in columns (at least 1); no line is wider.
  ///
  /// - `justified`: lines are filled to the width by widening spaces, where that leaves no rivers.
  /// - `measure`: the columns that a character takes (0, 1 or 2); printable ASCII takes one.
  public func layout(
    width: Int, justified: Bool = false,
    measure: @escaping @Sendable (Character) -> Int = TextMeasure.approximate
  ) -> LaidOutArticle {
    let width = max(1, width)
    var layout = BlockLayout(width: width, justified: justified, measure: measure)
    for block in blocks { layout.add(block) }
    // What could not be laid out (inside of a drawing) is told as the beginning.
    let places = places.map { layout.places[$0] ?? 0 }
    return LaidOutArticle(lines: layout.lines, links: links, places: places, width: width)
  }
}

/// One block of an article.
struct Block: Sendable {
  enum Content: Sendable {
    case text(InlineText)
    /// Lines that are not filled; each is a block of its own to the reading position.
    case code([InlineText])
    /// Rows of cells; each is a block of its own to the reading position.
    case table(Table)
    case rule
  }

  var content: Content
  /// What stands at the left of every line, from the outside in.
  var margin: [MarginPart]
  /// An empty line comes before, unless this is the first.
  var isApart: Bool
  /// The number of the block, or of its first line or row.
  var number: Int
  /// What links can call its beginning.
  var names: [String] = []
}

/// A piece of the left margin.
struct MarginPart: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case quote
    case indent
    case marker
  }
  var kind: Kind
  /// In the first line; markers appear there alone.
  var first: String
  /// In the others, of the same width.
  var rest: String

  static let quote = MarginPart(kind: .quote, first: "│ ", rest: "│ ")

  static func indent(_ columns: Int) -> MarginPart {
    let spaces = String(repeating: " ", count: columns)
    return MarginPart(kind: .indent, first: spaces, rest: spaces)
  }

  /// `marker` and a space; its characters are one column wide.
  static func marker(_ marker: String) -> MarginPart {
    MarginPart(
      kind: .marker, first: marker + " ", rest: String(repeating: " ", count: marker.count + 1))
  }

  /// As it is after the first line.
  var continued: MarginPart { MarginPart(kind: kind, first: rest, rest: rest) }

  var style: TextStyle { kind == .quote ? [.quote, .secondary] : .secondary }
}

/// Rows of cells; rows may be of different length.
struct Table: Sendable {
  struct Cell: Sendable {
    var text: InlineText
    var isHeader = false
  }
  var caption: InlineText?
  var rows: [[Cell]] = []

  var columnCount: Int { rows.map(\.count).max() ?? 0 }

  /// The first row, if it names the columns.
  var header: [Cell]? {
    guard let first = rows.first, rows.count > 1, !first.isEmpty, first.allSatisfy(\.isHeader)
    else { return nil }
    return first
  }
}
