import TerminalViews

/// Opens the daily page, and the article that was begun last.
struct DailyPageCommands {
  unowned let browser: Browser

  var bindings: [Binding] {
    [
      Binding(.today, choices: { choices }, given: { openPage($0) }),
      Binding(.continueArticle) { continueArticle() },
    ]
  }

  private var choices: ArgumentChoices? {
    let minutes = browser.context.read(try browser.context.store.plan.minutesOfDailyPage())
    return ArgumentChoices(
      all: ["10", "20", "30", "45", "60"], current: "\(minutes ?? PlanCache.usualMinutes)")
  }

  private func openPage(_ text: String) {
    let context = browser.context
    guard let minutes = Int(text), PlanCache.minutesOfPage.contains(minutes) else {
      return context.note("Type minutes from 1 to 1000")
    }
    context.write({ store in
      try await store.plan.dailyPage(minutes: minutes)
    }) { [weak browser] page in
      guard !page.articles.isEmpty else {
        return context.note("No unread article fits \(minutes) min")
      }
      browser?.makeArticles(.dailyPage)
      browser?.showList(.dailyPage, opens: true)
    }
  }

  /// Opens the last article that was read in part, at its reading position. Skips the article in
  /// the reader if the reader has the focus.
  private func continueArticle() {
    let context = browser.context
    let open = browser.focus == .reader ? browser.reader.article?.id : nil
    browser.reader.remember()
    // Queued after the write of the position.
    context.write { store in
      try store.plan.lastBegun(except: open)
    } then: { [weak browser] id in
      guard let id else { return context.note("There is no article to continue") }
      browser?.open(id)
    }
  }
}
