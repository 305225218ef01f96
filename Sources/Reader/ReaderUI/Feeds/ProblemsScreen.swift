import TerminalViews

/// Feeds that failed or moved, with the reason, its time, the next attempt and the remedy.
final class ProblemsScreen: ListSheet {
  let context: ReaderContext
  private let feeds: FeedListModel
  private let refreshes: RefreshModel
  private var problems: ProblemList
  var list: RowList<ProblemList.Row>
  /// The number of rules that are disabled because of an error.
  private var brokenRules = 0

  init(context: ReaderContext, feeds: FeedListModel, refreshes: RefreshModel) {
    (self.context, self.refreshes) = (context, refreshes)
    brokenRules = Self.countBrokenRules(context)
    self.feeds = feeds
    problems = ProblemList(feeds.failingFeeds, at: context.now)
    list = RowList(problems.rows)
  }

  var readsFeeds: Bool { true }
  var commandContext: CommandContext { .problems }
  var title: String { "Problems" }
  var caption: String? {
    var parts: [String] = []
    let waiting = problems.waitingCount
    let failing = problems.feeds.count - waiting
    if failing > 0 { parts.append(AmountWording.feeds(failing)) }
    if waiting > 0 { parts.append("\(AmountWording.grouped(waiting)) waiting") }
    if brokenRules > 0 {
      parts.append(AmountWording.count(brokenRules, "broken rule", "broken rules"))
    }
    return parts.isEmpty ? nil : parts.joined(separator: " \u{B7} ")
  }

  private static func countBrokenRules(_ context: ReaderContext) -> Int {
    context.read(try context.store.rules.all().count { $0.problem != nil })
      ?? 0
  }

  var rowHeight: Int { 3 }

  private(set) lazy var bindings = Bindings { [unowned self] in
    movement + [
      binding(.open, needsRow: true) { _ in self.openSelected() }
        .hinted(self.selected.flatMap { self.actions($0).first?.title.lowercased() }),
      .hint(.rules, self.brokenRules > 0 ? "rules" : nil),
      SyncSteering.retryFailed(context) { self.problems.feeds }
        .hinted(self.problems.feeds.count > 1 ? self.word("retry all") : nil),
    ]
      + [Command.edit, .refresh, .delete, .unsubscribe, .pause].map { command in
        binding(command, needsRow: true, unless: self.whyNot(command)) {
          self.perform(command, on: $0)
        }.hinted(self.selected != nil && self.whyNot(command) == nil ? self.words[command] : nil)
      }
  }

  private let words = [Command.refresh: "retry", .delete: "unsubscribe"]

  private func whyNot(_ command: Command) -> String? {
    guard let selected, command != .unsubscribe else { return nil }
    return actions(selected).contains { $0.command == command } ? nil : "Select one of the feeds"
  }

  /// Returns the actions for a feed or a group, the one that helps first.
  private func actions(_ row: ProblemList.Row) -> [(command: Command, title: String)] {
    let feed = row.feeds[0]
    let remedy = Remedy(feed, at: context.now)
    let hasMoved = row.feeds.allSatisfy { $0.state.movedTo != nil }
    let correct = remedy == .chooseHeadlines ? "Choose headlines" : "Correct the address"
    let all: [(command: Command, title: String)] = [
      (.edit, hasMoved ? "Use the new address" : correct), (.refresh, "Retry now"),
      (.delete, "Unsubscribe"), (.open, "Open the feed"),
      (.pause, feed.isPaused ? "Resume refreshes" : "Pause refreshes"),
    ].filter { command, _ in
      switch command {
      case .edit: hasMoved || !row.isGroup
      case .open, .pause: !row.isGroup
      default: true
      }
    }
    let best = remedy?.bestCommand
    return all.filter { $0.command == best } + all.filter { $0.command != best }
  }

  func openSelected() {
    guard let row = selected else { return }
    let items = actions(row).map { Picker.Item($0.command.name, title: $0.title) }
    let name = row.isGroup ? AmountWording.feeds(row.feeds.count) : row.feeds[0].name.shortName
    context.window?.ask(
      Picker(name, items) { [weak self] in
        if let command = $0.first.flatMap(Command.init(named:)) { self?.perform(command, on: row) }
      })
  }

  private func perform(_ command: Command, on row: ProblemList.Row) {
    let feed = row.feeds[0]
    switch command {
    case .edit:
      if row.feeds.allSatisfy({ $0.state.movedTo != nil }) {
        row.feeds.forEach { AddressActions.useMovedAddress($0, context) }
      } else {
        editAddress(feed)
      }
    case .delete, .unsubscribe: AddressActions.unsubscribe(row.feeds, context)
    case .open: context.window?.reveal(.feed(feed.id))
    case .pause: SyncSteering.pause(feed, context)
    default: retry(row)
    }
  }

  private func retry(_ row: ProblemList.Row) {
    let ids = row.feeds.map(\.id)
    let scope: RefreshScope = ids.count == 1 ? .feed(ids[0]) : .feeds(ids)
    let what = ids.count == 1 ? row.feeds[0].name.shortName : AmountWording.feeds(ids.count)
    context.write(noting: "Retrying \(what)") { store in
      try await store.requests.requestRefresh(scope)
    }
  }

  private func editAddress(_ feed: Feed) {
    if case .chooseHeadlines = Remedy(feed, at: context.now), let page = HeadlinesAddress(feed.url)
    {
      context.window?.show(AddFeedScreen(context: context, feeds: feeds, address: page.page))
      return
    }
    let (id, context) = (feed.id, context)
    context.ask(for: "Address: ", text: feed.url) { url in
      guard url != feed.url else { return }
      let fail = { (sentence: String) in
        context.show(.failure(sentence, about: .action(.edit)))
      }
      guard WebAddress(url).isHTTP else {
        return fail("An address begins with https:// or http://")
      }
      context.write(
        { store in
          try await store.feeds.edit(id) { $0.url = url }
          try await store.requests.requestRefresh(.feed(id))
        },
        then: {
          context.clearFailure(of: .action(.edit))
          context.note("Retrying \(feed.name.shortName) at \(FailureWording.subject(url))")
        }, failed: { fail(StoreWording.sentence($0)) })
    }
  }

  func modelUpdated(_ change: StoreChange) {
    problems = ProblemList(feeds.failingFeeds, at: context.now)
    list.update(problems.rows)
    if change.contains(.rules) { brokenRules = Self.countBrokenRules(context) }
    context.invalidate()
  }

  /// True if the window has room for names and sentences side by side.
  private var isWide: Bool { list.window.width >= 120 }

  /// Returns the lines of a row: one for a heading, two for a feed's name and failure; in a high
  /// window, a blank line after a block.
  func lines(ofRow index: Int) -> Int {
    let (row, height) = (list.rows[index], list.window.height)
    let blank = row.endsBlock && height >= 12 ? 1 : 0
    if row.isGroup { return 1 + blank }
    return (row.isMember && isWide ? 1 : 2) + blank
  }

  var emptyText: [String] { [brokenRules > 0 ? "No feed has a problem." : "No problems."] }

  func draw(_ row: ProblemList.Row, on canvas: Canvas, y: Int) {
    guard !row.isGroup else { return draw(group: row, on: canvas, y: y) }
    let wording = FailureWording(dates: context.dates)
    let feed = row.feeds[0]
    let x = row.isMember ? 5 : 3
    let since = wording.since(feed)
    // Dates have a column if there is room beside the names.
    let hasSince = canvas.width >= 64
    let room = canvas.width - x - 1 - (hasSince ? since.count + 2 : 0)
    let mark = refreshes.isRefreshing(feed.id) ? .refreshing : FeedMark(feed)
    canvas.write(
      mark.symbol, x: x - 2, y: y, feed.state.failure == nil ? .accent : .error)
    let hasColumns = row.isMember && isWide
    canvas.write(
      feed.name, x: x, y: y, columns: hasColumns ? Self.nameColumns : room,
      row.isMember ? .text : .title)
    if hasSince { canvas.write(since, x: canvas.width - since.count - 1, y: y, .secondary) }
    let sentence =
      wording.sentence(for: feed)
      ?? feed.state.movedTo.map {
        "It has moved to \(Confusables.shown(HiddenSecrets.name(of: $0)))"
      } ?? ""
    if hasColumns {
      let column = x + Self.nameColumns + 2
      canvas.write(sentence, x: column, y: y, columns: room + x - column, .secondary)
      return
    }
    let role: Role = row.isMember ? .secondary : .text
    let text = hasSince || since.isEmpty ? sentence : "\(sentence); \(since)"
    canvas.write(text, x: x, y: y + 1, columns: canvas.width - x - 1, role)
  }

  private static let nameColumns = 30

  /// Draws the heading of a section or a cause.
  private func draw(group row: ProblemList.Row, on canvas: Canvas, y: Int) {
    let title: String
    switch row.id {
    case .section(needsUser: true):
      title = "Needs you (\(AmountWording.grouped(row.feeds.count)))"
    case .section:
      let next = row.feeds.compactMap(\.state.nextCheckAt).filter { $0 > context.now }.min()
      title =
        "Weir retries these (\(AmountWording.grouped(row.feeds.count)))"
        + (next.map { ", next \(context.dates.moment($0))" } ?? "")
    case .cause(let cause): title = cause.title(row.feeds.count)
    case .pause(let host):
      title = problems.pauses.first { $0.host == host }?.sentence(context.dates) ?? ""
    case .feed: title = ""
    }
    canvas.write(
      title, x: row.isSection ? 1 : 3, y: y, columns: canvas.width - 2,
      row.isSection ? .heading : .title)
  }
}
