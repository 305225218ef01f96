import FeedModel
import Foundation
import GRDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension StoreError {
  /// Turns any error of a transaction into one that can be shown.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as StoreError: self = error
    case let error as DatabaseError: self.init(error, path: path)
    default: self = .other(detail: .said(String(describing: error)))
    }
  }

  /// What fails at opening with no better reason than that it is wrong (a file format that SQLite
  /// does not know, a table that is gone) is wrong in the file: the statements are the same for
  /// everybody.
  init(opening path: String, _ error: any Error) {
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
    default: self = .other(detail: detail)
    }
  }

  /// The shared memory beside a log of a full disk cannot be made, which SQLite calls an I/O error.
  private static func isDiskFull(_ path: String) -> Bool {
    StoreFiles.freeSpace(of: FilePath.folder(of: path)).map { $0 < 64 << 10 } ?? false
  }

  /// To SQLite a write beyond the limit on file sizes (getrlimit(2)) is an error like any other.
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
