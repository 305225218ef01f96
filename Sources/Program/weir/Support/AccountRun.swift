import Foundation
import ProgramSettings

struct AccountRun {
  let session: Session
  let accounts: [Account]
  var pages = AskedFor()
  var json = false
  var isQuiet = false
  var isStrict = true
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
    guard isStrict || report.hasDoneNothing else {
      if isQuiet, let failure = report.failure { Console.complain(failure.sentence) }
      return
    }
    if let failure = report.failure { throw failure }
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
    entries.map { entry in
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
      if let failure = report.anyFailure {
        parts.append(wording.happened(failure, url: account.url))
      }
      if isLeft(entry) { parts.append("waiting to sync") }
      if parts.isEmpty { parts.append("nothing to send") }
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

  var failure: CommandFailure? {
    for entry in entries {
      guard let failure = entry.report.anyFailure else { continue }
      let words = wording.sentences(about: failure, url: entry.account.url)
      return CommandFailure(entries.count > 1 ? "\(entry.account.title): \(words)" : words)
    }
    return nil
  }

  /// Throws if a server refused changes that the user has neither sent again nor discarded.
  static func requireNoneRefused(_ accounts: [Account]) throws(CommandFailure) {
    guard let account = accounts.first(where: { $0.state.outbox.refused > 0 }) else { return }
    let changes = AmountWording.changes(account.state.outbox.refused)
    throw CommandFailure(
      "\(account.title) refused \(changes). \u{201C}weir account changes\u{201D} lists them, "
        + "\u{201C}weir account retry\u{201D} sends them again, \u{201C}weir account discard\u{201D} "
        + "discards them.")
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
    sent = max(0, old.waiting - new.waiting - refused)
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
