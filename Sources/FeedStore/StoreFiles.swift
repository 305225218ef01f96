import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files of the cache: where they are, and that nobody else reads them.
enum StoreFiles {
  static let name = "weir.db"

  /// Makes folder and file where missing, for the user alone whatever the umask, and finds out what
  /// SQLite would say less plainly. SQLite gives `-wal` and `-shm` the mode of the main file.
  /// - Returns: the path of the database.
  static func prepare(directory: String) throws(StoreError) -> String {
    try makeDirectory(directory)
    let path = (directory as NSString).appendingPathComponent(name)
    // The write-ahead log lives beside the file.
    guard access(directory, W_OK) == 0 else { throw .readOnly(path: directory) }
    var status = stat()
    if stat(path, &status) == 0 {
      // Not opened here: closing a second descriptor would drop the locks that another store of
      // this process holds on the file (fcntl(2), "Record locking").
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw .cannotOpen(path: path, detail: "not a regular file")
      }
      if status.st_uid == geteuid(), status.st_mode & 0o077 != 0 { _ = chmod(path, 0o600) }
      guard access(path, R_OK | W_OK) == 0 else { throw .readOnly(path: path) }
      return path
    }
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { return path }
      throw error(errno, path)
    }
    fchmod(descriptor, 0o600)
    close(descriptor)
    return path
  }

  private static func makeDirectory(_ directory: String) throws(StoreError) {
    var status = stat()
    if stat(directory, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw error(ENOTDIR, directory) }
      return
    }
    let parent = (directory as NSString).deletingLastPathComponent
    if !parent.isEmpty, parent != directory { try makeDirectory(parent) }
    if mkdir(directory, 0o700) == 0 {
      _ = chmod(directory, 0o700)
    } else if errno != EEXIST {
      throw error(errno, directory)
    }
  }

  private static func error(_ code: CInt, _ path: String) -> StoreError {
    switch code {
    case EACCES, EROFS, EPERM: .readOnly(path: path)
    case ENOSPC, EDQUOT: .diskFull
    default: .cannotOpen(path: path, detail: String(cString: strerror(code)))
    }
  }
}
