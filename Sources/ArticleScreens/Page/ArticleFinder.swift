import PatternMatching
import ReaderServices
import TerminalViews
import Wording

/// Searches the open article: at once if it is short, in the background if it is long.
final class ArticleFinder {
  private let context: ReaderContext
  private(set) var needle = ""
  private(set) var findings = FindableText.Findings()
  /// The text and the number of lines of the document that was searched last.
  private var searched: (text: FindableText, lines: Int)?
  private var search: TimerToken?
  /// The line of the match that was shown last.
  var shownHit = 0

  /// Longer documents are searched in the background.
  private static let fewLines = 4_000

  init(context: ReaderContext) { self.context = context }

  var isSearching: Bool { search != nil }

  var wording: String {
    if isSearching { return "searching…" }
    if let problem { return problem }
    let count = AmountWording.count(findings.lines.count, "line", "lines")
    return findings.isPartial ? "more than \(count)" : count
  }

  /// The error of the regular expression.
  var problem: String? {
    guard let source = Pattern.source(of: needle) else { return nil }
    do throws(Pattern.Problem) {
      _ = try Pattern(source)
      return nil
    } catch {
      return PatternWording.sentence(error, in: source)
    }
  }

  /// Calls `found` when the places are known, before returning in a short document.
  func find(_ text: String, in document: ArticleDocument?, found: @escaping () -> Void = {}) {
    search = nil
    needle = text
    context.invalidate()
    guard let document, !text.isEmpty else {
      findings = FindableText.Findings()
      searched = nil
      return found()
    }
    if document.lines.count <= Self.fewLines {
      findings = FindableText(document).find(Needle(text), in: document)
      return found()
    }
    var known: FindableText?
    if let searched, searched.lines == document.lines.count { known = searched.text }
    search = context.beside { [weak self, known] in
      guard let (findings, all) = await computed({ Self.find(text, in: document, known) }),
        let self, needle == text, !Task.isCancelled
      else { return }
      self.findings = findings
      searched = (all, document.lines.count)
      search = nil
      context.invalidate()
      found()
    }
  }

  /// Searches again after the document has changed or grown.
  func findAgain(in document: ArticleDocument?) {
    searched = nil
    if !needle.isEmpty { find(needle, in: document) }
  }

  nonisolated private static func find(
    _ text: String, in document: ArticleDocument, _ known: FindableText?
  ) -> (FindableText.Findings, FindableText) {
    let all = known ?? FindableText(document)
    return (all.find(Needle(text), in: document), all)
  }
}
