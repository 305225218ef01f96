import ArticleScreens
import FeedModel
import ReaderServices
import TerminalViews
import Wording

/// Commands of the window that the focused screen does not handle.
extension Browser {
  var bindings: [Binding] { sheet == nil ? paneBindings : sheetBindings }

  private var sheetBindings: [Binding] {
    sharedBindings + [Binding(.back, closeSheet), Binding(.dismiss, closeSheet)]
  }

  /// The sheets that open over the panes and over other sheets.
  private var sharedBindings: [Binding] {
    let (context, feeds) = (context, feeds.model)
    return [
      Binding(.help) {
        self.show(HelpScreen(context: context, about: self.focused.commandContext))
      },
      Binding(.problems) { self.goTo(ProblemsScreen(context: context, feeds: feeds)) },
      Binding(.syncConsole) {
        self.goTo(ConsoleScreen(context: context, refreshes: self.refreshes))
      },
      Binding(.accounts) { self.goTo(AccountsScreen(context: context, model: self.accounts)) },
      Binding(.addAccount, openAddAccount), Binding(.rules, openRules),
      Binding(.downloads) { self.goTo(DownloadsScreen(context: context)) },
    ]
  }

  private var paneBindings: [Binding] {
    let list = focus == .articles ? nil : articles
    let canGoOut = focus != .feeds
    return sharedBindings + readingBindings + widthBindings + choosingBindings + ruleBindings + [
      Binding(.search, openSearch),
      Binding(.addFeed) {
        self.goTo(AddFeedScreen(context: self.context, feeds: self.feeds.model))
      },
      Binding(.recentlyRead) { ArticleLists.askForRecentlyRead(self.context) },
      Binding(.silentFeeds) { ArticleLists.askForSilentFeeds(self.context) },
      Binding(.pack) { self.show(PackScreen(context: self.context)) },
      Binding(.goIn, when: focus == .articles && reader.article != nil) { self.setFocus(.reader) },
      Binding(.goOut, when: canGoOut, goOut),
      Binding(.back, when: canGoOut, goBack),
      Binding(.dismiss, when: canGoOut || isZoomed, dismiss),
      Binding(.nextPane) { self.cycleFocus(1) },
      Binding(.previousPane) { self.cycleFocus(-1) },
      Binding(.zoom, zoom),
      Binding(.refresh, when: list != nil) { list?.refresh() },
      Binding(.markShownRead, when: list != nil) { list?.markShownRead() },
      Binding(.showArrivals, when: focus != .articles) {
        if let list { list.showArrivals() } else { self.context.note(ArrivalWording.nothingNew) }
      },
      Binding(
        .unsubscribe, unless: self.openFeed == nil ? "Select a feed to unsubscribe from it" : nil
      ) {
        if let feed = self.openFeed { AddressActions.unsubscribe([feed], self.context) }
      },
      Binding(.editFeed, unless: self.openFeed == nil ? "Select a feed to edit it" : nil) {
        if let feed = self.openFeed { self.edit(feed) }
      },
      Binding(
        .alwaysFullText,
        unless: self.focusedFeed == nil ? "Select a feed, or an article of it" : nil
      ) {
        if let feed = self.focusedFeed { FullTextActions.turnAlways(feed, self.context) }
      },
    ]
  }

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
