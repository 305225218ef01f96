import ArticleText
import Foundation
import TerminalViews

/// A change of an article's text: deleted, inserted and unchanged words.
nonisolated struct ArticleChange: Sendable {
  /// Pieces of one line, each in the style of its role.
  typealias Line = [(text: String, role: Role)]

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

  func lines(width: Int, dates: DateWording) -> [Line] {
    let amounts =
      "\(AmountWording.count(changes.wordsRemoved, "word", "words")) out, "
      + "\(AmountWording.grouped(changes.wordsAdded)) in"
    var lines: [Line] = [[("\(dates.full(at)): \(amounts)", .title)]]
    if let titles {
      lines += Self.filled(Self.words(titles.old, .struck) + Self.words(titles.new, .strong), width)
    }
    lines += Self.filled(changes.runs.flatMap(Self.words), width)
    return lines + [[]]
  }

  private static func words(_ run: TextChanges.Run) -> [(String, Role)] {
    switch run.kind {
    case .removed: return words(run.text, .struck)
    case .added: return words(run.text, .strong)
    case .same:
      let all = words(run.text, .text)
      guard all.count > 2 * context else { return all }
      return Array(all.prefix(context)) + [("\u{2026}", .secondary)] + all.suffix(context)
    }
  }

  private static func words(_ text: String, _ role: Role) -> [(String, Role)] {
    text.split(separator: " ").map { (GraphemeLimit.limited(String($0)), role) }
  }

  private static func filled(_ words: [(String, Role)], _ width: Int) -> [Line] {
    var lines: [Line] = []
    var used = 0
    for (word, role) in words {
      let fitting = word.fitted(to: width)
      let columns = GraphemeWidth.width(of: fitting)
      if lines.isEmpty || used + 1 + columns > width {
        lines.append([])
        used = 0
      } else {
        // The space between two deleted or two inserted words has the same style.
        let isWithin = lines[lines.count - 1].last?.role == role
        lines[lines.count - 1].append((" ", isWithin ? role : .text))
        used += 1
      }
      lines[lines.count - 1].append((fitting, role))
      used += columns
    }
    return lines
  }
}
