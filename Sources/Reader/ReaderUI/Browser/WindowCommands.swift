import TerminalViews

/// Commands of the window that the focused screen does not handle.
struct WindowCommands {
  unowned let browser: Browser

  var overSheets: [Binding] {
    sharedBindings + [
      Binding(.back) { browser.closeSheet() }, Binding(.dismiss) { browser.closeSheet() },
    ]
  }

  var overPanes: [Binding] {
    sharedBindings + ReadingCommands(browser: browser).bindings
      + ListCommands(browser: browser).bindings + PaneWidthCommands(browser: browser).bindings
      + SendCommands(browser: browser).bindings + focusBindings + listBindings + [
        Binding(.search) { browser.openSearch() },
        Binding(.settings) { browser.goTo(SettingsScreen(context: browser.context)) },
        Binding(.pack, choices: { PackActions.sizes }) { PackActions.start($0, browser.context) },
      ]
  }

  /// Commands for sheets that open over the panes and over other sheets.
  private var sharedBindings: [Binding] {
    let (context, feeds, refreshes) = (browser.context, browser.feeds.model, browser.refreshes)
    return [
      Binding(.problems) {
        browser.goTo(ProblemsScreen(context: context, feeds: feeds, refreshes: refreshes))
      },
      Binding(.syncConsole) { browser.goTo(ConsoleScreen(context: context, refreshes: refreshes)) },
      Binding(.accounts) {
        browser.goTo(AccountsScreen(context: context, model: browser.accounts))
      },
      Binding(.add) { add() },
      Binding(.rules) { browser.openRules() },
    ]
  }

  private var focusBindings: [Binding] {
    return [
      Binding(.goIn, when: browser.focus == .articles && browser.reader.article != nil) {
        browser.setFocus(.reader)
      },
      Binding(.goOut, when: canGoOut) { browser.goOut() },
      Binding(.back, when: canGoOut) { browser.goBack() },
      Binding(.dismiss, when: canGoOut || browser.isZoomed) { browser.dismiss() },
      Binding(.nextPane) { browser.cycleFocus(1) },
      Binding(.zoom) { browser.zoom() },
    ]
  }

  /// Commands for the list of articles and its feed from the other panes.
  private var listBindings: [Binding] {
    return [
      Binding(.refresh, when: listBeside != nil) { listBeside?.refresh() },
      Binding(.markShownRead, when: listBeside != nil) {
        listBeside?.markShownRead()
      }.counting { _ in listBeside?.markingEffect ?? { _ in nil } },
      Binding(.showArrivals, when: browser.focus != .articles) {
        guard let list = listBeside else {
          return browser.context.note(ArrivalWording.nothingNew)
        }
        list.showArrivals()
      },
      Binding(
        .unsubscribe, unless: openFeed == nil ? "Select a feed to unsubscribe from it" : nil
      ) {
        if let feed = openFeed { AddressActions.unsubscribe([feed], browser.context) }
      }.counting { _ in
        openFeed.map { AddressActions.unsubscribeEffect($0, browser.context) } ?? { _ in nil }
      },
      Binding(.edit, unless: openFeed == nil ? "Select a feed to edit it" : nil) {
        if let feed = openFeed { browser.edit(feed) }
      },
    ]
  }

  private var canGoOut: Bool { browser.focus != .feeds }
  private var listBeside: ArticlesScreen? {
    browser.focus == .articles ? nil : browser.articles
  }

  private var openFeed: Feed? { FocusedItems(browser).openFeed }

  /// Opens the form for what the screen lists: feeds, accounts or rules.
  private func add() {
    switch browser.sheet {
    case is AccountsScreen: browser.openAddAccount()
    case is RulesScreen:
      let query = FocusedItems(browser).shownQuery
      browser.editRule(RuleDraft(query: query, actions: []), of: nil)
    default:
      browser.goTo(AddFeedScreen(context: browser.context, feeds: browser.feeds.model))
    }
  }
}
