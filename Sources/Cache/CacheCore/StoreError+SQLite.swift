import Foundation
import GRDB

extension StoreError {
  /// - Parameter path: the database of an error of SQLite; empty for what a closure threw, whose
  ///   type is not inferred.
  package init(_ error: any Error, path: String = "") {
    switch error {
    case let error as StoreError: self = error
    case let error as DatabaseError: self.init(error, path: path)
    default: self = .other(detail: .said(String(describing: error)))
    }
  }

  /// Treats an unspecific error at opening (an unknown file format, a missing table) as a damaged
  /// file, because the statements are always the same.
  package init(opening path: String, _ error: any Error) {
    if let error = error as? DatabaseError, error.resultCode == .SQLITE_ERROR {
      self = .corrupt(detail: error.message.map { .said($0) } ?? .code(1))
    } else {
      self.init(error, path: path)
    }
  }

  private init(_ error: DatabaseError, path: String) {
    let detail =
      error.message.map { Detail.said($0) } ?? .code(Int(error.extendedResultCode.rawValue))
    switch error.resultCode {
    case .SQLITE_FULL: self = .diskFull
    case .SQLITE_IOERR:
      self =
        Self.hasFileSizeLimit || Self.isDiskFull(path) ? .diskFull : .diskFailed(detail: detail)
    case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt(detail: detail)
    case .SQLITE_CANTOPEN: self = .cannotOpen(path: path, detail: detail)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
    case .SQLITE_TOOBIG, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: self = .refusedValue(detail: detail)
    default: self = .other(detail: detail)
    }
  }

  /// SQLite reports an I/O error if it cannot make the shared memory beside a log on a full disk.
  private static func isDiskFull(_ path: String) -> Bool {
    StoreFiles.freeSpace(of: FilePath.folder(of: path)).map { $0 < 64 << 10 } ?? false
  }

  /// SQLite reports a write beyond the limit on file sizes (getrlimit(2)) like any other error.
  private static var hasFileSizeLimit: Bool {
    var limit = rlimit()
    #if os(Linux)
      let name = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let name = RLIMIT_FSIZE
    #endif
    return getrlimit(name, &limit) == 0 && limit.rlim_cur < rlim_t(Int64.max)
  }
}
