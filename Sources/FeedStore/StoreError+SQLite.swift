import CSQLite
import Foundation
import GRDB

extension StoreError {
  /// Folds whatever a transaction threw into what a person can be told.
  /// - Parameter db: the connection that it happened on, which knows what the system said.
  init(_ error: any Error, path: String, on db: Database? = nil) {
    switch error {
    case let error as StoreError: self = error
    case let error as DatabaseError:
      self.init(error, path: path, systemError: db.map(Self.systemError) ?? 0)
    default: self = .other(detail: String(describing: error))
    }
  }

  private init(_ error: DatabaseError, path: String, systemError: CInt) {
    let detail = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_FULL: self = .diskFull
    case .SQLITE_IOERR: self = Self.diskError(systemError, detail)
    case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt(detail: detail)
    case .SQLITE_CANTOPEN: self = .cannotOpen(path: path, detail: detail)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
    default: self = .other(detail: detail)
    }
  }

  /// A quota and a limit on file sizes are no full disk to SQLite.
  private static func diskError(_ code: CInt, _ detail: String) -> StoreError {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: .diskFull
    case 0: .diskFailed(detail: detail)
    default: .diskFailed(detail: String(cString: strerror(code)))
    }
  }

  private static func systemError(_ db: Database) -> CInt {
    db.sqliteConnection.map { weir_sqlite_system_error(UnsafeMutableRawPointer($0)) } ?? 0
  }
}
