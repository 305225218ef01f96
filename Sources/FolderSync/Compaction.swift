/// Replaces a device's own files by one with its newest values.
package enum Compaction {
  /// Files of a device after which compaction is due.
  package static let files = 100
  /// Milliseconds between compactions of fewer files.
  package static let interval: Int64 = 30 * 86_400_000
  /// Milliseconds after which older files go, so that other devices have both for a while.
  package static let delay: Int64 = 10 * 60_000

  /// Returns the entries with the newest values, in the order of their numbers. Articles whose
  /// value is newer in another entry leave theirs; entries of later versions stay.
  /// - Parameter entries: all own entries: those of the last compaction, and those after it.
  package static func newest(_ entries: [Entry], of device: DeviceID) -> [Entry] {
    var newest: [RegisterKey: (value: Register, number: UInt64)] = [:]
    let entries = entries.sorted { $0.number < $1.number }
    for entry in entries {
      for (key, value) in entry.registers(from: device) where value.replaces(newest[key]?.value) {
        newest[key] = (value, entry.number)
      }
    }
    return entries.compactMap { entry in
      let keys = entry.registers(from: device).map(\.key)
      let isNewest = keys.map { newest[$0]?.number == entry.number }
      var kept = entry
      if case .articles(let feed, let articles) = entry.subject {
        kept.subject = .articles(feed, zip(articles, isNewest).filter(\.1).map(\.0))
      }
      return keys.isEmpty || isNewest.contains(true) ? kept : nil
    }
  }

  /// Returns true if a compaction saves files and is due.
  package static func isDue(files count: Int, last milliseconds: Int64, now: Int64) -> Bool {
    count >= files || (count > 1 && now - milliseconds >= interval)
  }

  /// Returns the own files that a compacted one replaces.
  /// - Parameter age: milliseconds since the compacted file was complete on disk.
  package static func replaced(
    by compacted: SegmentName, age: Int64, among names: [SegmentName]
  ) -> [SegmentName] {
    guard compacted.isCompacted, age >= delay else { return [] }
    return names.filter {
      $0 != compacted && $0.range.upperBound <= compacted.range.upperBound
    }
  }
}
