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
    report.damaged = lost.count
    if !lost.isEmpty {
      try await database.write(.engine) { db in
        for picture in lost { _ = try PictureRows.forgetFile(of: picture.id, picture.hash, db) }
      }
    }
    for file in files.all() where !names.contains(file.name) {
      // Keeps the file of a picture that was received during the check.
      if Date().timeIntervalSince(modified(file.path)) < .hours(1), !isLost(file.name, lost) {
        continue
      }
      unlink(file.path)
      if !isLost(file.name, lost) { report.strays += 1 }
    }
    return report
  }

  private func isLost(_ name: String, _ lost: [StoredPicture]) -> Bool {
    lost.contains { name.hasPrefix("\($0.id)-") }
  }

  private func modified(_ path: String) -> Date {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.modificationDate] as? Date ?? .distantPast
  }
}
