import Foundation

/// Ranks the best hits with BM25 over title, author, tags and text (Robertson and Zaragoza, "The
/// Probabilistic Relevance Framework: BM25 and Beyond", 2009, with fields weighted before
/// saturation), multiplied by a bonus for new articles. The rarity of a word is measured among the
/// ranked hits.
struct SearchRanking {
  /// Number of newest hits whose texts are read for ranking.
  static let mostRanked = 200

  private static let saturation = 1.2
  private static let lengthShare = 0.75
  private static let titleWeight = 8.0
  private static let authorWeight = 4.0
  private static let tagWeight = 3.0
  /// Days in which an article loses half of its bonus for age.
  private static let halfLife = 60.0

  private let patterns: [SearchPattern]
  private let now: Date
  /// The frequencies are weighted, by pattern.
  private var entries: [(key: ListKey, frequencies: [Double], length: Double)] = []

  init(patterns: [SearchPattern], now: Date) { (self.patterns, self.now) = (patterns, now) }

  mutating func add(_ key: ListKey, _ article: SearchedText) throws {
    let body = try article.bodyWords()
    let frequencies = patterns.map { pattern in
      func count(_ text: SearchText) -> Double {
        Double(pattern.places(in: text, atMost: 100).count)
      }
      switch pattern.field {
      case .title: return Self.titleWeight * count(article.titleWords)
      case .author: return Self.authorWeight * count(article.authorWords)
      case .anywhere:
        return Self.titleWeight * count(article.titleWords)
          + Self.authorWeight * count(article.authorWords)
          + Self.tagWeight * count(article.tagWords) + count(body)
      }
    }
    entries.append((key, frequencies, Double(body.words.count)))
  }

  var best: [ListKey] {
    let count = Double(entries.count)
    let average = max(1, entries.reduce(0) { $0 + $1.length } / max(1, count))
    let rarities = patterns.indices.map { index in
      let holding = Double(entries.count { $0.frequencies[index] > 0 })
      return log(1 + (count - holding + 0.5) / (holding + 0.5))
    }
    let scored = entries.map { entry in
      let norm = 1 - Self.lengthShare + Self.lengthShare * entry.length / average
      let relevance = patterns.indices.reduce(0.0) { sum, index in
        let frequency = entry.frequencies[index]
        return sum + rarities[index] * frequency * (Self.saturation + 1)
          / (frequency + Self.saturation * norm)
      }
      let days = max(0, now.timeIntervalSince(Date(milliseconds: entry.key.sortDate)) / .days(1))
      return (key: entry.key, score: relevance * (1 + pow(0.5, days / Self.halfLife)))
    }
    return scored.sorted {
      $0.score != $1.score ? $0.score > $1.score : $0.key > $1.key
    }.map(\.key)
  }
}
