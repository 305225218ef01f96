import ArgumentParser
import Foundation
import ProgramSettings

struct SyncCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Refresh the feeds and accounts that are due.",
    discussion: """
      If another Weir is running, it does the work and this command shows the progress. Exit 0 when \
      the sync ran, even if some feeds failed; 1 when nothing could be refreshed, you are offline, a \
      reader has paused the sync (the request then stays in the queue), the server of an account \
      fails, asks for a pause or refused changes (weir account changes lists them), or the shared \
      folder cannot be used.
      """)

  @Argument(
    help: "Only these feeds, due or not: number, address, or part of the name.",
    completion: .feeds)
  var feeds: [String] = []

  @Flag(help: "Everything, due or not.") var all = false
  @Flag(name: .shortAndLong, help: "Print errors only.") var quiet = false

  @Flag(help: "One line of JSON for each feed as it ends, and one for the whole sync.")
  var json = false

  @Flag(
    help: "Only send changes that wait for accounts and the shared folder; fetch nothing.")
  var pushOnly = false

  @Flag(help: "Exit 1 when any feed failed.") var strict = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if all, !feeds.isEmpty { throw ValidationError("Give feeds or --all, not both.") }
    if pushOnly, all || !feeds.isEmpty {
      throw ValidationError("Give --push-only alone: it fetches nothing.")
    }
  }

  func run(in session: Session) async throws {
    // Feeds that another device subscribed to are then refreshed, too.
    var (written, paused): (String?, CommandFailure?)
    do {
      if feeds.isEmpty { written = try await FolderSetup(session: session).run(json: json) }
    } catch let failure as CommandFailure {
      paused = failure
    }
    do {
      if pushOnly {
        if let written, !quiet, !json { try Console.print(written) }
        try await push(session, hasSent: written != nil || paused != nil)
      } else {
        try await sync(session)
      }
    } catch {
      if let paused { Console.note(paused.sentence) }
      throw error
    }
    if let paused { throw paused }
    guard feeds.isEmpty else { return }
    try AccountsReport.requireNoProblem(session.store.reader.accounts.all(), session.store)
  }

  private func sync(_ session: Session) async throws {
    try await session.applyRulesFile()
    try await session.store.reader.plan.endDueSnoozes()
    let accounts = try await askAccounts(session.store)
    let pages = try AskedFor(session.store)
    guard let request = try await ask(session.store) else {
      guard !accounts.isEmpty || !pages.isEmpty else { return try sayNothing(session.store) }
      let run = AccountRun(
        session: session, accounts: accounts, pages: pages, json: json, isQuiet: quiet,
        summarises: true)
      return try await run.run(.requested)
    }
    let progress: SyncProgressLine.Form? = quiet || json ? nil : .ofTerminal
    let view = try SyncView(
      store: session.store, request: request, progress: progress, printsFeeds: json)

    let watch = Task { await view.follow() }
    let (summary, isCancelled) = await session.run(.requested, Network.controller(session))
    watch.cancel()
    let failedPrinting = await watch.value
    try view.finish()

    let end = try session.store.reader.requests.refreshRequest(request.id) ?? request
    if isCancelled {
      try await session.store.reader.requests.cancelRefresh(request.id)
      throw CommandFailure(
        "Cancelled after \(end.done) of \(AmountWording.feeds(end.total)). "
          + "Fetched articles are kept.", code: .interrupted)
    }
    if let error = summary.storeFailure {
      throw CommandFailure("The sync stopped: \(StoreWording.sentence(error)).")
    }
    if let failedPrinting { throw failedPrinting }
    let report = try SyncReport(end, summary, session.store)
    let accountsReport = try AccountsReport(
      summary, of: accounts, session.store, withOthers: true)
    let failedPages = try pages.failed(session.store)
    if json {
      for document in accountsReport.documents { try JSONOutput.print(document) }
      for page in failedPages { try JSONOutput.print(page.document) }
      try JSONOutput.print(report.document)
    }
    try refuse(end, summary)
    if !quiet, !json {
      let lines = report.lines + accountsReport.lines + failedPages.map(\.line)
      for line in lines { try Console.print(line) }
    }
    try judge(end, accountsReport, session.store)
    try AccountsReport.requireNoProblem(accounts, session.store)
  }

  /// - Parameter hasSent: true if there was something to write into the shared folder.
  private func push(_ session: Session, hasSent: Bool) async throws {
    let accounts = try session.store.reader.accounts.all().filter { $0.state.outbox.waiting > 0 }
    guard !accounts.isEmpty else {
      if !quiet, !json, !hasSent { try Console.print("Nothing to send") }
      return
    }
    let run = AccountRun(session: session, accounts: accounts, json: json, isQuiet: quiet)
    try await run.run(.push)
  }

  /// Requests a sync of the named feeds' accounts, or of accounts that are due or have unsent
  /// changes, and returns them. Without names, requests none from a server in back-off or with a
  /// refused password, since repeated requests from cron might lock the account.
  private func askAccounts(_ store: FeedStore) async throws -> [Account] {
    let now = Date()
    let named = feeds.isEmpty ? nil : Set(try FeedArgument.find(feeds, in: store).map(\.account))
    let due = try store.reader.accounts.all().filter { account in
      if let named { return named.contains(account.id) }
      return all || account.state.isRequested || account.state.outbox.waiting > 0
        || account.state.nextSyncAt.map { $0 <= now } ?? false
    }
    let isByName = all || named != nil
    for account in due {
      let waits =
        account.state.failure?.kind == .wrongCredentials
        || account.state.pausedUntil.map { $0 > now } ?? false
      if isByName || !waits { try await store.reader.accounts.requestAccountSync(account.id) }
    }
    return due
  }

  /// Stores the request of this sync: for the named feeds, or for due feeds and open requests;
  /// `nil` if there is no feed to refresh.
  private func ask(_ store: FeedStore) async throws -> RefreshRequest? {
    let scope: RefreshScope
    if all {
      scope = .all
    } else if feeds.isEmpty {
      // A clock that was set back leaves checks years in the future.
      try await store.engine.fetches.rebaseChecks(at: Date())
      let now = Date()
      let found = try store.engine.fetches.dueFeeds(at: now, limit: .max)
      let late = RefreshSchedule().late(of: found, at: now)
      if !late.isEmpty { try await store.engine.fetches.planChecks(late) }
      let lateFeeds = Set(late.map(\.feed))
      let due = found.map(\.feed).filter { !lateFeeds.contains($0) }
      let open = try store.reader.requests.refreshRequests(finishedSince: now).filter {
        !$0.isFinished
      }
      let asked = try open.flatMap { try store.engine.requests.pendingFeeds(of: $0.id).map(\.feed) }
      guard !due.isEmpty || !asked.isEmpty else { return nil }
      scope = .feeds(due + asked)
    } else {
      let found = try FeedArgument.find(feeds, in: store)
      scope = found.count == 1 ? .feed(found[0].id) : .feeds(found.map(\.id))
    }
    let request = try await store.reader.requests.requestRefresh(scope)
    return request.isFinished ? nil : request
  }

  private func sayNothing(_ store: FeedStore) throws {
    if json { return try JSONOutput.print(SyncReport(withoutFeeds: SyncSummary()).document) }
    if quiet { return }
    if all || !feeds.isEmpty { return try Console.print("Nothing to refresh") }
    if try store.reader.feeds.subscriptions().feeds.isEmpty { return Console.noteNoFeeds() }
    let dates = DateWording.current
    let next = try store.engine.fetches.nextDueDate().map { " before \(dates.moment($0))" } ?? ""
    try Console.print("Nothing to refresh\(next). weir sync --all refreshes everything now")
  }

  /// Throws the reason if the sync did not finish: paused, offline, or no answer from its engine.
  private func refuse(_ end: RefreshRequest, _ summary: SyncSummary) throws {
    guard summary.isOffline || summary.isPaused || summary.isUnserved else { return }
    let done =
      end.done > 0
      ? " \(AmountWording.grouped(end.done)) of \(AmountWording.feeds(end.total)) were refreshed."
      : ""
    if summary.isPaused {
      throw CommandFailure(
        "The sync is paused in an open reader.\(done) The rest waits until you resume it there "
          + "(S, then Space).")
    }
    if summary.isUnserved {
      throw CommandFailure(
        "Another Weir is syncing but isn\u{2019}t responding; if it was stopped, fg resumes "
          + "it.\(done) The request stays in the queue.")
    }
    throw CommandFailure(
      "You are offline.\(done) The request stays in the queue for the next sync or the reader.")
  }

  private func judge(
    _ end: RefreshRequest, _ accounts: AccountsReport, _ store: FeedStore
  ) throws {
    let hasRefreshedNothing =
      end.total > 0 && end.failed >= end.total && accounts.hasDoneNothing
    guard hasRefreshedNothing || (strict && end.failed > 0) else { return }
    if case .feed(let id) = end.scope, let feed = try store.reader.feeds.feed(id),
      let sentence = FailureWording.now.sentence(for: feed)
    {
      throw CommandFailure(sentence + ".")
    }
    let pauses = HostPause.all(try store.reader.requests.failedFeeds(of: end))
    if pauses.reduce(0, { $0 + $1.feeds.count }) >= end.failed,
      let sentence = HostPause.sentence(pauses, FailureWording.now.dates)
    {
      throw CommandFailure(sentence + ".")
    }
    let feeds = AmountWording.feeds(end.failed)
    throw CommandFailure(
      "\(feeds) couldn\u{2019}t be refreshed. \u{201C}weir doctor\u{201D} says why.")
  }
}
