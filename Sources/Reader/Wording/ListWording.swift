public import FeedModel
public import FeedStore
import TextRules

/// Changes of followed lists, and sources that can be followed, in words.
public enum ListWording {
  /// The most names in one line.
  private static let mostNames = 3

  /// Returns the article about a change of a list, with a title like "2 feeds added, 1 removed".
  public static func notice(_ change: ListChange) -> ListNotice {
    var title: [String] = []
    var html = ""
    func add(_ names: [String], _ heading: String) {
      guard !names.isEmpty else { return }
      let feeds =
        title.isEmpty ? AmountWording.count(names.count, "feed", "feeds") : "\(names.count)"
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
    case .list: what = "a list of \(AmountWording.count(count, "feed", "feeds"))"
    case .headlines: what = AmountWording.count(count, "headline", "headlines")
    }
    let names = candidate.latestTitles.prefix(mostNames)
    let more = count > names.count ? ", \u{2026}" : ""
    return "\(what): \(names.joined(separator: ", "))\(more)"
  }
}
