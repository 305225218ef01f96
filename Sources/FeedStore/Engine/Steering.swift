public import FeedModel
public import Foundation
import GRDB

// How the user steers the engine: rows that say what is wanted, however often it is asked for.

extension FeedStore {
  /// Cancellations that no engine took within so many milliseconds are void.
  private static let patience: Int64 = 60_000

  /// Pauses the sync or a host, or resumes it. A pause ends with this store at the latest.
  public func setPaused(_ scope: SyncPause.Scope, _ isPaused: Bool) async throws(StoreError) {
    let (owner, now) = (owner.text, options.now().milliseconds)
    let text = Self.text(scope)
    try await write(.user) { db in
      if isPaused {
        // A pause of a process that died gives way.
        _ = try db.run(
          """
          INSERT INTO syncPause (scope, owner, since) VALUES (?1, ?2, ?3)
          ON CONFLICT (scope) DO UPDATE SET owner = ?2, since = ?3 WHERE owner <> ?2
          """, [text, owner, now])
      } else {
        _ = try db.run("DELETE FROM syncPause WHERE scope = ?", [text])
      }
    }
  }

  /// The pauses of living processes, oldest first.
  public func syncPauses() throws(StoreError) -> [SyncPause] {
    try read { db in
      try db.all("SELECT scope, owner, since FROM syncPause ORDER BY since, scope") { row in
        guard ProcessOwner.isAlive(row[1]), let scope = Self.scope(row[0]) else { return nil }
        return SyncPause(scope: scope, since: Date(milliseconds: row[2]))
      }.compactMap { $0 }
    }
  }

  /// Asks the engine to end work. What a feed brought so far stays.
  public func cancel(_ cancellation: SyncCancellation) async throws(StoreError) {
    let now = options.now().milliseconds
    let text = Self.text(cancellation)
    try await write(.user) { db in
      _ = try db.run("INSERT OR REPLACE INTO cancellation (scope, at) VALUES (?, ?)", [text, now])
    }
  }

  /// What the engine was asked to end and has not settled.
  public func cancellations() throws(StoreError) -> [SyncCancellation] {
    let since = options.now().milliseconds - Self.patience
    return try read { db in
      try db.all("SELECT scope FROM cancellation WHERE at >= ? ORDER BY at, scope", [since]) {
        let text: String = $0[0]
        if text == "waiting" { return .waiting }
        return text.split(separator: ":").last.flatMap { Int64($0) }
          .map { .feed(FeedID(rawValue: $0)) }
      }.compactMap { $0 }
    }
  }

  /// The engine has ended this work: no request waits for these feeds any more, and those that were
  /// due are due again at `next` only. What was asked for meanwhile stands; what is void goes.
  public func settle(
    _ cancellations: [SyncCancellation], of feeds: [FeedID], next: Date, reason: String
  ) async throws(StoreError) {
    let now = options.now()
    let void = now.milliseconds - Self.patience
    let scopes = cancellations.map(Self.text)
    try await write(.engine) { db in
      try db.run("DELETE FROM cancellation WHERE at < ?", [void])
      for scope in scopes { try db.run("DELETE FROM cancellation WHERE scope = ?", [scope]) }
      for feed in feeds {
        try RequestRows.withdraw(db, feed: feed.rawValue, at: now)
        try db.run(
          """
          UPDATE feedFetch SET nextCheckAt = ?1, nextCheckReason = ?2
          WHERE feedID = ?3 AND nextCheckAt < ?1
          """, [next.milliseconds, reason, feed.rawValue])
      }
    }
  }

  private static func text(_ cancellation: SyncCancellation) -> String {
    switch cancellation {
    case .feed(let feed): "feed:\(feed.rawValue)"
    case .waiting: "waiting"
    }
  }

  private static func text(_ scope: SyncPause.Scope) -> String {
    switch scope {
    case .everything: "all"
    case .host(let host): "host:\(host)"
    }
  }

  private static func scope(_ text: String) -> SyncPause.Scope? {
    if text == "all" { return .everything }
    return text.hasPrefix("host:") ? .host(String(text.dropFirst(5))) : nil
  }
}
