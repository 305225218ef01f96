import Foundation
import GRDB

/// The result of a check of the stored pictures.
public struct PictureReport: Sendable, Equatable, Encodable {
  /// Undamaged pictures.
  public var count = 0
  /// Bytes of undamaged pictures.
  public var bytes: Int64 = 0
  /// Missing or damaged files, which are fetched again when an article shows them.
  public var damaged = 0
  /// Removed files that belonged to no picture.
  public var strays = 0
}

extension Maintenance {
  /// Compares every picture's file with its hash. Removes damaged files and files without a row.
  public func checkPictures() async throws(StoreError) -> PictureReport {
    let files = PictureFiles(beside: database.path)
    let stored: [StoredPicture] = try database.all(
      "SELECT id, hash, length FROM picture WHERE hash IS NOT NULL ORDER BY id"
    ) { row in
      let hash: Int64 = row["hash"]
      return StoredPicture(
        id: row["id"], hash: UInt64(bitPattern: hash), length: row["length"],
        size: PictureSize(width: 0, height: 0))
    }
    var report = PictureReport()
    var names: Set<String> = []
    var damaged: [StoredPicture] = []
    for picture in stored {
      if files.read(picture) == nil {
        damaged.append(picture)
      } else {
        report.count += 1
        report.bytes += Int64(picture.length)
        names.insert((files.path(id: picture.id, hash: picture.hash) as NSString).lastPathComponent)
      }
    }
    let lost = damaged
    let ids = Set(lost.map { String($0.id) })
    report.damaged = lost.count
    if !lost.isEmpty {
      try await database.write(.engine) { db in
        for picture in lost { _ = try PictureRows.forgetFile(of: picture.id, picture.hash, db) }
      }
    }
    for file in files.all() where !names.contains(file.name) {
      let isStray = !ids.contains(String(file.name.prefix { $0 != "-" }))
      let modified = try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
      // Keeps the file of a picture that was received during the check.
      if isStray, (modified as? Date ?? .distantPast) > Date() - .hours(1) { continue }
      unlink(file.path)
      if isStray { report.strays += 1 }
    }
    return report
  }
}
