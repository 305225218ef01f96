import ArgumentParser
import Foundation
import Wording

struct AccountChangesCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "List the changes that an account’s server does not have yet.",
    discussion: """
      A change waits to be sent, has failed and is tried again, or was refused by the server. A refused \
      change stays until “weir account retry” sends it again or “weir account discard” discards it.
      """)

  @OptionGroup var changes: ChangesOptions
  @Flag(help: "As JSON.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    try OutboxEntries(changes.accounts, session.store).print(
      json: json, orNote: "Every change has been sent.")
  }
}

struct ChangesOptions: ParsableArguments {
  @Argument(
    help: "Only changes of these accounts: number, title, or part of the address.",
    completion: .accounts)
  var accounts: [String] = []
}

struct AccountRetryCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Send refused and failed changes again with the next sync.")

  @OptionGroup var changes: ChangesOptions
  @Flag(help: "List the changes as JSON.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let entries = try OutboxEntries(changes.accounts, session.store) { $0.state != .pending }
    try await session.store.reader.accounts.retryOutbox(entries.ids)
    try entries.print(
      json: json, orNote: "No change has failed or was refused.", "will be sent with the next sync")
  }
}

struct AccountDiscardCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "discard",
    abstract: "Discard changes that a server refused; the next sync restores the server’s states.")

  @OptionGroup var changes: ChangesOptions
  @Flag(help: "Also the changes that have not been sent yet.") var all = false
  @Flag(help: "List the changes as JSON.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let entries = try OutboxEntries(changes.accounts, session.store) {
      all || $0.state == .refused
    }
    try await session.store.reader.accounts.discardOutbox(entries.ids)
    try entries.print(json: json, orNote: "No change was refused.", "discarded")
  }
}

private struct OutboxEntries {
  private var entries: [(account: Account, entry: OutboxEntry)] = []
  private let wording = AccountWording(dates: .current)

  /// - Parameter accounts: the accounts as typed; empty for all accounts.
  init(
    _ accounts: [String], _ store: FeedStore,
    where isIncluded: (OutboxEntry) -> Bool = { _ in true }
  ) throws {
    for account in try AccountArgument.find(accounts, in: store) {
      entries += try store.reader.accounts.outbox(of: account.id, limit: .max)
        .filter(isIncluded).map { (account, $0) }
    }
  }

  var ids: [Int64] { entries.map(\.entry.id) }

  /// - Parameters:
  ///   - note: the note if there are no entries.
  ///   - end: the end of the sentence about their number; `nil` for no sentence.
  func print(json isJSON: Bool, orNote note: String, _ end: String? = nil) throws {
    if isJSON { return try JSONOutput.print(elements: entries.lazy.map(\.entry.json)) }
    if entries.isEmpty { return Console.note(note) }
    var table = Table([.text(limit: 20), .text(limit: 24), .text(limit: 40), .last])
    for (account, entry) in entries {
      table.add([
        account.title, AccountWording.change(entry.change), entry.title, wording.state(entry),
      ])
    }
    try table.print()
    if let end { try Console.print("\(AmountWording.changes(entries.count)) \(end)") }
  }
}

extension OutboxEntry {
  fileprivate var json: JSONObject {
    let (change, value) = self.change.words
    return [
      "account": account.rawValue, "article": article?.rawValue, "attempts": attempts,
      "change": change, "changedAt": changedAt, "detail": detail, "feed": feed?.rawValue,
      "nextTry": nextTry, "state": state.rawValue, "title": title, "value": value,
    ]
  }
}

extension OutboxEntry.Change {
  /// The change, and its value: a flag for read, starred and subscribed, otherwise a name.
  fileprivate var words: (change: String, value: String) {
    switch self {
    case .marked(let mark, let isSet): (mark.words.with, String(isSet))
    case .tagged(let tag, true): ("tag", tag)
    case .tagged(let tag, false): ("tag-removed", tag)
    case .subscribed(let isSubscribed): ("subscribed", String(isSubscribed))
    case .folderRenamed(let name): ("folder-title", name)
    case .folderRemoved: ("folder-title", "")
    case .renamed(let title): ("title", title)
    case .moved(let folder): ("folder", folder)
    }
  }
}
