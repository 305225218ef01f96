import TerminalViews

/// The lists that are not among the feeds: `gl` offers them, and the saved searches.
struct ListCommands {
  unowned let browser: Browser
  private var context: ReaderContext { browser.context }

  var bindings: [Binding] {
    [
      .offering(.lists, browser.context, other: { search($0) }) { lists },
      Binding(.focus, choices: { focuses() }, given: { setFocus($0) }),
    ]
  }

  private var lists: [OfferedAction] {
    var lists = [
      OfferedAction("continue", "The article that you began last") { continueArticle() },
      OfferedAction("today", "A daily page of some minutes", given: { askForPage($0) }),
      OfferedAction("read", "Recently read") { ArticleLists.askForRecentlyRead(context) },
      OfferedAction("asleep", "Asleep") { ArticleLists.askForAsleep(context) },
      OfferedAction("downloads", "Downloads") {
        browser.goTo(DownloadsScreen(context: context))
      },
      OfferedAction("kept", "Kept from feeds without a subscription") {
        browser.showList(.smart(.archived), opens: true)
      },
      OfferedAction("hidden", "Hidden by rules") { browser.showList(.hidden, opens: true) },
      OfferedAction("hidden-here", "Hidden ones among these, or no longer") {
        guard browser.focus == .articles, let list = browser.articles, !list.source.isSearch else {
          return context.note("Open the list of a feed or a folder first")
        }
        list.toggleHidden()
      },
      OfferedAction("old", "Old articles that came as new") {
        guard !context.session.oldArrivals.isEmpty else {
          return context.note("No feed has brought old articles")
        }
        OldArrivalNotice(context: context).choose()
      },
      OfferedAction("silent", "Feeds that have been silent for months") {
        ArticleLists.askForSilentFeeds(context)
      },
    ]
    if let feed = FocusedItems(browser).focusedFeed ?? FocusedItems(browser).openFeed {
      lists.append(
        OfferedAction("older", "Fetch older posts of the feed", note: feed.name) { text in
          if let reason = OlderPostsWording.whyNot(feed) { return context.note(reason) }
          OlderPostActions.ask(feed, pages: Int(text) ?? 1, context)
        })
    }
    let searches = browser.feeds.model.subscriptions.searches
    return lists
      + searches.map { saved in
        OfferedAction(saved.name, saved.name, note: saved.query) {
          browser.feeds.model.reveal(.list(.saved(saved.id)))
          browser.showList(.saved(saved.id), opens: true)
        }
      }
  }

  private func search(_ text: String) {
    browser.openSearch()
    browser.search.begin(text)
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

  private func askForPage(_ minutes: String) {
    guard minutes.isEmpty else { return openPage(minutes) }
    let last = context.read(try context.store.plan.minutesOfDailyPage())
    let choices = ArgumentChoices(
      all: ["10", "20", "30", "45", "60"], current: "\(last ?? PlanCache.usualMinutes)")
    context.window?.ask(
      Picker("Minutes", choices, new: "Other number") { values in openPage(values.first ?? "") })
  }

  private func openPage(_ text: String) {
    guard let minutes = Int(text), PlanCache.minutesOfPage.contains(minutes) else {
      return context.note("Type minutes from 1 to 1000")
    }
    context.write({ store in
      try await store.plan.dailyPage(minutes: minutes)
    }) { [weak browser, context] page in
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
    let open = browser.focus == .reader ? browser.reader.article?.id : nil
    browser.reader.remember()
    // Queued after the write of the position.
    context.write { store in
      try store.plan.lastBegun(except: open)
    } then: { [weak browser, context] id in
      guard let id else { return context.note("There is no article to continue") }
      browser?.open(id)
    }
  }
}
