/// An article's body at one width.
struct LaidOutArticle: Sendable, Equatable {
  var lines: [TextLine] = []
  /// The link with the number [1] is `links[0]`.
  var links: [String] = []
  /// Line indexes of the targets of internal links.
  var places: [Int] = []
  /// The requested width in columns; lines with `isWide` may exceed it.
  var width: Int
  var cuts: ArticleCuts = []
}

extension ArticleBody {
  /// Lays out all lines; the parameters are those of `incrementalLayout`.
  func layout(
    width: Int, wide: WideContent = [], pictures: PictureSetting? = nil, marksCode: Bool = false,
    numbers: LinkNumbers = .bracketed, limits: ArticleLimits = .unlimited,
    measure: @escaping @Sendable (Character) -> Int = TextMeasure.approximateWidth(of:)
  ) -> LaidOutArticle {
    var layout = incrementalLayout(
      width: width, wide: wide, pictures: pictures, marksCode: marksCode, numbers: numbers,
      limits: limits, measure: measure)
    var lines: [TextLine] = []
    while !layout.isFinished { lines += layout.advance(by: .max) }
    return LaidOutArticle(
      lines: lines, links: layout.links, places: layout.places, width: max(1, width),
      cuts: layout.cuts)
  }
}
