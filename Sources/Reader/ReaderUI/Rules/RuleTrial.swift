import Foundation
import TerminalViews

/// The dry run of a rule: shows the articles that the rule would change, and asks how to enable it.
struct RuleTrial {
  let draft: RuleDraft
  let rule: Rule?
  let context: ReaderContext

  private enum Choice: String { case now, also, keep }

  /// True if the rule already applies to new articles.
  private var isEnabled: Bool { rule?.isEnabled == true && !isChanged }
  private var isChanged: Bool { rule.map { $0.draft != draft } ?? true }

  /// The most articles that are named.
  private nonisolated static let most = 50

  func ask() {
    guard let query = try? SearchQuery(draft.query) else { return }
    let since = context.now - .days(Double(SearchCache.previewDays))
    context.session.preparation = context.load { [search = context.search] store in
      guard let preview = try await search.preview(query, since: since) else { return nil }
      let rows = try preview.hits.ids.prefix(Self.most).compactMap(store.articles.articleRow)
      return (preview, rows)
    } then: { (found: (preview: RulePreview, rows: [ArticleRow])) in
      ask(found.preview, found.rows)
    }
  }

  private func ask(_ preview: RulePreview, _ rows: [ArticleRow]) {
    let articles = AmountWording.articles(preview.hits.count)
    let warning = RuleWording.warning(preview, draft.actions) ?? ""
    var items: [Picker.Item] = []
    func offer(_ choice: Choice, _ title: String, note: String = "") {
      items.append(Picker.Item(choice.rawValue, title: title, note: note))
    }
    if !isEnabled { offer(.now, "Enable it for what arrives", note: warning) }
    offer(
      .also, isEnabled ? "Apply it to these" : "Enable it, and apply it to these", note: articles)
    if rule != nil, isChanged { offer(.keep, "Change it without enabling it") }
    items += rows.map {
      Picker.Item(
        "article \($0.id.rawValue)", title: "  " + $0.title,
        note: "\($0.feedName) \u{B7} \(context.dates.age($0.sortDate))")
    }
    let days = SearchCache.previewDays
    context.window?.ask(
      Picker(RuleWording.summary(preview, days: days), items) { values in
        switch values.first.flatMap(Choice.init) {
        case .now: confirm(.arrivals, preview)
        case .also: confirm(.also(preview.hits.ids), preview)
        case .keep: save()
        case nil: ask(preview, rows)
        }
      })
  }

  /// Asks for a confirmation if the rule hides a large share of a feed.
  private func confirm(_ reach: RuleReach, _ preview: RulePreview) {
    guard draft.actions.contains(.hide), let worst = preview.overwhelmed.first else {
      return enable(reach)
    }
    let share = worst.matched * 100 / max(1, worst.total)
    let question = "It would hide \(share) % of \(worst.name). Enable it anyway?"
    context.ask(whether: question) { enable(reach) }
  }

  private func enable(_ reach: RuleReach) {
    let (context, draft, rule, isChanged) = (context, draft, rule, isChanged)
    context.write(
      { store -> (id: RuleID?, changed: Int) in
        guard let rule else {
          let added = try await store.rules.addRule(draft, reach: reach)
          return (added.id, added.changed)
        }
        if isChanged { try await store.rules.editRule(rule.id, draft) }
        return (nil, try await store.rules.enableRule(rule.id, reach: reach))
      },
      then: { result in
        let articles = AmountWording.articles(result.changed)
        context.window?.closeRule(result.id)
        context.note(
          (result.changed > 0 ? "Rule enabled, \(articles) changed" : "Rule enabled")
            + context.undoHint())
      })
  }

  /// Changes the rule without enabling it.
  private func save() {
    guard let rule else { return }
    let (context, draft) = (context, draft)
    context.write({ store in try await store.rules.editRule(rule.id, draft) }) {
      context.window?.closeRule(nil)
      context.note("Rule changed\(context.undoHint())")
    }
  }
}
