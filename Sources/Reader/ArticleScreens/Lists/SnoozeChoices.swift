package import Foundation
package import TerminalViews

/// Questions about the time until which articles and feeds are snoozed.
package enum SnoozeChoices {
  private static let usual = ["2h", "tomorrow", "mon", "3d"]
  /// The choice that ends the snooze of a feed.
  private static let now = "now"

  /// Returns the usual times with their dates, and the time that was chosen last, which is
  /// selected.
  /// - Parameter isSnoozed: true to offer the end of a feed's snooze.
  package static func all(_ context: ReaderContext, isSnoozed: Bool = false) -> ArgumentChoices? {
    let last = context.configuration.remembered[.snooze] ?? ""
    let times = usual.contains(last) || last.isEmpty ? usual : [last] + usual
    let titles = times.map { time in
      let moment = date(of: time, context).map(context.dates.moment) ?? time
      // "tomorrow" and "mon" are in their moments.
      let isSaid = moment.lowercased().hasPrefix(time.lowercased())
      return (time, isSaid ? moment : "\(time) \u{B7} \(moment)")
    }
    var choices = ArgumentChoices(
      all: (isSnoozed ? [now] : []) + times, current: last,
      titles: Dictionary(titles + [(now, "now \u{B7} wake it")], uniquingKeysWith: { a, _ in a }))
    choices.problem = { text in
      isSnoozed && text == now || date(of: text, context) != nil ? nil : advice
    }
    return choices
  }

  private static let advice =
    "Write a time in the future: 2h, 3d, tomorrow 18:00, mon or 2030-12-24 9:30"

  private static func date(of text: String, _ context: ReaderContext) -> Date? {
    SnoozeTime.date(text, after: context.now, calendar(context))
  }

  package static func calendar(_ context: ReaderContext) -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = context.configuration.timeZone
    return calendar
  }

  /// Returns the time that a text means, and remembers the text; `nil` with a message if it means
  /// none.
  private static func date(_ text: String, _ context: ReaderContext) -> Date? {
    let text = text.trimmingWhitespace
    guard let date = date(of: text, context) else {
      context.note(advice)
      return nil
    }
    // A date is not offered again, because it is useful only once.
    if !text.contains("-") { context.choose(.snooze, text) }
    return date
  }

  /// Snoozes the articles that `articles` returns within the write.
  /// - Returns: false if the text means no time.
  @discardableResult
  package static func snooze(
    _ text: String, _ context: ReaderContext,
    _ articles: @escaping @Sendable (ReaderCache) throws -> [ArticleID]
  ) -> Bool {
    guard let until = date(text, context) else { return false }
    context.write({ store in
      let ids = try articles(store)
      try await store.plan.snooze(ids, until: until)
      return ids.count
    }) {
      let what = AmountWording.articles($0)
      context.note("\(what) asleep until \(context.dates.moment(until))\(context.undoHint())")
    }
    return true
  }

  static func wake(_ article: ArticleID, _ context: ReaderContext) {
    context.write(noting: "Awake\(context.undoHint())") { store in
      try await store.plan.snooze([article], until: nil)
    }
  }

  /// Snoozes a feed, or ends its snooze.
  package static func snooze(
    _ text: String, _ feed: FeedID, _ name: String, _ context: ReaderContext
  ) {
    let until = text == now ? nil : date(text, context)
    guard text == now || until != nil else { return }
    let state = until.map { "asleep until \(context.dates.moment($0))" } ?? "awake"
    context.write(noting: "\(name.shortName) is \(state)\(context.undoHint())") {
      store in try await store.plan.snooze(feed, until: until)
    }
  }
}
