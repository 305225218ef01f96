import HTMLContent

/// An article's body, to be laid out at any width. Cheap to make: it is read as it is laid out.
public struct ArticleBody: Sendable {
  private let html: String
  private let page: String?
  private let title: String?

  /// Clean HTML (`HTMLContent.sanitise`); anything else is read as far as it goes.
  ///
  /// - `address`: the article's own. Links to a part of it lead to that place in the text, as links
  ///   that are but `#part` do, where the text has such a place.
  /// - `title`: is shown above the text already: a heading that says the same at its beginning is
  ///   left out.
  public init(html: String, address: String? = nil, title: String? = nil) {
    self.html = html
    self.title = title
    page = address.map { String($0.prefix { $0 != "#" }) }
  }

  /// The lines for a width in columns (at least 1); no line is wider, but for what `wide` names.
  ///
  /// - `justified`: lines are filled to the width by widening spaces, where that leaves no rivers.
  /// - `wide`: what may be wider than that all the same.
  /// - `pictures`: how pictures get rows of their own above their descriptions; nil: they get none.
  /// - `marksCode`: code in a line of text is between backquotes.
  /// - `numbers`: how links show their numbers.
  /// - `measure`: the columns that a character takes (0, 1 or 2); printable ASCII takes one.
  public func layout(
    width: Int, justified: Bool = false, wide: WideContent = [],
    pictures: PictureSetting? = nil, marksCode: Bool = false, numbers: LinkNumbers = .bracketed,
    limits: ArticleLimits = .unlimited,
    measure: @escaping @Sendable (Character) -> Int = TextMeasure.approximate
  ) -> LaidOutArticle {
    var layout = incrementalLayout(
      width: width, justified: justified, wide: wide, pictures: pictures, marksCode: marksCode,
      numbers: numbers, limits: limits, measure: measure)
    var lines: [TextLine] = []
    while !layout.isFinished { lines += layout.advance(by: .max) }
    return LaidOutArticle(
      lines: lines, links: layout.links, places: layout.places, width: max(1, width),
      cuts: layout.cuts)
  }

  /// The same in steps, for a text that may be long.
  public func incrementalLayout(
    width: Int, justified: Bool = false, wide: WideContent = [],
    pictures: PictureSetting? = nil, marksCode: Bool = false, numbers: LinkNumbers = .bracketed,
    limits: ArticleLimits = .standard,
    measure: @escaping @Sendable (Character) -> Int = TextMeasure.approximate
  ) -> IncrementalLayout {
    IncrementalLayout(
      html: html,
      builder: BlockBuilder(
        page: page, limits: limits, marksCode: marksCode, numbers: numbers),
      layout: BlockLayout(
        width: max(1, width), justified: justified, wide: wide, pictures: pictures, title: title,
        measure: measure))
  }

  /// The body as Markdown (CommonMark, tables as GitHub has them), without its title.
  public var markdown: String { MarkdownText.text(html, page: page, title: title) }
}

/// A width at which no line is broken but where the text says so.
public enum UnwrappedText {
  /// In columns; far from where sums of widths overflow.
  public static let width = 1 << 30
}

/// How much of an article is read.
public struct ArticleLimits: Sendable, Equatable {
  /// Paragraphs, lines of code, rows of tables.
  public var blocks: Int
  /// Bytes of UTF-8.
  public var text: Int
  public var links: Int
  /// Lines at the width that it is laid out at.
  public var lines: Int

  /// - Parameter text: in bytes of UTF-8.
  public init(blocks: Int, text: Int, links: Int, lines: Int) {
    self.blocks = blocks
    self.text = text
    self.links = links
    self.lines = lines
  }

  /// Beyond every article that somebody reads on a screen, and no more than that takes of memory: a
  /// long novel has 3 MB and 20,000 paragraphs.
  public static let standard = ArticleLimits(
    blocks: 100_000, text: 4_194_304, links: 10_000, lines: 200_000)

  /// Nothing is left out.
  public static let unlimited = ArticleLimits(blocks: .max, text: .max, links: .max, lines: .max)
}

/// What was left out of an article.
public struct ArticleCuts: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  /// - Parameter rawValue: the bits; those without a name here are kept.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The text is longer than the limits.
  public static let text = ArticleCuts(rawValue: 1 << 0)
  /// Some links have no number.
  public static let links = ArticleCuts(rawValue: 1 << 1)
  /// Cells of tables, or parts of them.
  public static let tables = ArticleCuts(rawValue: 1 << 2)
}

/// An article being read and laid out, piece by piece. A value: a copy goes on from where the
/// original was. Holds the HTML and what is unfinished, so it costs little to keep and nothing to
/// drop.
public struct IncrementalLayout: Sendable {
  private var stream: HTMLStream
  private var builder: BlockBuilder
  private var layout: BlockLayout
  private let limits: ArticleLimits
  public private(set) var isFinished = false

  /// What a line counts in the work of a step, in bytes.
  private static let lineCost = 32
  /// What a tag counts at least.
  private static let stepCost = 4
  /// What a text or element counts once more that was read before, with all of a list.
  private static let nodeCost = 1

  init(html: String, builder: BlockBuilder, layout: BlockLayout) {
    stream = HTMLStream(html)
    self.builder = builder
    self.layout = layout
    limits = builder.limits
  }

  /// Reads on and returns the lines that this completes, which may be none.
  ///
  /// - `bytes`: about so much is read and laid out. A list is read up to 1 MB before its first item
  ///   is laid out; a table of that size is one piece of work.
  public mutating func advance(by bytes: Int) -> [TextLine] {
    var work = 0
    while !isFinished, work < bytes {
      let (position, lines) = (stream.position, layout.readyCount)
      if builder.readNode(stream) {
        layOut(builder.takeBlocks())
        work += Self.nodeCost + (layout.readyCount - lines) * Self.lineCost
      } else if let part = stream.takePart() {
        builder.take(part, from: stream)
      } else if builder.isFull || layout.count >= limits.lines || !stream.step() {
        finish()
      } else {
        work += max(Self.stepCost, stream.position - position)
      }
    }
    return layout.takeLines()
  }

  private mutating func finish() {
    while let part = stream.takePart() { builder.takeWhole(part, from: stream) }
    layOut(builder.finish())
    if layout.count >= limits.lines, stream.position < stream.count { builder.cuts.insert(.text) }
    isFinished = true
  }

  private mutating func layOut(_ blocks: [Block]) { for block in blocks { layout.add(block) } }

  /// Bytes of the HTML that have been read.
  public var bytesRead: Int { stream.position }
  /// Addresses in the order of their numbers, so far.
  public var links: [String] { builder.links.texts }
  /// How many places links within the article lead to, so far.
  public var placeCount: Int { builder.places.texts.count }
  public var cuts: ArticleCuts { builder.cuts }

  /// The line that a link within the article leads to. Nil if that is still to come, or not to
  /// be reached at all (inside of a drawing).
  public func line(ofPlace place: Int) -> Int? {
    guard builder.places.texts.indices.contains(place) else { return nil }
    return layout.places[builder.places.texts[place]]
  }

  /// The lines of all places; one that cannot be reached counts as the beginning.
  public var places: [Int] { (0..<placeCount).map { line(ofPlace: $0) ?? 0 } }
}
