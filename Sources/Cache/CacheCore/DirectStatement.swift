import CSQLite
package import GRDB

// The only file that bypasses GRDB. Statements that run for each article of a sync bind their
// values directly: GRDB looks a statement up by its text, boxes the values and binds them in nested
// closures, which costs as much as SQLite's own work (decision 28).

/// A statement that runs for each article of a merge; used within one transaction. GRDB executes
/// its first write, so that observers of commits learn which tables change.
package struct DirectStatement {
  private final class Progress {
    var hasRun = false
  }

  private let statement: Statement
  private let db: Database
  private let progress = Progress()
  private var handle: UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(statement.sqliteStatement)
  }

  /// - Parameter sql: a statement that no other code runs; compiled once per connection.
  package init(_ sql: String, _ db: Database) throws {
    self.db = db
    statement = try db.cachedStatement(sql: sql)
    // GRDB binds nothing if its own list of arguments is empty.
    statement.setUncheckedArguments([])
  }

  // Places are counted from 1.

  package func bind(_ value: Int64?, at place: Int32) throws {
    try check(
      value.map { weir_sqlite_bind_integer(handle, place, $0) }
        ?? weir_sqlite_bind_null(handle, place))
  }

  package func bind(_ flag: Bool, at place: Int32) throws { try bind(flag ? 1 : 0, at: place) }

  package func bind(_ text: String?, at place: Int32) throws {
    guard var text else { return try bind(nil as Int64?, at: place) }
    try check(
      text.withUTF8 { weir_sqlite_bind_text(handle, place, $0.baseAddress, $0.count, 1) })
  }

  /// - Parameter text: UTF-8.
  package func bind(_ text: [UInt8], at place: Int32) throws {
    try check(
      text.withUnsafeBufferPointer {
        weir_sqlite_bind_text(handle, place, $0.baseAddress, $0.count, 1)
      })
  }

  package func run() throws {
    defer { weir_sqlite_reset(handle) }
    guard progress.hasRun else {
      try statement.execute()
      return progress.hasRun = true
    }
    switch weir_sqlite_step(handle) {
    case 101: return
    case let code: try check(code)
    }
  }

  /// Runs the statement with one more text, which is not copied.
  package func run(with text: String, at place: Int32) throws {
    var text = text
    try text.withUTF8 { try run(with: $0, at: place) }
  }

  /// - Parameter text: UTF-8.
  package func run(with text: [UInt8], at place: Int32) throws {
    try text.withUnsafeBufferPointer { try run(with: $0, at: place) }
  }

  private func run(with bytes: UnsafeBufferPointer<UInt8>, at place: Int32) throws {
    try check(weir_sqlite_bind_text(handle, place, bytes.baseAddress, bytes.count, 0))
    defer { weir_sqlite_bind_null(handle, place) }
    try run()
  }

  /// The current row. Columns are numbered from 0.
  package struct Columns {
    fileprivate let handle: UnsafeMutableRawPointer

    /// Returns 0 for NULL.
    package func integer(_ column: Int32) -> Int64 { weir_sqlite_column_integer(handle, column) }
    package func isNull(_ column: Int32) -> Bool { weir_sqlite_column_is_null(handle, column) != 0 }
    /// Returns an empty text for NULL.
    package func text(_ column: Int32) -> String {
      var count = 0
      let bytes = weir_sqlite_column_text(handle, column, &count)
      return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
  }

  /// Reads the rows of a statement that writes nothing.
  package func forEachRow(_ body: (Columns) throws -> Void) throws {
    try readRows { row in
      try body(row)
      return true
    }
  }

  /// Reads the rows of a statement that writes nothing, until `body` returns `false`.
  package func readRows(_ body: (Columns) throws -> Bool) throws {
    defer { weir_sqlite_reset(handle) }
    while true {
      switch weir_sqlite_step(handle) {
      case 100: guard try body(Columns(handle: handle)) else { return }
      case 101: return
      case let code: try check(code)
      }
    }
  }

  private func check(_ code: Int32) throws {
    guard code != 0 else { return }
    throw DatabaseError(
      resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage, sql: statement.sql)
  }
}
