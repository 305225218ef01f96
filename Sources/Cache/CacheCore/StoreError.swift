/// A failure of the cache.
public enum StoreError: Error, Sendable, Equatable {
  case newerSchema(found: String)
  /// The file or its folder cannot be written.
  case readOnly(path: String)
  /// The disk, a quota or a limit on file sizes left no room.
  case diskFull
  case diskFailed(detail: Detail)
  case corrupt(detail: Detail)
  case cannotOpen(path: String, detail: Detail)
  /// Another process held the lock for longer than the time-out.
  case busy
  /// Another process has the cache open.
  case inUse(process: Int32)
  case exists(path: String)
  /// The schema lacks entries or has foreign ones. The file may come from somebody else.
  case foreignSchema(found: [String])
  /// A backup contains programs or request settings that the user has not allowed.
  case programs([String])
  /// The file was removed or replaced while it was open.
  case fileRemoved(path: String)
  /// A database of another program.
  case notACache(path: String)
  case notFound
  case alreadySubscribed(FeedID)
  case accountExists(AccountID)
  /// The address of a file or program did not come from the user.
  case notAllowed
  case folderExists
  /// The protocol cannot change subscriptions, their names or folders.
  case fixedSubscriptions(account: String)
  /// The folder belongs to this account, whose server would be asked to subscribe.
  case accountsFolder(AccountID)
  /// Only the account's server can change the address.
  case accountsAddress
  /// SQLite does not accept a value: it is too large, or against a constraint. Other rows can be
  /// written.
  case refusedValue(detail: Detail)
  /// Another failure of SQLite.
  case other(detail: Detail)
}

extension StoreError {
  /// The reason of a refused value; `nil` for other errors.
  package var refusal: Detail? {
    if case .refusedValue(let detail) = self { detail } else { nil }
  }

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

extension StoreError.Detail {
  /// The detail of a failure to store an answer.
  package var failure: FailureDetail {
    if case .said(let text) = self { .said(text) } else { .said("\(self)") }
  }
}
