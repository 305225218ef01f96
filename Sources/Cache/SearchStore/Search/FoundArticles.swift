import GRDB

/// A line of text with marked ranges.
public struct MarkedText: Sendable, Equatable {
  /// Plain text in one line.
  public var text: String
  /// Ranges in the UTF-8 of `text`: ascending, apart from each other, at boundaries of Unicode
  /// characters.
  public var hits: [Range<Int>]

  /// A hit, or the text between two hits.
  public struct Piece: Sendable, Equatable {
    public var text: Substring
    public var isHit: Bool
    public init(_ text: Substring, isHit: Bool = false) { (self.text, self.isHit) = (text, isHit) }
  }

  public init(_ text: String, hits: [Range<Int>] = []) { (self.text, self.hits) = (text, hits) }

  public var pieces: [Piece] {
    var pieces: [Piece] = []
    var place = 0
    let utf8 = text.utf8
    func piece(_ range: Range<Int>, _ isHit: Bool) {
      guard !range.isEmpty, range.upperBound <= utf8.count else { return }
      let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
      let end = utf8.index(utf8.startIndex, offsetBy: range.upperBound)
      pieces.append(Piece(text[start..<end], isHit: isHit))
    }
    for hit in hits {
      piece(place..<max(place, hit.lowerBound), false)
      piece(hit, true)
      place = max(place, hit.upperBound)
    }
    piece(place..<max(place, utf8.count), false)
    return pieces
  }
}

/// A hit as it is shown.
public struct FoundArticle: Sendable, Equatable, Identifiable {
  public var row: ArticleRow
  public var title: MarkedText
  /// Passage with most of the searched words, or the beginning of the text. Plain text in one line.
  public var snippet: MarkedText
  public var id: ArticleID { row.id }
}

extension SearchCache {
  /// Returns the articles that still exist, in the given order, with the searched words marked.
  public func found(
    _ ids: [ArticleID], by query: SearchQuery
  ) throws(StoreError) -> [FoundArticle] {
    let options = database.options
    return try database.read { db in
      let terms = SearchPlan.terms(query, now: options.now(), options: options).text
        .flatMap { $0 }.filter { !$0.isNegated }.map(\.term)
      return try ids.compactMap { id in
        guard let row = try ArticleList.row(id.rawValue, db),
          let text = try SearchedText.find(id.rawValue, db, options.plainText)
        else { return nil }
        return FoundArticle(
          row: row,
          title: Snippet.marked(row.title, by: terms.filter { $0.field != .author }),
          snippet: Snippet.passage(
            of: String(decoding: try text.body(), as: UTF8.self),
            by: terms.filter { $0.field == .anywhere }))
      }
    }
  }
}

/// The passage of a text that is shown.
enum Snippet {
  /// Bytes of UTF-8 before the first hit, and of the whole passage.
  private static let lead = 48
  private static let length = 320
  /// Largest number of hits of a text that are examined.
  private static let mostHits = 200

  static func marked(_ text: String, by terms: [SearchTerm]) -> MarkedText {
    MarkedText(text, hits: joined(places(in: text, terms).map(\.range)))
  }

  static func passage(of text: String, by terms: [SearchTerm]) -> MarkedText {
    let places = places(in: text, terms)
    let start = best(places)
    var from = max(0, start - lead)
    let bytes = Array(text.utf8)
    // Starts at the beginning of a word if one is near.
    if from > 0, let space = bytes[from..<start].firstIndex(of: 0x20) { from = space + 1 }
    while from < bytes.count, bytes[from] & 0xC0 == 0x80 { from += 1 }
    var to = min(bytes.count, from + length)
    while to > from, to < bytes.count, bytes[to] & 0xC0 == 0x80 { to -= 1 }
    let before = from > 0 ? "…" : ""
    let passage = before + String(decoding: bytes[from..<to], as: UTF8.self)
    let shift = before.utf8.count - from
    return MarkedText(
      passage + (to < bytes.count ? "…" : ""),
      hits: joined(places.map(\.range)).filter { $0.lowerBound >= from && $0.upperBound <= to }
        .map { ($0.lowerBound + shift)..<($0.upperBound + shift) })
  }

  private static func places(
    in text: String, _ terms: [SearchTerm]
  ) -> [(range: Range<Int>, term: Int)] {
    guard !terms.isEmpty else { return [] }
    let words = SearchText(text)
    return terms.enumerated().flatMap { index, term in
      term.places(in: text, words, atMost: mostHits).map { (range: $0, term: index) }
    }.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Returns the start of the passage with the most different terms, or the first of equals.
  private static func best(_ places: [(range: Range<Int>, term: Int)]) -> Int {
    var best = (start: places.first?.range.lowerBound ?? 0, count: 0)
    var end = 0
    for (index, place) in places.enumerated() {
      end = max(end, index)
      while end < places.count,
        places[end].range.upperBound - place.range.lowerBound <= length - lead
      { end += 1 }
      let count = Set(places[index..<max(end, index + 1)].map(\.term)).count
      if count > best.count { best = (place.range.lowerBound, count) }
    }
    return best.start
  }

  /// Joins ranges that touch or overlap.
  private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var joined: [Range<Int>] = []
    for range in ranges {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}
