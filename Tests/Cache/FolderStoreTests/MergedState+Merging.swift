// Merging in memory, by the rules of the format. Merging is commutative, associative and
// idempotent.

extension MergedState {
  /// A register that an entry changed.
  struct Change {
    var old: Register?
    var new: Register
  }

  var digest: StateDigest {
    registers.reduce(into: StateDigest()) { $0.replace(nil, by: $1.value, under: $1.key) }
  }

  /// Merges an admitted entry. Returns the registers that it changed.
  @discardableResult
  mutating func merge(_ entry: Entry, from device: DeviceID) -> [Change] {
    var changes: [Change] = []
    for (key, new) in entry.registers(from: device) {
      let old = registers[key]
      guard new.replaces(old) else { continue }
      registers[key] = new
      changes.append(Change(old: old, new: new))
    }
    if entry.field == .alias, !changes.isEmpty { groups = FeedGroups(registers) }
    return changes
  }

  /// Returns the newest value of a field of an article: among the values for its item, and among
  /// those for its link whose items the cache does not have.
  /// - Parameters:
  ///   - article: without a link if several articles of the feed have it.
  ///   - isKnown: returns true for the items of other articles of the feed.
  func newest(
    _ field: Field, of article: ArticleIdentity, in feed: FeedKey, isKnown: (UInt64) -> Bool
  ) -> Register? {
    let feeds = groups.keys(of: feed)
    let keys = registers.compactMap { key, register -> RegisterKey? in
      guard case .article(let feed, let item) = key.subject, feeds.contains(feed),
        key.field == field.folded
      else { return nil }
      let isLinked = article.link != nil && register.link == article.link && !isKnown(item)
      return item == article.item || isLinked ? key : nil
    }
    return newest(keys)
  }
}
