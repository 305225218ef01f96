public import FeedModel
public import Foundation
import GRDB

// This folder holds what the cache knows of remote accounts: their rows, what is to be sent to
// their servers, and how what they say becomes rows. It asks no server anything, and no secret
// enters it.

/// An aggregator where the user keeps subscriptions and states.
public struct Account: Sendable, Identifiable, Equatable {
  /// The protocols. The raw value is the name in the cache and on the command line.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// The Google Reader API: FreshRSS, Miniflux, Inoreader and others.
    case googleReader = "greader"
    /// The Fever API.
    case fever
  }
  /// The account's key in the cache.
  public var id: AccountID
  /// The protocol that the server speaks.
  public var kind: Kind
  /// The address of the server's API, without a slash at the end.
  public var url: String
  /// The name to log in with.
  public var user: String
  /// The name of its branch; never empty.
  public var title: String
  /// The program that prints the password, and its arguments; nil: it is kept elsewhere.
  public var passwordCommand: [String]?
  /// Its branch of the tree: a folder at the top.
  public var folder: FolderID?
  /// The outcome of the last sync and the plan for the next one.
  public var state: AccountState

  /// An account that was never synchronised, unless a state is given.
  public init(
    id: AccountID, kind: Kind, url: String, user: String, title: String,
    passwordCommand: [String]? = nil, folder: FolderID? = nil, state: AccountState = AccountState()
  ) {
    self.id = id
    self.kind = kind
    self.url = url
    self.user = user
    self.title = title
    self.passwordCommand = passwordCommand
    self.folder = folder
    self.state = state
  }
}

/// The state of an account at its server.
public struct AccountState: Sendable, Equatable {
  /// Right now, by a living process.
  public var isSyncing: Bool
  /// A sync was asked for and has not been done yet.
  public var isRequested: Bool
  /// The moment of which the server's state was last here as a whole.
  public var syncedAt: Date?
  /// When it is asked next by itself; nil: only when the user asks.
  public var nextSyncAt: Date?
  /// The server asked for no requests before then: until then only a request of the user's is
  /// tried.
  public var pausedUntil: Date?
  /// The newest failure, until a success clears it.
  public var failure: AccountFailure?
  /// Changes that the server does not have yet.
  public var outbox: OutboxCounts
  /// The server was found to take no tags: those of its articles stay here.
  public var refusesTags: Bool
  /// The present states are fetched before changes are sent: the server may toggle states.
  public var readsFirst: Bool
  /// The states that come with articles are wrong; the lists of ids are right.
  public var hasWrongItemStates: Bool
  /// The question that the user has not answered yet; nothing is sent before. Nil: none.
  public var question: Question?

  /// Questions about what becomes of articles and marks.
  public enum Question: Sendable, Equatable {
    /// The server was rebuilt: its articles have other names.
    case rebuilt
    /// The server was set back to an earlier state: it has lost marks that it had taken.
    case setBack
  }

  /// What is not given is nil, false or 0: an account that was never synchronised.
  public init(
    isSyncing: Bool = false, isRequested: Bool = false, syncedAt: Date? = nil,
    nextSyncAt: Date? = nil, pausedUntil: Date? = nil, failure: AccountFailure? = nil,
    outbox: OutboxCounts = OutboxCounts(), refusesTags: Bool = false, readsFirst: Bool = false,
    hasWrongItemStates: Bool = false, question: Question? = nil
  ) {
    self.isSyncing = isSyncing
    self.isRequested = isRequested
    self.syncedAt = syncedAt
    self.nextSyncAt = nextSyncAt
    self.pausedUntil = pausedUntil
    self.failure = failure
    self.outbox = outbox
    self.refusesTags = refusesTags
    self.readsFirst = readsFirst
    self.hasWrongItemStates = hasWrongItemStates
    self.question = question
  }
}

/// Why an account's server did not do what it was asked for: storable, worded only where people
/// read it.
public struct AccountFailure: Error, Sendable, Equatable {
  /// Raw values are stored in the cache and printed in JSON.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// The password could not be had: the program failed, nothing is kept.
    case noSecret
    /// The server does not know this user with this password.
    case wrongCredentials
    /// Nothing that speaks the protocol answers there, or it is switched off.
    case noSuchAPI
    /// The server is elsewhere; the detail is where: scheme, host and port.
    case moved
    /// The server is in back-off.
    case busy
    /// The server answered with an error; the detail says which.
    case refused
    /// The answer made no sense.
    case unusable
    /// No answer came; the detail is a `RefreshFailure.Kind`.
    case unreachable
    /// The protocol has no such call.
    case unsupported
    /// The server's lists are empty although they were not at the last pull: nothing is changed
    /// until a second pull gets the same.
    case emptyLists
    /// The server has none of the articles that it had: the user is asked what to do.
    case rebuilt
    /// The server has lost marks that it had taken; the detail is their number and the second at
    /// which the first of them was made. The user is asked what to do.
    case setBack
  }
  /// Decides the wording.
  public var kind: Kind
  /// The HTTP status, where there was one.
  public var status: Int?
  /// A short fact beside the kind, plain text.
  public var detail: String?
  /// When this run of failures began.
  public var since: Date
  /// How many syncs in a row have failed.
  public var count: Int

  /// The first failure of a run, unless `count` is given.
  public init(
    kind: Kind, status: Int? = nil, detail: String? = nil, since: Date, count: Int = 1
  ) {
    self.kind = kind
    self.status = status
    self.detail = detail
    self.since = since
    self.count = count
  }
}

extension ReaderCache {
  /// All accounts in the order in which they were added.
  public func accounts() throws(StoreError) -> [Account] {
    try database.read { db in try AccountRows.all(db, "ORDER BY id") }
  }

  /// Nil if there is none of this key.
  public func account(_ id: AccountID) throws(StoreError) -> Account? {
    try database.read { db in try AccountRows.all(db, "WHERE id = ?", [id.rawValue]).first }
  }

  /// Asks for a sync of one account, or of all (nil): a durable row, however often it is asked for.
  public func requestAccountSync(_ id: AccountID?) async throws(StoreError) {
    try await database.write(.user) { db, now in
      if let id {
        try AccountRows.request("id = ?", [id.rawValue], db, at: now.milliseconds)
      } else {
        try AccountRows.request(.all, db, at: now.milliseconds)
      }
    }
  }
}

extension AccountCache {
  /// Nil if there is none of this key.
  public func account(_ id: AccountID) throws(StoreError) -> Account? {
    try database.read { db in try AccountRows.all(db, "WHERE id = ?", [id.rawValue]).first }
  }

  /// Adds an account with a branch of its own at the top of the tree, and asks for its first sync.
  /// `.accountExists` where there is one of this kind, address and user.
  /// - Parameter title: nil or blank: the server's name, with the user's for a second account
  ///   there.
  @discardableResult
  public func addAccount(
    kind: Account.Kind, url: String, user: String, title: String? = nil,
    passwordCommand: [String]? = nil
  ) async throws(StoreError) -> AccountID {
    let now = database.options.now().milliseconds
    let url = String(url.reversed().drop { $0 == "/" }.reversed())
    let wanted = title?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    let host = WebAddress(url).host ?? kind.rawValue
    if let passwordCommand { try allow(passwordCommand) }
    return try await database.write(.user) { db in
      let title = try wanted.isEmpty ? AccountRows.title(host, user, kind, db) : wanted
      let known: Int64? = try db.value(
        "SELECT id FROM account WHERE kind = ? AND url = ? AND user = ?",
        [kind.rawValue, url, user]
      )
      if let known { throw StoreError.accountExists(AccountID(rawValue: known)) }
      try db.run(
        """
        INSERT INTO account (kind, url, user, title, passwordCommand, addedAt, requestedAt)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
        """, [kind.rawValue, url, user, title, StringList.text(passwordCommand ?? []), now])
      let id = db.lastInsertedRowID
      _ = try AccountRows.branch(id, db)
      return AccountID(rawValue: id)
    }
  }

  /// Says by which program the password is had from now on; nil: it is kept elsewhere. Asks for a
  /// sync.
  public func setPasswordCommand(
    _ id: AccountID, _ command: [String]?
  ) async throws(StoreError) {
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

  /// Makes a pull due now where the last one is older than `date` and another is planned: the
  /// reader was opened, or the network is back. A refused password is not tried again for it.
  public func hastenAccountSyncs(olderThan date: Date) async throws(StoreError) {
    try await database.write(.engine) { db, now in
      _ = try db.run(
        """
        UPDATE account SET nextSyncAt = ?1
        WHERE nextSyncAt > ?1 AND ifnull(syncedAt, 0) < ?2
          AND failureKind IS NOT 'wrongCredentials'
        """, [now.milliseconds, date.milliseconds])
    }
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
        pausedUntil, refusesTags, readsFirst, hasWrongItemStates,
        rebuild
      FROM account \(conditions)
      """, arguments
    ) { row -> Account? in
      // One that only a newer version speaks with is not changed.
      guard let kind = Account.Kind(rawValue: row["kind"]) else { return nil }
      let words = StringList.strings(row["passwordCommand"])
      let id: AccountID = row.id("id")
      return Account(
        id: id, kind: kind, url: row["url"], user: row["user"], title: row["title"],
        passwordCommand: words.isEmpty ? nil : words,
        folder: row.id("folderID"),
        state: AccountState(
          isSyncing: (row["syncOwner"] as String?).map(ProcessOwner.isAlive) ?? false,
          isRequested: row["requestedAt"] as Int64? != nil, syncedAt: row.date("syncedAt"),
          nextSyncAt: row.date("nextSyncAt"),
          pausedUntil: row.date("pausedUntil"), failure: failure(row),
          outbox: try OutboxRows.counts(id.rawValue, db), refusesTags: row["refusesTags"],
          readsFirst: row["readsFirst"], hasWrongItemStates: row["hasWrongItemStates"],
          question: Rebuild(rawValue: row["rebuild"])?.question))
    }.compactMap { $0 }
  }

  private static func failure(_ row: Row) -> AccountFailure? {
    guard let kind = row["failureKind"] as String? else { return nil }
    return AccountFailure(
      kind: AccountFailure.Kind(rawValue: kind) ?? .unusable, status: row["failureStatus"],
      detail: row["failureDetail"],
      since: row.date("failureSince") ?? Date(milliseconds: 0), count: row["failureCount"])
  }

  /// A name that no other account has: the server's, with the user's, with the protocol.
  fileprivate static func title(
    _ host: String, _ user: String, _ kind: Account.Kind, _ db: Database
  ) throws -> String {
    let owner = "\(user) at \(host)"
    let names = [host, owner, "\(owner) (\(kind.rawValue))"]
    for number in 0... {
      let name = number < names.count ? names[number] : "\(owner) (\(number - 1))"
      if try !db.exists("SELECT 1 FROM account WHERE title = ?", [name]) { return name }
    }
    return owner
  }

  /// The account's folder, made anew where the user has deleted it.
  static func branch(_ account: Int64, _ db: Database) throws -> Int64 {
    let known: (folder: Int64?, title: String)? = try db.first(
      "SELECT folderID, title FROM account WHERE id = ?", [account]
    ) { ($0["folderID"] as Int64?, $0["title"]) }
    guard let known else { throw StoreError.notFound }
    if let folder = known.folder { return folder }
    // A folder of the user's own that has this name stays the user's own.
    var title = known.title
    var number = 2
    while try FolderTree.named(title, in: nil, db) != nil {
      title = "\(known.title) (\(number))"
      number += 1
    }
    try db.run(
      """
      INSERT INTO folder (title, position) VALUES (?,
        (SELECT ifnull(max(position), -1) + 1 FROM folder WHERE parentID IS NULL))
      """, [title])
    let folder = db.lastInsertedRowID
    try db.run("UPDATE account SET folderID = ? WHERE id = ?", [folder, account])
    return folder
  }

  /// The account in whose branch a folder lies.
  static func account(of folder: Int64?, _ db: Database) throws -> Int64? {
    guard let folder else { return nil }
    return try db.value(
      """
      WITH RECURSIVE up(id, parentID) AS (
        SELECT id, parentID FROM folder WHERE id = ?
        UNION SELECT f.id, f.parentID FROM folder f JOIN up ON f.id = up.parentID)
      SELECT a.id FROM account a JOIN up ON a.folderID = up.id LIMIT 1
      """, [folder]
    )
  }

  // MARK: Requests

  /// The accounts that a refresh of this scope means.
  static func request(_ scope: RefreshScope, _ db: Database, at now: Int64) throws {
    switch scope {
    case .all: try request("1", [], db, at: now)
    case .folder(let folder):
      try request(feeds: try FolderTree.feeds(of: folder, db), db, at: now)
      try request("folderID = ?", [folder.rawValue], db, at: now)
    case .feed(let feed): try request(feeds: [feed.rawValue], db, at: now)
    case .feeds(let feeds): try request(feeds: feeds.map(\.rawValue), db, at: now)
    }
  }

  private static func request(feeds: [Int64], _ db: Database, at now: Int64) throws {
    try request(
      "id IN (SELECT accountID FROM feed WHERE id IN (SELECT value FROM json_each(?)))",
      [SQLText.json(feeds)], db, at: now)
  }

  /// A sync that runs already may have asked before what is wanted now: it does not serve this
  /// request.
  static func request(
    _ condition: String, _ arguments: StatementArguments, _ db: Database, at now: Int64
  ) throws {
    try db.run("UPDATE account SET requestedAt = ? WHERE \(condition)", [now] + arguments)
    try OutboxRows.release(condition, arguments, db)
  }
}
