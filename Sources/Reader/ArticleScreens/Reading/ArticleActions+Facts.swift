import TerminalViews

/// Facts about an article, each with what can be done about it.
extension ArticleActions {
  package var facts: [OfferedAction] {
    guard let id, let article else { return [] }
    var facts: [OfferedAction] = []
    let store = context.store
    let changes = context.read(try store.articles.revisionCount(of: id)) ?? 0
    if changes > 0 {
      facts.append(
        OfferedAction("changes", "What changed", note: AmountWording.changes(changes)) {
          showChanges(of: article)
        })
    }
    let copies = context.read(try store.articles.duplicates(of: id)) ?? []
    if !copies.isEmpty {
      let feeds = copies.map(\.feedName).joined(separator: ", ")
      facts.append(
        OfferedAction("copies", "Copies in other feeds", note: feeds) {
          ArticleLists.askForDuplicate(copies, context)
        })
    }
    let rules = context.read(try store.rules.judgements(of: id)) ?? []
    if !rules.isEmpty {
      let names = rules.map { rule in
        "\(rule.name ?? "a rule that was removed"): \(RuleWording.actions(rule.actions))"
      }
      facts.append(
        OfferedAction("rules", "Rules that acted", note: names.joined(separator: "; ")) {
          context.window?.openRules()
        })
    }
    let notes = context.read(try store.states.notes(of: id)) ?? []
    if !notes.isEmpty {
      facts.append(
        OfferedAction(
          "notes", "Remove the notes", note: notes.map(\.program).joined(separator: ", ")
        ) {
          PipeOutput.remove(id, context)
        })
    }
    if let discussion {
      facts.append(
        OfferedAction("discussion", "Discussion", note: Confusables.shown(discussion)) {
          context.window?.follow(discussion)
        })
    }
    if let text = context.read(try store.fullTexts.fullText(id)), case .found = text.state {
      let title = text.isShown ? "The feed\u{2019}s version" : "The full article"
      facts.append(OfferedAction("version", title) { FullTextActions.turn(id, context) })
    }
    if let until = context.read(try store.plan.snoozedUntil(id)) {
      facts.append(
        OfferedAction("wake", "Wake it", note: "asleep until \(context.dates.moment(until))") {
          SnoozeChoices.wake(id, context)
        })
    }
    if let address {
      facts.append(
        OfferedAction("address", "Copy the address", note: Confusables.shown(address)) {
          AddressActions.copy(address, context)
        })
    }
    let minutes = store.plan.minutes(ofWords: article.row.words)
    let length = ReadingWording.shortMinutes(minutes).map { " \u{B7} \($0)" } ?? ""
    let words = AmountWording.count(article.row.words, "word", "words") + length
    return facts + [OfferedAction("words", "Length", note: words) { context.note(words) }]
  }

  /// Shows the changes of the text in its place, the newest first, until Esc.
  private func showChanges(of article: Article) {
    let (id, title, html, dates) = (article.id, article.row.title, article.ownHTML, context.dates)
    // Long texts take time to compare.
    context.session.preparation = context.load { store in
      ArticleChange.all(try store.articles.revisions(of: id), title: title, html: html)
    } then: { [context] changes in
      context.window?.open(
        id, replacedBy: "What changed", changes.map { $0.html(dates) }.joined())
    }
  }
}
