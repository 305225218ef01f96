internal import TextRules

/// Changes of followed lists, and sources that can be followed, in words.
public enum ListWording {
  private static let mostNames = 3

  /// Returns the article about a change of a list, with a title like "2 feeds added, 1 removed".
  public static func notice(_ change: ListChange) -> ListNotice {
    var title: [String] = []
    var html = ""
    func add(_ names: [String], _ heading: String) {
      guard !names.isEmpty else { return }
      let feeds = title.isEmpty ? AmountWording.feeds(names.count) : "\(names.count)"
      title.append("\(feeds) \(heading)")
      let items = names.map { "<li>\(TextHTML.escaped($0))</li>" }.joined()
      html += "<h2>\(heading.prefix(1).uppercased())\(heading.dropFirst())</h2><ul>\(items)</ul>"
    }
    add(change.added, "added")
    add(change.dropped, "removed")
    add(change.kept.map { "\($0.name): \(reason($0.reason))" }, "no longer listed, kept")
    html +=
      "<p>Your subscriptions follow this list. Press u to undo its last change.</p>"
    return ListNotice(title: title.joined(separator: ", "), html: html)
  }

  private static func reason(_ reason: ListChange.Reason) -> String {
    switch reason {
    case .articles: "has starred or tagged articles, notes or downloads"
    case .settings: "you renamed or moved it, or set something for it"
    }
  }

  /// Returns a line about a source that can be followed, like "12 headlines: first, second, …".
  public static func summary(_ candidate: FeedCandidate) -> String? {
    guard let count = candidate.count else { return nil }
    let what: String
    switch candidate.kind {
    case .feed: return nil
    case .list: what = "a list of \(AmountWording.feeds(count))"
    case .headlines: what = AmountWording.count(count, "headline", "headlines")
    }
    let names = candidate.latestTitles.prefix(mostNames)
    let more = count > names.count ? ", \u{2026}" : ""
    return "\(what): \(names.joined(separator: ", "))\(more)"
  }
}

/// New articles of an open list, in words.
public enum ArrivalWording {
  /// Returns the message after the key that shows new articles.
  public static func shown(_ count: Int) -> String {
    "Showing \(AmountWording.count(count, "new article", "new articles"))"
  }

  /// Returns text like "42 old ones in Planet came as new; ge shows them or marks them read".
  public static func old(_ feeds: [(name: String, count: Int)], key: String) -> String {
    let count = AmountWording.grouped(feeds.reduce(0) { $0 + $1.count })
    let place = feeds.count == 1 ? feeds[0].name : AmountWording.feeds(feeds.count)
    return "\(count) old ones in \(place) came as new; \(key) shows them or marks them read"
  }

  public static let nothingNew = "No new articles"
}

/// The problems of queries, in words.
public enum SearchWording {
  /// - Returns: A sentence without a full stop.
  public static func sentence(_ problem: SearchQuery.Problem) -> String {
    switch problem {
    case .unknownState(let word):
      return "There is no is:\(word); use unread, read, starred, later, duplicate or asleep"
    case .unknownDate(let field, let value):
      return "\(field):\(value) isn\u{2019}t a date; write \(field):2026-03-21 or \(field):7d"
    case .unknownContent(let word):
      return "There is no has:\(word); use has:audio, has:video, has:picture or has:discussion"
    case .unknownNumber(let field, let value):
      return "\(field):\(value) isn\u{2019}t a number; write \(field):<3 or \(field):>5"
    case .pattern(let problem, let source): return PatternWording.sentence(problem, in: source)
    case .unknownField(let name, let near):
      return "There is no field \(name):; did you mean \(near):? Quote the word to find it as text"
    case .emptyField(let field): return "Write something after \(field):"
    case .looseOr: return "OR needs a word on both sides"
    case .mixedAlternatives: return "OR can\u{2019}t join a word and a condition"
    case .tooLong: return "The query has too many conditions"
    }
  }

  /// Returns sentences about the first word before a colon that is no field; `nil` without one.
  public static func unknownField(in text: String) -> String? {
    // In quotes, a word with a colon is text.
    let unquoted = text.replacing(/\x22[^\x22]*(\x22|$)/, with: "\u{22}")
    let names = unquoted.matches(of: /(?:^|\s)-?([A-Za-z][A-Za-z-]+):[^\s:\/\x22]/)
      .map { $0.1.lowercased() }
    guard let name = names.first(where: { !SearchQuery.fields.contains($0) }) else { return nil }
    return "\(name): is no field, so its word is found as text. The fields are "
      + SearchQuery.fields.map { $0 + ":" }.joined(separator: " ")
  }
}
