import Foundation

/// A set of the words in a buffer, each followed by a space: a table with open addressing.
struct WordSet {
  /// Number of bytes after the last word that may be read or written.
  static let padding = 16
  /// Start of a word plus one, and above it the upper half of its hash; 0 for an empty slot.
  private var slots: [UInt64]
  private var count = 0
  /// Random for each process, so that no feed can choose words that collide.
  private static let seed = UInt64.random(in: 0 ... .max)
  private let seed = Self.seed

  /// - Parameter bytes: the length of the text, whose words are assumed to be long.
  init(bytes: Int) {
    var capacity = 16
    while capacity < bytes / 4 { capacity *= 2 }
    slots = Array(repeating: 0, count: capacity)
  }

  /// Inserts a word; returns `false` if the set has it already.
  mutating func insert(_ buffer: UnsafeMutablePointer<UInt8>, _ word: Range<Int>) -> Bool {
    let start = buffer + word.lowerBound
    let hash = hash(start, word.count)
    let mark = hash & 0xFFFF_FFFF_0000_0000
    let mask = slots.count - 1
    var place = Self.place(mark, mask)
    while slots[place] != 0 {
      let slot = slots[place]
      if slot & 0xFFFF_FFFF_0000_0000 == mark,
        memcmp(buffer + Int(slot & 0xFFFF_FFFF) - 1, start, word.count) == 0
      {
        return false
      }
      place = (place + 1) & mask
    }
    slots[place] = mark | UInt64(word.lowerBound + 1)
    count += 1
    if count * 2 > slots.count { grow() }
    return true
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: old.count * 2)
    let mask = slots.count - 1
    for slot in old where slot != 0 {
      var place = Self.place(slot & 0xFFFF_FFFF_0000_0000, mask)
      while slots[place] != 0 { place = (place + 1) & mask }
      slots[place] = slot
    }
  }

  private static func place(_ mark: UInt64, _ mask: Int) -> Int {
    Int(truncatingIfNeeded: mark >> 32) & mask
  }

  /// Hashes eight bytes at a time; bytes after the word are in the buffer and are masked.
  private func hash(_ word: UnsafeMutablePointer<UInt8>, _ count: Int) -> UInt64 {
    let bytes = UnsafeRawPointer(word)
    var hash = seed
    var index = 0
    while index < count {
      var part = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let left = count - index
      if left < 8 { part &= (1 << UInt64(left * 8)) - 1 }
      let product = (hash ^ part).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      hash = product.high ^ product.low
      index += 8
    }
    return hash
  }
}
