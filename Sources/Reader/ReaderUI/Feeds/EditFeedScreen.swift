import Foundation
import TerminalViews

/// The form for a feed's name, address, folder and options. An empty field shows the value that
/// applies, and its source; a dot marks the feed's own settings.
final class EditFeedScreen: FieldSheet {
  nonisolated enum Field {
    case name, address, folder, keeping, refreshing, interval, priority, fullText, sort, marking
    case userAgent, proxy, headers, cookies, download, order, network
  }

  let context: ReaderContext
  private let feed: Feed
  var form: Form<Field>
  private let newest: Date?
  private let description: String

  init(_ feed: Feed, context: ReaderContext, feeds: FeedListModel) {
    self.feed = feed
    self.context = context
    let articles = ArticleQuery(scope: .feed(feed.id))
    newest =
      context.read(try context.store.articles.page(articles, .top, limit: 1))?.first?
      .sortDate
    let about = context.read(try context.store.feeds.description(of: feed.id)) ?? ""
    description = about == feed.title ? "" : about
    let folder = FolderPath.text(feeds.path(feed.folder))
    let sources = context.read(try context.store.feeds.options(of: feed.id)) ?? FeedOptionSources()
    let words = FeedOptionWording(sources)
    let retention = RetentionWording.text(sources.own.retention)
    func text(_ field: Field, _ label: String, _ option: FeedOption) -> Form<Field>.Row {
      .text(field, label, words.written(option), placeholder: words.unset(option))
    }
    // For a feed of an account, the server does the refreshes.
    let isOwn = feed.account == nil
    let choices: [Form<Field>.Row] = Self.choices.map { field, label, option, names in
      let own = sources.own.text(of: option).flatMap { names.firstIndex(of: $0) }
      let shown = [words.unset(option)] + names.map(FeedOptionWording.choice)
      return .choice(field, label, shown, selected: own.map { $0 + 1 } ?? 0)
    }
    var rows: [Form<Field>.Row] = [
      .text(.name, "Name", feed.userTitle ?? "", placeholder: feed.title),
      .text(.folder, "Folder", folder, placeholder: "none", suggestions: feeds.folderPaths),
      .choice(
        .priority, "Priority", FeedPriority.allCases.map(\.name),
        selected: FeedPriority.allCases.firstIndex(of: feed.priority) ?? 0),
      choices[0],
      .group(.order, "Keeping, order, downloads"),
      .text(.keeping, "Keep", retention, placeholder: words.unsetKeeping),
      choices[1], choices[2],
      text(.download, "Download", .download),
      .group(.network, "Network"),
      .text(.address, "Address", feed.url),
      .choice(.refreshing, "Refresh", ["automatic", "paused"], selected: feed.isPaused ? 1 : 0),
    ]
    if isOwn {
      rows += [
        text(.interval, "Every", .interval), text(.userAgent, "User agent", .userAgent),
        text(.proxy, "Proxy", .proxy),
        text(.headers, "Headers", .headers), text(.cookies, "Cookies", .cookies),
      ]
    }
    form = Form(rows, current: .name)
  }

  /// Options with a fixed set of values, by name.
  private static let choices: [(Field, label: String, FeedOption, names: [String])] = [
    (.fullText, "Full text", .fullText, ["true", "false"]),
    (.sort, "Sort", .sort, ArticleOrder.allCases.map(\.rawValue)),
    (.marking, "Mark read", .markRead, MarkPolicy.allCases.map(\.rawValue)),
  ]

  var title: String { "Edit \(feed.name)" }
  var hints: [Hint] {
    fieldHints(enter: form.isGroup ? "open or close" : "save", suggestions: "folders")
  }

  func submit() {
    guard let keeping = RetentionWording.read(trimmed(.keeping)) else {
      return form.showError(
        "Write for example \u{201C}500 articles\u{201D}, \u{201C}90 days\u{201D} or both",
        at: .keeping)
    }
    guard let options = readOptions() else { return }
    var edit = FeedEdit(
      title: trimmed(.name), url: trimmed(.address), folder: FolderPath.titles(trimmed(.folder)),
      isPaused: form.choice(.refreshing) == 1, retention: keeping.retention, options: options)
    edit.priority = FeedPriority.allCases[form.choice(.priority)]
    guard WebAddress(edit.url).isHTTP || edit.url == feed.url else {
      return form.showError("The address must begin with http:// or https://", at: .address)
    }
    let (id, context) = (feed.id, context)
    let changes = form.changes
    context.write(
      { [edit] store in
        try await store.feeds.edit(id) { Self.apply(changes, of: edit, to: &$0) }
      },
      then: { [weak self] in
        context.note("Saved\(context.undoHint())")
        if self != nil { context.window?.closeSheet() }
      },
      failed: { [weak self] error in
        self?.form.showError(StoreWording.sentence(error))
        context.invalidate()
      })
  }

  /// Reads the options; `nil` if a field is invalid, which the form reports.
  private func readOptions() -> FeedOptions? {
    var options = FeedOptions()
    switch IntervalWording.read(trimmed(.interval)) {
    case .none: break
    case .every(let interval): options.interval = interval
    case .invalid:
      form.showError("Write a time from 15 minutes to a week, such as 2 hours", at: .interval)
      return nil
    }
    for (field, _, option, names) in Self.choices where form.choice(field) > 0 {
      options.set(option, to: names[form.choice(field) - 1])
    }
    let texts: [(Field, FeedOption, String)] = [
      (.userAgent, .userAgent, "A user agent has no control characters"),
      (
        .proxy, .proxy,
        "Write none, or an address that begins with http://, https://, socks5:// or socks5h://"
      ),
      (.download, .download, "Write latest and a number, such as latest 3"),
      (.headers, .headers, "Write Name: value; several are separated by \u{201C} | \u{201D}"),
      (.cookies, .cookies, "Write the path of a file, from / or ~/"),
    ]
    for (field, option, complaint) in texts where !trimmed(field).isEmpty {
      let written = option == .proxy && trimmed(field) == "none" ? "" : trimmed(field)
      guard options.set(option, to: written) else {
        form.showError(complaint, at: field)
        return nil
      }
    }
    return options
  }

  /// Applies the changed fields only: an account or another process may have changed others since
  /// the form was opened.
  nonisolated private static func apply(
    _ touched: Set<Field>, of edit: FeedEdit, to current: inout FeedEdit
  ) {
    if touched.contains(.name) { current.title = edit.title }
    if touched.contains(.address) { current.url = edit.url }
    if touched.contains(.folder) { current.folder = edit.folder }
    if touched.contains(.priority) { current.priority = edit.priority }
    if touched.contains(.refreshing) { current.isPaused = edit.isPaused }
    current.options = current.options.taking(
      touched.flatMap { options[$0] ?? [] }, from: edit.options)
  }

  nonisolated private static let options: [Field: [FeedOption]] = [
    .keeping: [.keepArticles, .keepDays], .interval: [.interval], .fullText: [.fullText],
    .sort: [.sort], .marking: [.markRead], .userAgent: [.userAgent], .proxy: [.proxy],
    .headers: [.headers], .cookies: [.cookies], .download: [.download],
  ]

  func draw(on canvas: Canvas, isFocused: Bool) {
    let own = form.filled.subtracting([.address, .folder])
    let (below, error) = form.draw(on: Canvas.column(in: canvas), marked: own)
    let y = description.isEmpty ? 0 : below.write(paragraph: description, .secondary)
    below.write(paragraph: error ?? state, y: y, error == nil ? .secondary : .error)
  }

  /// The feed's failure, or the time of its next check, and its newest article.
  private var state: String {
    let dates = context.dates
    let next = feed.state.nextCheckAt.map { "Next check \(dates.moment($0))" }
    let reason = NextCheckWording.reasons(feed.state.nextCheckReasons).map { " (\($0))" } ?? ""
    let check = FailureWording(dates: dates).sentence(for: feed) ?? next.map { $0 + reason }
    return [check, newest.map { "newest \(dates.moment($0))" }].compactMap(\.self)
      .joined(separator: " \u{B7} ")
  }
}
