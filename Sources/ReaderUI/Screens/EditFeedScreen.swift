import FeedModel
import FeedStore
import TerminalKit

/// What can be said about a feed, as a form: name, address, folder, whether it is refreshed.
final class EditFeedScreen: Sheet {
  nonisolated private enum Field: Int, CaseIterable {
    case name, address, folder, keeping, refreshing

    var label: String {
      switch self {
      case .name: "Name"
      case .address: "Address"
      case .folder: "Folder"
      case .keeping: "Keep"
      case .refreshing: "Refresh"
      }
    }
  }

  private let context: ReaderContext
  private let feeds: FeedListModel
  private let feed: Feed
  weak var parent: (any Responder)?
  private var texts: [Field: TextField]
  private let initialTexts: [Field: TextField]
  private var isPaused: Bool
  private var current = Field.name
  private var complaint: String?

  init(_ feed: Feed, context: ReaderContext, feeds: FeedListModel) {
    self.feed = feed
    self.context = context
    self.feeds = feeds
    isPaused = feed.isPaused
    texts = [
      .name: TextField(feed.userTitle ?? ""), .address: TextField(feed.url),
      .folder: TextField(FolderPath.text(feeds.path(feed.folder))),
      .keeping: TextField(
        RetentionWording.text((try? context.store.retention(of: feed.id)) ?? nil)),
    ]
    initialTexts = texts
  }

  var commandContext: CommandContext { .help }
  var title: String { "Edit \(feed.name)" }
  var hints: [Hint] {
    var hints = [Hint(key: "Enter", "save"), Hint(key: "Tab", "next")]
    if current == .folder, !feeds.folderPaths.isEmpty {
      hints.append(Hint(key: "Ctrl-n", "folders"))
    }
    if current == .refreshing { hints.append(Hint(key: "Space", "change")) }
    return hints + [Hint(key: "Esc", "leave")]
  }

  func respond(to event: InterfaceEvent) -> Bool { false }

  func take(_ key: Key) -> Bool {
    switch key {
    case .mouse, .resize, .focusIn, .focusOut: return false
    default: break
    }
    context.invalidate()
    switch key {
    case .escape, .control("c"): send(.closeSheet)
    case .enter: save()
    case .tab, .down: step(1)
    case .backTab, .up: step(-1)
    case .control("n") where current == .folder: nextFolder(1)
    case .control("p") where current == .folder: nextFolder(-1)
    default:
      guard var text = texts[current] else {
        if [.character(" "), .left, .right].contains(key) { isPaused.toggle() }
        break
      }
      if text.take(key) { complaint = nil }
      texts[current] = text
    }
    return true
  }

  private func step(_ steps: Int) {
    let count = Field.allCases.count
    current = Field.allCases[(current.rawValue + steps + count) % count]
  }

  /// Goes through the folders that there are.
  private func nextFolder(_ steps: Int) {
    let paths = [""] + feeds.folderPaths
    let place = paths.firstIndex(of: text(.folder)) ?? (steps > 0 ? -1 : paths.count)
    texts[.folder] = TextField(paths[(place + steps + paths.count) % paths.count])
  }

  private func text(_ field: Field) -> String { texts[field]?.text.trimmingWhitespace ?? "" }

  private func save() {
    guard let keeping = RetentionWording.read(text(.keeping)) else {
      complaint =
        "Write how much is kept as \u{201C}500 articles\u{201D}, \u{201C}90 days\u{201D} or both"
      current = .keeping
      return
    }
    let edit = FeedEdit(
      title: text(.name), url: text(.address), folder: FolderPath.titles(text(.folder)),
      isPaused: isPaused, retention: keeping.retention)
    guard WebAddress(edit.url).isHTTP || edit.url == feed.url else {
      complaint = "The address must begin with http:// or https://"
      current = .address
      return
    }
    let (id, context, touched) = (feed.id, context, touched)
    context.write(
      { store throws(StoreError) in
        try await store.edit(id, try Self.current(edit, of: id, store, butFor: touched))
      },
      then: { [weak self] in
        let undo = context.keymap.label(.undo).map { "; \($0) undoes it" } ?? ""
        context.note("Saved\(undo)")
        self?.send(.closeSheet)
      },
      failed: { [weak self] error in
        self?.complaint = StoreWording.sentence(error)
        context.invalidate()
      })
  }

  /// The fields that say something else than when the form was opened.
  private var touched: Set<Field> {
    var touched = Set(texts.filter { $0.value.text != initialTexts[$0.key]?.text }.keys)
    if isPaused != feed.isPaused { touched.insert(.refreshing) }
    return touched
  }

  /// An account or another process may have set a field meanwhile: one that was left alone stays as it is now.
  nonisolated private static func current(
    _ edit: FeedEdit, of id: FeedID, _ store: FeedStore, butFor touched: Set<Field>
  ) throws(StoreError) -> FeedEdit {
    guard let feed = try store.feed(id) else { return edit }
    var edit = edit
    if !touched.contains(.name) { edit.title = feed.userTitle }
    if !touched.contains(.address) { edit.url = feed.url }
    if !touched.contains(.folder) { edit.folder = try store.subscriptions().path(feed.folder) }
    if !touched.contains(.keeping) { edit.retention = try store.retention(of: id) }
    if !touched.contains(.refreshing) { edit.isPaused = feed.isPaused }
    return edit
  }

  /// What holds where nothing is written.
  private func standIn(_ field: Field) -> String {
    switch field {
    case .name: feed.title
    case .folder: "none"
    case .keeping: "as everywhere"
    case .address, .refreshing: ""
    }
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    let text = Canvas.column(in: canvas)
    let isLow = text.height < 12
    for field in Field.allCases {
      let y = field.rawValue * (isLow ? 1 : 2)
      let isCurrent = field == current
      if isCurrent { text.mark(row: y) }
      text.write(field.label, x: 2, y: y, isCurrent ? .title : .secondary)
      let space = text.part(Rect(x: 11, y: y, width: max(1, text.width - 11), height: 1))
      if field == .refreshing {
        space.write(isPaused ? "‹ no: paused ›" : "‹ when it is due ›", x: 0, y: 0)
        continue
      }
      if texts[field]?.text.isEmpty == true {
        space.write(standIn(field), x: 0, y: 0, columns: space.width, .secondary)
      }
      if isCurrent {
        texts[field]?.draw(on: space, x: 0, y: 0)
      } else {
        space.write(self.text(field), x: 0, y: 0, columns: space.width, truncation: .middle)
      }
    }
    let y = Field.allCases.count * (isLow ? 1 : 2)
    if let complaint {
      text.write(complaint, x: 2, y: y, columns: text.width - 2, .error)
    } else if let failure = FailureWording(dates: context.dates).sentence(for: feed) {
      text.write(failure, x: 2, y: y, columns: text.width - 2, .secondary)
    } else if let next = feed.state.nextCheckAt {
      let reason = feed.state.nextCheckReason.map { ": \($0)" } ?? ""
      text.write(
        "Next refresh \(context.dates.moment(next))\(reason)", x: 2, y: y, columns: text.width - 2,
        .secondary)
    }
  }
}
