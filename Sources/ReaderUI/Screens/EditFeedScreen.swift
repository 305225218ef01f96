import FeedModel
import FeedStore
import TerminalKit
import Wording

/// What can be set about a feed, as a form: name, address, folder, whether it is refreshed.
final class EditFeedScreen: Sheet {
  nonisolated private enum Field { case name, address, folder, keeping, refreshing }

  private let context: ReaderContext
  private let feed: Feed
  private var form: Form<Field>
  private let initialForm: Form<Field>

  init(_ feed: Feed, context: ReaderContext, feeds: FeedListModel) {
    self.feed = feed
    self.context = context
    let folder = FolderPath.text(feeds.path(feed.folder))
    let retention = RetentionWording.text((try? context.store.retention(of: feed.id)) ?? nil)
    form = Form(
      [
        .init(
          field: .name, label: "Name",
          control: .text(TextField(feed.userTitle ?? ""), placeholder: feed.title)),
        .init(field: .address, label: "Address", control: .text(TextField(feed.url))),
        .init(
          field: .folder, label: "Folder",
          control: .text(
            TextField(folder), placeholder: "none", suggestions: feeds.folderPaths)),
        .init(
          field: .keeping, label: "Keep",
          control: .text(TextField(retention), placeholder: "default")),
        .init(
          field: .refreshing, label: "Refresh",
          control: .choice(["automatic", "paused"], selected: feed.isPaused ? 1 : 0)),
      ], current: .name)
    initialForm = form
  }

  var commandContext: CommandContext { .help }
  var bindings: [Binding] { [] }
  var takesText: Bool { true }
  var title: String { "Edit \(feed.name)" }
  var hints: [Hint] {
    var hints = [Hint(key: "Enter", "save"), Hint(key: "Tab", "next")]
    if form.hasSuggestions { hints.append(Hint(key: "Ctrl-n", "folders")) }
    if form.current == .refreshing { hints.append(Hint(key: "Space", "change")) }
    return hints + [Hint(key: "Esc", "leave")]
  }

  func take(_ key: Key) -> Bool {
    guard key.isTyped else { return false }
    switch form.take(key) {
    case .stays: break
    case .leave: context.window?.closeSheet()
    case .submit: save()
    }
    return true
  }

  private func text(_ field: Field) -> String { form.text(field).trimmingWhitespace }

  private func save() {
    guard let keeping = RetentionWording.read(text(.keeping)) else {
      return form.fail(
        "Write for example \u{201C}500 articles\u{201D}, \u{201C}90 days\u{201D} or both",
        at: .keeping)
    }
    let edit = FeedEdit(
      title: text(.name), url: text(.address), folder: FolderPath.titles(text(.folder)),
      isPaused: form.choice(.refreshing) == 1, retention: keeping.retention)
    guard WebAddress(edit.url).isHTTP || edit.url == feed.url else {
      return form.fail("The address must begin with http:// or https://", at: .address)
    }
    let (id, context) = (feed.id, context)
    let changes = form.changes(since: initialForm)
    context.write(
      { store throws(StoreError) in
        try await store.edit(id, try Self.current(edit, of: id, store, butFor: changes))
      },
      then: { [weak self] in
        context.note("Saved\(context.undoHint())")
        if self != nil { context.window?.closeSheet() }
      },
      failed: { [weak self] error in
        self?.form.fail(StoreWording.sentence(error))
        context.invalidate()
      })
  }

  /// A field that the user did not change keeps its present value, which an account or another
  /// process may have changed meanwhile.
  nonisolated private static func current(
    _ edit: FeedEdit, of id: FeedID, _ store: ReaderCache, butFor touched: Set<Field>
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

  func draw(on canvas: Canvas, isFocused: Bool) {
    let text = Canvas.column(in: canvas)
    let (y, error) = form.draw(on: text)
    if let error {
      text.write(error, x: 2, y: y, columns: text.width - 2, .error)
    } else if let state {
      text.write(state, x: 2, y: y, columns: text.width - 2, .secondary)
    }
  }

  /// Why the feed failed, or when it is refreshed next.
  private var state: String? {
    if let failure = FailureWording(dates: context.dates).sentence(for: feed) { return failure }
    guard let next = feed.state.nextCheckAt else { return nil }
    let reason = NextCheckWording.reasons(feed.state.nextCheckReasons).map { ": \($0)" } ?? ""
    return "Next refresh \(context.dates.moment(next))\(reason)"
  }
}
