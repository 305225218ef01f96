/// Suggestions for misspelt names.
public enum Suggestion {
  /// Returns the known name with the fewest typing errors; `nil` if over a third of letters differ.
  public static func nearest(to name: String, among known: some Collection<String>) -> String? {
    let name = Array(name.lowercased())
    let ranked = known.map { ($0, slips(name, Array($0.lowercased()))) }
    guard let best = ranked.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }),
      best.1 <= max(1, max(name.count, best.0.count) / 3)
    else { return nil }
    return best.0
  }

  /// Returns the edit distance of Damerau and Levenshtein (optimal string alignment).
  private static func slips(_ a: [Character], _ b: [Character]) -> Int {
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(row[j], rows[i][j + 1]) + 1
        best = min(best, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
