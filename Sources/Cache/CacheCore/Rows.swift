package import Foundation
package import GRDB

// Conversions between values and columns.

/// The value of a NOT NULL column that is NULL in a damaged file.
package protocol Blank {
  static var blank: Self { get }
}

extension Int64: Blank { package static var blank: Int64 { 0 } }
extension Int: Blank { package static var blank: Int { 0 } }
extension Double: Blank { package static var blank: Double { 0 } }
extension Bool: Blank { package static var blank: Bool { false } }
extension String: Blank { package static var blank: String { "" } }

extension Data: Blank { package static var blank: Data { Data() } }

extension Row {
  /// Reads a column by its name. NULL reads as `nil`, or as blank if the type has no `nil`; GRDB's
  /// own subscript ends the program if a value is missing.
  package subscript<Stored: DatabaseValueConvertible & StatementColumnConvertible & Blank>(
    _ column: String
  ) -> Stored { stored(column) ?? .blank }

  package subscript<Stored: DatabaseValueConvertible & StatementColumnConvertible & Blank>(
    _ column: String
  ) -> Stored? { stored(column) }

  /// NULL reads as `nil`, or as 0 if the type has no `nil`.
  package func id<ID: RawRepresentable<Int64>>(_ column: String) -> ID? {
    (stored(column) as Int64?).flatMap(ID.init(rawValue:))
  }

  package func id<Kind>(_ column: String) -> RowID<Kind> { RowID(rawValue: stored(column) ?? 0) }

  package func date(_ column: String) -> Date? {
    (stored(column) as Int64?).map(Date.init(milliseconds:))
  }

  /// Reads a damaged counter as 0, because adding it to others could overflow.
  package func count(_ column: String) -> Int { Self.count(stored(column) ?? 0) }

  package static func count(_ value: Int64) -> Int {
    (0...(1 << 40)).contains(value) ? Int(value) : 0
  }

  private func stored<Stored: DatabaseValueConvertible & StatementColumnConvertible>(
    _ column: String
  ) -> Stored? {
    assert(hasColumn(column), "no column \(column)")
    return self[column]
  }
}

extension Database {
  /// Returns the first row; the statement is compiled once per connection.
  package func first<T>(
    _ sql: String, _ arguments: StatementArguments = [], _ decode: (Row) throws -> T
  ) throws -> T? {
    let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    return try rows.next().map(decode)
  }

  package func all<T>(
    _ sql: String, _ arguments: StatementArguments = [], _ decode: (Row) throws -> T
  ) throws -> [T] {
    var values: [T] = []
    let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    while let row = try rows.next() { values.append(try decode(row)) }
    return values
  }

  /// Returns a value for each key; of equal keys, that of the first row.
  package func dictionary<Key: Hashable, T>(
    _ sql: String, _ arguments: StatementArguments = [], _ decode: (Row) throws -> (Key, T)
  ) throws -> [Key: T] { Dictionary(first: try all(sql, arguments, decode)) }

  /// Returns the only column of the first row; `nil` for no row or NULL.
  package func value<T: DatabaseValueConvertible & StatementColumnConvertible>(
    _ sql: String, _ arguments: StatementArguments = []
  ) throws -> T? {
    try T.fetchOne(cachedStatement(sql: sql), arguments: arguments)
  }

  /// Returns the only column of all rows, without NULL.
  package func values<T: DatabaseValueConvertible & StatementColumnConvertible>(
    _ sql: String, _ arguments: StatementArguments = []
  ) throws -> [T] {
    try Optional<T>.fetchAll(cachedStatement(sql: sql), arguments: arguments).compactMap(\.self)
  }

  package func exists(_ sql: String, _ arguments: StatementArguments = []) throws -> Bool {
    try first(sql, arguments) { _ in true } ?? false
  }

  /// Returns the number of changed rows, without those changed by triggers.
  @discardableResult
  package func run(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
    try cachedStatement(sql: sql).execute(arguments: arguments)
    return changesCount
  }
}

extension Database {
  /// Writes what others have sent, all at once. If SQLite refuses a value, writes each half alone,
  /// down to the refused items, which are left out.
  /// - Parameter write: writes some of the items. It changes variables only at its end, because it
  ///   is called again for parts.
  /// - Returns: the reason of the first item that was left out; `nil` if there is none.
  package func writeAccepted<Item>(
    _ items: ArraySlice<Item>, _ write: (ArraySlice<Item>) throws -> Void
  ) throws -> StoreError.Detail? {
    guard !items.isEmpty else { return nil }
    do {
      try inSavepoint {
        try write(items)
        return .commit
      }
      return nil
    } catch {
      guard let refusal = StoreError(error).refusal else { throw error }
      guard items.count > 1 else { return refusal }
      let middle = items.startIndex + items.count / 2
      let first = try writeAccepted(items[..<middle], write)
      return try writeAccepted(items[middle...], write) ?? first
    }
  }
}

/// Values in a column as JSON. Equal values have equal texts.
package enum StoredJSON {
  package static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Returns `nil` for text that another version or a damaged file has.
  package static func value<Value: Decodable>(_ text: String?) -> Value? {
    text.flatMap { try? JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
  }
}

/// Arrays of strings in a column, as JSON so that SQL can search them too.
package enum StringList {
  package static func text(_ strings: [String]) -> String? {
    guard !strings.isEmpty else { return nil }
    return String(decoding: JSONValue.array(strings.map { .string($0) }).bytes, as: UTF8.self)
  }

  package static func strings(_ text: String?) -> [String] {
    guard let elements = text.flatMap({ JSONValue($0.utf8) })?.elements else { return [] }
    let strings = elements.compactMap(\.text)
    return strings.count == elements.count ? strings : []
  }

  package static func text(_ authors: [Author]) -> String? {
    text(authors.flatMap { [$0.name ?? "", $0.url ?? ""] })
  }

  package static func authors(_ text: String?) -> [Author] {
    let parts = strings(text)
    return stride(from: 0, to: parts.count - 1, by: 2).map { index -> Author in
      let (name, url) = (parts[index], parts[index + 1])
      return Author(name: name.isEmpty ? nil : name, url: url.isEmpty ? nil : url)
    }
  }
}
