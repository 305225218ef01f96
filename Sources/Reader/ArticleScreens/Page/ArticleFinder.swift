import TerminalViews

/// Searches the open article: a short one at once, a long one in the background.
final class ArticleFinder {
  private let context: ReaderContext
  private(set) var needle = ""
  /// The search that found the article, whose words are `needle`; `nil` for typed text.
  private(set) var search: ListSearch?
  private(set) var findings = FindableText.Findings()
  /// The text and the number of lines of the last searched document.
  private var searched: (text: FindableText, lines: Int)?
  private var running: TimerToken?
  /// The line of the last shown match.
  var shownHit = 0

  /// The most lines of a document that is searched at once.
  private static let fewLines = 4_000

  init(context: ReaderContext) { self.context = context }

  var isSearching: Bool { running != nil }

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
  func find(
    _ text: String, of search: ListSearch? = nil, in document: ArticleDocument?,
    found: @escaping () -> Void = {}
  ) {
    running = nil
    (needle, self.search) = (text, search)
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
    running = context.runInBackground { [weak self, known] in
      guard let (findings, all) = await computed({ Self.find(text, in: document, known) }),
        let self, needle == text, !Task.isCancelled
      else { return }
      self.findings = findings
      searched = (all, document.lines.count)
      running = nil
      context.invalidate()
      found()
    }
  }

  /// Searches again after the document has changed or grown.
  func findAgain(in document: ArticleDocument?, found: @escaping () -> Void = {}) {
    searched = nil
    if !needle.isEmpty { find(needle, of: search, in: document, found: found) }
  }

  /// Finds the words of the search that found the article.
  func findWords(of search: ListSearch, in document: ArticleDocument?, found: @escaping () -> Void)
  {
    let patterns = search.query?.textPatterns ?? []
    guard !patterns.isEmpty else { return }
    find("/\(patterns.joined(separator: "|"))/", of: search, in: document, found: found)
  }

  nonisolated private static func find(
    _ text: String, in document: ArticleDocument, _ known: FindableText?
  ) -> (FindableText.Findings, FindableText) {
    let all = known ?? FindableText(document)
    return (all.find(Needle(text), in: document), all)
  }
}
