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

  package mutating func replace(_ old: Register?, by new: Register, under key: RegisterKey) {
    rawValue &+= new.hash(under: key) &- (old?.hash(under: key) ?? 0)
  }
}

/// The registers of all devices, as `RegisterRows` merged them.
package struct MergedState: Sendable, Equatable {
  package var registers: [RegisterKey: Register]
  package var groups: FeedGroups

  package init(_ registers: [RegisterKey: Register] = [:]) {
    self.registers = registers
    groups = FeedGroups(registers)
  }

  /// Returns the newest value of a field under all keys of a feed.
  package func newest(_ field: Field, of feed: FeedKey) -> Register? {
    newest(groups.keys(of: feed).map { RegisterKey(.feed($0), field) })
  }

  package func newest(_ keys: [RegisterKey]) -> Register? {
    keys.compactMap { registers[$0] }.reduce(nil) { $1.replaces($0) ? $1 : $0 }
  }
}
