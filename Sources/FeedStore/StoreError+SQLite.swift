import GRDB

extension StoreError {
  /// Folds whatever a transaction threw into what a person can be told.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as StoreError: self = error
    case let error as DatabaseError: self.init(error, path: path)
    default: self = .other(detail: String(describing: error))
    }
  }

  private init(_ error: DatabaseError, path: String) {
    let detail = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_FULL: self = .diskFull
    case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt(detail: detail)
    case .SQLITE_CANTOPEN: self = .cannotOpen(path: path, detail: detail)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
    default: self = .other(detail: detail)
    }
  }
}
