/// The reason that the exchange with the shared folder is paused. The user's changes wait
/// meanwhile. Raw values are stored.
package enum FolderProblem: String, Error, Sendable {
  /// There is nothing at the path: perhaps it is not mounted.
  case away
  /// The path is a file.
  case notFolder
  /// The directory has no weir-folder.json: perhaps it was emptied.
  case noMark
  /// weir-folder.json is damaged, or has not arrived completely.
  case incompleteMark
  /// The directory is another shared folder.
  case otherFolder
  /// A later version of Weir made the folder.
  case otherFormat
  case unreadable, readOnly, full, tooManyDevices
  /// Files of this device were removed. The exchange goes on without them.
  case filesMissing
}
