extension StoreError {
  /// What is known of an error beside its case; Wording turns it into words.
  public enum Detail: Sendable, Equatable {
    /// What SQLite or the system said.
    case said(String)
    /// An error of SQLite without a message.
    case code(Int)
    /// There is no file of that name.
    case noSuchFile
    /// A folder, a pipe or a device.
    case notARegularFile
    /// The file is the cache itself.
    case sameFile
    /// The schema is not one of Weir's.
    case invalidSchema
    /// Some of the tables are missing.
    case incompleteSchema
    /// Nothing of a damaged database can be read.
    case nothingReadable
    /// Pages of the file cannot be read.
    case unreadablePages
    /// Rows of this table refer to rows that do not exist.
    case missingReferences(table: String)
    /// The journal has an entry of an unknown kind.
    case unknownJournalEntry
    /// A transaction or a check ended without a result.
    case noResult
  }
}
