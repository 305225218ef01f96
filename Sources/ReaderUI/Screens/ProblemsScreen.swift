import FeedModel
import FeedStore
import TerminalKit

/// Each feed that failed or moved: why, since when, what happens next, and what helps.
final class ProblemsScreen: Sheet {
  private let context: ReaderContext
  private let feeds: FeedListModel
  weak var parent: (any Responder)?
  private var rows: [Feed]
  private var selected = 0
  private var top = 0
  private var height = 1
  /// Name, sentence, since when, and a blank line.
  private static let linesPerFeed = 4

  init(context: ReaderContext, feeds: FeedListModel) {
    self.context = context
    self.feeds = feeds
    rows = feeds.failingFeeds
  }

  var commandContext: CommandContext { .problems }
  var title: String { "Problems" }
  var hints: [Hint] {
    guard let feed = selectedFeed else { return [Hint(.back, "back")] }
    var hints = [
      Hint(.refresh, "retry"), Hint(.open, "go there"), Hint(.unsubscribe, "unsubscribe"),
    ]
    if feed.state.movedTo != nil {
      hints.insert(Hint(.useNewAddress, "use the new address"), at: 0)
    }
    return hints + [Hint(.back, "back")]
  }

  private var selectedFeed: Feed? { rows.indices.contains(selected) ? rows[selected] : nil }

  func respond(to event: InterfaceEvent) -> Bool {
    guard case .command(let command, let count) = event else { return false }
    let repetitions = count ?? 1
    let page = max(1, height / Self.linesPerFeed)
    switch command {
    case .moveDown: select(selected + repetitions)
    case .moveUp: select(selected - repetitions)
    case .halfPageDown, .pageDown: select(selected + page * repetitions)
    case .halfPageUp, .pageUp: select(selected - page * repetitions)
    case .top: select(0)
    case .bottom: select(rows.count - 1)
    case .open:
      guard let feed = selectedFeed else { return false }
      send(.reveal(.feed(feed.id)))
    case .refresh:
      guard let feed = selectedFeed else { return false }
      let scope = RefreshScope.feed(feed.id)
      let context = context
      context.write({ store throws(StoreError) in try await store.requestRefresh(scope) }) { _ in
        context.note("Trying \(feed.name) again")
      }
    case .unsubscribe:
      guard let feed = selectedFeed else { return false }
      AddressActions.unsubscribe(feed, context)
    case .useNewAddress:
      guard let feed = selectedFeed, let address = feed.state.movedTo else {
        context.note("This feed has not announced another address")
        return true
      }
      let (id, context) = (feed.id, context)
      context.write({ store throws(StoreError) in try await store.useMovedAddress(id) }) {
        context.note("\(feed.name) is now fetched from \(address)")
      }
    default: return false
    }
    context.invalidate()
    return true
  }

  private func select(_ index: Int) { selected = min(max(0, index), max(0, rows.count - 1)) }

  func modelUpdated(_ change: StoreChange) {
    let id = selectedFeed?.id
    rows = feeds.failingFeeds
    select(rows.firstIndex { $0.id == id } ?? selected)
    context.invalidate()
  }

  func mouse(_ action: MouseEvent.Action, x: Int, y: Int) -> Bool {
    switch action {
    case .wheelDown: select(selected + 1)
    case .wheelUp: select(selected - 1)
    case .press, .doubleClick:
      let index = top + y / Self.linesPerFeed
      guard rows.indices.contains(index) else { return false }
      select(index)
      if action == .doubleClick { send(.command(.open, count: nil)) }
    case .release: return false
    }
    return true
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    height = canvas.height
    guard !rows.isEmpty else {
      canvas.write("Every feed came through at its last refresh.", x: 3, y: 0, .secondary)
      return
    }
    let visible = max(1, height / Self.linesPerFeed)
    if selected < top { top = selected }
    if selected >= top + visible { top = selected - visible + 1 }
    let wording = FailureWording(dates: context.dates)
    for (place, feed) in rows.dropFirst(top).prefix(visible + 1).enumerated() {
      let y = place * Self.linesPerFeed
      canvas.write(FeedMark(feed).symbol, x: 1, y: y, feed.state.failure == nil ? .accent : .error)
      canvas.write(feed.name, x: 3, y: y, columns: canvas.width - 4, .title)
      if top + place == selected {
        canvas.select(row: y)
        canvas.write("▎", x: 0, y: y, .accent)
      }
      var lines: [String] = []
      if let sentence = wording.sentence(for: feed) { lines.append(sentence) }
      if let failure = feed.state.failure { lines.append(wording.since(failure)) }
      if let address = feed.state.movedTo { lines.append("It has moved to \(address)") }
      for (offset, line) in lines.prefix(Self.linesPerFeed - 2).enumerated() {
        canvas.write(
          line, x: 3, y: y + 1 + offset, columns: canvas.width - 4,
          offset == 0 ? .text : .secondary)
      }
    }
  }
}
