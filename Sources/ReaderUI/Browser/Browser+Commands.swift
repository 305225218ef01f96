import ArticleScreens
import FeedModel
import ReaderServices
import TerminalViews
import Wording

/// Commands of the window that the focused screen does not handle.
extension Browser {
  var bindings: Bindings { sheet == nil ? paneBindings : sheetBindings }

  func makeSheetBindings() -> Bindings {
    unowned let browser = self
    return Bindings {
      sharedBindings + [
        Binding(.back) { browser.closeSheet() }, Binding(.dismiss) { browser.closeSheet() },
      ]
    }
  }

  /// The sheets that open over the panes and over other sheets.
  private var sharedBindings: [Binding] {
    unowned let browser = self
    let (context, feeds) = (context, feeds.model)
    return [
      Binding(.help) {
        browser.show(HelpScreen(context: context, about: browser.focused.commandContext))
      },
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
    ]
  }

  func makePaneBindings() -> Bindings {
    unowned let browser = self
    return Bindings {
      sharedBindings + readingBindings + widthBindings + choosingBindings + ruleBindings
        + focusBindings + listBindings + [
          Binding(.search) { browser.openSearch() },
          Binding(.addFeed) {
            browser.goTo(AddFeedScreen(context: browser.context, feeds: browser.feeds.model))
          },
          Binding(.recentlyRead) { ArticleLists.askForRecentlyRead(browser.context) },
          Binding(.silentFeeds) { ArticleLists.askForSilentFeeds(browser.context) },
          Binding(.pack) { browser.show(PackScreen(context: browser.context)) },
        ]
    }
  }

  private var focusBindings: [Binding] {
    unowned let browser = self
    return [
      Binding(.goIn, when: browser.focus == .articles && browser.reader.article != nil) {
        browser.setFocus(.reader)
      },
      Binding(.goOut, when: browser.canGoOut) { browser.goOut() },
      Binding(.back, when: browser.canGoOut) { browser.goBack() },
      Binding(.dismiss, when: browser.canGoOut || browser.isZoomed) { browser.dismiss() },
      Binding(.nextPane) { browser.cycleFocus(1) },
      Binding(.previousPane) { browser.cycleFocus(-1) },
      Binding(.zoom) { browser.zoom() },
    ]
  }

  /// The commands for the list of articles and its feed from the other panes.
  private var listBindings: [Binding] {
    unowned let browser = self
    return [
      Binding(.refresh, when: browser.listBeside != nil) { browser.listBeside?.refresh() },
      Binding(.markShownRead, when: browser.listBeside != nil) {
        browser.listBeside?.markShownRead()
      },
      Binding(.showArrivals, when: browser.focus != .articles) {
        guard let list = browser.listBeside else {
          return browser.context.note(ArrivalWording.nothingNew)
        }
        list.showArrivals()
      },
      Binding(
        .unsubscribe, unless: browser.openFeed == nil ? "Select a feed to unsubscribe from it" : nil
      ) {
        if let feed = browser.openFeed { AddressActions.unsubscribe([feed], browser.context) }
      },
      Binding(.editFeed, unless: browser.openFeed == nil ? "Select a feed to edit it" : nil) {
        if let feed = browser.openFeed { browser.edit(feed) }
      },
      Binding(
        .alwaysFullText,
        unless: browser.focusedFeed == nil ? "Select a feed, or an article of it" : nil
      ) {
        if let feed = browser.focusedFeed { FullTextActions.turnAlways(feed, browser.context) }
      },
    ]
  }

  private var canGoOut: Bool { focus != .feeds }
  private var listBeside: ArticlesScreen? { focus == .articles ? nil : articles }

  private var openFeed: Feed? {
    if case .feed(let id) = articles?.source { feeds.model.feed(id) } else { nil }
  }

  /// The selected feed, or the feed of the article.
  private var focusedFeed: Feed? {
    catchUp()
    switch focus {
    case .feeds: return feeds.selectedFeed
    case .articles: return (articles?.model.selectedRow?.feed).flatMap(feeds.model.feed)
    case .reader: return (reader.article?.row.feed).flatMap(feeds.model.feed)
    }
  }
}
