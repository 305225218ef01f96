import Foundation
import TerminalViews

/// Snoozed articles and feeds, in the order in which they are due.
final class SnoozedScreen: ListSheet {
  let context: ReaderContext
  var list: RowList<SnoozedItem>
  private var observation: StoreObservation?

  init(context: ReaderContext) {
    self.context = context
    list = RowList(context.read(try context.store.plan.snoozedItems()) ?? [])
    observation = context.observe([.statuses, .subscriptions])
  }

  var commandContext: CommandContext { .snoozed }
  var title: String { "Asleep" }
  var caption: String? { list.rows.isEmpty ? nil : AmountWording.grouped(list.rows.count) }

  private(set) lazy var bindings = Bindings { [unowned self] in
    movement + [
      binding(.open, unless: self.whyNone) { _ in self.openSelected() }.hinted(self.word("open")),
      Binding(
        .snooze, unless: self.whyNone, choices: { SnoozeChoices.all(self.context) },
        given: { self.snooze($0) }
      ).hinted(self.word("change the time")),
      binding(.wake, unless: self.whyNone) { self.unsnooze($0) }.hinted(self.word("wake now")),
    ]
  }

  private var whyNone: String? { selected == nil ? "Nothing is asleep" : nil }

  func openSelected() {
    switch selected?.subject {
    case .article(let id):
      context.window?.closeSheet()
      context.window?.open(id)
    case .feed(let id): context.window?.reveal(.feed(id))
    case nil: break
    }
  }

  private func snooze(_ text: String) {
    guard let selected else { return }
    switch selected.subject {
    case .article(let id): SnoozeChoices.snooze(text, context) { _ in [id] }
    case .feed(let id): SnoozeChoices.snooze(text, id, selected.title, context)
    }
  }

  private func unsnooze(_ item: SnoozedItem) {
    context.write(noting: "\u{201C}\(item.title)\u{201D} is awake\(context.undoHint())") {
      store in
      switch item.subject {
      case .article(let id): try await store.plan.snooze([id], until: nil)
      case .feed(let id): try await store.plan.snooze(id, until: nil)
      }
    }
  }

  func modelUpdated(_ change: StoreChange) {
    guard !change.isDisjoint(with: [.statuses, .subscriptions]),
      let rows = context.read(try context.store.plan.snoozedItems())
    else { return }
    list.update(rows)
    context.invalidate()
  }

  var emptyText: [String] {
    let hint = context.keymap.label(.snooze).map {
      " \($0) on an article or a feed lets it sleep until a time."
    }
    return ["Nothing is asleep." + (hint ?? "")]
  }

  func draw(_ row: SnoozedItem, on canvas: Canvas, y: Int) {
    let until = context.dates.moment(row.until)
    canvas.write(until, x: 1, y: y, columns: 15, .secondary)
    let feed = row.feedName ?? "feed"
    let columns = canvas.width >= 60 ? min(24, canvas.width / 4) : 0
    let used = canvas.write(
      row.title, x: 17, y: y, columns: max(0, canvas.width - 20 - columns), .text)
    if columns > 0 {
      canvas.write(
        feed, x: max(canvas.width - 1 - columns, 18 + used), y: y, columns: columns, .secondary)
    }
  }
}

/// Ends due snoozes while the reader is open. The timer is set only while something is snoozed.
enum SnoozeTimer {
  /// The longest wait, because the clock may be set and the machine may sleep meanwhile.
  private static let longest = Duration.seconds(60)

  static func update(_ context: ReaderContext) {
    let next = context.read(try context.store.plan.nextDueDate())
    context.session.waking = next.map { next in
      let wait = Duration.seconds(max(0, next.timeIntervalSince(context.now)))
      return context.timers.after(min(wait, longest)) { [weak context] in
        if let context { wake(context) }
      }
    }
  }

  private static func wake(_ context: ReaderContext) {
    context.write(isSeen: false) { store in
      try await store.plan.endDueSnoozes()
    } then: { [weak context] in
      if let context { update(context) }
    }
  }
}
