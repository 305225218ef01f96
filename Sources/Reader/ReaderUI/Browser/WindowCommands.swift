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
      + DailyPageCommands(browser: browser).bindings
      + PaneWidthCommands(browser: browser).bindings + choosingBindings + ruleBindings
      + focusBindings + listBindings + [
        Binding(.search) { browser.openSearch() },
        Binding(.addFeed) {
          browser.goTo(AddFeedScreen(context: browser.context, feeds: browser.feeds.model))
        },
        Binding(.recentlyRead) { ArticleLists.askForRecentlyRead(browser.context) },
        Binding(.silentFeeds) { ArticleLists.askForSilentFeeds(browser.context) },
        Binding(.snoozed) { browser.goTo(SnoozedScreen(context: browser.context)) },
        Binding(.settings) { browser.goTo(SettingsScreen(context: browser.context)) },
        Binding(.pack) { browser.show(PackScreen(context: browser.context)) },
      ]
  }

  /// Commands for sheets that open over the panes and over other sheets.
  private var sharedBindings: [Binding] {
    let (context, feeds) = (browser.context, browser.feeds.model)
    return [
      Binding(.problems) { browser.goTo(ProblemsScreen(context: context, feeds: feeds)) },
      Binding(.syncConsole) {
        browser.goTo(ConsoleScreen(context: context, refreshes: browser.refreshes))
      },
      Binding(.accounts) {
        browser.goTo(AccountsScreen(context: context, model: browser.accounts))
      },
      Binding(.addAccount) { browser.openAddAccount() },
      Binding(.rules) { browser.openRules() },
      Binding(.downloads) { browser.goTo(DownloadsScreen(context: context)) },
      Binding(.jump, unless: JumpPrompt(browser).whyNot) { browser.ask(JumpPrompt(browser)) },
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
      Binding(.previousPane) { browser.cycleFocus(-1) },
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
        .copyCommand, unless: shownCommand == nil ? "No command prints this list" : nil
      ) {
        if let line = shownCommand { AddressActions.copy(text: line, browser.context) }
      },
      Binding(
        .unsubscribe, unless: openFeed == nil ? "Select a feed to unsubscribe from it" : nil
      ) {
        if let feed = openFeed { AddressActions.unsubscribe([feed], browser.context) }
      }.counting { _ in
        openFeed.map { AddressActions.unsubscribeEffect($0, browser.context) } ?? { _ in nil }
      },
      Binding(.editFeed, unless: openFeed == nil ? "Select a feed to edit it" : nil) {
        if let feed = openFeed { browser.edit(feed) }
      },
      Binding(
        .alwaysFullText,
        unless: focusedFeed == nil ? "Select a feed, or an article of it" : nil
      ) {
        if let feed = focusedFeed { FullTextActions.turnAlways(feed, browser.context) }
      },
      Binding(.older, unless: OlderPostsWording.whyNot(focusedFeed ?? openFeed)) { count in
        if let feed = focusedFeed ?? openFeed {
          OlderPostActions.ask(feed, pages: count, browser.context)
        }
      },
    ]
  }

  private var shownCommand: String? {
    let (feeds, list) = (browser.feeds.model, browser.articles)
    if browser.focus == .feeds || list == nil {
      return feeds.selectedSource.flatMap { ListCommand(source: $0, feeds: feeds)?.line }
    }
    guard let list, var command = ListCommand(source: list.source, feeds: feeds) else { return nil }
    (command.filter, command.text) = (list.model.query.filter, list.text)
    return list.model.query.showsHiddenByRules ? nil : command.line
  }

  private var canGoOut: Bool { browser.focus != .feeds }
  private var listBeside: ArticlesScreen? {
    browser.focus == .articles ? nil : browser.articles
  }

  private var openFeed: Feed? {
    if case .feed(let id) = browser.articles?.source { browser.feeds.model.feed(id) } else { nil }
  }

  /// The selected feed, or the feed of the article.
  private var focusedFeed: Feed? {
    browser.catchUp()
    let (feeds, list) = (browser.feeds, browser.articles)
    return switch browser.focus {
    case .feeds: feeds.selectedFeed
    case .articles: (list?.model.selectedRow?.feed).flatMap(feeds.model.feed)
    case .reader: (browser.reader.article?.row.feed).flatMap(feeds.model.feed)
    }
  }

  // MARK: Choices

  private var choosingBindings: [Binding] {
    return [
      Binding(.openSearch, choices: { savedSearches() }, given: { openSearch($0) }),
      Binding(.openAccount, choices: { accountTitles() }, given: { openAccount($0) }),
      Binding(.focus, choices: { focuses() }, given: { setFocus($0) }),
    ]
  }

  private func savedSearches() -> ArgumentChoices? {
    ArgumentChoices(
      all: browser.feeds.model.subscriptions.searches.map(\.name), newNeedsText: false)
  }

  private func openSearch(_ name: String) {
    guard let saved = browser.feeds.model.subscriptions.searches.first(where: { $0.name == name })
    else {
      browser.openSearch()
      return browser.search.begin(name)
    }
    browser.feeds.model.reveal(.list(.saved(saved.id)))
    browser.showList(.saved(saved.id), opens: true)
  }

  private func focuses() -> ArgumentChoices? {
    let model = browser.feeds.model
    return ArgumentChoices(
      all: model.folderPaths + [FolderFocus.everything], current: model.focusText ?? "",
      titles: [FolderFocus.everything: "All feeds"], separator: FolderFocus.separator)
  }

  private func setFocus(_ text: String) {
    let (feeds, context) = (browser.feeds, browser.context)
    switch FolderFocus(text, in: feeds.model.subscriptions) {
    case .all: feeds.setFocus(nil)
    case .folders(let folders): feeds.setFocus(folders)
    case .unknown(let name): return context.note("There is no folder \u{201C}\(name)\u{201D}")
    }
    context.actions.remember(.focus, feeds.model.focusText ?? FolderFocus.everything)
    browser.makeArticles(feeds.model.selectedSource ?? .smart(.unread))
  }

  private func accountTitles() -> ArgumentChoices? {
    ArgumentChoices(all: browser.accounts.all.map(\.title), newNeedsText: false)
  }

  private func openAccount(_ title: String) {
    guard let account = browser.accounts.all.first(where: { $0.title == title }) else {
      return browser.openAddAccount()
    }
    if let folder = account.folder { browser.reveal(.folder(folder)) }
  }

  // MARK: Rules

  private var ruleBindings: [Binding] {
    return [
      Binding(.makeRule) {
        browser.editRule(RuleDraft(query: shownQuery, actions: []), of: nil)
      },
      Binding(.hiddenArticles) { browser.showList(.hidden, opens: true) },
    ]
  }

  private func quoted(_ field: String, _ name: String) -> String {
    "\(field):\"\(name.replacing("\"", with: " "))\""
  }

  /// The displayed list as a condition: a search as typed, a list by its name.
  private var shownQuery: String {
    let (feeds, list) = (browser.feeds, browser.articles)
    let isInFeeds = browser.focus == .feeds
    let source = isInFeeds ? feeds.model.selectedSource : list?.source
    let filter = isInFeeds ? "" : list?.text ?? ""
    let condition: String
    switch source {
    case .search(let text): condition = text
    case .saved(let id): condition = feeds.model.search(id)?.query ?? ""
    case .feed(let id): condition = quoted("feed", feeds.model.name(.feed(id)))
    case .folder(let id): condition = quoted("in", feeds.model.name(.folder(id)))
    case .tag(let tag): condition = quoted("tag", tag)
    case .smart, .hidden, .dailyPage, nil: condition = ""
    }
    return (condition.isEmpty ? "" : condition + " ")
      + (filter.isEmpty ? "" : "title:\"\(filter)\"")
  }
}
