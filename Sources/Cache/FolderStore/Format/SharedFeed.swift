/// The keys that belong to one feed, because an alias connects them. Of the aliases, older ones
/// count first; one that would connect more than `Limits.keys` keys is ignored.
package struct FeedGroups: Sendable, Equatable {
  private var groups: [FeedKey: [FeedKey]] = [:]

  package init(_ registers: [RegisterKey: Register]) {
    let aliases = registers.compactMap { key, register -> (Stamp, a: FeedKey, b: FeedKey)? in
      guard key.field == .alias, case .feed(let a) = key.subject,
        let b = FeedKey(text: register.value.text)
      else { return nil }
      return (register.stamp, a, b)
    }
    for (_, a, b) in aliases.sorted(by: { ($0.0, $0.a) < ($1.0, $1.a) }) where mayJoin(a, b) {
      let group = (keys(of: a) + keys(of: b)).sorted()
      for key in group { groups[key] = group }
    }
  }

  /// Returns false for two keys of one feed, and for two feeds with too many keys.
  func mayJoin(_ a: FeedKey, _ b: FeedKey) -> Bool {
    let (these, others) = (keys(of: a), keys(of: b))
    return these[0] != others[0] && these.count + others.count <= Limits.keys
  }

  /// Returns all keys of a feed, in ascending order.
  package func keys(of feed: FeedKey) -> [FeedKey] { groups[feed] ?? [feed] }
}

/// A feed as the merged state describes it.
package struct SharedFeed: Sendable, Equatable {
  /// All keys of the feed. New entries use the first.
  package fileprivate(set) var keys: [FeedKey]
  package fileprivate(set) var fields: [Field: Register]

  package var key: FeedKey { keys[0] }
  package var isSubscribed: Bool { fields[.subscribed]?.value == .integer(1) }
  /// The current address; `nil` before the subscription has arrived.
  package var address: String? { source?.rest["url"]?.text ?? source?.value.text }
  /// The title that the subscribing device saw.
  package var title: String? { fields[.subscribed]?.rest["title"]?.text }
  package var name: String? { fields[.name]?.value.text }
  package var folder: [String]? { fields[.folder]?.value.elements?.compactMap(\.text) }
  /// The folder that the feed left, unless it still exists on the device that moved the feed.
  package var formerFolder: [String] {
    fields[.folder]?.rest["former"]?.elements?.compactMap(\.text) ?? []
  }
  /// True for a file or program, which is not used until the user allows it on this machine.
  package var needsPermission: Bool { address.map(LocalSource.claims) ?? false }

  package var options: [FeedOption: String] {
    fields.reduce(into: [:]) { all, field in
      if let option = field.key.option { all[option] = field.value.value.text }
    }
  }

  /// The register that set the address.
  private var source: Register? {
    guard let url = fields[.url] else { return fields[.subscribed] }
    return fields[.subscribed].map { $0.replaces(url) ? $0 : url } ?? url
  }
}

extension MergedState {
  /// Returns all feeds, also those that were unsubscribed, in the order of their keys.
  package func feeds() -> [SharedFeed] {
    var fields: [FeedKey: [Field: Register]] = [:]
    for (key, register) in registers {
      guard case .feed(let feed) = key.subject else { continue }
      let first = groups.keys(of: feed)[0]
      if register.replaces(fields[first]?[key.field]) {
        fields[first, default: [:]][key.field] = register
      }
    }
    return fields.map { first, fields in
      SharedFeed(keys: groups.keys(of: first).sorted { isOlder($0, $1) }, fields: fields)
    }.sorted { $0.key < $1.key }
  }

  /// Returns the missing aliases of feeds that have the same current address. The preferred one
  /// keeps its key; each other key gets this key as its alias.
  package func missingAliases() -> [FeedKey: FeedKey] {
    var stays: [String: FeedKey] = [:]
    var aliases: [FeedKey: FeedKey] = [:]
    for feed in feeds().sorted(by: { isOlder($0.key, $1.key) }) {
      guard let address = feed.address.map(FeedAddress.normalized) else { continue }
      guard let key = stays[address] else {
        stays[address] = feed.key
        continue
      }
      if groups.mayJoin(feed.key, key) { aliases[feed.key] = key }
    }
    return aliases
  }

  /// Returns the feeds of a folder in its shared order. Feeds that the order does not name follow
  /// in the given order.
  package func sorted(_ feeds: [FeedKey], of folder: [String]) -> [FeedKey] {
    let order = registers[RegisterKey(.object(ObjectID(orderOf: folder)), .order)]
    var places: [FeedKey: Int] = [:]
    for (place, value) in (order?.value.members?["feeds"]?.elements ?? []).enumerated() {
      if let key = FeedKey(text: value.text) { places[groups.keys(of: key)[0]] = place }
    }
    return feeds.enumerated().map { index, key in
      (place: places[groups.keys(of: key)[0]] ?? .max, index: index, key: key)
    }.sorted { ($0.place, $0.index) < ($1.place, $1.index) }.map(\.key)
  }

  /// Returns true if `a` is preferred to `b`, because `a` has no alias or the older subscription.
  private func isOlder(_ a: FeedKey, _ b: FeedKey) -> Bool {
    func rank(_ key: FeedKey) -> (Int, UInt64, UInt64, FeedKey) {
      let hasAlias = registers[RegisterKey(.feed(key), .alias)]?.value.text != nil
      let stamp = registers[RegisterKey(.feed(key), .subscribed)]?.stamp
      return (
        hasAlias ? 1 : 0, stamp?.time.rawValue ?? .max, stamp?.device.rawValue ?? .max, key
      )
    }
    return rank(a) < rank(b)
  }
}
