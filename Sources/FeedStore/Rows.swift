import FeedModel
import Foundation
import GRDB

// How values look in a row.

extension Date {
  /// Whole milliseconds since 1970, kept within what a Date can say.
  var milliseconds: Int64 {
    let value = (timeIntervalSince1970 * 1_000).rounded()
    guard value.isFinite else { return 0 }
    return Int64(min(max(value, -1e14), 1e14))
  }

  /// What no calendar can hold, which only a damaged row has, is brought within the same bounds.
  init(milliseconds: Int64) {
    let value = min(max(milliseconds, -100_000_000_000_000), 100_000_000_000_000)
    self.init(timeIntervalSince1970: Double(value) / 1_000)
  }
}

/// What a column that is declared NOT NULL reads as where a damaged file has NULL all the same.
protocol Blank {
  static var blank: Self { get }
}

extension Int64: Blank { static var blank: Int64 { 0 } }
extension Int: Blank { static var blank: Int { 0 } }
extension Double: Blank { static var blank: Double { 0 } }
extension Bool: Blank { static var blank: Bool { false } }
extension String: Blank { static var blank: String { "" } }

extension Row {
  func date(_ column: Int) -> Date? { (self[column] as Int64?).map(Date.init(milliseconds:)) }

  /// Preferred to GRDB's own for these types: that one ends the program where a value is missing.
  subscript<Value: DatabaseValueConvertible & StatementColumnConvertible & Blank>(
    _ column: Int
  ) -> Value {
    (self[column] as Value?) ?? .blank
  }

  /// How many there are of something; a damaged counter, which could not be added to
  /// others, counts nothing.
  func count(_ column: Int) -> Int {
    let value: Int64 = self[column]
    return (0...(1 << 40)).contains(value) ? Int(value) : 0
  }
}

extension Database {
  /// The first row of a statement that is compiled once a connection.
  func first<T>(
    _ sql: String, _ arguments: StatementArguments = [], _ decode: (Row) throws -> T
  ) throws -> T? {
    let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    return try rows.next().map(decode)
  }

  func all<T>(
    _ sql: String, _ arguments: StatementArguments = [], _ decode: (Row) throws -> T
  ) throws -> [T] {
    var values: [T] = []
    let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    while let row = try rows.next() { values.append(try decode(row)) }
    return values
  }

  /// Returns how many rows it changed; what triggers changed is not counted.
  @discardableResult
  func run(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
    try cachedStatement(sql: sql).execute(arguments: arguments)
    return changesCount
  }
}

/// Arrays of strings in a column: JSON, so that SQL can search them too.
enum StringList {
  static func text(_ strings: [String]) -> String? {
    guard !strings.isEmpty else { return nil }
    var out: [UInt8] = [UInt8(ascii: "[")]
    for (index, string) in strings.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      out.append(UInt8(ascii: "\""))
      for byte in string.utf8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
        case 0..<0x20: out += Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
        default: out.append(byte)
        }
      }
      out.append(UInt8(ascii: "\""))
    }
    out.append(UInt8(ascii: "]"))
    return String(decoding: out, as: UTF8.self)
  }

  static func strings(_ text: String?) -> [String] {
    guard let text else { return [] }
    return (try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? []
  }

  static func text(_ authors: [Author]) -> String? {
    text(authors.flatMap { [$0.name ?? "", $0.url ?? ""] })
  }

  static func authors(_ text: String?) -> [Author] {
    let parts = strings(text)
    return stride(from: 0, to: parts.count - 1, by: 2).map { index in
      Author(
        name: parts[index].isEmpty ? nil : parts[index],
        url: parts[index + 1].isEmpty ? nil : parts[index + 1])
    }
  }
}
