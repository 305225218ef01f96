public import Foundation
import GRDB

extension FetchWork {
  /// Corrects dates that were written while the clock was in the future: each feed waits for the
  /// planned time from `now` on, instead of until a date years away.
  public func rebaseChecks(at now: Date) async throws(StoreError) {
    // Past events may lie a little ahead, by the clock of another process or a correction of the
    // clock; plans a week, plus the delay that spreads checks.
    let now = now.milliseconds
    let latestNote = now + Duration.minutes(1).milliseconds
    let latestPlan = now + Duration.days(8).milliseconds
    try await database.write(.engine) { db in
      try db.run(
        """
        UPDATE feedFetch SET nextCheckAt = ?1 + max(0, nextCheckAt - checkedAt),
          notBefore = ?1 + max(0, notBefore - checkedAt), checkedAt = ?1,
          succeededAt = min(succeededAt, ?1), failureSince = min(failureSince, ?1)
        WHERE checkedAt > ?2
        """, [now, latestNote])
      // Corrects the plans of feeds that were added or postponed under that clock, but not checked.
      try db.run(
        """
        UPDATE feedFetch SET nextCheckAt = iif(nextCheckAt > ?2, ?1, nextCheckAt),
          notBefore = iif(notBefore > ?2, ?1, notBefore)
        WHERE nextCheckAt > ?2 OR notBefore > ?2
        """, [now, latestPlan])
      try db.run(
        """
        UPDATE account SET requestedAt = min(requestedAt, ?1), syncedAt = min(syncedAt, ?1),
          nextSyncAt = iif(nextSyncAt > ?3, ?1, nextSyncAt),
          pausedUntil = iif(pausedUntil > ?3, NULL, pausedUntil)
        WHERE requestedAt > ?2 OR syncedAt > ?2 OR nextSyncAt > ?3 OR pausedUntil > ?3
        """, [now, latestNote, latestPlan])
      try db.run(
        """
        UPDATE outbox SET changedAt = min(changedAt, ?1), confirmedAt = min(confirmedAt, ?1),
          nextTry = iif(nextTry > ?3, ?1, nextTry), heldUntil = min(heldUntil, ?1)
        WHERE changedAt > ?2 OR confirmedAt > ?2 OR nextTry > ?3
        """, [now, latestNote, latestPlan])
    }
  }
}
