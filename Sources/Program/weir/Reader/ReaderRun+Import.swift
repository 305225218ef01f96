import Foundation
import ProgramSettings
import Programs

extension ReaderRun {
  /// Reads a list of subscriptions on a separate thread.
  /// - Throws: if the file is a pipe or a device, or contains nothing that can be imported.
  nonisolated static func subscriptions(
    at path: String
  ) async throws(CommandFailure) -> SubscriptionList {
    let list = await OwnThread.run { _ in
      Result { () throws(CommandFailure) -> SubscriptionList in
        try Self.requireFile(path)
        return try SubscriptionList.read(path)
      }
    }
    return try list.get()
  }

  /// Throws for standard input, and for files that may never end.
  private nonisolated static func requireFile(_ path: String) throws(CommandFailure) {
    guard path != "-" else {
      throw CommandFailure(
        "The reader imports files; \u{201C}weir import -\u{201D} reads standard input.")
    }
    var status = stat()
    // A missing file is reported when it is read.
    guard stat(path, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFIFO: throw CommandFailure("\(path) cannot be imported: it is a pipe.")
    case S_IFCHR, S_IFBLK: throw CommandFailure("\(path) cannot be imported: it is a device.")
    default: return
    }
  }
}
