import TerminalViews

/// Feeds that failed or moved, with the reason, its time, the next attempt and the remedy.
final class ProblemsScreen: ListSheet {
  let context: ReaderContext
  private let feeds: FeedListModel
  private var problems: ProblemList
  var list: RowList<ProblemList.Row>
  /// The number of rules that are disabled because of an error.
  private var brokenRules = 0

  init(context: ReaderContext, feeds: FeedListModel) {
    self.context = context
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

  private var remedy: Remedy? {
    selected.flatMap { $0.isGroup ? nil : Remedy($0.feeds[0], at: context.now) }
  }

  private var moveWord: String? {
    if case .useNewAddress = remedy { "use the new address" } else { nil }
  }

  private var addressWord: String? {
    switch remedy {
    case .chooseHeadlines: "headlines"
    case .signIn, .editAddress: "address"
    default: nil
    }
  }

  var rowHeight: Int { 4 }

  private(set) lazy var bindings = Bindings { [unowned self] in
    movement + [
      binding(.edit, needsRow: true, unless: self.whyGroup("to correct its address")) { row in
        if row.feeds.allSatisfy({ $0.state.movedTo != nil }) {
          for feed in row.feeds { AddressActions.useMovedAddress(feed, self.context) }
        } else {
          self.editAddress(row.feeds[0])
        }
      }.hinted(self.moveWord ?? self.addressWord),
      binding(.refresh, needsRow: true) { self.retry($0) }.hinted(self.word("retry")),
      .hint(.rules, self.brokenRules > 0 ? "rules" : nil),
      binding(.unsubscribe, needsRow: true) { AddressActions.unsubscribe($0.feeds, self.context) },
      binding(.delete, needsRow: true) { AddressActions.unsubscribe($0.feeds, self.context) }
        .hinted(self.selected?.isPause == false ? "unsubscribe" : nil),
      binding(.open, needsRow: true, unless: self.whyGroup("to open it")) { _ in self.openSelected()
      }
      .hinted(self.selected?.isGroup == false ? "open" : nil),
      SyncSteering.retryFailed(context) { self.problems.feeds }
        .hinted(self.problems.feeds.count > 1 ? self.word("retry all") : nil),
      binding(.pause, needsRow: true, unless: self.whyGroup("to pause it")) {
        SyncSteering.pause($0.feeds[0], self.context)
      },
    ]
  }

  private func whyGroup(_ purpose: String) -> String? {
    let hasMoved = selected?.feeds.allSatisfy { $0.state.movedTo != nil } == true
    return selected?.isGroup == true && !hasMoved ? "Select one of the feeds \(purpose)" : nil
  }

  func openSelected() {
    if let selected, !selected.isGroup {
      context.window?.reveal(.feed(selected.feeds[0].id))
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
  private var isWide: Bool { list.window.width >= 100 }

  /// Returns the lines of a row: one for a heading; two or three for a feed's name, failure and,
  /// outside a group, remedy; in a high window, a blank line after a block.
  func lines(ofRow index: Int) -> Int {
    let (row, height) = (list.rows[index], list.window.height)
    let blank = row.endsBlock && height >= 12 ? 1 : 0
    if row.isGroup { return 1 + blank }
    if row.isMember { return (isWide ? 1 : 2) + blank }
    return (height >= 8 ? 3 : 2) + blank
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
    canvas.write(
      FeedMark(feed).symbol, x: x - 2, y: y, feed.state.failure == nil ? .accent : .error)
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
    canvas.write(sentence, x: x, y: y + 1, columns: canvas.width - x - 1, role)
    guard !row.isMember, list.window.height >= 8 else { return }
    let hint = Remedy(feed, at: context.now)?.hint { self.context.keymap.label($0) }
    let parts = [hasSince ? nil : since, hint].compactMap(\.self).filter { !$0.isEmpty }
    canvas.write(
      parts.joined(separator: "; "), x: x, y: y + 2, columns: canvas.width - x - 1, .secondary)
  }

  private static let nameColumns = 30

  /// Draws the heading of a section or a cause, with the key that acts on all its feeds.
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
    let used = canvas.write(
      title, x: row.isSection ? 1 : 3, y: y, columns: canvas.width - 2,
      row.isSection ? .heading : .title)
    guard let remedy = Remedy(row.feeds[0], at: context.now), remedy.fitsSeveral,
      row.id != .section(needsUser: true), remedy != .leaveAlone,
      let hint = remedy.hint({ self.context.keymap.label($0) })
    else { return }
    canvas.write(hint, x: used + 6, y: y, columns: canvas.width - used - 7, .secondary)
  }
}
