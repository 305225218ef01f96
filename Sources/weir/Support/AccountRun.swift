import FeedModel
import FeedStore
import Foundation
import ReaderUI
import SyncEngine

/// A sync of accounts alone, from its start to what is said of it.
struct AccountRun {
  let session: Session
  /// Those that are meant.
  let accounts: [Account]
  /// A line of JSON for each in the place of a sentence.
  var json = false
  /// Say nothing but errors.
  var isQuiet = false

  /// Syncs or sends, reports, and throws where an account failed.
  func run(_ work: NetworkController.Work) async throws {
    let controller = Network.controller(session)
    let logging = Task { await SyncLog(log: session.log).follow(controller.events) }
    defer { logging.cancel() }
    let run = Task { await controller.runUntilIdle(work) }
    let interrupt = Interrupt { run.cancel() }
    let summary = await run.value
    interrupt.end()
    if interrupt.hasFired {
      throw CommandFailure("Cancelled. What was not sent waits.", code: .interrupted)
    }
    if let error = summary.storeFailure {
      throw CommandFailure("The sync stopped: \(StoreWording.sentence(error)).")
    }
    if summary.isOffline {
      throw CommandFailure(
        "There is no connection. What was to be sent waits for the next sync or the reader.")
    }
    let report = try AccountsReport(summary, of: accounts, session.store)
    if json {
      for document in report.documents { try JSONOutput.print(document) }
    } else if !isQuiet {
      for line in report.lines { try Console.print(line) }
    }
    if let failure = report.failure { throw failure }
  }
}

/// What a sync came to for remote accounts.
struct AccountsReport {
  struct Document: Encodable {
    var account: Int64
    var title: String
    var sent: Int
    var waiting: Int
    var refused: Int
    var newArticles: Int
    var pulled: Bool
    var failure: String?
    var message: String?
  }

  private let reports: [(account: Account, report: AccountReport)]
  private let wording = AccountWording(dates: FailureWording.now.dates)

  /// - Parameter accounts: nil: all that took part.
  init(_ summary: SyncSummary, of accounts: [Account]? = nil, _ store: FeedStore) throws {
    let known = try store.accounts()
    reports = summary.accounts.compactMap { report in
      guard let account = known.first(where: { $0.id == report.account }),
        accounts?.contains(where: { $0.id == account.id }) ?? true
      else { return nil }
      return (account, report)
    }
  }

  /// "FreshRSS: 12 sent, 7 new articles", a line for each account.
  var lines: [String] {
    reports.map { account, report in
      var parts: [String] = []
      func add(_ count: Int, _ words: String) {
        if count > 0 { parts.append("\(AmountWording.grouped(count)) \(words)") }
      }
      add(report.sent, "sent")
      add(report.waiting, "to be sent next time")
      add(report.refused, "refused")
      if report.hasPulled {
        parts.append(
          report.newArticles == 0
            ? "nothing new"
            : AmountWording.count(report.newArticles, "new article", "new articles"))
      }
      if let failure = report.failure { parts.append(wording.happened(failure, url: account.url)) }
      if parts.isEmpty { parts.append("nothing to send") }
      return "\(account.title): \(parts.joined(separator: ", "))"
    }
  }

  var documents: [Document] {
    reports.map { account, report in
      Document(
        account: account.id.rawValue, title: account.title, sent: report.sent,
        waiting: report.waiting, refused: report.refused, newArticles: report.newArticles,
        pulled: report.hasPulled, failure: report.failure?.kind.rawValue,
        message: report.failure.map { wording.happened($0, url: account.url) })
    }
  }

  /// The first failure as a sentence with what helps.
  var failure: CommandFailure? {
    for (account, report) in reports {
      guard let failure = report.failure else { continue }
      let happened = wording.happened(failure, url: account.url)
      return CommandFailure("\(happened). \(AccountWording.remedy(failure))")
    }
    return nil
  }
}
