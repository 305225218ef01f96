/// Results of marking, in words.
public enum MarkWording {
  /// Returns text like "1 article and 2 copies changed"; `nil` if no duplicates changed.
  public static func changed(_ marked: MarkedArticles) -> String? {
    guard marked.duplicates > 0 else { return nil }
    return "\(amount(marked.articles, duplicates: marked.duplicates)) changed"
  }

  /// Returns text like "Starred" or "Not starred".
  public static func state(_ mark: Mark, _ isSet: Bool) -> String {
    switch mark {
    case .read: isSet ? "Read" : "Unread"
    case .starred: isSet ? "Starred" : "Not starred"
    case .later: isSet ? "Kept for later" : "Not kept for later"
    }
  }

  /// Returns text like "1 article and 2 copies" or "3 articles".
  public static func amount(_ articles: Int, duplicates: Int) -> String {
    AmountWording.articles(articles)
      + (duplicates > 0 ? " and " + AmountWording.count(duplicates, "copy", "copies") : "")
  }

  /// Returns text like "Kept: 3 starred, 1 with a note"; `nil` if nothing is kept.
  public static func archived(_ counts: [ArchiveReason: Int]) -> String? {
    let words: [(ArchiveReason, String)] = [
      (.starred, "starred"), (.later, "for later"), (.tagged, "tagged"), (.noted, "with a note"),
      (.downloaded, "downloaded"),
    ]
    let parts = AmountWording.some(words.map { (counts[$0] ?? 0, $1) })
    return parts.isEmpty ? nil : "Kept: \(parts.joined(separator: ", "))"
  }

  public static func question(_ count: Int) -> String {
    "Mark \(AmountWording.articles(count)) read?"
  }

  public static func selected(_ selection: (count: Int, isAll: Bool)) -> String {
    (selection.isAll ? "" : "more than ") + "\(AmountWording.grouped(selection.count)) selected"
  }

  /// Returns the effect of marking, like "marks 214 read in News".
  public static func effect(_ count: Int, in list: String? = nil) -> String {
    guard count > 0 else { return "nothing is unread" + (list.map { " in \($0)" } ?? "") }
    return "marks \(AmountWording.grouped(count)) read" + (list.map { " in \($0)" } ?? "")
  }

  /// Returns the effect of marking all that is not on the daily page, like "marks 212 others read".
  public static func othersEffect(_ count: Int) -> String {
    count > 0 ? "marks \(AmountWording.count(count, "other", "others")) read" : "no other is unread"
  }

  /// Returns the last line of the daily page, like "End of today’s page. 212 more unread."
  /// - Parameter others: the unread articles that are not on it.
  public static func endOfPage(_ others: Int) -> String {
    switch others {
    case ...0: "End of today\u{2019}s page."
    case 1: "End of today\u{2019}s page. 1 more unread."
    default: "End of today\u{2019}s page. \(AmountWording.grouped(others)) more unread."
    }
  }

  /// Returns text like "60 articles marked read (and 18 copies elsewhere), 3 kept unread, 2
  /// of high priority left unread; u undoes it".
  public static func marked(_ marked: MarkedArticles, undo: String?) -> String {
    let kept = marked.kept > 0 ? "\(AmountWording.grouped(marked.kept)) kept unread" : nil
    let spared =
      marked.spared > 0
      ? "\(AmountWording.grouped(marked.spared)) of high priority left unread" : nil
    guard marked.articles + marked.duplicates > 0 else {
      if let spared { return [spared, kept].compactMap(\.self).joined(separator: ", ") }
      return kept.map { "\($0) because you marked \(marked.kept == 1 ? "it" : "them")" }
        ?? "Everything here is already read"
    }
    let articles = AmountWording.articles(marked.articles)
    let duplicates =
      marked.duplicates > 0
      ? " (and \(AmountWording.count(marked.duplicates, "copy", "copies")) elsewhere)" : ""
    let rest = [kept, spared].compactMap { $0.map { ", \($0)" } }.joined()
    return "\(articles) marked read\(duplicates)\(rest)" + (undo.map { "; \($0) undoes it" } ?? "")
  }
}
