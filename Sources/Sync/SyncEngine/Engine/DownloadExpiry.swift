import FeedModel
import FeedStore
import Foundation

/// Removes expired saved files and the remains of deleted downloads.
struct DownloadExpiry {
  let context: OperationContext

  func run() async throws(StoreError) {
    guard let folder = context.configuration.downloadFolder else { return }
    let directory = context.configuration.directory ?? ""
    try PartialName.sweep(folder, directory: directory, in: context.store)
    for file in try context.store.downloads.expiredDownloads() {
      if Self.isAsSaved(file.path, bytes: file.bytes) {
        guard unlink(file.path) == 0 else { continue }
        Self.removeEmptyFolders(above: file.path, within: folder)
      }
      try await context.store.downloads.forgetDownload(file.id)
    }
  }

  /// Returns false for a replaced or changed file, which belongs to the user.
  private static func isAsSaved(_ path: String, bytes: Int64) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
      && Int64(status.st_size) == bytes
  }

  private static func removeEmptyFolders(above path: String, within folder: String) {
    var parent = FilePath.folder(of: path)
    while parent.hasPrefix(folder + "/"), rmdir(parent) == 0 {
      parent = FilePath.folder(of: parent)
    }
  }
}
