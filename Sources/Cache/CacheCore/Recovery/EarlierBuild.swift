import Foundation
import GRDB

// Builds before the first release had other tables. Their databases are taken over like damaged
// ones: row by row, by the names of the columns.

extension PageScan {
  var isEarlierBuild: Bool {
    migrations.contains(Schema.firstBuild) || catalogue.contains { $0.name == "upkeep" }
  }
}

extension Takeover {
  /// Renamed columns: the earlier name and the present one.
  static let formerColumns = [
    "copyOf": "duplicateOf", "place": "position", "fetchesFullText": "fetchesPages",
    "isApart": "listing",
  ]
  /// Tables that are not copied: the journal of an earlier build has another form.
  static let leftOfEarlierBuild: Set = ["journal"]

  func completeEarlierBuild() throws {
    try db.run("UPDATE feed SET fetchesPages = NULL WHERE fetchesPages = 0")
    try db.run("UPDATE download SET savedAt = askedAt WHERE path IS NOT NULL AND savedAt IS NULL")
  }
}

extension CacheFile {
  /// Replaces the database of an earlier build by a new database with its rows. The earlier file is
  /// kept beside it, as `weir-before-upgrade-….db`, until the user removes it.
  /// - Throws: `.inUse` while another process has it open; `.needsSpace`; `.corrupt` if a part of
  ///   it is unreadable. Nothing has changed then.
  static func takeOverEarlierBuild(
    _ path: String, freeSpace: (String) -> Int64?, report: (UpgradeStep) -> Void
  ) throws {
    try StoreFiles.refuseWhileInUse(path)
    let bytes = try StoreFiles.size(of: path)
    if let free = freeSpace(FilePath.folder(of: path)), free < bytes {
      throw StoreError.needsSpace(bytes: bytes, path: FilePath.folder(of: path))
    }
    report(.takingOver(bytes: bytes))
    let fresh = path + ".partial-\(getpid())"
    defer { StoreFiles.remove(fresh) }
    let recovery = try takeOver(path, into: fresh)
    guard recovery.gaps == 0 else { throw StoreError.corrupt(detail: .unreadablePages) }
    // Empties the log, so that the earlier file is whole under its new name.
    let queue = try DatabaseQueue(path: path, configuration: DatabaseCopy.writing)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try queue.close()
    try StoreFiles.refuseWhileInUse(path)
    _ = try StoreFiles.put(
      fresh, inPlaceOf: path, settingAsideAs: "before-upgrade", at: Date())
    report(.ended)
  }
}
