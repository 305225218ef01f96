package import Foundation
import GRDB

/// Another device that shares the folder.
package struct SharedDevice: Sendable, Equatable {
  package var id: DeviceID
  package var name: String
  package var progress: DeviceProgress
  /// The names of its files that were read or refused and were in the folder at the last listing.
  var names: Set<String>
  /// The refused files, by their names; the directory has no name.
  package var refused: [String: DeviceProblem]
  package var seenAt: Date?
  /// True if the user has forgotten the device and no new file of it has arrived.
  package var isForgotten = false
  package var agreement = Agreement.unknown

  package var key: String { id.text }
  package var problem: DeviceProblem? {
    refused.filter { $1.kind != .ahead }.min { $0.key < $1.key }?.value
  }
  /// True if entries of the device are dated more than a day ahead of the clock here.
  package var isAhead: Bool { refused.values.contains { $0.kind == .ahead } }
  /// True if such entries wait for their time.
  var isWaiting: Bool { refused.values.contains { $0.kind == .ahead && $0.until < .max } }

  static func all(_ db: Database) throws -> [SharedDevice] {
    guard let row = try FolderRow.find(db) else { return [] }
    let files: [(device: Int64, name: String, refused: String?)] = try db.all(
      "SELECT device, name, refused FROM folderFile"
    ) { ($0["device"], $0["name"], $0["refused"]) }
    let filesOfDevices = Dictionary(grouping: files, by: \.device)
    typealias Found = (device: SharedDevice, last: UInt64, report: ProgressReport)
    let found: [Found] = try db.all(
      "SELECT * FROM folderDevice ORDER BY name, id"
    ) { device in
      let (id, contiguous): (Int64, Int64) = (device["id"], device["contiguous"])
      let files = filesOfDevices[id] ?? []
      var refused: [String: DeviceProblem] = [:]
      for file in files {
        if let text = file.refused { refused[file.name] = DeviceProblem(file.name, text) }
      }
      let read = files.filter { refused[$0.name].map { $0.kind == .ahead } ?? true }
      let shared = SharedDevice(
        id: DeviceID(rawValue: UInt64(bitPattern: id)), name: device["name"],
        progress: DeviceProgress(
          contiguous: UInt64(bitPattern: contiguous),
          files: read.compactMap { SegmentName($0.name) }),
        names: Set(files.map(\.name)), refused: refused, seenAt: device.date("seenAt"),
        isForgotten: device["isForgotten"])
      return (
        shared, UInt64(bitPattern: device["lastNumber"] as Int64),
        ProgressReport(line: (device["report"] as String? ?? "").utf8)
      )
    }
    if found.contains(where: \.device.isWaiting) { return found.map(\.device) }
    let progress = Dictionary(first: found.map { ($0.device.id, $0.device.progress) })
    return found.map { shared, last, report in
      var shared = shared
      shared.agreement = Agreement.of(
        shared.id, report, at: last, mine: progress,
        own: (device: row.device, lastNumber: row.author.lastNumber), digest: row.digest)
      return shared
    }
  }

  /// Returns "laptop (2)" for "laptop", or the first such name that none of `others` is.
  static func next(_ name: String, after others: [String]) -> String {
    let base = name.replacing(/[ ]\([0-9]+\)$/, with: "").prefix(90)
    return (2...).lazy.map { "\(base) (\($0))" }.first { !others.contains($0) } ?? name
  }
}

/// The reason that a file of another device is not read, or not read to its end.
package struct DeviceProblem: Sendable, Hashable {
  package var kind: SegmentProblem
  /// The name of the file; empty for the directory.
  package var file: String
  /// See `FolderFiles.state`. A file that has changed is read again.
  var state = ""
  /// The time in milliseconds at which the file is read again although it has not changed.
  var until = Int64.max

  /// The value of the column `refused`.
  var text: String { "\(kind.rawValue) \(until) \(state)" }
}

extension DeviceProblem {
  /// - Parameter text: see `text`.
  init?(_ file: String, _ text: String) {
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let kind = SegmentProblem(rawValue: String(parts[0])),
      let until = Int64(parts[1])
    else { return nil }
    self.init(kind: kind, file: file, state: String(parts[2]), until: until)
  }
}
