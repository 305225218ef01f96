package import Foundation
import GRDB

/// Another device that shares the folder.
package struct SharedDevice: Sendable, Equatable {
  package var id: DeviceID
  package var name: String
  package var progress: DeviceProgress
  /// Files that were read and were in the folder at the last listing.
  package var files: Set<SegmentName>
  package var seenAt: Date?
  /// The kind of problem and the state of each refused file, which is read again once its state
  /// changes.
  package var refused: [SegmentName: String] = [:]
  package var problem: DeviceProblem?
  /// True if the device's last changes are dated more than a day ahead of the clock here.
  package var isAhead = false
  /// True if the user has forgotten the device and no new file of it has arrived.
  package var isForgotten = false
  package var agreement: Agreement

  package var key: String { id.text }

  static func all(_ db: Database) throws -> [SharedDevice] {
    guard let row = try FolderRow.find(db) else { return [] }
    var files: [Int64: Set<SegmentName>] = [:]
    var refused: [Int64: [SegmentName: String]] = [:]
    let all: [(device: Int64, name: String, refused: String?)] = try db.all(
      "SELECT device, name, refused FROM folderFile"
    ) { ($0["device"], $0["name"], $0["refused"]) }
    for found in all {
      guard let file = SegmentName(found.name) else { continue }
      if let state = found.refused {
        refused[found.device, default: [:]][file] = state
      } else {
        files[found.device, default: []].insert(file)
      }
    }
    let isWaiting = try db.exists("SELECT 1 FROM folderLater")
    typealias Found = (device: SharedDevice, last: UInt64, report: ProgressReport)
    let found: [Found] = try db.all(
      "SELECT * FROM folderDevice ORDER BY name, id"
    ) { device in
      let id: Int64 = device["id"]
      let contiguous: Int64 = device["contiguous"]
      let mine = files[id] ?? []
      let shared = SharedDevice(
        id: DeviceID(rawValue: UInt64(bitPattern: id)), name: device["name"],
        progress: DeviceProgress(
          contiguous: UInt64(bitPattern: contiguous), files: Array(mine)),
        files: mine, seenAt: device.date("seenAt"), refused: refused[id] ?? [:],
        problem: (device["problem"] as String?).flatMap(DeviceProblem.init(text:)),
        isAhead: device["isAhead"],
        isForgotten: device["isForgotten"], agreement: .unknown)
      return (
        shared, UInt64(bitPattern: device["lastNumber"] as Int64),
        ProgressReport(line: (device["report"] as String? ?? "").utf8)
      )
    }
    let progress = Dictionary(found.map { ($0.device.id, $0.device.progress) }) { a, _ in a }
    return found.map { shared, last, report in
      var shared = shared
      if isWaiting { return shared }
      shared.agreement = Agreement.of(
        shared.id, report, at: last, mine: progress,
        own: (device: row.device, lastNumber: row.author.lastNumber), digest: row.digest)
      return shared
    }
  }

  static func receive(
    _ file: SegmentName, of device: DeviceID, named name: String, _ report: ProgressReport,
    _ transaction: Transaction
  ) throws {
    let (db, id) = (transaction.db, Int64(bitPattern: device.rawValue))
    try db.run("INSERT OR REPLACE INTO folderFile (device, name) VALUES (?, ?)", [id, file.text])
    try db.run("INSERT OR IGNORE INTO folderDevice (id) VALUES (?)", [id])
    let names: [String] = try db.values(
      "SELECT name FROM folderFile WHERE device = ? AND refused IS NULL", [id])
    let contiguous: Int64 =
      try db.value("SELECT contiguous FROM folderDevice WHERE id = ?", [id]) ?? 0
    let progress = DeviceProgress(
      contiguous: UInt64(bitPattern: contiguous), files: names.compactMap { SegmentName($0) })
    let last = Int64(bitPattern: file.range.upperBound)
    try db.run(
      """
      UPDATE folderDevice SET contiguous = ?1, seenAt = ?2,
        isForgotten = isForgotten AND lastNumber >= ?4 WHERE id = ?3
      """, [Int64(bitPattern: progress.contiguous), transaction.at, id, last])
    try db.run(
      """
      UPDATE folderDevice SET lastNumber = ?1, name = ?2, report = ?3
      WHERE id = ?4 AND lastNumber <= ?1
      """, [last, name, String(decoding: report.line, as: UTF8.self), id])
  }

  static func setAhead(_ device: DeviceID, _ isAhead: Bool, _ db: Database) throws {
    let id = Int64(bitPattern: device.rawValue)
    try db.run("INSERT OR IGNORE INTO folderDevice (id) VALUES (?)", [id])
    try db.run(
      "UPDATE folderDevice SET isAhead = ?1 WHERE id = ?2 AND isAhead <> ?1", [isAhead, id])
  }

  static func setListing(
    _ files: Set<SegmentName>?, of device: DeviceID, problem: DeviceProblem?, _ db: Database
  ) throws {
    let id = Int64(bitPattern: device.rawValue)
    try db.run("INSERT OR IGNORE INTO folderDevice (id) VALUES (?)", [id])
    try db.run(
      "UPDATE folderDevice SET problem = ?1 WHERE id = ?2 AND problem IS NOT ?1",
      [problem?.text, id])
    guard let files else {
      // Something that never was a device, and is gone.
      try db.run(
        "DELETE FROM folderDevice WHERE id = ? AND lastNumber = 0 AND problem IS NULL", [id])
      return
    }
    let known: [String] = try db.values("SELECT name FROM folderFile WHERE device = ?", [id])
    for name in known where SegmentName(name).map({ !files.contains($0) }) ?? true {
      try db.run("DELETE FROM folderFile WHERE device = ? AND name = ?", [id, name])
    }
  }

  /// Returns "laptop (2)" for "laptop", with the first number that is larger than those of `others`.
  static func next(_ name: String, after others: [String]) -> String {
    func parts(_ name: String) -> (base: Substring, number: Int) {
      guard name.hasSuffix(")"), let open = name.range(of: " (", options: .backwards),
        let number = Int(name[open.upperBound...].dropLast()), number > 1
      else { return (name[...], 1) }
      return (name[..<open.lowerBound], number)
    }
    let base = parts(name).base
    let last = others.map(parts).filter { $0.base == base }.map(\.number).max() ?? 1
    return "\(base.prefix(90)) (\(last + 1))"
  }
}

/// The reason that something of another device is not read.
package struct DeviceProblem: Sendable, Hashable {
  /// Raw values are stored.
  package enum Kind: String, Sendable {
    /// A file that is damaged or has not arrived completely.
    case incomplete
    /// A file of a later version of the format.
    case later
    /// A file that is too large or is not what its name says.
    case refused
    /// Something else has the place of the device's directory, or it cannot be read.
    case unreadable
  }

  package var kind: Kind
  /// The name of the file.
  package var file = ""

  package init(_ kind: Kind, _ file: String = "") { (self.kind, self.file) = (kind, file) }

  init(_ problem: SegmentProblem, _ file: SegmentName) {
    let kind: Kind =
      switch problem {
      case .incomplete: .incomplete
      case .otherFormat: .later
      case .lineTooLong, .tooLarge, .misplaced, .malformed: .refused
      }
    self.init(kind, file.text)
  }

  /// Reads what `text` returns.
  init?(text: String) {
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard let kind = Kind(rawValue: String(parts[0])) else { return nil }
    self.init(kind, String(parts.last ?? ""))
  }

  var text: String { "\(kind.rawValue) \(file)" }
}
