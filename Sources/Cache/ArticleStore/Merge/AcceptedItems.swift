import GRDB

extension FetchWork {
  /// Writes a refresh; if SQLite refuses a value, the items that it accepts, and a failure with the
  /// reason.
  public func mergeAccepted(_ result: RefreshResult) async throws(StoreError) -> MergeOutcome {
    try await merging { db, merge in
      var whole = MergeOutcome(feed: result.feed)
      let refusal = try db.writeAccepted([result][...]) { _ in whole = try merge(result).run() }
      guard let reason = refusal?.failure.code else { return whole }
      var failed = result
      failed.outcome = .failed(.storage, status: nil, detail: reason)
      (failed.validators, failed.newURL, failed.moved) = (nil, nil, nil)
      if case .parsed(let document, _) = result.outcome { failed.partial = document }
      guard var document = failed.partial else { return try merge(failed).run() }
      if let entries = result.list,
        try db.exists(
          "SELECT 1 FROM feed WHERE id = ? AND removedAt IS NULL", [result.feed.rawValue])
      {
        try merge(result).update(with: entries, &document)
      }
      var accepted = document
      (accepted.title, accepted.items) = ("", [])
      // Without a title, the row of the feed stays as it is.
      let parts: [(title: String, items: [ParsedItem])] =
        [(document.title, [])] + document.items.map { ("", [$0]) }
      _ = try db.writeAccepted(parts[...]) { parts in
        var (trial, part) = (failed, document)
        (part.title, part.items) = (parts.map(\.title).joined(), parts.flatMap(\.items))
        trial.partial = part
        try db.inSavepoint {
          _ = try merge(trial).run()
          return .rollback
        }
        accepted.title += part.title
        accepted.items += part.items
      }
      failed.partial = accepted
      var outcome = try merge(failed).run()
      outcome.refusal = reason
      return outcome
    }
  }
}
