/// The files and entries of a device that have arrived.
package struct DeviceProgress: Sendable, Equatable {
  /// The number up to which all entries have arrived.
  package private(set) var contiguous: UInt64 = 0
  /// Ranges after the first missing entry, ascending and not adjacent.
  private var later: [ClosedRange<UInt64>] = []
  private var files: Set<SegmentName> = []

  package init() {}

  /// - Parameter files: the files that were read and are still in the folder.
  package init(contiguous: UInt64, files: [SegmentName]) {
    self.contiguous = contiguous
    for file in files.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) { receive(file) }
  }

  /// The missing ranges before the last entry that has arrived.
  package var gaps: [ClosedRange<UInt64>] {
    var start = contiguous + 1
    return later.map { range in
      defer { start = range.upperBound + 1 }
      return start...(range.lowerBound - 1)
    }
  }

  /// Returns true if a file was not read. Its numbers do not matter: until a restored database has
  /// a new ID, two files may have different entries with the same numbers.
  package func needs(_ file: SegmentName) -> Bool { !files.contains(file) }

  /// Records a file that was read, in any order and repeatedly.
  package mutating func receive(_ file: SegmentName) {
    files.insert(file)
    let range = file.range
    guard range.upperBound > contiguous else { return }
    var merged = range
    // Adjacent ranges merge, too.
    later.removeAll { other in
      guard other.lowerBound <= merged.upperBound + 1, merged.lowerBound <= other.upperBound + 1
      else { return false }
      merged = min(merged.lowerBound, other.lowerBound)...max(merged.upperBound, other.upperBound)
      return true
    }
    if merged.lowerBound <= contiguous + 1 {
      contiguous = max(contiguous, merged.upperBound)
    } else {
      later.insert(
        merged, at: later.firstIndex { $0.lowerBound > merged.upperBound } ?? later.count)
    }
  }
}

/// The result of comparing another device's state with the state here.
package enum Agreement: Sendable {
  case same, different
  /// One of the devices has entries that the other did not have.
  case unknown

  /// Compares the digest in the newest file of a device with ours.
  /// - Parameters:
  ///   - number: the last number of that file.
  ///   - mine: the progress of all other devices here; `own` has this device's last number.
  package static func of(
    _ device: DeviceID, _ report: ProgressReport, at number: UInt64,
    mine: [DeviceID: DeviceProgress], own: (device: DeviceID, lastNumber: UInt64),
    digest: StateDigest
  ) -> Agreement {
    guard let theirs = report.digest, mine.values.allSatisfy({ $0.gaps.isEmpty }) else {
      return .unknown
    }
    var (have, here) = (report.have, mine.mapValues(\.contiguous))
    have[device] = number
    here[own.device] = own.lastNumber
    guard have.filter({ $1 > 0 }) == here.filter({ $1 > 0 }) else { return .unknown }
    return theirs == digest ? .same : .different
  }
}

/// The result of checking that this database may continue to write under its device ID.
package enum OwnIdentity: Sendable, Equatable {
  case valid
  /// The database was copied from another machine.
  case cloned
  /// The folder has files of this device that this database did not write, because the database was
  /// restored from a backup or another copy of it is in use.
  case restored

  /// - Parameters:
  ///   - machine: hashes of the machine's ID, stored with the device ID and now.
  ///   - found: the files of this device in the folder.
  ///   - written: the names of its files, stored before each file.
  package init(
    machine: (stored: UInt64, now: UInt64), found: [SegmentName], written: Set<SegmentName>
  ) {
    let isOwn = found.allSatisfy(written.contains)
    self = machine.stored != machine.now ? .cloned : isOwn ? .valid : .restored
  }
}
