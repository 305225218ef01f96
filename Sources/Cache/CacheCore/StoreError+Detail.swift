extension StoreError {
  /// Details of an error, which Wording turns into text.
  public enum Detail: Sendable, Equatable {
    /// Message of SQLite or the system.
    case said(String)
    /// Error of SQLite without a message.
    case code(Int)
    case noSuchFile
    /// A folder, pipe or device.
    case notARegularFile
    /// The cache itself.
    case sameFile
    case invalidSchema
    case incompleteSchema
    case nothingReadable
    case unreadablePages
    case missingReferences(table: String)
    case unknownJournalEntry
    case noResult
  }
}
