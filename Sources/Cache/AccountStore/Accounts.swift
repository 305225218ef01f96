@_exported public import ArticleStore
public import Foundation
import GRDB

// The code in this folder stores remote accounts: their rows, the changes to send to their servers,
// and the states that the servers return. It sends no requests and handles no secrets.

/// An aggregator where the user keeps subscriptions and states.
public struct Account: Sendable, Identifiable, Equatable {
  public typealias Kind = AccountKind
  public var id: AccountID
  public var kind: Kind
  /// Address of the server's API, without a slash at the end.
  public var url: String
  public var user: String
  /// Name of the account's folder; never empty.
  public var title: String
  /// The program that prints the password, and its arguments; `nil` if the password is stored
  /// elsewhere.
  public var passwordCommand: [String]?
  /// The account's folder, at the top level.
  public var folder: FolderID?
  public var state = AccountState()

  public init(
    id: AccountID, kind: Kind, url: String, user: String, title: String,
    passwordCommand: [String]? = nil
  ) {
    (self.id, self.kind, self.url, self.user, self.title) = (id, kind, url, user, title)
    self.passwordCommand = passwordCommand
  }
}

/// The state of an account at its server.
public struct AccountState: Sendable, Equatable {
  public var isSyncing: Bool = false
  public var isRequested: Bool = false
  /// Start of the newest complete pull.
  public var syncedAt: Date?
  /// Time of the next sync; `nil` if the account is synced only on request.
  public var nextSyncAt: Date?
  /// Time until which only requests by the user are sent.
  public var pausedUntil: Date?
  public var failure: AccountFailure?
  public var outbox: OutboxCounts = OutboxCounts()
  /// True if the server accepts no tags. Tags of the account's articles stay on this machine.
  public var refusesTags: Bool = false
  /// True if states sent with articles contradict the lists of IDs. The lists are used.
  public var hasWrongItemStates: Bool = false
  /// Time at which the server was last found rebuilt or set back. The marks made here were sent to
  /// it again.
  public var rebuiltAt: Date?
}

public typealias AccountFailure = StoredFailure<AccountFailureKind>

/// The kinds of failures of accounts. Raw values are stored in the cache and printed in JSON.
public enum AccountFailureKind: String, Sendable, Codable, CaseIterable {
  /// The program for the password failed, or no password is stored.
  case noSecret
  case wrongCredentials
  /// The address does not serve the protocol, or the API is disabled.
  case noSuchAPI
  /// `detail` is the new scheme, host and port.
  case moved
  /// The server is in back-off.
  case busy
  /// The server answered with an error; `detail` names it.
  case refused
  case unusable
  /// No answer came; `detail` is a `RefreshFailure.Kind`.
  case unreachable
  /// The protocol has no such call.
  case unsupported
  /// The server's lists are empty, although those of the last pull had entries. Nothing is
  /// changed until a second pull gets empty lists too.
  case emptyLists
}

/// Accounts at servers: their settings, and changes to be sent.
public typealias AccountCache = Facet<Account>

/// The sync of accounts: the changes to send, and the states that servers return.
public typealias AccountSyncCache = Facet<AccountWork>

extension AccountCache {
  /// Returns `true` if the user allowed the password command on this machine.
  public func mayRun(passwordCommand words: [String]) -> Bool {
    database.allowedPrograms.contains(AllowedPrograms.command(ofPassword: words))
  }

  func allow(_ words: [String]) throws(StoreError) {
    try database.allowedPrograms.allow([AllowedPrograms.command(ofPassword: words)])
  }

  /// Returns all accounts in the order in which they were added.
  public func all() throws(StoreError) -> [Account] {
    try database.read { db in try AccountRows.all(db, "ORDER BY id") }
  }

  /// Requests a sync of one account, or of all if `id` is `nil`. Repeated requests are one durable
  /// row.
  public func requestAccountSync(_ id: AccountID?) async throws(StoreError) {
    try await database.write(.user) { db, now in
      try AccountRows.request("id = ifnull(?, id)", [id?.rawValue], db, at: now.milliseconds)
    }
  }

  public func account(_ id: AccountID) throws(StoreError) -> Account? {
    try database.read { db in try AccountRows.all(db, "WHERE id = ?", [id.rawValue]).first }
  }

  /// Adds an account with its own folder at the top level, and requests its first sync. Throws
  /// `.accountExists` if an account has this kind, address and user.
  /// - Parameter title: if blank or `nil`, the server's name is used, with the user's name for a
  ///   second account on that server.
  @discardableResult
  public func addAccount(
    kind: Account.Kind, url: String, user: String, title: String? = nil,
    passwordCommand: [String]? = nil
  ) async throws(StoreError) -> AccountID {
    let now = database.now.milliseconds
    let url = String(url.reversed().drop { $0 == "/" }.reversed())
    let wanted = title?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    let host = WebAddress(url).host ?? kind.rawValue
    if let passwordCommand { try allow(passwordCommand) }
    return try await database.write(.user) { db in
      let title = try wanted.isEmpty ? AccountRows.title(host, user, kind, db) : wanted
      let known: Int64? = try db.value(
        "SELECT id FROM account WHERE kind = ? AND url = ? AND user = ?",
        [kind.rawValue, url, user])
      if let known { throw StoreError.accountExists(AccountID(rawValue: known)) }
      try db.run(
        """
        INSERT INTO account (kind, url, user, title, passwordCommand, addedAt, requestedAt)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
        """, [kind.rawValue, url, user, title, StringList.text(passwordCommand ?? []), now])
      let id = db.lastInsertedRowID
      _ = try AccountRows.accountFolder(id, db)
      return AccountID(rawValue: id)
    }
  }

  /// Requests a sync.
  public func setPasswordCommand(_ id: AccountID, _ command: [String]?) async throws(StoreError) {
    if let command { try allow(command) }
    try await database.write(.user) { db, now in
      guard
        try db.run(
          "UPDATE account SET passwordCommand = ?, requestedAt = ? WHERE id = ?",
          [StringList.text(command ?? []), now.milliseconds, id.rawValue]) > 0
      else { throw StoreError.notFound }
      try OutboxRows.release("id = ?", [id.rawValue], db)
    }
  }

  /// Makes a pull due now if the last one is older than `date` and another is planned. Called when
  /// the reader opens or the network is back. A refused password is not tried again.
  public func hastenAccountSyncs(olderThan date: Date) async throws(StoreError) {
    try await database.run(
      .engine,
      """
      UPDATE account SET nextSyncAt = ?1
      WHERE nextSyncAt > ?1 AND ifnull(syncedAt, 0) < ?2
        AND failureKind IS NOT 'wrongCredentials'
      """, [database.now.milliseconds, date.milliseconds])
  }

  /// Removes an account with its feeds, articles and outbox; the server is not changed. Not
  /// undoable.
  /// - Returns: the number of changes that had not been sent.
  @discardableResult
  public func removeAccount(_ id: AccountID) async throws(StoreError) -> Int {
    let (unsent, feeds) = try await database.change { transaction in
      let db = transaction.db
      guard let account = try AccountRows.all(db, "WHERE id = ?", [id.rawValue]).first else {
        throw StoreError.notFound
      }
      let feeds: [Int64] = try db.values("SELECT id FROM feed WHERE accountID = ?", [id.rawValue])
      for feed in feeds {
        try FeedRemoval.remove(feed, transaction)
        try FeedRemoval.hide(feed, db, keepsArchived: false)
      }
      if let folder = account.folder {
        try FolderTree.removeEmpty(in: folder.rawValue, db)
        try FolderTree.dissolve(folder.rawValue, into: nil, db)
      }
      try db.run("DELETE FROM account WHERE id = ?", [id.rawValue])
      let outbox = account.state.outbox
      return (outbox.waiting + outbox.refused, feeds)
    }
    // Other writes can run between small steps. If the process is killed, maintenance continues.
    for feed in feeds {
      while try await database.write(.engine, { db in try FeedRemoval.purge(feed, db) }) {}
    }
    try await database.write(.engine) { db in try Journal.removeEmpty(db) }
    return unsent
  }
}

enum AccountRows {
  static func all(
    _ db: Database, _ conditions: String, _ arguments: StatementArguments = []
  ) throws -> [Account] {
    try db.all(
      """
      SELECT id, kind, url, user, title, passwordCommand, folderID, requestedAt, syncedAt,
        nextSyncAt, syncOwner, failureKind, failureStatus, failureDetail, failureSince, failureCount,
        pausedUntil, refusesTags, hasWrongItemStates, rebuiltAt
      FROM account \(conditions)
      """, arguments
    ) { row -> Account? in
      // Skips an account whose protocol only a newer version knows.
      guard let kind = Account.Kind(rawValue: row["kind"]) else { return nil }
      let words = StringList.strings(row["passwordCommand"])
      let id: AccountID = row.id("id")
      var account = Account(
        id: id, kind: kind, url: row["url"], user: row["user"], title: row["title"],
        passwordCommand: words.isEmpty ? nil : words)
      account.folder = row.id("folderID")
      account.state = AccountState(
        isSyncing: (row["syncOwner"] as String?).map(ProcessOwner.isAlive) ?? false,
        isRequested: row["requestedAt"] as Int64? != nil, syncedAt: row.date("syncedAt"),
        nextSyncAt: row.date("nextSyncAt"), pausedUntil: row.date("pausedUntil"),
        failure: FetchRows.failure(row, unknown: AccountFailure.Kind.unusable),
        outbox: try OutboxRows.counts(id.rawValue, db),
        refusesTags: row["refusesTags"], hasWrongItemStates: row["hasWrongItemStates"],
        rebuiltAt: row.date("rebuiltAt"))
      return account
    }.compactMap { $0 }
  }

  /// Returns a name that no other account has: the server's, if needed with user and protocol.
  fileprivate static func title(
    _ host: String, _ user: String, _ kind: Account.Kind, _ db: Database
  ) throws -> String {
    let owner = "\(user) at \(host)"
    let names = [host, owner, "\(owner) (\(kind.rawValue))"] + (2...99).map { "\(owner) (\($0))" }
    return try names.first { name in
      try !db.exists("SELECT 1 FROM account WHERE title = ?", [name])
    } ?? owner
  }

  /// Returns the account's folder, which is created again if the user has deleted it.
  static func accountFolder(_ account: Int64, _ db: Database) throws -> Int64 {
    let known: (folder: Int64?, title: String)? = try db.first(
      "SELECT folderID, title FROM account WHERE id = ?", [account]
    ) { ($0["folderID"] as Int64?, $0["title"]) }
    guard let known else { throw StoreError.notFound }
    if let folder = known.folder { return folder }
    // Uses another title if the user has a folder with this one.
    var title = known.title
    var number = 2
    while try FolderTree.named(title, in: nil, db) != nil {
      title = "\(known.title) (\(number))"
      number += 1
    }
    let folder = try FolderTree.add(title, in: nil, db)
    try db.run("UPDATE account SET folderID = ? WHERE id = ?", [folder, account])
    return folder
  }

  // MARK: Requests

  static func request(feeds: [Int64], _ db: Database, at now: Int64) throws {
    try request(
      "id IN (SELECT accountID FROM feed WHERE id IN (SELECT value FROM json_each(?)))",
      [SQLText.json(feeds)], db, at: now)
  }

  /// Requests a sync even if one is running, because that sync may have asked the server already.
  static func request(
    _ condition: String, _ arguments: StatementArguments, _ db: Database, at now: Int64
  ) throws {
    try db.run("UPDATE account SET requestedAt = ? WHERE \(condition)", [now] + arguments)
    try OutboxRows.release(condition, arguments, db)
  }
}

extension OutboxRecorder {
  package func requestSync(of scope: RefreshScope, in transaction: Transaction) throws {
    let (db, now) = (transaction.db, transaction.at)
    switch scope {
    case .all: try AccountRows.request("1", [], db, at: now)
    case .folder(let folder):
      try AccountRows.request(feeds: try FolderTree.feeds(of: folder, db), db, at: now)
      try AccountRows.request("folderID = ?", [folder.rawValue], db, at: now)
    case .feed(let feed): try AccountRows.request(feeds: [feed.rawValue], db, at: now)
    case .feeds(let feeds): try AccountRows.request(feeds: feeds.map(\.rawValue), db, at: now)
    }
  }
}
