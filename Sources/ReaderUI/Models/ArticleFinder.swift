import PatternMatching
import Wording

/// Looks something up in the open article: at once in a short one, beside the screen in a long one.
final class ArticleFinder {
  private let context: ReaderContext
  /// The text to find; empty: no search.
  private(set) var needle = ""
  /// Where it is, in the document that was searched last.
  private(set) var findings = FindableText.Findings()
  /// The text of the document that was searched last, and how many lines that had.
  private var searched: (text: FindableText, lines: Int)?
  private var search: TimerToken?

  /// Documents of at most this many lines are searched at once.
  private static let fewLines = 4_000

  init(context: ReaderContext) { self.context = context }

  var isSearching: Bool { search != nil }

  /// How many lines it is on.
  var wording: String {
    if isSearching { return "searching…" }
    if let problem { return problem }
    let count = AmountWording.count(findings.lines.count, "line", "lines")
    return findings.isPartial ? "more than \(count)" : count
  }

  /// What is wrong with the regular expression; nil: it is not one, or a good one.
  var problem: String? {
    guard let source = Pattern.source(of: needle) else { return nil }
    do throws(Pattern.Problem) {
      _ = try Pattern(source)
      return nil
    } catch {
      return PatternWording.sentence(error, in: source)
    }
  }

  /// - Parameters:
  ///   - document: what is shown; nil if nothing is.
  ///   - found: called when the places are known, before this returns in a short document.
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

  /// The document is another now, or has grown.
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
