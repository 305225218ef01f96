internal import Foundation

/// The failure of a command: the reason and the remedy in one or two plain sentences, and the exit
/// code.
package struct CommandFailure: Error {
  package enum Code: Int32 {
    case failed = 1
    /// A failure of the terminal or the database, or a newer schema.
    case cannotStart = 2
    case usage = 64
    case interrupted = 130
  }
  package var code: Code
  package var sentence: String

  package init(_ sentence: String, code: Code = .failed) {
    (self.sentence, self.code) = (sentence, code)
  }

  package init(_ error: StoreError) {
    switch error {
    case .corrupt(let detail):
      self.init(
        "The database is damaged (\(StoreWording.words(detail))). \u{201C}weir doctor --repair\u{201D} saves what can be "
          + "read and keeps the damaged file.", code: .cannotStart)
    case .diskFull:
      self.init(StoreWording.sentence(error) + ". Free some space and try again.")
    case .exists:
      self.init(
        StoreWording.sentence(error) + ". Name another file, or replace it with --replace.")
    default: self.init(StoreWording.sentence(error) + ".")
    }
  }

  package init(opening directory: String, _ error: StoreError) {
    let elsewhere = "or name another directory with --data-dir"
    let sentence =
      switch error {
      case .newerSchema(let found):
        "The database in \(directory) was made by a newer Weir (schema \(found)), and nothing was "
          + "changed. Install that version, \(elsewhere)."
      case .readOnly(let path):
        "\(path) cannot be written to. Make it writable, \(elsewhere)."
      case .diskFull:
        "The disk that holds \(directory) is full. Free some space, \(elsewhere)."
      case .diskFailed(let detail):
        "The disk that holds \(directory) failed (\(StoreWording.words(detail))). Check it, \(elsewhere)."
      case .corrupt(let detail):
        "The database in \(directory) is damaged (\(StoreWording.words(detail))), and nothing was changed. \u{201C}weir "
          + "doctor --repair\u{201D} saves what can be read and keeps the damaged file; "
          + "\u{201C}weir restore FILE\u{201D} restores a backup instead."
      case .cannotOpen(let path, let detail):
        "\(path) cannot be opened: \(StoreWording.words(detail)). Check the path and its permissions, \(elsewhere)."
      case .busy:
        "Another program is using the database in \(directory). Try again in a moment."
      case .foreignSchema(let found):
        "The database in \(directory) has another schema than Weir\u{2019}s ("
          + found.prefix(3).map(SafeText.withoutSecrets).joined(separator: ", ")
          + (found.count > 3 ? " \u{2026}" : "")
          + "), so it may come from somebody else. Nothing was changed. \u{201C}weir doctor --repair\u{201D} "
          + "moves its feeds and articles to a new database and keeps the file."
      case .fileRemoved, .programs, .inUse, .exists, .notACache, .notFound, .alreadySubscribed,
        .folderExists, .notAllowed,
        .accountExists, .fixedSubscriptions, .accountsFolder, .accountsAddress, .refusedValue,
        .other:
        "The database in \(directory) cannot be opened: \(StoreWording.sentence(error))."
      }
    self.init(sentence, code: .cannotStart)
  }
}

package enum SystemError {
  /// - Parameter path: the path of the file, to name a missing folder.
  package static func words(_ code: Int32, at path: String = "") -> String {
    let folder = (path as NSString).deletingLastPathComponent
    return switch code {
    case ENOENT where !folder.isEmpty && access(folder, F_OK) != 0: "there is no folder \(folder)"
    case ENOENT: "there is no such file or folder"
    case EACCES, EPERM: "permission denied"
    case EISDIR: "it is a directory"
    case ENOTDIR: "part of the path isn\u{2019}t a directory"
    case EROFS: "the file system is read-only"
    case ENOSPC: "the disk is full"
    case EFBIG: "the file would become too large"
    default: String(cString: strerror(code))
    }
  }
}
