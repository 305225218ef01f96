import TerminalViews

/// Releases the unread articles of a feed at a rate, instead of all at once.
struct DripCommand {
  let feed: Feed
  let context: ReaderContext

  static let choices = ArgumentChoices(
    all: ["1/day", "3/day", "5/day", "10/day", "off"],
    titles: ["off": "off \u{B7} list all of them now"])

  /// Parses "3/day" or "3"; 0 for "off", and `nil` if the text is invalid.
  static func rate(_ text: String) -> Int? {
    let text = text.trimmingWhitespace.lowercased()
    if text == "off" { return 0 }
    let number = Int(text.hasSuffix("/day") ? text.dropLast(4) : text[...])
    return number.flatMap { (1...1_000).contains($0) ? $0 : nil }
  }

  func perform(_ text: String) {
    guard let rate = Self.rate(text) else {
      return context.note("Write a number of articles a day, such as 3/day, or off")
    }
    let (feed, context, now) = (feed, context, context.now)
    let calendar = SnoozeChoices.calendar(context)
    context.write({ store throws(StoreError) in
      try await store.plan.drip(feed.id, rate: rate == 0 ? nil : rate) {
        SnoozeTime.morning($0 + 1, after: now, calendar)
      }
    }) { waiting in
      let articles = AmountWording.count(waiting, "article", "articles")
      let result =
        rate == 0
        ? "lists all unread articles"
        : waiting == 0 ? "has no more unread articles than that" : "holds back \(articles)"
      context.note("\(feed.name.shortName) \(result)\(context.undoHint())")
    }
  }
}
