import Foundation
import ProgramSettings
import Programs

struct RulePrograms {
  let configuration: UserConfiguration
  let store: ReaderCache

  init(_ session: Session) {
    (configuration, store) = (session.configuration, session.store.reader)
  }

  /// Returns the call of a program, with the article's text as input, as for `|`.
  func call(_ task: RuleProgramTask) throws(StoreError) -> ProgramCall? {
    guard let program = task.program.flatMap({ configuration.programs[$0] }), program.isForRules,
      let article = try store.articles.article(task.article)
    else { return nil }
    let feed = try store.feeds.feed(article.row.feed)
    var environment = ProgramText.environment(article, of: feed)
    environment["WEIR_RULE"] = task.rule
    let dates = DateWording.current
    let fullText = try store.fullTexts.fullText(article.id)
    let text = ProgramText.text(article, with: fullText, dates)
    return ProgramCall(
      words: program.arguments, environment: environment, input: Array(text.utf8),
      note: program.output == .show ? task.program : nil)
  }

  /// Returns one notification for all waiting articles.
  func notification(_ tasks: [RuleProgramTask]) throws(StoreError) -> ProgramCall? {
    guard let words = configuration.notification else { return nil }
    var rows: [ArticleRow] = []
    var rules: [String] = []
    for task in tasks {
      if let row = try store.articles.articleRow(task.article) { rows.append(row) }
      if !rules.contains(task.rule) { rules.append(task.rule) }
    }
    var environment = ArrivalNotice.environment(count: tasks.count, rows)
    environment["WEIR_RULE"] = rules.joined(separator: ", ")
    return ProgramCall(
      words: words, environment: environment, input: Array(ArrivalNotice.input(rows).utf8))
  }
}
