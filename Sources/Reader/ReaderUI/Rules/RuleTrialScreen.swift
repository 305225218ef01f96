import Foundation
import TerminalViews

/// The dry run of a rule, with the articles that the rule would change.
final class RuleTrialScreen: Sheet {
  private let context: ReaderContext
  private let draft: RuleDraft
  private let rule: Rule?
  private let list: ArticleListModel
  private var preview: RulePreview?
  private var loading: TimerToken?
  private var listTop = 0

  init(_ draft: RuleDraft, of rule: Rule?, context: ReaderContext) {
    self.context = context
    self.draft = draft
    self.rule = rule
    list = ArticleListModel(
      source: .search(""), store: context.store, hits: SearchHits.none, height: 20)
    run()
  }

  var commandContext: CommandContext { .dryRun }
  var title: String { "Dry run of the rule" }
  var readsFeeds: Bool { false }
  var caption: String? {
    loading != nil ? "searching" : "the last \(SearchCache.previewDays) days"
  }

  /// True if the rule already applies to new articles.
  private var isEnabled: Bool { rule?.isEnabled == true && !isChanged }
  private var isChanged: Bool { rule.map { $0.draft != draft } ?? true }

  private(set) lazy var bindings = Bindings { [unowned self] in
    Binding.movement { self.list.move($0, overlap: 0) } + [
      Binding(.open, unless: self.whyNot ?? (self.isEnabled ? "The rule is enabled" : nil)) {
        self.confirm(.arrivals)
      }.hinted(self.preview == nil || self.isEnabled ? nil : "enable from now on"),
      Binding(.applyRule, unless: self.whyNot) {
        self.confirm(.also(self.preview?.hits.ids ?? []))
      }.saying {
        self.preview.map { "for \(AmountWording.articles($0.hits.count)) too" }
      }.hinted(self.preview.map { _ in self.isEnabled ? "apply to these" : "enable, these too" }),
      Binding(.keepRule, unless: self.rule == nil || !self.isChanged ? "Nothing was changed" : nil)
      { self.save() }.hinted(
        self.preview == nil || self.rule == nil || !self.isChanged ? nil : "keep as it is"),
    ]
  }

  private var whyNot: String? { preview == nil ? "Still searching" : nil }

  func didPerform() { context.report(list.failure) }

  /// Asks for a confirmation if the rule hides a large share of a feed.
  private func confirm(_ reach: RuleReach) {
    guard let preview else { return }
    guard draft.actions.contains(.hide), let worst = preview.overwhelmed.first else {
      return enable(reach)
    }
    let share = worst.matched * 100 / max(1, worst.total)
    let question = "It would hide \(share) % of \(worst.name). Enable it anyway?"
    context.ask(whether: question) { self.enable(reach) }
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

  private func run() {
    guard let query = try? SearchQuery(draft.query) else { return }
    let since = context.now - .days(Double(SearchCache.previewDays))
    loading = context.load(
      { [search = context.search] _ in try await search.preview(query, since: since) },
      then: { [weak self] in self?.show($0) })
  }

  private func show(_ preview: RulePreview) {
    loading = nil
    self.preview = preview
    list.setHits(preview.hits)
    list.moveToTop()
    context.invalidate()
  }

  func modelUpdated(_ change: StoreChange) {
    guard list.modelUpdated(change) else { return }
    context.invalidate()
  }

  func press(x: Int, y: Int, isDouble: Bool) {
    guard y >= listTop else { return }
    _ = list.select(line: y - listTop)
  }

  func scroll(by rows: Int, x: Int, y: Int) { list.scroll(by: rows) }

  var jumpTargets: [JumpTarget] {
    list.visibleRows.enumerated().map { place, row in
      JumpTarget(x: 0, y: listTop + place) { [weak self] in self?.list.select(row) }
    }
  }

  var spoken: [String]? {
    guard let preview else { return [] }
    return [RuleWording.summary(preview, days: SearchCache.previewDays)]
      + [RuleWording.warning(preview, draft.actions)].compactMap(\.self)
      + (list.selectedRow.map { [ArticleSentence.text($0, context)] } ?? [])
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    var y = 0
    func line(_ text: String, _ role: Role) {
      for line in TextWrapping.lines(text, columns: canvas.width - 4) where y < canvas.height - 3 {
        canvas.write(line, x: 3, y: y, columns: canvas.width - 4, role)
        y += 1
      }
    }
    line(draft.query, .title)
    line(
      RuleWording.actions(draft.actions) + (draft.stops ? "; no other rule is judged" : ""), .text)
    guard let preview else {
      canvas.write("Searching …", x: 3, y: y + 1, columns: canvas.width - 4, .secondary)
      return
    }
    line(RuleWording.summary(preview, days: SearchCache.previewDays), .accent)
    let feeds = preview.feeds.prefix(4).map { "\($0.name): \($0.matched) of \($0.total)" }
    if !feeds.isEmpty {
      line(
        feeds.joined(separator: ", ") + (preview.feeds.count > 4 ? ", \u{2026}" : ""), .secondary)
    }
    if let warning = RuleWording.warning(preview, draft.actions) { line(warning + ".", .warning) }
    y += 1
    listTop = y
    let height = max(1, canvas.height - y)
    list.setHeight(height)
    guard !list.isEmpty else {
      canvas.write("No articles.", x: 3, y: y, columns: canvas.width - 4, .secondary)
      return
    }
    let drawing = ArticleRowDrawing(canvas: canvas, context: context)
    for row in list.visibleRows where y < canvas.height {
      let isSelected = row.id == list.selectedRow?.id
      drawing.draw(row, isSelected: isSelected, y: y)
      if isSelected { canvas.select(row: y) }
      y += 1
    }
  }
}
