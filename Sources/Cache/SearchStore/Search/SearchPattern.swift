/// A sequence of words to be found.
struct SearchPattern {
  var words: [[UInt8]]
  var field: SearchQuery.Field
  /// True if the last word may continue.
  var isPrefix: Bool
  private let scan: WordScan

  /// Fails if the text has no word.
  init?(_ text: String, in field: SearchQuery.Field, isPrefix: Bool) {
    let found = SearchText(text)
    var count = found.words.count
    guard count > 0 else { return nil }
    self.field = field
    self.isPrefix = isPrefix
    let last = found.words[count - 1]
    if last.isUnspaced {
      // Scripts without spaces are indexed as pairs of characters. If the run continues in an
      // article, its last character begins another pair there. So a last character after pairs is
      // left out, and a single character finds all pairs that begin with it.
      if count > 1, found.words[count - 2].source.upperBound == last.source.upperBound {
        count -= 1
        self.isPrefix = false
      } else {
        self.isPrefix = true
      }
    } else if isPrefix, last.text.count < Self.shortestPrefix {
      self.isPrefix = false
    }
    words = (0..<count).map { Array(found.bytes($0)) }
    scan = WordScan(words.max { $0.count < $1.count } ?? [])
  }

  /// Returns `false` if the text of the HTML cannot contain the longest word.
  func mayStand(in html: String) -> Bool { scan.mayStand(in: html) }

  /// Bytes of the shortest prefix; shorter ones match nearly everything.
  private static let shortestPrefix = 3

  /// True for several words. The index knows which words an article has, not their order.
  var isPhrase: Bool { words.count > 1 }

  /// An FTS5 expression. Words have letters, digits and characters beyond ASCII, so that nothing in
  /// the quotes can end them.
  var expression: String {
    let terms = words.enumerated().map { index, word in
      "\"\(String(decoding: word, as: UTF8.self))\""
        + (isPrefix && index == words.count - 1 ? " *" : "")
    }
    let all = "(" + terms.joined(separator: " AND ") + ")"
    switch field {
    case .anywhere: return all
    case .title: return "({title} : \(all))"
    case .author: return "({author} : \(all))"
    }
  }

  /// Returns the ranges of the pattern in the UTF-8 of the text's source.
  func places(in text: SearchText, atMost most: Int = .max) -> [Range<Int>] {
    guard let first = words.first, text.words.count >= words.count, most > 0 else { return [] }
    var places: [Range<Int>] = []
    for start in 0...(text.words.count - words.count) {
      guard matches(first, 0, text.bytes(start)) else { continue }
      let isWhole = (1..<words.count).allSatisfy { matches(words[$0], $0, text.bytes(start + $0)) }
      guard isWhole else { continue }
      places.append(text.words[start].source.lowerBound..<end(text, last: start + words.count - 1))
      if places.count == most { break }
    }
    return places
  }

  /// Hash of a word that every matching text contains; `nil` for a single prefix.
  var firstHash: UInt64? {
    words.count > 1 || !isPrefix ? words.first.map { SearchText.hash($0) } : nil
  }

  /// Returns true if the text has each of the words in any order, like the index.
  func hasWords(in text: SearchText) -> Bool {
    words.indices.allSatisfy { index in
      text.words.indices.contains { matches(words[index], index, text.bytes($0)) }
    }
  }

  /// Returns the end of a match. If a single character matched a pair, the match is the character.
  private func end(_ text: SearchText, last: Int) -> Int {
    let word = text.words[last]
    guard isPrefix, word.isUnspaced, last + 1 < text.words.count,
      text.words[last + 1].source.lowerBound < word.source.upperBound,
      text.bytes(last).count > words[words.count - 1].count
    else { return word.source.upperBound }
    return text.words[last + 1].source.lowerBound
  }

  private func matches(_ word: [UInt8], _ index: Int, _ found: ArraySlice<UInt8>) -> Bool {
    isPrefix && index == words.count - 1
      ? found.starts(with: word) : found.count == word.count && found.elementsEqual(word)
  }
}
