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
  /// The name of a file that has not arrived completely.
  package var problem: String?
  /// True if the device's last changes are dated more than a day ahead of the clock here.
  package var isAhead = false
  /// True if the user has forgotten the device and no new file of it has arrived.
  package var isForgotten = false
  package var agreement: Agreement

  package var key: String { id.text }

  static func all(_ db: Database) throws -> [SharedDevice] {
    guard let row = try FolderRow.find(db) else { return [] }
    var files: [Int64: Set<SegmentName>] = [:]
    for (device, name) in try db.all(
      "SELECT device, name FROM folderFile", [], { ($0["device"] as Int64, $0["name"] as String) })
    {
      if let file = SegmentName(name) { files[device, default: []].insert(file) }
    }
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
        files: mine, seenAt: device.date("seenAt"), problem: device["problem"] as String?,
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
    try db.run("INSERT OR IGNORE INTO folderFile (device, name) VALUES (?, ?)", [id, file.text])
    try db.run("INSERT OR IGNORE INTO folderDevice (id) VALUES (?)", [id])
    let names: [String] = try db.values("SELECT name FROM folderFile WHERE device = ?", [id])
    let contiguous: Int64 =
      try db.value("SELECT contiguous FROM folderDevice WHERE id = ?", [id]) ?? 0
    let progress = DeviceProgress(
      contiguous: UInt64(bitPattern: contiguous), files: names.compactMap { SegmentName($0) })
    let last = Int64(bitPattern: file.range.upperBound)
    try db.run(
      """
      UPDATE folderDevice SET contiguous = ?1, seenAt = ?2, isForgotten = 0 WHERE id = ?3
      """, [Int64(bitPattern: progress.contiguous), transaction.at, id])
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
    _ files: Set<SegmentName>, of device: DeviceID, problem: String?, _ db: Database
  ) throws {
    let id = Int64(bitPattern: device.rawValue)
    try db.run("INSERT OR IGNORE INTO folderDevice (id) VALUES (?)", [id])
    try db.run(
      "UPDATE folderDevice SET problem = ?1 WHERE id = ?2 AND problem IS NOT ?1", [problem, id])
    let known: [String] = try db.values("SELECT name FROM folderFile WHERE device = ?", [id])
    for name in known where SegmentName(name).map({ !files.contains($0) }) ?? true {
      try db.run("DELETE FROM folderFile WHERE device = ? AND name = ?", [id, name])
    }
  }
}
