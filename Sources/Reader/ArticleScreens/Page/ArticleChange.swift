import ArticleText
import Foundation

/// A change of an article's text: deleted, inserted and unchanged words.
nonisolated struct ArticleChange: Sendable {
  var at: Date
  var changes: TextChanges
  var titles: (old: String, new: String)?

  /// The number of words around a change that are shown.
  private static let context = 12

  /// Returns the changes in the order of the revisions, the newest first.
  static func all(_ revisions: [ArticleRevision], title: String, html: String) -> [ArticleChange] {
    var (title, html) = (title, html)
    return revisions.map { revision in
      defer { (title, html) = (revision.title, revision.bodyHTML) }
      return ArticleChange(
        at: revision.replacedAt, changes: TextChanges(fromHTML: revision.bodyHTML, toHTML: html),
        titles: revision.title == title ? nil : (revision.title, title))
    }
  }

  /// Returns a heading and the changed words between unchanged ones, as a page.
  func html(_ dates: DateWording) -> String {
    let amounts =
      "\(AmountWording.count(changes.wordsRemoved, "word", "words")) out, "
      + "\(AmountWording.grouped(changes.wordsAdded)) in"
    let titles = titles.map {
      "<p>\(Self.element("del", $0.old)) \(Self.element("strong", $0.new))</p>"
    }
    let words = changes.runs.map(Self.html).joined(separator: " ")
    return "<h4>\(dates.full(at)): \(amounts)</h4>\(titles ?? "")<p>\(words)</p>"
  }

  private static func html(_ run: TextChanges.Run) -> String {
    switch run.kind {
    case .removed: return element("del", run.text)
    case .added: return element("strong", run.text)
    case .same:
      let all = run.text.split(separator: " ")
      guard all.count > 2 * context else { return escaped(run.text) }
      let shown = all.prefix(context) + ["\u{2026}"] + all.suffix(context)
      return escaped(shown.joined(separator: " "))
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }

  private static func element(_ name: String, _ text: String) -> String {
    "<\(name)>\(escaped(text))</\(name)>"
  }
}
