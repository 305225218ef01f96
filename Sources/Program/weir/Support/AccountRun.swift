import Foundation
import ProgramSettings

struct AccountRun {
  let session: Session
  let accounts: [Account]
  var pages = AskedFor()
  var json = false
  var isQuiet = false
  var summarises = false

  /// Syncs or sends changes, prints the result, and throws if there was a failure.
  func run(_ work: SyncWork) async throws {
    let (summary, isCancelled) = await session.run(work, Network.controller(session))
    if isCancelled {
      throw CommandFailure("Cancelled. Unsent changes are kept.", code: .interrupted)
    }
    if let error = summary.storeFailure {
      throw CommandFailure("The sync stopped: \(StoreWording.sentence(error)).")
    }
    let report = try AccountsReport(summary, of: accounts, session.store)
    if json {
      for document in report.documents { try JSONOutput.print(document) }
      for page in try pages.failed(session.store) { try JSONOutput.print(page.document) }
      if summarises { try JSONOutput.print(SyncReport(withoutFeeds: summary).document) }
    }
    if summary.isOffline {
      throw CommandFailure(
        "You are offline. Requests and changes wait for the next sync or the "
          + "reader.")
    }
    if !json, !isQuiet {
      for line in try report.lines + pages.lines(session.store) { try Console.print(line) }
    }
    try AccountsReport.requireNoProblem(accounts, session.store)
    if case .requested = work, let left = report.left {
      throw CommandFailure(
        "\(left.title) is waiting to sync. The open reader or the next sync will do it.")
    }
  }
}

/// The result of a sync for remote accounts.
struct AccountsReport {
  private struct Entry {
    var account: Account
    var report: AccountReport
    /// True if the result was read from the cache, because another process did the work or the
    /// account was not due.
    var isByRows = false
  }

  private let entries: [Entry]
  private let wording = AccountWording(dates: .current)

  /// - Parameters:
  ///   - accounts: the requested accounts, as they were before the sync.
  ///   - withOthers: true to include all accounts that were synced.
  init(
    _ summary: SyncSummary, of accounts: [Account], _ store: FeedStore, withOthers: Bool = false
  ) throws {
    let known = try store.reader.accounts.all()
    let own = summary.accounts.compactMap { report in
      known.first { $0.id == report.account }.map { Entry(account: $0, report: report) }
    }
    let others = accounts.compactMap { before -> Entry? in
      guard let account = known.first(where: { $0.id == before.id }),
        !own.contains(where: { $0.account.id == before.id })
      else { return nil }
      let report = AccountReport(of: account, since: before.state)
      return Entry(account: account, report: report, isByRows: true)
    }
    entries =
      own.filter { entry in withOthers || accounts.contains { $0.id == entry.account.id } } + others
  }

  /// Lines for accounts, like "FreshRSS: 12 sent, 7 new articles".
  var lines: [String] {
    entries.compactMap { entry in
      let (account, report) = (entry.account, entry.report)
      var parts: [String] = []
      func add(_ count: Int, _ words: String) {
        if count > 0 { parts.append("\(AmountWording.grouped(count)) \(words)") }
      }
      add(report.sent, "sent")
      add(report.waiting, "to be sent next time")
      add(account.state.outbox.refused, "refused")
      if report.hasPulled, entry.isByRows {
        parts.append("synced")
      } else if report.hasPulled {
        parts.append(SyncWording.arrivals(report.newArticles))
      }
      parts += report.ended.map { AccountWording.ended($0, account) }
      if report.refusesTags { parts.append(AccountWording.tagsStay) }
      if isLeft(entry) { parts.append("waiting to sync") }
      if parts.isEmpty {
        if report.anyFailure != nil { return nil }
        parts.append("nothing to send")
      }
      return "\(account.title): \(parts.joined(separator: ", "))"
    }
  }

  /// JSON for each account; `newArticles` is absent if another process has done the work.
  var documents: [JSONObject] {
    entries.map { entry in
      let (account, report) = (entry.account, entry.report)
      return [
        "account": account.id.rawValue, "title": account.title, "sent": report.sent,
        "waiting": report.waiting, "refused": report.refused,
        "newArticles": entry.isByRows ? nil : report.newArticles, "fetched": report.hasPulled,
        "failure": report.anyFailure?.kind.rawValue,
        "message": report.anyFailure.map { wording.happened($0, url: account.url) },
      ]
    }
  }

  /// Returns sentences about each account that fails, or has not taken changes.
  static func problems(_ accounts: [Account], _ store: FeedStore) throws -> [String] {
    let wording = AccountWording(dates: .current)
    return try accounts.flatMap { account -> [String] in
      var problems: [String] = []
      if let failure = account.state.failure {
        let words = wording.sentences(about: failure, url: account.url)
        let next = account.state.nextSyncAt.map { " Next try: \(wording.dates.moment($0))." } ?? ""
        problems.append(
          (words.contains(account.title) ? "" : "\(account.title): ") + words + next)
      }
      if account.state.failure == nil, account.state.outbox.failed > 0 {
        let changes = AmountWording.changes(account.state.outbox.failed)
        let why = try store.reader.accounts.outbox(of: account.id, limit: 1_000)
          .first { $0.state == .failed }?.detail.map { ": \(wording.reason($0))" }
        problems.append("\(account.title) has not taken \(changes)\(why ?? "")")
      }
      if account.state.outbox.refused > 0 {
        let changes = AmountWording.changes(account.state.outbox.refused)
        problems.append(
          "\(account.title) refused \(changes). \u{201C}weir account changes\u{201D} lists them, "
            + "\u{201C}weir account retry\u{201D} sends them again, "
            + "\u{201C}weir account discard\u{201D} discards them.")
      }
      return problems
    }
  }

  /// Throws if one of these accounts has a problem, whether or not it was tried.
  static func requireNoProblem(_ accounts: [Account], _ store: FeedStore) throws {
    let ids = Set(accounts.map(\.id))
    let problems = try problems(
      store.reader.accounts.all().filter { ids.contains($0.id) }, store)
    for problem in problems.dropLast() { Console.complain(problem) }
    if let last = problems.last { throw CommandFailure(last) }
  }

  var hasDoneNothing: Bool { entries.allSatisfy { $0.report.failure != nil || isLeft($0) } }

  /// The first requested account that was not synced although it has no failure.
  var left: Account? { entries.first(where: isLeft)?.account }

  private func isLeft(_ entry: Entry) -> Bool {
    entry.isByRows && entry.account.state.isRequested && !entry.report.hasPulled
      && entry.report.failure == nil
  }
}

extension AccountReport {
  fileprivate var anyFailure: AccountFailure? { failure ?? sendFailure }

  /// Derives the result from the rows of the account before and after.
  fileprivate init(of account: Account, since before: AccountState) {
    self.init(account: account.id, title: account.title)
    let (old, new) = (before.outbox, account.state.outbox)
    waiting = new.waiting
    refused = max(0, new.refused - old.refused)
    refusesTags = account.state.refusesTags && !before.refusesTags
    sent = account.state.failure == nil ? max(0, old.waiting - new.waiting - refused) : 0
    hasPulled = account.state.syncedAt != before.syncedAt
    failure = account.state.failure
  }
}

/// Finds the account of an argument: its number, its title, or a unique part of its address or
/// user.
enum AccountArgument {
  /// - Parameter texts: the arguments; empty for all accounts.
  static func find(_ texts: [String], in store: FeedStore) throws -> [Account] {
    let accounts = try store.reader.accounts.all()
    return texts.isEmpty
      ? accounts : try texts.map { try find($0, among: accounts) }.withoutDuplicates
  }

  static func find(_ text: String, in store: FeedStore) throws -> Account {
    try find(text, among: store.reader.accounts.all())
  }

  private static func find(_ text: String, among accounts: [Account]) throws -> Account {
    let wanted = text.lowercased()
    return try accounts.find(
      text, ("account", "weir account list"),
      by: [
        { $0.title.lowercased() == wanted },
        { account in
          [account.title, account.url, account.user].contains { $0.lowercased().contains(wanted) }
        },
      ]
    ) { AccountWording.owner(user: $0.user, url: $0.url) }
  }
}
