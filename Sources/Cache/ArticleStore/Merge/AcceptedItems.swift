import GRDB

extension FetchWork {
  /// Writes a refresh of which SQLite refuses a value: the items that it accepts, and a failure
  /// with the reason.
  public func mergeAccepted(
    _ result: RefreshResult, reason: String
  ) async throws(StoreError) -> MergeOutcome {
    let most = database.options.maximumNewArticles
    return try await database.change(.engine) { transaction in
      let statements = try ArticleStatements(transaction.db)
      func merge(_ result: RefreshResult) throws -> MergeOutcome {
        try Merge(
          transaction, result: result, maximumNew: most, statements: statements,
          handlers: transaction.arrivalHandlers()
        ).run()
      }
      var failed = result
      failed.outcome = .failed(.storage, status: nil, detail: reason)
      if case .parsed(let document, _) = result.outcome { failed.partial = document }
      guard var document = failed.partial else { return try merge(failed) }
      func isAccepted(_ item: ParsedItem) throws -> Bool {
        var (trial, part) = (failed, document)
        // Without a title, the row of the feed stays as it is.
        (part.title, part.items) = ("", [item])
        trial.partial = part
        do {
          try transaction.db.inSavepoint {
            _ = try merge(trial)
            return .rollback
          }
          return true
        } catch {
          guard case .refusedValue = StoreError(error) else { throw error }
          return false
        }
      }
      document.items = try document.items.filter(isAccepted)
      failed.partial = document
      var outcome = try merge(failed)
      outcome.refusal = reason
      return outcome
    }
  }
}
