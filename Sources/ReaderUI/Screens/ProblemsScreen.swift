import FeedModel
import FeedStore
import TerminalKit

/// Each feed that failed or moved: why, since when, what happens next, and what helps.
final class ProblemsScreen: Sheet {
  private let context: ReaderContext
  private let feeds: FeedListModel
  weak var parent: (any Responder)?
  private var list: ProblemList
  private var selection = RowSelection<ProblemList.RowID>()
  private var height = 1
  /// The row of each line that was drawn last.
  private var drawnLines: [Int] = []

  init(context: ReaderContext, feeds: FeedListModel) {
    self.context = context
    self.feeds = feeds
    list = ProblemList(feeds.failingFeeds)
    selection.update(list.rows.map(\.id))
  }

  var commandContext: CommandContext { .problems }
  var title: String { "Problems" }
  var caption: String? {
    list.feeds.isEmpty ? nil : AmountWording.count(list.feeds.count, "feed", "feeds")
  }

  var hints: [Hint] {
    guard let row = selectedRow else { return [Hint(.back, "back")] }
    var hints = [Hint(.refresh, "retry")]
    switch row.isGroup ? nil : Remedy(row.feeds[0], at: context.now) {
    case .useNewAddress: hints.insert(Hint(.useNewAddress, "use the new address"), at: 0)
    case .signIn, .editAddress: hints.append(Hint(.editAddress, "address"))
    default: break
    }
    hints += [Hint(.unsubscribe, "unsubscribe"), Hint(.open, "go there")]
    if list.feeds.count > 1 { hints.append(Hint(.retryFailed, "retry all")) }
    return hints + [Hint(.back, "back")]
  }

  private var selectedRow: ProblemList.Row? {
    list.rows.indices.contains(selection.selected) ? list.rows[selection.selected] : nil
  }

  // MARK: Keys

  func respond(to event: InterfaceEvent) -> Bool {
    guard case .command(let command, let count) = event else { return false }
    if selection.respond(to: command, count, page: max(1, height / 4)) {
      context.invalidate()
      return true
    }
    if command == .retryFailed {
      SyncSteering.retryFailed(list.feeds, context)
      return true
    }
    guard let row = selectedRow else { return false }
    let feed = row.feeds[0]
    switch command {
    case .open: send(.reveal(.feed(feed.id)))
    case .refresh: retry(row)
    case .unsubscribe:
      if row.isGroup { unsubscribe(row.feeds) } else { AddressActions.unsubscribe(feed, context) }
    case .useNewAddress: useNewAddress(row)
    case .editAddress:
      if row.isGroup {
        context.note("Select one of the feeds to correct its address")
      } else {
        editAddress(feed)
      }
    case .pauseThis:
      if row.isGroup {
        context.note("Select one of the feeds to pause it")
      } else {
        SyncSteering.pause(feed, context)
      }
    default: return false
    }
    context.invalidate()
    return true
  }

  private func retry(_ row: ProblemList.Row) {
    let ids = row.feeds.map(\.id)
    let scope: RefreshScope = ids.count == 1 ? .feed(ids[0]) : .feeds(ids)
    let what = ids.count == 1 ? row.feeds[0].name : AmountWording.count(ids.count, "feed", "feeds")
    let context = context
    context.write({ store throws(StoreError) in try await store.requestRefresh(scope) }) { _ in
      context.note("Trying \(what) again")
    }
  }

  private func unsubscribe(_ feeds: [Feed]) {
    let (ids, context) = (feeds.map(\.id), context)
    context.write({ store throws(StoreError) in try await store.unsubscribe(ids) }) {
      let undo = context.keymap.label(.undo).map { "; \($0) brings them back" } ?? ""
      context.note("Unsubscribed from \(AmountWording.count(ids.count, "feed", "feeds"))\(undo)")
    }
  }

  private func useNewAddress(_ row: ProblemList.Row) {
    AddressActions.useMovedAddress(row.isGroup ? nil : row.feeds.first, context)
  }

  private func editAddress(_ feed: Feed) {
    let (id, context) = (feed.id, context)
    let prompt = TextPrompt(label: "Address:", text: feed.url, context: context) {
      [weak self] text in
      self?.send(.endPrompt)
      guard let url = text?.trimmingWhitespace, url != feed.url, !url.isEmpty else { return }
      let fail = { (sentence: String) in
        context.show(.failure(sentence, about: .action(.editAddress)))
      }
      guard WebAddress(url).isHTTP else {
        return fail("An address begins with https:// or http://")
      }
      context.write(
        { store throws(StoreError) in
          try await store.setAddress(id, url)
          try await store.requestRefresh(.feed(id))
        },
        then: {
          context.settle(.action(.editAddress))
          context.note("Trying \(feed.name) at \(FailureWording.subject(url))")
        }, failed: { fail(StoreWording.sentence($0)) })
    }
    send(.ask(prompt))
  }

  // MARK: Changes and the mouse

  func modelUpdated(_ change: StoreChange) {
    list = ProblemList(feeds.failingFeeds)
    selection.update(list.rows.map(\.id))
    context.invalidate()
  }

  func mouse(_ action: MouseEvent.Action, x: Int, y: Int) -> Bool {
    let row = drawnLines.indices.contains(y) ? drawnLines[y] : nil
    let isTaken = selection.respond(
      to: action, on: row, wheelRows: context.configuration.wheelRows,
      in: ListScrolling(height: height) { index, _ in self.lines(self.list.rows[index]) })
    if isTaken, action == .doubleClick { send(.command(.open, count: nil)) }
    return isTaken
  }

  // MARK: Drawing

  /// Name, sentence, and what helps; with room, a blank line.
  private func lines(_ row: ProblemList.Row) -> Int {
    let blank = row.endsBlock && height >= 12 ? 1 : 0
    if row.isMember { return 1 + blank }
    return (height >= 8 ? 3 : 2) + blank
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    height = canvas.height
    drawnLines = []
    guard !list.rows.isEmpty else {
      canvas.write(
        "Every feed came through at its last refresh.", x: 3, y: 0, columns: canvas.width - 4,
        .secondary)
      return
    }
    selection.show(in: height) { lines(list.rows[$0]) }
    var y = 0
    for index in selection.top..<list.rows.count {
      guard y < height else { break }
      let row = list.rows[index]
      draw(row, on: canvas, y: y)
      if index == selection.selected {
        canvas.select(row: y)
        canvas.mark(row: y)
      }
      drawnLines += Array(repeating: index, count: lines(row))
      y += lines(row)
    }
  }

  private func draw(_ row: ProblemList.Row, on canvas: Canvas, y: Int) {
    let wording = FailureWording(dates: context.dates)
    let feed = row.feeds[0]
    let x = row.isMember ? 5 : 3
    let since = feed.state.failure.map(wording.since) ?? ""
    // Dates stand in line where there is room for them beside the names.
    let hasSince = canvas.width >= 64 && !row.isGroup
    let room = canvas.width - x - 1 - (hasSince ? since.count + 2 : 0)
    let name =
      row.isGroup
      ? "\(FailureWording.subject(feed.url)): \(AmountWording.count(row.feeds.count, "feed", "feeds"))"
      : feed.name
    if !row.isMember {
      canvas.write(
        row.isGroup ? "!" : FeedMark(feed).symbol, x: 1, y: y,
        feed.state.failure == nil ? .accent : .error)
    }
    canvas.write(name, x: x, y: y, columns: room, row.isMember ? .text : .title)
    if hasSince {
      canvas.write(since, x: canvas.width - since.count - 1, y: y, .secondary)
    }
    guard !row.isMember else { return }
    let sentence =
      wording.sentence(for: feed)
      ?? feed.state.movedTo.map { "It has moved to \(Confusables.shown($0))" }
    canvas.write(sentence ?? "", x: x, y: y + 1, columns: canvas.width - x - 1)
    guard height >= 8 else { return }
    var remedy = Remedy(feed, at: context.now)
    if row.isGroup, remedy?.fitsSeveral == false { remedy = nil }
    let hint = remedy?.hint { self.context.keymap.label($0) }
    let parts = [hasSince || row.isGroup ? nil : since, hint].compactMap { $0 }.filter {
      !$0.isEmpty
    }
    canvas.write(
      parts.joined(separator: "; "), x: x, y: y + 2, columns: canvas.width - x - 1, .secondary)
  }
}
