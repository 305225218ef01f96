import TerminalViews

/// Draws a row of the feeds: its mark, its name, the state of an account, and its count.
struct FeedRowDrawing {
  let canvas: Canvas
  let context: ReaderContext
  let model: FeedListModel
  let accounts: [Account]

  func draw(_ row: FeedRow, isSelected: Bool, y: Int) {
    // Deep trees leave at least half of the pane for names.
    let x = 1 + min(2 * row.depth, max(0, canvas.width / 2 - 4))
    var count = row.unread.flatMap { $0 > 0 ? AmountWording.grouped($0) : nil } ?? ""
    if row.isLeast, !count.isEmpty { count += "+" }
    if row.isQuiet, !count.isEmpty { count = "(\(count))" }
    let minutes = context.store.plan.minutes(ofWords: row.words)
    if minutes > 0 { count += " \u{B7} \(AmountWording.duration(Double(minutes) * 60))" }
    let snoozed = snoozed(row)
    if let snoozed { count = snoozed }
    let countWidth = count.isEmpty ? 0 : GraphemeWidth.width(of: count) + 1
    var right = canvas.width - 1
    if case .firstStep(let step) = row.item,
      let key = context.keymap.label(step.path == nil ? step.command : .open)
    {
      canvas.write("+", x: x, y: y, .accent)
      right -= GraphemeWidth.width(of: key) + 1
      canvas.write(key, x: right + 1, y: y, .secondary)
    } else if let isExpanded = row.isExpanded {
      canvas.write(isExpanded ? "▾" : "▸", x: x, y: y, .secondary)
    } else {
      let symbol = row.item.isSavedSearch ? "/" : row.mark.symbol
      // If a feed in a folder fails, the folder has the red mark.
      let failing = row.depth > 0 ? Role.secondary : .error
      canvas.write(symbol, x: x, y: y, row.mark == .failing ? failing : .accent)
    }
    let role: Role
    switch row.item {
    case .list(.feed):
      role = count.isEmpty || row.isQuiet || snoozed != nil ? .secondary : .text
    case .list(.folder): role = .title
    case .list(.smart), .list(.tag), .list(.saved), .list(.search), .list(.hidden),
      .list(.dailyPage), .firstStep:
      role = .text
    }
    let isFailing = row.isExpanded != nil && row.mark == .failing
    let failing: (String, Role)? = isFailing ? ("!", .error) : nil
    let state = row.account.flatMap(accountState) ?? failing
    let stateWidth = state.map { GraphemeWidth.width(of: $0.text) + 1 } ?? 0
    let space = right - countWidth - stateWidth - x - 2
    if let state {
      canvas.write(state.text, x: right - countWidth - stateWidth + 1, y: y, state.role)
    }
    let used = canvas.write(
      row.name, x: x + 2, y: y, columns: space, isSelected ? .title : role)
    if case .list(.feed(let id)) = row.item, row.mark != .none, space >= 50,
      let note = note(id, row.mark)
    {
      let from = max(used + 2, 30 - x)
      canvas.write(note, x: x + 2 + from, y: y, columns: space - from - 1, .secondary)
    }
    canvas.write(count, x: right - GraphemeWidth.width(of: count), y: y, .secondary)
  }

  /// The width from which words precede the time at which a snooze ends.
  private static let roomy = 50

  /// Returns the time at which the snooze of a feed ends; `nil` for other rows.
  private func snoozed(_ row: FeedRow) -> String? {
    guard case .list(.feed(let id)) = row.item, let until = model.feed(id)?.snoozedUntil else {
      return nil
    }
    return (canvas.width < Self.roomy ? "" : "asleep until ") + context.dates.moment(until)
  }

  /// Returns the reason for a feed's mark, shown in a wide pane.
  private func note(_ id: FeedID, _ mark: FeedMark) -> String? {
    guard let feed = model.feed(id) else { return nil }
    if mark == .refreshing { return "refreshing" }
    if feed.isPaused { return "paused" }
    if let sentence = FailureWording(dates: context.dates).sentence(for: feed) { return sentence }
    return feed.state.movedTo.map {
      "has moved to \(Confusables.shown(HiddenSecrets.name(of: $0)))"
    }
  }

  /// Returns the state of an account for the row of its folder: syncing, failed, or with unsent
  /// changes.
  private func accountState(_ id: AccountID) -> (text: String, role: Role)? {
    guard let account = accounts.first(where: { $0.id == id }) else { return nil }
    if account.state.isSyncing { return ("⟳", .accent) }
    if account.state.failure != nil { return ("!", .error) }
    let waiting = account.state.outbox.waiting
    return waiting > 0 ? ("⇡ \(AmountWording.grouped(waiting))", .secondary) : nil
  }
}

extension FeedRow {
  /// Returns the row as a sentence: "3 of 40, level 2, failing, LWN, 12 unread".
  /// - Parameter minutes: the time to read the articles kept for later; 0 for other rows.
  func sentence(_ index: Int, of count: Int, minutes: Int) -> String {
    let isLater = item == .list(.smart(.later))
    let unread = unread.map {
      isLater ? AmountWording.articles($0) : "\(AmountWording.grouped($0)) unread"
    }
    let parts = [
      "\(index + 1) of \(count)", depth > 0 ? "level \(depth + 1)" : nil,
      isExpanded.map { $0 ? "open folder" : "closed folder" }, isQuiet ? "quiet" : nil,
      mark.word, name, unread, ReadingWording.spokenMinutes(minutes),
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension FeedMark {
  /// The mark in words; `nil` if there is none.
  fileprivate var word: String? {
    switch self {
    case .none: nil
    case .refreshing: "refreshing"
    case .failing: "failing"
    case .waiting: "waiting"
    case .paused: "paused"
    case .moved: "moved"
    case .list: "followed list"
    case .snoozed: "asleep"
    }
  }
}
