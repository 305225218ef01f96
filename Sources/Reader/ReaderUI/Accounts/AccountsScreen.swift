import TerminalViews

/// The remote accounts with their states at the server and their waiting and refused changes.
final class AccountsScreen: ListSheet {
  let context: ReaderContext
  private let model: AccountsModel
  var list: RowList<AccountsModel.Row>
  private var work: TimerToken?

  /// The columns that a change and its result need to share a line.
  private static let wide = 100
  private static let mostLines = 6

  init(context: ReaderContext, model: AccountsModel) {
    self.context = context
    self.model = model
    list = RowList(model.rows())
    context.report(model.failure)
  }

  var commandContext: CommandContext { .accounts }
  var title: String { "Accounts" }
  var caption: String? {
    model.waiting == 0 ? nil : AmountWording.changes(model.waiting) + " to be sent"
  }

  private var account: Account? {
    let id: AccountID
    switch selected {
    case .account(let account): id = account.id
    case .change(let entry): id = entry.account
    case .more(let account, _): id = account
    case .folder, .device, .unconfirmed, nil: return nil
    }
    return model.all.first { $0.id == id }
  }

  // MARK: Keys

  var rowHeight: Int { 2 }

  private(set) lazy var bindings = Bindings { [unowned self] in
    movement + [
      Binding(.refresh, unless: self.whyNone) { self.refresh() }.hinted(self.refreshWord),
      Binding(.edit, unless: self.whyNone) { self.askForPassword() }
        .hinted(self.isOnAccount ? "password" : nil),
      Binding(.open) { self.openSelected() }
        .hinted(self.openWord),
      .hint(.add, self.isOnChange ? nil : "add"),
      Binding(.delete, unless: self.whyNone) {
        if self.isOnChange { self.discard() } else { self.askWhetherToRemove() }
      }.hinted(self.isOnAccount ? "remove" : self.isOnChange ? "discard" : nil),
      Binding(.refreshAll, unless: self.failedChanges.isEmpty ? "Nothing failed" : nil) {
        self.retryAll()
      }.hinted(self.isOnChange ? "retry all" : nil),
    ]
  }

  private var whyNone: String? {
    if account != nil { return nil }
    return list.rows.isEmpty ? "There is no account" : "Select an account"
  }
  private var isOnChange: Bool { if case .change = selected { true } else { false } }
  private var isOnAccount: Bool { if case .account = selected { true } else { false } }
  private var openWord: String? {
    if case .unconfirmed = selected { return "confirm" }
    return isOnChange || isOnAccount ? "open" : nil
  }
  private var refreshWord: String? {
    isOnAccount ? "sync" : isOnChange ? "retry" : nil
  }

  func openSelected() {
    switch selected {
    case .account(let account):
      if let folder = account.folder { context.window?.reveal(.folder(folder)) }
    case .change(let entry):
      guard let article = entry.article else {
        if let feed = entry.feed { context.window?.reveal(.feed(feed)) }
        return
      }
      guard let row = context.read(try context.store.articles.articleRow(article)) else {
        return context.note("This article is no longer here")
      }
      context.window?.reveal(.feed(row.feed))
      context.window?.open(article)
    case .unconfirmed(let feed, let url):
      let host = WebAddress(url).host ?? url
      context.ask(whether: "Send credentials to \(host), and reach it in a private network?") {
        [context] in
        context.write(noting: "Confirmed") { store in try await store.feeds.confirmAddress(feed) }
      }
    case .more, .folder, .device, nil: break
    }
  }

  /// Sends a change again, or syncs an account.
  private func refresh() {
    guard let account else { return }
    let id = account.id
    if case .change(let entry) = selected {
      return context.write(noting: "Sending it again") { store in
        try await store.accounts.retryOutbox([entry.id])
        try await store.accounts.requestAccountSync(id)
      }
    }
    context.write(noting: "\(account.title) syncs \(context.offlineUntil ?? "now")") {
      store in try await store.accounts.requestAccountSync(id)
    }
  }

  private var failedChanges: [Int64] {
    list.rows.compactMap { row in
      guard case .change(let entry) = row, entry.state != .pending else { return nil }
      return entry.id
    }
  }

  private func retryAll() {
    let ids = failedChanges
    let changes = AmountWording.count(ids.count, "change is", "changes are")
    context.write(noting: "\(changes) sent again") { store in
      try await store.accounts.retryOutbox(ids)
      try await store.accounts.requestAccountSync(nil)
    }
  }

  private func discard() {
    guard case .change(let entry) = selected, let account else { return }
    let question =
      "Discard this change (\(AccountWording.change(entry.change)): \u{201C}\(entry.title)\u{201D})?"
    context.ask(whether: question) { [context] in
      context.write(noting: "Discarded; the next sync takes over what \(account.title) has") {
        store in try await store.accounts.discardOutbox([entry.id])
      }
    }
  }

  private func askWhetherToRemove() {
    guard let account else { return }
    let unsent = account.state.outbox.waiting
    let loss = unsent > 0 ? " and \(AmountWording.changes(unsent)) that were never sent" : ""
    let feeds = context.window?.subscriptions.feeds.count { $0.account == account.id } ?? 0
    let content =
      feeds > 0
      ? "its \(AmountWording.feeds(feeds)) with all articles here"
      : "its articles here"
    context.ask(whether: "Remove \(account.title), \(content)\(loss)?") { [weak self] in
      guard let self else { return }
      let context = self.context
      self.work = self.perform(.delete) { () throws(ActionFailure) in
        try await context.actions.removeAccount(account)
      }
    }
  }

  private func askForPassword() {
    guard let account else { return }
    context.ask(for: "Password: ", isHidden: true) { [weak self] text in
      guard let self else { return }
      let context = self.context
      context.note("⟳ Signing in …")
      self.work = self.perform(.edit) { () throws(ActionFailure) in
        try await context.actions.setPassword(Password(text), of: account)
      }
    }
  }

  private func perform(
    _ command: Command, _ body: @escaping () async throws(ActionFailure) -> String
  ) -> TimerToken {
    context.runInBackground { [context] in await context.showResult(of: command, body) }
  }

  func modelUpdated(_ change: StoreChange) {
    guard change.contains(.accounts) else { return }
    list.update(model.rows())
    context.invalidate()
  }

  // MARK: Drawing

  private var isHigh: Bool { list.window.height >= 12 }

  func lines(ofRow index: Int) -> Int {
    switch list.rows[index] {
    case .account(let account): return stateLines(account).count + 1
    case .change(let entry): return 1 + stateLines(entry).count + blank(after: index)
    case .more: return 1 + blank(after: index)
    case .folder(let folder, _): return stateLines(folder).count + 1
    case .device, .unconfirmed: return 2
    }
  }

  /// Returns 1 for a blank line between accounts, if there is room.
  private func blank(after index: Int) -> Int {
    guard isHigh, index + 1 < list.rows.count else { return 0 }
    switch list.rows[index + 1] {
    case .account, .folder: return 1
    case .change, .more, .device, .unconfirmed: return 0
    }
  }

  private func stateLines(_ folder: FolderRow) -> [(text: String, role: Role)] {
    let columns = max(1, min(100, list.window.width - 4))
    let state = FolderWording(dates: context.dates).state(folder)
    guard let problem = folder.problem else { return [(text: state, role: .secondary)] }
    return TextWrapping.lines(state + ".", columns: columns).map { (text: $0, role: Role.error) }
      + TextWrapping.lines(FolderWording.remedy(problem), columns: columns).map {
        (text: $0, role: .text)
      }
  }

  /// Returns the lines below an account's name: its state, a remedy, and a blank line.
  private func stateLines(_ account: Account) -> [(text: String, role: Role)] {
    let columns = max(1, min(100, list.window.width - 4))
    let failure = account.state.failure
    // The remedy follows as another sentence.
    let state =
      AccountWording(dates: context.dates).state(account) + (failure != nil && isHigh ? "." : "")
    let most = isHigh ? Self.mostLines : 1
    var lines = TextWrapping.lines(state, columns: columns).prefix(most).map {
      (text: $0, role: failure == nil ? Role.secondary : .error)
    }
    if let failure, isHigh {
      let remedy = AccountWording.remedy(failure, url: account.url)
      lines += TextWrapping.lines(remedy, columns: columns)
        .prefix(Self.mostLines).map { (text: $0, role: .text) }
    }
    if isHigh { lines.append((text: "", role: .text)) }
    return lines
  }

  /// Returns the state of a change as lines below the change; empty if there is room beside it.
  private func stateLines(_ entry: OutboxEntry) -> [String] {
    let state = AccountWording(dates: context.dates).state(entry)
    let width = list.window.width
    if width >= Self.wide, GraphemeWidth.width(of: state) <= width * 2 / 5 { return [] }
    let most = isHigh ? Self.mostLines : 1
    return Array(TextWrapping.lines(state, columns: max(1, width - 6)).prefix(most))
  }

  var emptyText: [String] {
    let key = context.keymap.label(.add).map { "; \($0) adds one" } ?? ""
    let text =
      "There are no accounts\(key). An account at FreshRSS, Miniflux or another server keeps your "
      + "subscriptions, read marks and stars the same on all your machines."
    return TextWrapping.lines(text, columns: max(1, min(80, list.window.width - 6)))
  }

  func draw(_ row: AccountsModel.Row, on canvas: Canvas, y: Int) {
    switch row {
    case .account(let account):
      let (mark, role) = Self.mark(account)
      canvas.write(mark, x: 1, y: y, role)
      let outbox = account.state.outbox
      let counts =
        canvas.width < 60
        ? outbox.waiting > 0 ? "⇡ \(AmountWording.grouped(outbox.waiting))" : ""
        : AccountWording.outbox(outbox) ?? ""
      let room = max(0, canvas.width - 4 - (counts.isEmpty ? 0 : counts.count + 2))
      let used = canvas.write(account.title, x: 3, y: y, columns: room, .title)
      let owner = AccountWording.owner(user: account.user, url: account.url)
      canvas.write(owner, x: 5 + used, y: y, columns: max(0, room - used - 2), .secondary)
      canvas.write(counts, x: canvas.width - counts.count - 1, y: y, .accent)
      for (offset, line) in stateLines(account).enumerated() {
        canvas.write(line.text, x: 3, y: y + 1 + offset, columns: canvas.width - 4, line.role)
      }
    case .change(let entry): draw(entry, on: canvas, y: y)
    case .folder(let folder, let waiting): draw(folder, waiting, on: canvas, y: y)
    case .device(let device):
      canvas.write(device.name, x: 5, y: y, columns: canvas.width - 6)
      let state = FolderWording(dates: context.dates).state(device)
      let role: Role = device.problem == nil ? .secondary : .error
      canvas.write(state, x: 5, y: y + 1, columns: canvas.width - 6, role)
    case .unconfirmed(_, let url):
      canvas.write(HiddenSecrets.inText(url), x: 5, y: y, columns: canvas.width - 6)
      canvas.write(
        FolderWording.unconfirmed, x: 5, y: y + 1, columns: canvas.width - 6, .secondary)
    case .more(_, let count):
      canvas.write(
        "and \(AmountWording.count(count, "more", "more"))", x: 5, y: y, columns: canvas.width - 6,
        .secondary)
    }
  }

  private func draw(_ folder: FolderRow, _ waiting: Int, on canvas: Canvas, y: Int) {
    if folder.problem != nil { canvas.write("!", x: 1, y: y, .error) }
    let counts = FolderWording.waiting(waiting)
    let room = max(0, canvas.width - 5 - counts.count)
    let used = canvas.write(folder.name, x: 3, y: y, columns: room, .title)
    canvas.write(
      "this machine, in \(folder.path)", x: 5 + used, y: y, columns: max(0, room - used - 2),
      .secondary)
    canvas.write(counts, x: canvas.width - counts.count - 1, y: y, .accent)
    for (offset, line) in stateLines(folder).enumerated() {
      canvas.write(line.text, x: 3, y: y + 1 + offset, columns: canvas.width - 4, line.role)
    }
  }

  private static func mark(_ account: Account) -> (String, Role) {
    if account.state.isSyncing { return ("⟳", .accent) }
    return account.state.failure == nil ? (" ", .text) : ("!", .error)
  }

  private func draw(_ entry: OutboxEntry, on canvas: Canvas, y: Int) {
    let change = AccountWording.change(entry.change)
    let state = AccountWording(dates: context.dates).state(entry)
    let role: Role = entry.state == .pending ? .secondary : .error
    let below = stateLines(entry)
    if !below.isEmpty {
      let room = max(0, canvas.width - 6)
      let used = canvas.write(change, x: 5, y: y, columns: room, .accent)
      canvas.write(entry.title, x: 7 + used, y: y, columns: max(0, room - used - 2))
      for (offset, line) in below.enumerated() {
        canvas.write(line, x: 5, y: y + 1 + offset, columns: room, role)
      }
      return
    }
    let stateWidth = canvas.width * 2 / 5
    let x = 5 + max(16, canvas.write(change, x: 5, y: y, columns: canvas.width / 4, .accent) + 2)
    canvas.write(entry.title, x: x, y: y, columns: max(0, canvas.width - stateWidth - x - 2))
    canvas.write(state, x: canvas.width - stateWidth - 1, y: y, columns: stateWidth, role)
  }
}
