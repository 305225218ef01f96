/// The name of an element or attribute in two machine words, ASCII in lower case, for comparison
/// without strings. Longer names are hashed; a collision can only equate two unknown names.
package struct PackedName: Hashable, Sendable {
  @usableFromInline var low: UInt64 = 0
  @usableFromInline var high: UInt64 = 0

  /// Compares explicitly, as other targets call the synthesised operator through the protocol.
  @inlinable @inline(__always)
  package static func == (a: PackedName, b: PackedName) -> Bool {
    a.low == b.low && a.high == b.high
  }

  @inlinable package init() {}

  @inlinable
  package init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    let count = range.count
    guard count <= 16, range.lowerBound + 16 <= bytes.count else {
      readSlowly(bytes, range)
      return
    }
    // Loads both words whole and masks out the bytes after the name.
    let raw = UnsafeRawBufferPointer(bytes)
    let first = raw.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self)
    low = Self.lowercased(UInt64(littleEndian: first) & Self.mask(count))
    guard count > 8 else { return }
    let second = raw.loadUnaligned(fromByteOffset: range.lowerBound + 8, as: UInt64.self)
    high = Self.lowercased(UInt64(littleEndian: second) & Self.mask(count - 8))
  }

  @usableFromInline
  mutating func readSlowly(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    if range.count <= 16 {
      var shift: UInt64 = 0
      for index in range {
        let byte = UInt64(bytes[index].asciiLowercased)
        if shift < 64 { low |= byte << shift } else { high |= byte << (shift - 64) }
        shift += 8
      }
    } else {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for index in range {
        hash = (hash ^ UInt64(bytes[index].asciiLowercased)) &* 0x0100_0000_01b3
      }
      low = hash
      // The byte 0xFF never occurs in UTF-8, so that no short name is equal.
      high = 0xFF00_0000_0000_0000 | UInt64(truncatingIfNeeded: range.count & 0xFFFF_FFFF)
    }
  }

  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { PackedName($0, $0.indices) }
  }

  package init(_ bytes: [UInt8], _ range: Range<Int>) {
    self = bytes.withUnsafeBufferPointer { PackedName($0, range) }
  }

  /// Returns a mask of the lowest bytes, at most eight.
  @inlinable @inline(__always)
  static func mask(_ count: Int) -> UInt64 {
    count >= 8 ? ~0 : (1 << UInt64(truncatingIfNeeded: count * 8)) - 1
  }

  /// Lowercases eight bytes at once by their sixth bit.
  @inlinable @inline(__always)
  static func lowercased(_ word: UInt64) -> UInt64 {
    let low = word & 0x7F7F_7F7F_7F7F_7F7F
    let fromA = low &+ 0x3F3F_3F3F_3F3F_3F3F
    let beyondZ = low &+ 0x2525_2525_2525_2525
    return word | ((fromA & ~beyondZ & ~word & 0x8080_8080_8080_8080) >> 2)
  }

  @inline(__always) fileprivate var slot: Int {
    let mixed = (low &* 0x9E37_79B9_7F4A_7C15) ^ (high &* 0xC2B2_AE3D_27D4_EB4F)
    return Int(truncatingIfNeeded: mixed >> 40)
  }
}

/// A fixed table that maps names to indexes: open addressing, at most half full. Not generic, as
/// generic code is not specialised across targets and too slow for each tag.
package struct NameTable: Sendable {
  private var keys: [PackedName]
  /// The indexes into the list, or -1.
  private var places: [Int16]
  private let mask: Int

  package init(_ names: some Collection<String>) {
    var capacity = 16
    while capacity < names.count * 2 { capacity *= 2 }
    mask = capacity - 1
    keys = Array(repeating: PackedName(""), count: capacity)
    places = Array(repeating: -1, count: capacity)
    for (place, name) in names.enumerated() {
      let key = PackedName(name)
      var slot = key.slot & mask
      while places[slot] >= 0, keys[slot] != key { slot = (slot + 1) & mask }
      keys[slot] = key
      places[slot] = Int16(place)
    }
  }

  package func contains(_ name: PackedName) -> Bool { place(of: name) != nil }

  /// Returns the index of a name in the list, the last index if the name occurs repeatedly.
  package func place(of name: PackedName) -> Int? {
    var slot = name.slot & mask
    while places[slot] >= 0 {
      if keys[slot] == name { return Int(places[slot]) }
      slot = (slot + 1) & mask
    }
    return nil
  }
}
