import FeedModel
import FeedStore
import TerminalKit
import Wording

/// The form for a feed's name, address, folder and options. An empty field shows the value that
/// applies, and where that is set.
final class EditFeedScreen: FormSheet {
  nonisolated private enum Field {
    case name, address, folder, keeping, refreshing, interval, listing, fullText, sort, marking
    case userAgent, proxy, headers, cookies, download
  }

  private let context: ReaderContext
  private let feed: Feed
  private var form: Form<Field>
  private let initialForm: Form<Field>
  /// The site and how often it publishes, and the feed's own description.
  private let facts: [String]

  init(_ feed: Feed, context: ReaderContext, feeds: FeedListModel) {
    self.feed = feed
    self.context = context
    facts = Self.facts(feed, context)
    let folder = FolderPath.text(feeds.path(feed.folder))
    let retention = RetentionWording.text((try? context.store.retention(of: feed.id)) ?? nil)
    let sources = (try? context.store.options(of: feed.id)) ?? FeedOptionSources()
    let words = FeedOptionWording(sources)
    func choice(_ option: FeedOption, _ all: [String]) -> Form<Field>.Control {
      let own = sources.own.text(of: option).flatMap { all.firstIndex(of: $0) }
      return .choice(
        [words.unset(option)] + all.map(words.choice), selected: own.map { $0 + 1 } ?? 0)
    }
    func text(_ option: FeedOption) -> Form<Field>.Control {
      .text(TextField(words.written(option)), placeholder: words.unset(option))
    }
    var rows: [Form<Field>.Row] = [
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
        control: .text(TextField(retention), placeholder: words.unsetKeeping)),
      .init(
        field: .refreshing, label: "Refresh",
        control: .choice(["automatic", "paused"], selected: feed.isPaused ? 1 : 0)),
    ]
    // A server refreshes the feeds of its account.
    if feed.account == nil {
      rows.append(.init(field: .interval, label: "Every", control: text(.interval)))
    }
    rows += [
      .init(
        field: .listing, label: "Listed",
        control: .choice(["in Unread", "apart"], selected: feed.isApart ? 1 : 0)),
      .init(
        field: .fullText, label: "Full text", control: choice(.fullText, ["true", "false"])),
      .init(
        field: .sort, label: "Sort", control: choice(.sort, ArticleOrder.allCases.map(\.rawValue))),
      .init(
        field: .marking, label: "Mark read",
        control: choice(.markRead, MarkPolicy.allCases.map(\.rawValue))),
      .init(field: .download, label: "Download", control: text(.download)),
    ]
    if feed.account == nil {
      rows += [
        .init(field: .userAgent, label: "User agent", control: text(.userAgent)),
        .init(field: .proxy, label: "Proxy", control: text(.proxy)),
        .init(field: .headers, label: "Headers", control: text(.headers)),
        .init(field: .cookies, label: "Cookies", control: text(.cookies)),
      ]
    }
    form = Form(rows, current: .name)
    initialForm = form
  }

  var title: String { "Edit \(feed.name)" }
  var hints: [Hint] {
    var hints = [Hint(key: "Enter", "save"), Hint(key: "Tab", "next")]
    if form.hasSuggestions { hints.append(Hint(key: "Ctrl-n", "folders")) }
    if form.isChoice { hints.append(Hint(key: "Space", "change")) }
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
    guard let options = readOptions() else { return }
    var edit = FeedEdit(
      title: text(.name), url: text(.address), folder: FolderPath.titles(text(.folder)),
      isPaused: form.choice(.refreshing) == 1, retention: keeping.retention, options: options)
    edit.isApart = form.choice(.listing) == 1
    guard WebAddress(edit.url).isHTTP || edit.url == feed.url else {
      return form.fail("The address must begin with http:// or https://", at: .address)
    }
    let (id, context) = (feed.id, context)
    let changes = form.changes(since: initialForm)
    context.write(
      { [edit] store throws(StoreError) in
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

  /// `nil` if a field is invalid, which the form reports.
  private func readOptions() -> FeedOptions? {
    var options = FeedOptions()
    switch IntervalWording.read(text(.interval)) {
    case .none: break
    case .every(let interval): options.interval = interval
    case .invalid:
      form.fail("Write a time from 15 minutes to a week, such as 2 hours", at: .interval)
      return nil
    }
    let choices: [(Field, FeedOption, [String])] = [
      (.fullText, .fullText, ["true", "false"]),
      (.sort, .sort, ArticleOrder.allCases.map(\.rawValue)),
      (.marking, .markRead, MarkPolicy.allCases.map(\.rawValue)),
    ]
    for (field, option, names) in choices where form.choice(field) > 0 {
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
    for (field, option, complaint) in texts where !text(field).isEmpty {
      let written = option == .proxy && text(field) == "none" ? "" : text(field)
      guard options.set(option, to: written) else {
        form.fail(complaint, at: field)
        return nil
      }
    }
    return options
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
    if !touched.contains(.listing) { edit.isApart = feed.isApart }
    if !touched.contains(.keeping) { edit.retention = try store.retention(of: id) }
    if !touched.contains(.refreshing) { edit.isPaused = feed.isPaused }
    let own = try store.options(of: id).own
    var options = edit.options
    if !touched.contains(.interval) { options.interval = own.interval }
    if !touched.contains(.fullText) { options.fullText = own.fullText }
    if !touched.contains(.sort) { options.sort = own.sort }
    if !touched.contains(.marking) { options.markRead = own.markRead }
    if !touched.contains(.userAgent) { options.userAgent = own.userAgent }
    if !touched.contains(.proxy) { options.proxy = own.proxy }
    if !touched.contains(.headers) { options.headers = own.headers }
    if !touched.contains(.cookies) { options.cookies = own.cookies }
    if !touched.contains(.download) { options.latestDownloads = own.latestDownloads }
    edit.options = options
    return edit
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    let (below, error) = form.draw(on: Canvas.column(in: canvas))
    let lines = ([error ?? state].compactMap(\.self) + facts).enumerated().flatMap { place, text in
      TextWrapping.lines(text, columns: below.width).map {
        (text: $0, role: error != nil && place == 0 ? Role.error : .secondary)
      }
    }
    for (y, line) in lines.enumerated() { below.write(line.text, x: 0, y: y, line.role) }
  }

  /// Articles from which the frequency is estimated.
  private static let mostCounted = 100

  private static func facts(_ feed: Feed, _ context: ReaderContext) -> [String] {
    let query = ArticleQuery(scope: .feed(feed.id))
    let rows = (try? context.store.articles(query, .top, limit: mostCounted)) ?? []
    let facts = FeedFactsWording.text(feed, dates: rows.map(\.sortDate), context.dates)
    let description = (try? context.store.description(of: feed.id)) ?? nil
    return [facts, description].compactMap(\.self).filter { !$0.isEmpty && $0 != feed.title }
  }

  /// Why the feed failed, or when it is refreshed next.
  private var state: String? {
    if let failure = FailureWording(dates: context.dates).sentence(for: feed) { return failure }
    guard let next = feed.state.nextCheckAt else { return nil }
    let reason = NextCheckWording.reasons(feed.state.nextCheckReasons).map { ": \($0)" } ?? ""
    return "Next refresh \(context.dates.moment(next))\(reason)"
  }
}
