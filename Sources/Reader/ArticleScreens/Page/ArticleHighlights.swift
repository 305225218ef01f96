import TerminalViews

/// Highlights of rules in the text of an article: the words and expressions of their conditions.
final class ArticleHighlights {
  nonisolated struct Mark: Sendable {
    var findings: FindableText.Findings
    var role: Role
  }

  private nonisolated struct Needle: Sendable {
    var pattern: Pattern
    var role: Role
  }

  private let context: ReaderContext
  private(set) var marks: [Mark] = []
  private var needles: [Needle] = []
  private var search: TimerToken?

  /// The maximum length of a document that is searched at once, in lines. Longer ones are searched
  /// in the background.
  private static let fewLines = 4_000
  /// The most words and expressions; further ones are ignored.
  private static let mostNeedles = 32

  init(context: ReaderContext) { self.context = context }

  func show(_ article: Article?) {
    (marks, needles, search) = ([], [], nil)
    guard let article, article.row.highlight != 0 else { return }
    let hits = context.read(try context.store.rules.judgements(of: article.id)) ?? []
    let acted = Set(hits.map(\.rule))
    let rules = context.read(try context.store.rules.all().filter { acted.contains($0.id) })
    needles = Array((rules ?? []).flatMap(Self.needles).prefix(Self.mostNeedles))
  }

  private static func needles(of rule: Rule) -> [Needle] {
    let color = rule.actions.lazy.compactMap { action -> Int? in
      if case .highlight(let color) = action { color } else { nil }
    }.first
    guard let role = color.flatMap(Role.highlight), let query = try? SearchQuery(rule.query) else {
      return []
    }
    return query.textPatterns.compactMap { try? Pattern($0) }.map {
      Needle(pattern: $0, role: role)
    }
  }

  /// Searches again after the document has changed or grown.
  func find(in document: ArticleDocument?) {
    search = nil
    guard let document, !needles.isEmpty else {
      marks = []
      return
    }
    if document.lines.count <= Self.fewLines {
      marks = Self.marks(of: needles, in: document)
      return
    }
    search = context.runInBackground { [weak self, needles] in
      guard let marks = await computed({ Self.marks(of: needles, in: document) }), let self,
        !Task.isCancelled
      else { return }
      self.marks = marks
      search = nil
      context.invalidate()
    }
  }

  nonisolated private static func marks(
    of needles: [Needle], in document: ArticleDocument
  ) -> [Mark] {
    let text = FindableText(document)
    return needles.map { needle in
      Mark(findings: text.find(.pattern(needle.pattern), in: document), role: needle.role)
    }
  }
}

extension SearchQuery {
  /// Patterns of the words and expressions to find, for marking them in a text.
  nonisolated var textPatterns: [String] {
    clauses.flatMap { $0 }.filter { !$0.isNegated }.compactMap { alternative in
      switch alternative.condition {
      case .pattern(let pattern, _): pattern.source
      case .words(let text, _, let isPrefix): Pattern.source(ofWords: text, isPrefix: isPrefix)
      default: nil
      }
    }
  }
}
