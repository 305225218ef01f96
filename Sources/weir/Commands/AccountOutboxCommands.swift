import ArgumentParser
import FeedModel
import FeedStore
import Foundation
import ReaderUI
import Wording

struct AccountChangesCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "List the changes that an account’s server does not have yet.",
    discussion: """
      A change waits to be sent, has failed and is tried again, or was refused by the server. What was \
      refused stays until “weir account retry” sends it again or “weir account discard” discards it.
      """)

  @Argument(help: "Only of these: number, title, or part of the address.")
  var accounts: [String] = []

  @Flag(help: "As JSON.")
  var json = false

  @OptionGroup(title: "Global options")
  var global: GlobalOptions

  func run(in session: Session) async throws {
    let entries = try OutboxEntries(accounts, session.store)
    if json { return try entries.printJSON() }
    if entries.isEmpty { return Console.note("Every change has been sent.") }
    try entries.print()
  }
}

struct AccountRetryCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Send again what a server refused or failed to take, with the next sync.")

  @Argument(help: "Only of these: number, title, or part of the address.")
  var accounts: [String] = []

  @Flag(help: "List the changes as JSON.")
  var json = false

  @OptionGroup(title: "Global options")
  var global: GlobalOptions

  func run(in session: Session) async throws {
    let entries = try OutboxEntries(accounts, session.store).filter { $0.state != .pending }
    try await session.store.reader.retryOutbox(entries.ids)
    if json { return try entries.printJSON() }
    if entries.isEmpty { return Console.note("No change has failed or was refused.") }
    try entries.print()
    try Console.print("\(entries.amount) will be sent with the next sync")
  }
}

struct AccountDiscardCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "discard",
    abstract: "Discard the changes that a server refused; the next sync brings back what it has.")

  @Argument(help: "Only of these: number, title, or part of the address.")
  var accounts: [String] = []

  @Flag(help: "Also the changes that have not been sent yet.")
  var all = false

  @Flag(help: "List the changes as JSON.")
  var json = false

  @OptionGroup(title: "Global options")
  var global: GlobalOptions

  func run(in session: Session) async throws {
    let entries = try OutboxEntries(accounts, session.store).filter { all || $0.state == .refused }
    try await session.store.reader.discardOutbox(entries.ids)
    if json { return try entries.printJSON() }
    if entries.isEmpty { return Console.note("No change was refused.") }
    try entries.print()
    try Console.print("\(entries.amount) discarded")
  }
}

private struct OutboxEntries {
  private var entries: [(account: Account, entry: OutboxEntry)] = []
  private let wording = AccountWording(dates: FailureWording.now.dates)

  /// - Parameter accounts: as typed; empty for all accounts.
  init(_ accounts: [String], _ store: FeedStore) throws {
    for account in try AccountArgument.find(accounts, in: store) {
      entries += try store.reader.outbox(of: account.id, limit: .max).map { (account, $0) }
    }
  }

  var isEmpty: Bool { entries.isEmpty }
  var ids: [Int64] { entries.map(\.entry.id) }
  var amount: String { AmountWording.count(entries.count, "change", "changes") }

  func filter(_ isIncluded: (OutboxEntry) -> Bool) -> Self {
    var copy = self
    copy.entries = entries.filter { isIncluded($0.entry) }
    return copy
  }

  func print() throws {
    var table = Table([.text(limit: 20), .text(limit: 24), .text(limit: 40), .last])
    for (account, entry) in entries {
      table.add([
        account.title, AccountWording.change(entry.change), entry.title, wording.state(entry),
      ])
    }
    try table.print()
  }

  func printJSON() throws {
    var elements = JSONOutput.Elements()
    for (account, entry) in entries { try elements.add(OutboxDocument(account, entry)) }
    try elements.end()
  }
}

private struct OutboxDocument: Encodable {
  var account: Int64
  var article: Int64?
  var attempts: Int
  /// read, starred, tag, tag-removed, subscribed, title, folder or folder-title.
  var change: String
  var changedAt: Date
  var detail: String?
  var feed: Int64?
  var nextTry: Date?
  /// pending, failed or refused.
  var state: String
  var title: String
  /// A flag of read, starred and subscribed; else a name.
  var value: String

  init(_ account: Account, _ entry: OutboxEntry) {
    self.account = account.id.rawValue
    article = entry.article?.rawValue
    attempts = entry.attempts
    (change, value) =
      switch entry.change {
      case .read(let isRead): ("read", String(isRead))
      case .starred(let isStarred): ("starred", String(isStarred))
      case .tagged(let tag, true): ("tag", tag)
      case .tagged(let tag, false): ("tag-removed", tag)
      case .subscribed(let isSubscribed): ("subscribed", String(isSubscribed))
      case .folderRenamed(let name): ("folder-title", name)
      case .folderRemoved: ("folder-title", "")
      case .renamed(let title): ("title", title)
      case .moved(let folder): ("folder", folder)
      }
    changedAt = entry.changedAt
    detail = entry.detail
    feed = entry.feed?.rawValue
    nextTry = entry.nextTry
    state =
      switch entry.state {
      case .pending: "pending"
      case .failed: "failed"
      case .refused: "refused"
      }
    title = entry.title
  }
}
