/// A value in a record (2.1).
enum StoredValue: Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// A page of a b-tree (1.6).
struct TreePage {
  enum Kind: UInt8 { case interiorIndex = 2, interiorTable = 5, leafIndex = 10, leafTable = 13 }

  let kind: Kind
  let bytes: [UInt8]
  /// Offsets of the cells within the page.
  let cells: [Int]
  /// Cells with an invalid offset.
  let brokenCells: Int
  private let rightChild: Int

  init?(_ bytes: [UInt8], number: Int) {
    let start = number == 1 ? 100 : 0
    guard bytes.count >= 512, let kind = Kind(rawValue: bytes[start]) else { return nil }
    self.kind = kind
    self.bytes = bytes
    let isInterior = kind == .interiorIndex || kind == .interiorTable
    let array = start + (isInterior ? 12 : 8)
    let count = bytes.number(at: start + 3, bytes: 2)
    let end = array + 2 * count
    guard end <= bytes.count, bytes[start + 7] <= 60 else { return nil }
    let offsets = (0..<count).map { bytes.number(at: array + 2 * $0, bytes: 2) }
    cells = offsets.filter { $0 >= end && $0 <= bytes.count - 3 }
    brokenCells = count - cells.count
    guard brokenCells * 2 <= count else { return nil }
    rightChild = isInterior ? bytes.number(at: start + 8, bytes: 4) : 0
  }

  /// Pages below this page, in order.
  var children: [Int] {
    guard kind == .interiorIndex || kind == .interiorTable else { return [] }
    return cells.map { bytes.number(at: $0, bytes: 4) } + [rightChild]
  }

  /// Returns the records of the cells, `nil` for damaged ones. Interior pages of tables have none.
  func records() -> [StoredRecord?] {
    if kind == .interiorTable { return [] }
    // Cells of a sound page do not overlap. Those of a malicious page could be read without end.
    var room = bytes.count
    return cells.map { cell in
      guard room > 0, let record = record(at: cell) else { return nil }
      room -= record.localLength
      return record
    }
  }

  private func record(at cell: Int) -> StoredRecord? {
    var place = cell
    if kind == .interiorIndex { place += 4 }
    guard let length = bytes.varint(at: &place), length > 1, length <= StoredRecord.longest else {
      return nil
    }
    var rowID: Int64 = 0
    if kind == .leafTable {
      guard let key = bytes.varint(at: &place) else { return nil }
      rowID = key
    }
    let total = Int(length)
    let local = Self.localLength(total, pageSize: bytes.count, isTable: kind == .leafTable)
    let overflow = local < total ? bytes.number(at: place + local, bytes: 4) : 0
    guard place + local + (local < total ? 4 : 0) <= bytes.count else { return nil }
    return StoredRecord(
      rowID: rowID, local: Array(bytes[place..<place + local]), length: total, overflow: overflow)
  }

  /// Returns the bytes of a payload on its own page (1.6); the others are on overflow pages.
  private static func localLength(_ length: Int, pageSize: Int, isTable: Bool) -> Int {
    let most = isTable ? pageSize - 35 : (pageSize - 12) * 64 / 255 - 23
    guard length > most else { return length }
    let least = (pageSize - 12) * 32 / 255 - 23
    let local = least + (length - least) % (pageSize - 4)
    return local <= most ? local : least
  }
}

/// A record whose header is consistent: the sizes of its columns add up to its length.
struct StoredRecord {
  /// Largest accepted row in bytes. An article's text has at most 15 MiB.
  static let longest: Int64 = 64 << 20

  let rowID: Int64
  /// Serial types, one for each column (2.1).
  let types: [Int64]
  let length: Int
  let overflow: Int
  private let headerLength: Int
  private let local: [UInt8]

  fileprivate init?(rowID: Int64, local: [UInt8], length: Int, overflow: Int) {
    var place = 0
    guard let header = local.varint(at: &place), header >= 1, header <= local.count else {
      return nil
    }
    var types: [Int64] = []
    var total = Int(header)
    while place < header {
      guard let type = local.varint(at: &place), type >= 0, type != 10, type != 11 else {
        return nil
      }
      types.append(type)
      total += Self.size(of: type)
      guard total <= length else { return nil }
    }
    guard place == header, total == length, !types.isEmpty else { return nil }
    (self.rowID, self.local, self.types) = (rowID, local, types)
    (self.length, self.overflow, headerLength) = (length, overflow, Int(header))
  }

  private static func size(of type: Int64) -> Int {
    switch type {
    case 0, 8, 9: 0
    case 1...4: Int(type)
    case 5: 6
    case 6, 7: 8
    default: Int((type - 12) / 2)
    }
  }

  var localLength: Int { local.count }

  /// Returns the values; `nil` for damaged ones.
  /// - Parameter used: overflow pages of other records, which are not read again.
  func values(_ file: PageFile, _ used: inout Set<Int>) -> [StoredValue?] {
    let payload = wholePayload(file, &used)
    var place = headerLength
    return types.map { type in
      let end = place + Self.size(of: type)
      defer { place = end }
      guard end <= payload.count else { return nil }
      return Self.value(type, payload[place..<end])
    }
  }

  private func wholePayload(_ file: PageFile, _ used: inout Set<Int>) -> [UInt8] {
    var payload = local
    var next = overflow
    var left = length - local.count
    while left > 0, next > 1, next <= file.count, used.insert(next).inserted {
      let page = file.page(next)
      payload += page[4..<min(page.count, 4 + left)]
      left -= page.count - 4
      next = page.number(at: 0, bytes: 4)
    }
    return payload
  }

  private static func value(_ type: Int64, _ bytes: ArraySlice<UInt8>) -> StoredValue? {
    switch type {
    case 0: return .null
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 1...6:
      let negative: Int64 = (bytes.first ?? 0) & 0x80 == 0 ? 0 : -1
      return .integer(bytes.reduce(negative) { $0 << 8 | Int64($1) })
    case 7:
      return .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
    case let type where type % 2 == 0: return .blob(Array(bytes))
    // A text that is not UTF-8 is damaged.
    default: return String(validating: bytes, as: UTF8.self).map(StoredValue.text)
    }
  }
}

extension [UInt8] {
  /// Reads a variable-length integer (1.6) and moves `place` past it.
  fileprivate func varint(at place: inout Int) -> Int64? {
    var value: UInt64 = 0
    for number in 0..<9 {
      guard place < count else { return nil }
      let byte = self[place]
      place += 1
      if number == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return Int64(bitPattern: value) }
    }
    return nil
  }
}
