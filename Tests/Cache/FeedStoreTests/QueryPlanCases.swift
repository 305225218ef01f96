@testable import ArticleStore
@testable import CacheCore
@testable import FeedStore
@testable import WorkStore

extension QueryPlanTests {
  private static let scopes: @Sendable (Fixture) -> [ArticleQuery.Scope] = {
    [.all, .feed($0.feed), .folder($0.folder), .smart(.today), .smart(.starred)]
  }

  /// Lists of single screens, and operations on whole lists.
  static let otherCases: [Case] =
    list("A folder, unread", { .folder($0.folder) }, .unread, indexes: ["list_all"])
    + list(
      "A tag, unread", { _ in .tag("keep") }, .unread, indexes: ["articleTag_tag"], sorts: true)
    + [
      Case(
        name: "The next and the previous unread article",
        indexes: ["list_all", "list_unread_feed"]
      ) { store, fixture in
        for scope in scopes(fixture) {
          let query = ArticleQuery(scope: scope, asOf: fixture.asOf)
          for row in try store.reader.articles.page(query, .top, limit: 3) {
            for start in [PageStart.top, .after(row.key), .before(row.key)] {
              _ = try store.reader.articles.nextUnread(query, start)
            }
          }
        }
      },
      Case(
        name: "Waiting pages of older posts", indexes: ["olderPages_wanted"], sorts: true,
        walks: ["olderPages"]
      ) { store, fixture in
        _ = try await store.reader.olderPosts.request(fixture.feed, pages: 1)
        _ = try store.engine.olderPosts.pending()
        try await store.reader.olderPosts.cancel(fixture.feed)
      },
      Case(
        name: "Unread and Today beside a quiet feed",
        indexes: ["list_all", "list_duplicates", "status_duplicates"],
        walks: ["articleStatus"]
      ) { store, fixture in
        try await store.reader.feeds.setPriority(fixture.feed, .quiet)
        for scope in [ArticleQuery.Scope.exceptQuiet, .smart(.today)] {
          let query = ArticleQuery(scope: scope, filter: .unread, asOf: fixture.asOf)
          let rows = try store.reader.articles.page(query, .top, limit: 20)
          if let key = rows.last?.key {
            _ = try store.reader.articles.nextUnread(query, .after(key))
          }
          _ = try store.reader.articles.arrivals(query)
        }
        _ = try store.reader.articles.page(ArticleQuery(scope: .exceptQuiet), .top, limit: 20)
        _ = try store.reader.feeds.subscriptions()
        try await store.reader.feeds.setPriority(fixture.feed, .normal)
      },
      Case(
        name: "Marking Unread read beside a high feed, and High priority",
        indexes: ["list_all", "list_unread_feed", "list_all_feed", "status_duplicates"],
        sorts: true, walks: ["articleStatus"]
      ) { store, fixture in
        try await store.reader.feeds.setPriority(fixture.feed, .high)
        let query = ArticleQuery(scope: .exceptQuiet, asOf: fixture.asOf)
        _ = try await store.reader.states.markShownRead(query)
        let high = ArticleQuery(scope: .smart(.high), asOf: fixture.asOf)
        _ = try store.reader.articles.page(high, .top, limit: 20)
        _ = try store.reader.feeds.subscriptions()
        try await store.reader.feeds.setPriority(fixture.feed, .normal)
      },
      Case(name: "A selection", indexes: ["list_all", "list_all_feed"]) { store, fixture in
        for scope in scopes(fixture) {
          let query = ArticleQuery(scope: scope, asOf: fixture.asOf)
          let rows = try store.reader.articles.page(query, .top, limit: 3)
          guard let first = rows.first, let last = rows.last else { continue }
          _ = try store.reader.articles.articleIDs(query, from: first.key, through: last.key)
          _ = try store.reader.articles.unread(query, .above(first.key))
          _ = try store.reader.articles.unread(query, .below(first.key))
        }
      },
      Case(name: "A whole list marked read", indexes: ["list_all", "list_unread_feed"]) {
        store, fixture in
        for scope in scopes(fixture) {
          _ = try await store.reader.states.markShownRead(
            ArticleQuery(scope: scope, asOf: fixture.asOf))
        }
        _ = try await store.reader.states.markShownRead(.all, .olderThan(TestCache.start))
        _ = try await store.reader.states.markShownRead(
          .of(fixture.feed), .olderThan(TestCache.start))
      },
      Case(
        name: "What is asleep", indexes: ["snooze_until", "feed_asleep"],
        sorts: true, walks: ["snooze"]
      ) { store, fixture in
        let plan = store.reader.plan
        try await plan.snooze([fixture.article], until: TestCache.start)
        _ = try plan.snoozedItems()
        _ = try plan.nextDueDate()
        try await plan.snooze([fixture.article], until: nil)
        try await plan.endDueSnoozes()
        _ = try await store.reader.journal.undo()
        _ = try await store.reader.journal.undo()
      },
      Case(name: "What was read last", indexes: []) { store, _ in
        _ = try store.reader.articles.recentlyRead()
      },
      Case(name: "Copies in other feeds", indexes: ["status_duplicates"], sorts: true) {
        store, fixture in
        _ = try store.reader.articles.duplicates(of: fixture.copied)
      },
      Case(name: "Feeds that have fallen silent", indexes: ["list_all_feed"], sorts: true) {
        store, _ in
        _ = try store.reader.feeds.silentFeeds(since: TestCache.start)
      },
      Case(name: "What rules hide", indexes: ["list_ruled"], sorts: true) { store, fixture in
        for scope in scopes(fixture) {
          let query = ArticleQuery(scope: scope, asOf: fixture.asOf)
          _ = try store.reader.articles.hiddenByRules(in: query, isAlone: true)
          _ = try store.reader.articles.hiddenByRules(in: query, isAlone: false)
        }
      },
      Case(name: "What rules did", indexes: ["ruleHit_rule", "ruleProgram_rule"], sorts: true) {
        store, fixture in
        let rule = RuleID(rawValue: 1)
        _ = try store.reader.rules.judgements(of: fixture.article)
        _ = try store.reader.rules.weeks(of: rule)
        _ = try store.reader.rules.programFailures(of: rule)
        _ = try store.reader.plan.snoozedUntil(fixture.article)
      },
      Case(name: "Programs of rules", indexes: ["ruleProgram_waiting"]) { store, _ in
        _ = try store.engine.programs.pending()
        _ = try store.engine.programs.pendingNotifications()
      },
      Case(name: "What belongs to an article", indexes: [], sorts: true) { store, fixture in
        _ = try store.reader.states.notes(of: fixture.article)
        _ = try store.reader.downloads.playbacks(of: fixture.article)
        _ = try store.reader.articles.revisionCount(of: fixture.article)
        _ = try store.reader.articles.articleRow(fixture.article)
        _ = try store.reader.packs.packed([fixture.article])
      },
      Case(
        name: "The queue of downloads", indexes: [], sorts: true,
        walks: ["download"]
      ) { store, _ in
        _ = try store.reader.downloads.allDownloads()
        _ = try store.reader.downloads.savedDownloads()
        _ = try store.engine.downloads.unfinishedDownloads()
        _ = try store.engine.downloads.expiredDownloads()
      },
      Case(name: "Pictures", indexes: ["picture_wanted"], sorts: true) { store, _ in
        _ = try store.reader.pictures.known(at: ["https://example.org/a.png"])
        _ = try store.engine.pictures.pending()
        _ = try store.engine.pictures.waiting()
      },
      Case(name: "Packs", indexes: ["packItem_waiting"], sorts: true) { store, fixture in
        _ = try await store.reader.packs.startPack(
          [PackArticle(id: fixture.article, minutes: 4)], budget: 1_000_000)
        _ = try store.reader.packs.last()
        _ = try store.engine.packs.pending()
      },
      Case(name: "The console", indexes: ["feedFetch_due"], sorts: true) { store, _ in
        _ = try store.reader.requests.telemetry()
        _ = try store.reader.feeds.failingFeeds(limit: 20)
        _ = try store.reader.feeds.upcomingFeeds(limit: 20)
        _ = try store.reader.feeds.fetchCosts()
      },
      Case(name: "What the user asked for", indexes: []) { store, _ in
        _ = try store.reader.requests.refreshRequests(finishedSince: TestCache.start)
        _ = try store.engine.discoveries.pending()
        _ = try store.engine.requests.cancellations()
        _ = try store.engine.fetches.waitingFeeds(at: TestCache.start)
        _ = try store.engine.requests.hostLimits(at: TestCache.start)
      },
      Case(name: "Words in place, and the dry run of a rule", indexes: [], sorts: true) {
        store, fixture in
        let list = ArticleQuery(scope: .feed(fixture.feed), asOf: fixture.asOf)
        _ = try await store.search.hits(holding: "item", in: list)
        _ = try await store.search.preview(
          SearchQuery("title:item"), since: TestCache.start - .days(90), limit: 20)
      },
      Case(
        name: "What is cleared away, and articles that come back",
        indexes: ["tombstone_at", "snooze_until"], sorts: true,
        walks: ["ruleProgram"]
      ) { store, _ in
        while try await store.engine.maintenance.maintenanceStep() {}
      },
      Case(name: "Room for pictures", indexes: ["picture_used", "packItem_url"]) { store, _ in
        _ = try await store.database.write(.engine) { db in
          try PictureRows.makeRoom(-1, except: 0, db, at: 0)
        }
      },
      Case(
        // The states are counted once for each file: 20 ms for the 1,000,000 that may be there.
        name: "The shared folder",
        indexes: ["folderFeed_feed", "folderRegister_link", "article_link"],
        walks: ["folderRegister"]
      ) { store, fixture in
        let folder = store.reader.sharedFolder
        try await store.search.saveSearch("linux")
        try await folder.begin(
          path: "/folder", mark: "1", device: DeviceID(rawValue: 1), name: "a", machine: 1)
        try await folder.join(.merge)
        let row = try store.reader.articles.page(.of(fixture.feed), .top, limit: 1)[0]
        try await store.reader.states.set(.starred, [row.id], !row.status.isStarred)
        let own = try await folder.unsent(limit: 1_000)
        for entry in own {
          guard case .articles(let feed, let articles) = entry.subject else { continue }
          // The publisher changed the IDs for the other device.
          var other = entry
          other.subject = .articles(
            feed, articles.map { ArticleIdentity(item: $0.item ^ 1, link: $0.link) })
          try await folder.receive([other], from: DeviceID(rawValue: 2))
        }
        _ = try await store.engine.fetches.merge([
          .parsed(fixture.feed, [.dated(1), .dated(2_000)], at: TestCache.start)
        ])
        try await folder.end()
      },
    ]
}
