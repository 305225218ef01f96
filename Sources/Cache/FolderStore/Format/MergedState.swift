/// The key of a register: a field of a feed, an article or an object.
package struct RegisterKey: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    case feed(FeedKey)
    case article(FeedKey, item: UInt64)
    case object(ObjectID)
  }
  package var subject: Subject
  package var field: Field

  package init(_ subject: Subject, _ field: Field) {
    (self.subject, self.field) = (subject, field.folded)
  }
}

/// The newest known value of a register.
package struct Register: Sendable, Hashable {
  package var stamp: Stamp
  package var value: JSONValue
  package var rest: [String: JSONValue]
  package var link: UInt64?

  package init(
    stamp: Stamp, value: JSONValue, rest: [String: JSONValue] = [:], link: UInt64? = nil
  ) {
    (self.stamp, self.value, self.rest, self.link) = (stamp, value, rest, link)
  }

  /// The bytes of the value and of the entry's other members.
  private var content: [UInt8] {
    value.bytes + JSONValue.object(rest).bytes
  }
  private var links: [UInt64] { link.map { [$0] } ?? [] }

  /// Returns true if this value replaces another. Of two values with the same stamp, which only a
  /// cloned device writes, the larger in bytes wins.
  package func replaces(_ other: Register?) -> Bool {
    guard let other, stamp <= other.stamp else { return true }
    guard stamp == other.stamp else { return false }
    if link != other.link { return other.links.lexicographicallyPrecedes(links) }
    return other.content.lexicographicallyPrecedes(content)
  }

  /// Returns the field with the tag as its device spelled it.
  package func spelled(_ field: Field) -> Field {
    guard let tag = rest["tag"]?.text, Field.tag(tag).folded == field else { return field }
    return .tag(tag)
  }

  /// Returns the register's part of the digest, which the format defines.
  func hash(under key: RegisterKey) -> UInt64 {
    let subject: [UInt64] =
      switch key.subject {
      case .feed(let feed): [1, feed.rawValue]
      case .article(let feed, let item): [2, feed.rawValue, item]
      case .object(let object): [3, object.rawValue]
      }
    let numbers = subject + [stamp.time.rawValue, stamp.device.rawValue] + links
    let seed = numbers.map(\.littleEndian).withUnsafeBytes { XXH64.hash($0, seed: 0) }
    return XXH64.hash(Array(key.field.rawValue.utf8) + content, seed: seed)
  }
}

/// The sum of the hashes of all registers, which does not depend on the order of their arrival.
package struct StateDigest: HexadecimalID {
  package private(set) var rawValue: UInt64
  package init(rawValue: UInt64 = 0) { self.rawValue = rawValue }

  /// Replaces the value of a register.
  package mutating func replace(_ old: Register?, by new: Register, under key: RegisterKey) {
    rawValue &+= new.hash(under: key) &- (old?.hash(under: key) ?? 0)
  }
}

/// The registers of all devices. Merging is commutative, associative and idempotent.
///
/// A store that holds registers in a database applies the same rules with `Register.replaces` and
/// `StateDigest.replace`.
package struct MergedState: Sendable, Equatable {
  /// A register that an entry changed.
  package struct Change: Sendable, Equatable {
    package var key: RegisterKey
    package var old: Register?
    package var new: Register
  }

  package private(set) var registers: [RegisterKey: Register] = [:]
  package private(set) var digest = StateDigest()
  package private(set) var groups = FeedGroups()
  /// The items of registers with links, by the key that has the link in place of the item.
  private var itemsOfLinks: [RegisterKey: Set<UInt64>] = [:]

  package init() {}

  /// Creates a state of stored registers, without their digest.
  package init(_ registers: [RegisterKey: Register]) {
    self.registers = registers
    groups = FeedGroups(registers)
  }

  /// Merges an admitted entry. Returns the registers that it changed.
  @discardableResult
  package mutating func merge(_ entry: Entry, from device: DeviceID) -> [Change] {
    var changes: [Change] = []
    for (key, new) in entry.registers(from: device) {
      let old = registers[key]
      guard new.replaces(old) else { continue }
      registers[key] = new
      digest.replace(old, by: new, under: key)
      if case .article(let feed, let item) = key.subject, old?.link != new.link {
        if let link = old?.link {
          let place = RegisterKey(.article(feed, item: link), key.field)
          itemsOfLinks[place]?.remove(item)
          if itemsOfLinks[place]?.isEmpty == true { itemsOfLinks[place] = nil }
        }
        if let link = new.link {
          itemsOfLinks[RegisterKey(.article(feed, item: link), key.field), default: []].insert(item)
        }
      }
      changes.append(Change(key: key, old: old, new: new))
    }
    if entry.field == .alias, !changes.isEmpty { groups = FeedGroups(registers) }
    return changes
  }

  // MARK: Reading

  /// Returns the newest value of a field under all keys of a feed.
  package func newest(_ field: Field, of feed: FeedKey) -> Register? {
    newest(groups.keys(of: feed).map { RegisterKey(.feed($0), field) })
  }

  /// Returns the newest value of a field of an article: among the values for its item, and among
  /// those for its link whose items the cache does not have.
  /// - Parameters:
  ///   - article: without a link if several articles of the feed have it.
  ///   - isKnown: returns true for the items of other articles of the feed.
  package func newest(
    _ field: Field, of article: ArticleIdentity, in feed: FeedKey, isKnown: (UInt64) -> Bool
  ) -> Register? {
    var keys: [RegisterKey] = []
    for feed in groups.keys(of: feed) {
      keys.append(RegisterKey(.article(feed, item: article.item), field))
      guard let link = article.link else { continue }
      for item in itemsOfLinks[RegisterKey(.article(feed, item: link), field)] ?? []
      where item != article.item && !isKnown(item) {
        keys.append(RegisterKey(.article(feed, item: item), field))
      }
    }
    return newest(keys)
  }

  private func newest(_ keys: [RegisterKey]) -> Register? {
    keys.compactMap { registers[$0] }.reduce(nil) { $1.replaces($0) ? $1 : $0 }
  }
}
