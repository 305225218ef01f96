import Synchronization

/// The records of feeds, loaded together for a thousand refreshes. Each is used once, and none
/// after a change of the subscriptions.
final class LoadedRecords: Sendable {
  /// The time for which a loaded record is valid.
  private static let lifetime = Duration.seconds(30)
  /// The maximum number of records; others are loaded when their refresh starts.
  private static let most = 2_000

  private let records = Mutex<[FeedID: (record: FetchRecord, at: Instant)]>([:])

  /// - Parameter loaded: records; those in back-off are left out, as its end may be corrected.
  func store(_ loaded: [FetchRecord], at now: Instant) {
    records.withLock { records in
      for record in loaded {
        let isKept = record.notBefore == nil && records.count < Self.most
        records[record.feed] = isKept ? (record, now) : nil
      }
    }
  }

  /// Removes and returns a record; `nil` if the record must be read.
  func remove(_ feed: FeedID, at now: Instant) -> FetchRecord? {
    guard let found = records.withLock({ $0.removeValue(forKey: feed) }),
      now - found.at <= Self.lifetime
    else { return nil }
    return found.record
  }

  func forget() { records.withLock { $0 = [:] } }
}
