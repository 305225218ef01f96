/// A step back or forward in the journal.
package nonisolated enum JournalStep {
  case undo, redo

  /// The most feeds or articles that a step may change without a question.
  package static let mostUnasked = 10
  package var nothingLeft: String { self == .undo ? "Nothing to undo" : "Nothing to redo" }

  package func next(_ store: ReaderCache) throws(StoreError) -> JournalEntry? {
    try store.journal.next(areUndone: self == .redo)
  }

  /// Applies an entry; returns `nil` if another entry is the newest now.
  package func apply(
    _ entry: JournalEntry, _ store: ReaderCache
  ) async throws(StoreError) -> JournalEntry? {
    self == .undo ? try await store.journal.undo(entry.id) : try await store.journal.redo(entry.id)
  }

  package func result(_ entries: [JournalEntry]) -> String {
    let changes = StoreWording.changes(entries)
    return self == .undo ? "Undone: \(changes)" : "Redone: \(changes)"
  }

  package func question(_ entries: [JournalEntry]) -> String {
    if self == .undo, entries.count == 1 { return StoreWording.undoQuestion(entries[0]) }
    return "\(self == .undo ? "Undo" : "Redo"): \(StoreWording.changes(entries))?"
  }
}
