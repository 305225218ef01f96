import FeedModel
import FeedStore
import TerminalKit

/// The remote accounts: how each stands with its server, and what waits to be sent there or was refused.
final class AccountsScreen: Sheet {
  private let context: ReaderContext
  private let model: AccountsModel
  weak var parent: (any Responder)?
  private var rows: [AccountsModel.Row]
  private var selection = RowSelection<AccountsModel.Row.ID>()
  private var height = 1
  private var width = 1
  /// The row of each line that was drawn last.
  private var drawnLines: [Int] = []
  /// A server is being asked.
  private var work: TimerToken?

  /// Columns in which a change stands in one line with what becomes of it.
  private static let wide = 100

  init(context: ReaderContext, model: AccountsModel) {
    self.context = context
    self.model = model
    rows = model.rows()
    selection.update(rows.map(\.id))
    context.report(model.failure)
  }

  var commandContext: CommandContext { .accounts }
  var title: String { "Accounts" }
  var caption: String? {
    model.waiting == 0
      ? nil : AmountWording.count(model.waiting, "change", "changes") + " to be sent"
  }
  var readsFeeds: Bool { false }

  var hints: [Hint] {
    switch selected {
    case .account:
      return [
        Hint(.refresh, "sync"), Hint(.changePassword, "password"), Hint(.open, "go there"),
        Hint(.addAccount, "add"), Hint(.removeAccount, "remove"), Hint(.back, "back"),
      ]
    case .change:
      return [
        Hint(.refresh, "retry"), Hint(.discardChange, "give up"), Hint(.open, "go there"),
        Hint(.retryFailed, "retry all"), Hint(.back, "back"),
      ]
    case .more, nil: return [Hint(.addAccount, "add"), Hint(.back, "back")]
    }
  }

  private var selected: AccountsModel.Row? {
    rows.indices.contains(selection.selected) ? rows[selection.selected] : nil
  }

  /// The account of the selected row.
  private var account: Account? {
    let id: AccountID
    switch selected {
    case .account(let account): id = account.id
    case .change(let entry): id = entry.account
    case .more(let account, _): id = account
    case nil: return nil
    }
    return model.accounts.first { $0.id == id }
  }

  // MARK: Keys

  func respond(to event: InterfaceEvent) -> Bool {
    guard case .command(let command, let count) = event else { return false }
    if selection.respond(to: command, count, page: max(1, height / 2)) {
      context.invalidate()
      return true
    }
    switch command {
    case .open: goThere()
    case .refresh: refresh()
    case .retryFailed: retryAll()
    case .discardChange: discard()
    case .changePassword: askForPassword()
    case .removeAccount: askWhetherToRemove()
    default: return false
    }
    context.invalidate()
    return true
  }

  private func goThere() {
    switch selected {
    case .account(let account):
      if let folder = account.folder { send(.reveal(.folder(folder))) }
    case .change(let entry):
      guard let article = entry.article else {
        if let feed = entry.feed { send(.reveal(.feed(feed))) }
        return
      }
      guard let row = try? context.store.articleRow(article) else {
        return context.note("This article is no longer here")
      }
      send(.reveal(.feed(row.feed)))
      parent?.send(.openArticle(article))
    case .more, nil: break
    }
  }

  /// A change is sent again, an account synced.
  private func refresh() {
    guard let account else { return }
    let (id, context) = (account.id, context)
    if case .change(let entry) = selected {
      context.write({ store throws(StoreError) in
        try await store.retryOutbox([entry.id])
        try await store.requestAccountSync(id)
      }) { context.note("It is sent again") }
      return
    }
    context.write({ store throws(StoreError) in try await store.requestAccountSync(id) }) {
      context.note("\(account.title) is synced as soon as there is a connection")
    }
  }

  private func retryAll() {
    let ids = rows.compactMap { row -> Int64? in
      guard case .change(let entry) = row, entry.state != .pending else { return nil }
      return entry.id
    }
    guard !ids.isEmpty else { return context.note("Nothing has failed") }
    let context = context
    context.write({ store throws(StoreError) in
      try await store.retryOutbox(ids)
      try await store.requestAccountSync(nil)
    }) { context.note("\(AmountWording.count(ids.count, "change is", "changes are")) sent again") }
  }

  private func discard() {
    guard case .change(let entry) = selected, let account else {
      return context.note("Select a change to give it up")
    }
    let question =
      "Give up (\(AccountWording.change(entry.change))): \u{201C}\(entry.title)\u{201D}?"
    let context = context
    ask(question) {
      context.write({ store throws(StoreError) in try await store.discardOutbox([entry.id]) }) {
        context.note("Given up; the next sync brings back what \(account.title) has")
      }
    }
  }

  private func askWhetherToRemove() {
    guard let account else { return }
    let unsent = account.state.outbox.waiting
    let loss =
      unsent > 0 ? " and \(AmountWording.count(unsent, "change", "changes")) never sent" : ""
    ask("Remove \(account.title), its articles here\(loss)?") { [weak self] in
      guard let self else { return }
      let context = self.context
      self.work = self.perform(.removeAccount) { () throws(ActionFailure) in
        try await context.actions.removeAccount(account)
      }
    }
  }

  private func ask(_ question: String, then body: @escaping () -> Void) {
    let context = context
    send(
      .ask(
        ConfirmPrompt(question: question) { [weak self] isYes in
          self?.send(.endPrompt)
          context.invalidate()
          if isYes { body() }
        }))
  }

  private func askForPassword() {
    guard let account else { return }
    let prompt = TextPrompt(label: "Password:", isHidden: true, context: context) {
      [weak self] text in
      guard let self else { return }
      self.send(.endPrompt)
      guard let text, !text.isEmpty else { return }
      let context = self.context
      context.note("⟳ Signing in …")
      self.work = self.perform(.changePassword) { () throws(ActionFailure) in
        try await context.actions.setPassword(Password(text), of: account)
      }
    }
    send(.ask(prompt))
  }

  private func perform(
    _ command: Command, _ body: @escaping () async throws(ActionFailure) -> String
  ) -> TimerToken {
    context.beside { [context] in
      do throws(ActionFailure) {
        context.note(try await body())
        context.settle(.action(command))
      } catch {
        context.show(.failure(error.sentence, about: .action(command)))
      }
    }
  }

  // MARK: Changes and the mouse

  func modelUpdated(_ change: StoreChange) {
    guard change.contains(.accounts) else { return }
    rows = model.rows()
    selection.update(rows.map(\.id))
    context.invalidate()
  }

  func mouse(_ action: MouseEvent.Action, x: Int, y: Int) -> Bool {
    let row = drawnLines.indices.contains(y) ? drawnLines[y] : nil
    let isTaken = selection.respond(
      to: action, on: row, wheelRows: context.configuration.wheelRows,
      in: ListScrolling(height: height) { index, _ in self.lines(index) })
    if isTaken, action == .doubleClick { send(.command(.open, count: nil)) }
    return isTaken
  }

  // MARK: Drawing

  private func lines(_ index: Int) -> Int {
    switch rows[index] {
    case .account: return stateLines(index).count + 1
    case .change: return (width >= Self.wide ? 1 : 2) + blank(after: index)
    case .more: return 1 + blank(after: index)
    }
  }

  /// A blank line parts the accounts where there is room.
  private func blank(after index: Int) -> Int {
    guard height >= 12, index + 1 < rows.count, case .account = rows[index + 1] else { return 0 }
    return 1
  }

  /// What is said below an account's name: its state, what helps, and a blank line.
  private func stateLines(_ index: Int) -> [(text: String, role: Role)] {
    guard case .account(let account) = rows[index] else { return [] }
    let columns = max(1, min(100, width - 4))
    let failure = account.state.failure
    let state = AccountWording(dates: context.dates).state(account)
    var lines = TextWrapping.lines(state, columns: columns).prefix(height >= 12 ? 3 : 1).map {
      (text: $0, role: failure == nil ? Role.secondary : .error)
    }
    if let failure, height >= 12 {
      lines += TextWrapping.lines(AccountWording.remedy(failure), columns: columns).prefix(4).map {
        (text: $0, role: .text)
      }
    }
    if height >= 12 { lines.append((text: "", role: .text)) }
    return lines
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    (width, height) = (canvas.width, canvas.height)
    drawnLines = []
    guard !rows.isEmpty else { return drawNothing(on: canvas) }
    selection.show(in: height) { lines($0) }
    var y = 0
    for index in selection.top..<rows.count {
      guard y < height else { break }
      draw(index, on: canvas, y: y)
      if index == selection.selected {
        canvas.select(row: y)
        canvas.mark(row: y)
      }
      drawnLines += Array(repeating: index, count: lines(index))
      y += lines(index)
    }
  }

  private func drawNothing(on canvas: Canvas) {
    let key = context.keymap.label(.addAccount).map { "; \($0) adds one" } ?? ""
    let text =
      "There is no remote account\(key). With one your subscriptions and what you have read and starred "
      + "are the same on every machine: FreshRSS, Miniflux and other servers keep them."
    let lines = TextWrapping.lines(text, columns: max(1, min(80, canvas.width - 6)))
    for (y, line) in lines.enumerated() { canvas.write(line, x: 3, y: y, .secondary) }
  }

  private func draw(_ index: Int, on canvas: Canvas, y: Int) {
    switch rows[index] {
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
      for (offset, line) in stateLines(index).enumerated() {
        canvas.write(line.text, x: 3, y: y + 1 + offset, columns: canvas.width - 4, line.role)
      }
    case .change(let entry): draw(entry, on: canvas, y: y)
    case .more(_, let count):
      canvas.write(
        "and \(AmountWording.count(count, "more", "more"))", x: 5, y: y, columns: canvas.width - 6,
        .secondary)
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
    if canvas.width < Self.wide {
      let room = max(0, canvas.width - 6)
      let used = canvas.write(change, x: 5, y: y, columns: room, .accent)
      canvas.write(entry.title, x: 7 + used, y: y, columns: max(0, room - used - 2))
      canvas.write(state, x: 5, y: y + 1, columns: room, role)
      return
    }
    let stateWidth = canvas.width * 2 / 5
    let x = 5 + max(16, canvas.write(change, x: 5, y: y, columns: canvas.width / 4, .accent) + 2)
    canvas.write(entry.title, x: x, y: y, columns: max(0, canvas.width - stateWidth - x - 2))
    canvas.write(state, x: canvas.width - stateWidth - 1, y: y, columns: stateWidth, role)
  }
}
