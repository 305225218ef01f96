import Foundation
import TerminalViews

/// Lists without a row among the feeds: recently read articles, what is asleep, silent feeds,
/// duplicates of an article. Each is filtered while the user types.
package enum ArticleLists {
  package static func askForRecentlyRead(_ context: ReaderContext) {
    context.session.preparation = context.load { store in
      try store.articles.recentlyRead()
    } then: { found in
      guard !found.isEmpty else { return context.note("Nothing was read in the last 30 days") }
      let dates = context.dates
      let items = found.map { row, at in
        Picker.Item(
          String(row.id.rawValue), title: row.title,
          note: "\(row.feedName) \u{B7} read \(dates.moment(at))")
      }
      context.window?.ask(Picker("Recently read", items) { values in open(values.first, context) })
    }
  }

  package static func askForAsleep(_ context: ReaderContext) {
    let found = context.read(try context.store.plan.snoozedItems()) ?? []
    guard !found.isEmpty else { return context.note("Nothing is asleep") }
    let items = found.enumerated().map { index, item in
      Picker.Item(
        String(index), title: item.title,
        note: "until \(context.dates.moment(item.until)) \u{B7} \(item.feedName ?? "feed")")
    }
    context.window?.ask(
      Picker("Asleep", items) { values in
        switch values.first.flatMap({ Int($0) }).map({ found[$0].subject }) {
        case .article(let id): context.window?.open(id)
        case .feed(let id): context.window?.reveal(.feed(id))
        case nil: break
        }
      })
  }

  /// Months without an article after which a feed counts as silent.
  static let silence = 3

  package static func askForSilentFeeds(_ context: ReaderContext) {
    let date = context.dates.now.addingTimeInterval(-.days(30 * Double(silence)))
    context.session.preparation = context.load { store in
      try store.feeds.silentFeeds(since: date)
    } then: { found in
      guard !found.isEmpty else {
        return context.note("Every feed had an article in the last \(silence) months")
      }
      let dates = context.dates
      let items = found.map { feed, newest in
        Picker.Item(
          String(feed.id.rawValue), title: feed.name,
          note: newest.map { "nothing since \(dates.moment($0))" } ?? "never had an article")
      }
      context.window?.ask(
        Picker("Silent feeds", items) { values in
          guard let id = values.first.flatMap({ Int64($0) }) else { return }
          context.window?.reveal(.feed(FeedID(rawValue: id)))
        })
    }
  }

  static func askForDuplicate(_ duplicates: [ArticleRow], _ context: ReaderContext) {
    let dates = context.dates
    let items = duplicates.map { row in
      Picker.Item(
        String(row.id.rawValue), title: row.feedName,
        note: "\(row.title) \u{B7} \(dates.moment(row.sortDate))")
    }
    context.window?.ask(Picker("Also in", items) { values in open(values.first, context) })
  }

  private static func open(_ value: String?, _ context: ReaderContext) {
    guard let id = value.flatMap({ Int64($0) }) else { return }
    context.window?.open(ArticleID(rawValue: id))
  }
}
