/// Replaces a device's own files by one with its newest values.
package enum Compaction {
  /// Files of a device after which compaction is due.
  package static let files = 100
  /// Milliseconds between compactions of fewer files.
  package static let interval: Int64 = 30 * 86_400_000
  /// Milliseconds after which replaced files are deleted. Until then, other devices have both.
  package static let delay: Int64 = 10 * 60_000

  /// Returns the entries with the newest values, in the order of their numbers. Removes articles
  /// from an entry if another entry has a newer value; entries of later versions stay. Acts on
  /// single articles of a feed become one entry, which keeps their times.
  /// - Parameter entries: all own entries: those of the last compaction, and those after it.
  package static func newest(_ entries: [Entry], of device: DeviceID) -> [Entry] {
    var newest: [RegisterKey: (value: Register, number: UInt64)] = [:]
    let entries = entries.sorted { $0.number < $1.number }
    for entry in entries {
      for (key, value) in entry.registers(from: device) where value.replaces(newest[key]?.value) {
        newest[key] = (value, entry.number)
      }
    }
    let kept = entries.compactMap { entry -> Entry? in
      let registers = entry.registers(from: device)
      let isNewest = registers.map { newest[$0.key]?.number == entry.number }
      var kept = entry
      if case .articles(let feed, let articles) = entry.subject {
        let left = articles.indices.filter { isNewest[$0] }
        kept.subject = .articles(feed, left.map { articles[$0] })
        kept.setTimes(left.map { registers[$0].value.stamp.time })
      }
      return registers.isEmpty || isNewest.contains(true) ? kept : nil
    }
    return packed(kept)
  }

  private struct Kind: Hashable {
    var feed: FeedKey
    var field: Field
    var value: JSONValue
    var rest: [String: JSONValue]
  }

  /// Adds the articles of each entry to the first one of its feed, field and value that has room.
  private static func packed(_ entries: [Entry]) -> [Entry] {
    var places: [Kind: Int] = [:]
    var packed: [Entry] = []
    for entry in entries {
      guard case .articles(let feed, let articles) = entry.subject else {
        packed.append(entry)
        continue
      }
      let kind = Kind(feed: feed, field: entry.field, value: entry.value, rest: entry.rest)
      if let place = places[kind], case .articles(_, let first) = packed[place].subject,
        first.count + articles.count <= Limits.articles
      {
        let times = packed[place].articleTimes + entry.articleTimes
        packed[place].subject = .articles(feed, first + articles)
        packed[place].setTimes(times)
      } else {
        places[kind] = packed.count
        packed.append(entry)
      }
    }
    return packed
  }

  package static func isDue(files count: Int, last milliseconds: Int64, now: Int64) -> Bool {
    count >= files || (count > 1 && now - milliseconds >= interval)
  }

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

extension Entry {
  fileprivate var articleTimes: [Timestamp] {
    guard case .articles(_, let articles) = subject, times.isEmpty else { return times }
    return Array(repeating: time, count: articles.count)
  }

  fileprivate mutating func setTimes(_ times: [Timestamp]) {
    guard let first = times.min() else { return }
    time = first
    self.times = times.allSatisfy { $0 == first } ? [] : times
  }
}
