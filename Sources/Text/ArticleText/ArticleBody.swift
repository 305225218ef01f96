internal import HTMLContent

// The type of picture sizes, which other targets of Weir share.
@_exported public import struct FeedModel.PictureSize

/// An article's body, to be laid out at any width. Cheap to create: parsing happens during layout.
public struct ArticleBody: Sendable {
  private let html: String
  private let pages: [String]
  private let title: String?
  /// Addresses of sounds and videos that are shown elsewhere, and so not in the text.
  package var files: Set<String> = []

  /// Stores clean HTML (`HTMLContent.sanitise`); other HTML is read leniently.
  /// - Parameters:
  ///   - address: the article's address. Links to a fragment of it lead to the place in the text,
  ///     like `#part`; addresses are compared like `WebAddress.canonical`.
  ///   - otherAddresses: further addresses of the article, such as its id.
  ///   - title: shown above the text; a leading heading with the same text is left out.
  public init(
    html: String, address: String? = nil, otherAddresses: [String] = [], title: String? = nil
  ) {
    self.html = html
    self.title = title
    pages = (address.map { [$0] } ?? []) + otherAddresses
  }

  /// Lays out the text in steps, for a width in columns (at least 1). Only content in `wide`
  /// exceeds it.
  /// - Parameters:
  ///   - pictures: gives pictures rows above their descriptions; no rows if `nil`.
  ///   - marksCode: puts inline code between backquotes.
  ///   - numbers: the form of link numbers.
  ///   - measure: the columns of a character (0, 1 or 2); printable ASCII takes one.
  public func incrementalLayout(
    width: Int, wide: WideContent = [], pictures: PictureSetting? = nil,
    marksCode: Bool = false, numbers: LinkNumbers = .bracketed,
    limits: ArticleLimits = .standard,
    measure: @escaping @Sendable (Character) -> Int = TextMeasure.approximateWidth(of:)
  ) -> IncrementalLayout {
    var builder = BlockBuilder(
      pages: pages, limits: limits, marksCode: marksCode, numbers: numbers)
    builder.files = files
    return IncrementalLayout(
      html: html, builder: builder,
      layout: BlockLayout(
        width: max(1, width), wide: wide, pictures: pictures, title: title, measure: measure))
  }

  package static func markdownLink(_ text: String, to address: String) -> String {
    MarkdownInline.link(text, to: address)
  }

  /// The body as Markdown (CommonMark, with GitHub's tables), without its title.
  public var markdown: String { MarkdownText.text(html, pages: pages, title: title) }
}

/// A layout in progress. Copies continue independently. Holds only the HTML and the unfinished
/// part.
public struct IncrementalLayout: Sendable {
  private(set) var stream: HTMLStream
  private var builder: BlockBuilder
  private var layout: BlockLayout
  private let limits: ArticleLimits
  public private(set) var isFinished = false

  /// Cost of a line in bytes.
  private static let lineCost = 32
  /// Minimum cost of a tag in bytes.
  private static let stepCost = 4
  /// Extra cost of a text or element of a list that was read ahead.
  private static let nodeCost = 1

  init(html: String, builder: BlockBuilder, layout: BlockLayout) {
    stream = HTMLStream(html)
    self.builder = builder
    self.layout = layout
    limits = builder.output.limits
  }

  /// Continues and returns the completed lines, possibly none.
  /// - Parameter bytes: the approximate amount to read and lay out. A list is read up to 1 MB
  ///   before its first item is laid out; a table of that size is one step.
  public mutating func advance(by bytes: Int) -> [TextLine] {
    var work = 0
    while !isFinished, work < bytes {
      let (position, lines) = (stream.position, layout.readyCount)
      if builder.readNode(stream) {
        layOut(builder.output.removeFinishedBlocks())
        work += Self.nodeCost + (layout.readyCount - lines) * Self.lineCost
      } else if let part = stream.popPart() {
        builder.begin(part, from: stream)
      } else if builder.output.isFull || layout.count >= limits.lines || !stream.step() {
        finish()
      } else {
        work += max(Self.stepCost, stream.position - position)
      }
    }
    return layout.removeLines()
  }

  private mutating func finish() {
    while let part = stream.popPart() { builder.readWhole(part, from: stream) }
    layOut(builder.finish())
    if layout.count >= limits.lines, stream.position < stream.count {
      builder.output.cuts.insert(.text)
    }
    isFinished = true
  }

  private mutating func layOut(_ blocks: [Block]) { for block in blocks { layout.add(block) } }

  /// Addresses in the order of their numbers, so far.
  public var links: [String] { builder.targets.links.texts }
  public var placeCount: Int { builder.targets.places.texts.count }
  public var cuts: ArticleCuts { builder.output.cuts }

  /// Returns the line of a place; `nil` if not reached yet, or unreachable (inside a drawing).
  public func line(ofPlace place: Int) -> Int? {
    guard builder.targets.places.texts.indices.contains(place) else { return nil }
    return layout.places[builder.targets.places.texts[place]]
  }

  /// The lines of all places, 0 if unreachable.
  public var places: [Int] { (0..<placeCount).map { line(ofPlace: $0) ?? 0 } }
}
