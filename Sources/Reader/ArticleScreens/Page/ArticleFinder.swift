import TerminalViews

/// Searches the open article: a short one at once, a long one in the background.
final class ArticleFinder {
  private let context: ReaderContext
  private(set) var needle = ""
  private(set) var findings = FindableText.Findings()
  /// The text and the number of lines of the last searched document.
  private var searched: (text: FindableText, lines: Int)?
  private var search: TimerToken?
  /// The line of the last shown match.
  var shownHit = 0

  /// The most lines of a document that is searched at once.
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

  /// Searches a document. Calls `found` once `findings` has the result: before returning if the
  /// document is short, otherwise later.
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
    search = context.runInBackground { [weak self, known] in
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
