/// The match of typed letters with a name. Each letter must occur, in order; letters at the
/// beginning of words and runs of letters score higher.
package nonisolated struct FuzzyMatch: Equatable {
  package var score: Int
  /// Indices of the matched characters of the name, ascending.
  package var positions: [Int]

  private static let wordStart = 8
  /// Score of a run, higher than `wordStart`, so that "save" matches a word, not four beginnings.
  private static let run = 9
  private static let letter = 1
  /// The most characters of a text, since the table has a cell for each pair of characters.
  private static let limit = 256

  /// Matches without regard to case and spaces in the query; `nil` if a letter does not occur.
  package init?(_ query: some StringProtocol, in name: some StringProtocol) {
    let wanted = query.prefix(Self.limit).filter { !$0.isWhitespace }.map { $0.lowercased() }
    let characters = Array(name.prefix(Self.limit))
    guard wanted.count <= characters.count else { return nil }
    guard !wanted.isEmpty else {
      (score, positions) = (0, [])
      return
    }
    let given = characters.map { $0.lowercased() }
    // `best[j]`: score with the last letter at j; `before[i][j]`: position of the letter before it.
    var best: [Int?] = []
    var before: [[Int]] = []
    for (i, letter) in wanted.enumerated() {
      var next: [Int?] = Array(repeating: nil, count: given.count)
      var origins = Array(repeating: -1, count: given.count)
      // The best score of the previous row that ends at least two places before.
      var distant: (score: Int, place: Int)?
      for j in given.indices {
        if i > 0, j >= 2, let score = best[j - 2], score > distant?.score ?? .min {
          distant = (score, j - 2)
        }
        guard given[j] == letter else { continue }
        let own = Self.letter + (Self.isWordStart(characters, j) ? Self.wordStart : 0)
        if i == 0 {
          next[j] = own
          continue
        }
        let near = j >= 1 ? best[j - 1].map { $0 + Self.run } : nil
        if let near, near >= distant?.score ?? .min {
          (next[j], origins[j]) = (near + own, j - 1)
        } else if let distant {
          (next[j], origins[j]) = (distant.score + own, distant.place)
        }
      }
      best = next
      before.append(origins)
    }
    let ends = best.indices.filter { best[$0] != nil }
    guard let end = ends.max(by: { (best[$0] ?? 0, -$0) < (best[$1] ?? 0, -$1) }) else {
      return nil
    }
    // For equal matches, the shorter name scores higher.
    score = (best[end] ?? 0) * Self.limit - characters.count
    var places = [end]
    for row in before.dropFirst().reversed() { places.append(row[places[places.count - 1]]) }
    positions = places.reversed()
  }

  /// Sorts by score, the best first; keeps the order of equal scores.
  package static func ranked<Entry>(_ found: [(entry: Entry, score: Int)]) -> [Entry] {
    found.enumerated().sorted {
      ($0.element.score, -$0.offset) > ($1.element.score, -$1.offset)
    }.map(\.element.entry)
  }

  /// Divides a text into runs of matched characters and the text between them.
  package static func pieces(of text: String, matched: [Int]) -> [(text: Substring, isHit: Bool)] {
    var (pieces, wanted) = ([(text: Substring, isHit: Bool)](), matched[...])
    for (place, index) in text.indices.enumerated() {
      let isHit = wanted.first == place
      if isHit { wanted.removeFirst() }
      if pieces.last?.isHit == isHit {
        let start = pieces[pieces.count - 1].text.startIndex
        pieces[pieces.count - 1].text = text[start...index]
      } else {
        pieces.append((text[index...index], isHit))
      }
    }
    return pieces
  }

  private static func isWordStart(_ characters: [Character], _ index: Int) -> Bool {
    guard index > 0 else { return true }
    let (before, here) = (characters[index - 1], characters[index])
    return !(before.isLetter || before.isNumber) || (before.isLowercase && here.isUppercase)
  }
}
