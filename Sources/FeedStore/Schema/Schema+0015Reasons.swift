import GRDB

extension Schema {
  /// Reasons were English sentences, and are codes: those of checks are translated, and those of
  /// what the engine publishes go, as they do not outlive it.
  static func reasons(_ db: Database) throws {
    try db.execute(sql: "UPDATE telemetry SET reason = ''")
    let rows: [(feed: Int64, text: String)] = try db.all(
      "SELECT feedID, nextCheckReason FROM feedFetch WHERE nextCheckReason IS NOT NULL"
    ) { ($0["feedID"], $0["nextCheckReason"]) }
    for row in rows {
      let codes = row.text.split(separator: "; ").compactMap { code(ofEnglish: String($0)) }
      try db.run(
        "UPDATE feedFetch SET nextCheckReason = ? WHERE feedID = ?",
        [codes.isEmpty ? nil : codes.joined(separator: ";"), row.feed])
    }
  }

  private static func code(ofEnglish text: String) -> String? {
    let words = text.split(separator: " ")
    let number = words.lazy.compactMap { Int($0) }.first
    switch (words.first, number) {
    case ("Retry-After", let seconds?): return "retry-after:\(seconds)"
    case ("max-age", let seconds?): return "max-age:\(seconds)"
    case ("ttl", let seconds?): return "interval:\(seconds)"
    case ("failed", _): return "failed:\(number ?? 1)"
    case ("asked", let seconds?): return "back-off:\(seconds)"
    case ("nothing", _): return "per-day:0"
    case ("skipHours", _): return "skip-hours"
    case ("skipDays", _): return "skip-days"
    case ("hourly", _): return "hourly"
    case ("stopped", _): return "stopped"
    default: break
    }
    guard let number, words.count > 1, words[1].hasPrefix("article") else { return nil }
    let days: [Substring: Double] = ["day": 1, "week": 7, "month": 30]
    return words.last.flatMap { days[$0] }.map { "per-day:\(Double(number) / $0)" }
  }
}
