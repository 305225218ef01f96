/// The parts of RFC 1951 and 1952 that serve compressed bodies, good and bad, without a library:
/// fixed Huffman codes and a greedy search for repetitions.
public enum Gzip {
  /// Returns a well-formed gzip stream.
  public static func compress(_ data: [UInt8]) -> [UInt8] {
    header + deflate(data) + little(CRC32.of(data)) + little(UInt32(truncatingIfNeeded: data.count))
  }

  /// Returns a gzip stream of `count` zero bytes, itself 150 times smaller.
  public static func bomb(decoded count: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.write(0b011, 3)
    bits.writeLiteral(0)
    // Eight repetitions of 258 bytes are 13 whole bytes, wherever they begin: write them once.
    let runs = max(2, count / (258 * 8))
    for _ in 0..<8 { bits.writeMatch(length: 258, distance: 1) }
    let mark = bits.bytes.count
    for _ in 0..<8 { bits.writeMatch(length: 258, distance: 1) }
    let period = Array(bits.bytes[mark...])
    bits.bytes.reserveCapacity(mark + runs * period.count)
    for _ in 2..<runs { bits.bytes += period }
    bits.writeEnd()
    // The checksum is wrong, because no client should read that far.
    return header + bits.finish() + [0, 0, 0, 0] + little(UInt32(runs * 258 * 8 + 1))
  }

  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  static func little(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Returns raw deflate in one block.
  public static func deflate(_ data: [UInt8]) -> [UInt8] {
    var bits = BitWriter()
    bits.write(0b011, 3)
    var heads = [Int](repeating: -1, count: 1 << 12)
    var at = 0
    while at < data.count {
      var length = 0
      var distance = 0
      if at + 3 < data.count {
        let key =
          (Int(data[at]) &* 2531 ^ Int(data[at + 1]) &* 331 ^ Int(data[at + 2]) &* 37
            ^ Int(data[at + 3])) & 0xFFF
        let candidate = heads[key]
        heads[key] = at
        if candidate >= 0, at - candidate <= 32_768 {
          let limit = min(258, data.count - at)
          while length < limit, data[candidate + length] == data[at + length] { length += 1 }
          distance = at - candidate
        }
      }
      if length >= 4 {
        bits.writeMatch(length: length, distance: distance)
        at += length
      } else {
        bits.writeLiteral(data[at])
        at += 1
      }
    }
    bits.writeEnd()
    return bits.finish()
  }

  /// Returns zlib's wrapping of deflate (RFC 1950), which `Content-Encoding: deflate` means.
  public static func zlib(_ data: [UInt8]) -> [UInt8] {
    var a: UInt32 = 1
    var b: UInt32 = 0
    for byte in data {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return [0x78, 0x01] + deflate(data) + little(b << 16 | a).reversed()
  }
}

/// Bits, least significant first (RFC 1951, §3.1.1), with the fixed codes of §3.2.6.
private struct BitWriter {
  var bytes: [UInt8] = []
  private var pending: UInt32 = 0
  private var count = 0

  mutating func write(_ value: UInt32, _ width: Int) {
    pending |= value << UInt32(count)
    count += width
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      count -= 8
    }
  }

  private mutating func writeReversed(_ code: UInt32, _ width: Int) {
    var reversed: UInt32 = 0
    for bit in 0..<width where code & (1 << UInt32(bit)) != 0 {
      reversed |= 1 << UInt32(width - 1 - bit)
    }
    write(reversed, width)
  }

  private mutating func writeSymbol(_ symbol: Int) {
    let value = UInt32(symbol)
    switch symbol {
    case ..<144: writeReversed(0x30 + value, 8)
    case ..<256: writeReversed(0x190 + value - 144, 9)
    case ..<280: writeReversed(value - 256, 7)
    default: writeReversed(0xC0 + value - 280, 8)
    }
  }

  mutating func writeLiteral(_ byte: UInt8) { writeSymbol(Int(byte)) }

  mutating func writeEnd() { writeSymbol(256) }

  mutating func writeMatch(length: Int, distance: Int) {
    let lengthCode = Self.lengthBases.lastIndex { $0 <= length } ?? 0
    writeSymbol(257 + lengthCode)
    write(UInt32(length - Self.lengthBases[lengthCode]), Self.lengthExtra(lengthCode))
    let distanceCode = Self.distanceBases.lastIndex { $0 <= distance } ?? 0
    writeReversed(UInt32(distanceCode), 5)
    write(
      UInt32(distance - Self.distanceBases[distanceCode]),
      distanceCode < 4 ? 0 : distanceCode / 2 - 1)
  }

  mutating func finish() -> [UInt8] {
    if count > 0 { write(0, 8 - count) }
    return bytes
  }

  private static func lengthExtra(_ code: Int) -> Int {
    code < 8 || code == 28 ? 0 : code / 4 - 1
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]

  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537,
    2_049, 3_073, 4_097, 6_145, 8_193, 12_289, 16_385, 24_577,
  ]
}

/// The checksum of RFC 1952, §8.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
    }
  }

  static func of(_ data: [UInt8]) -> UInt32 {
    ~data.reduce(~UInt32(0)) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
  }
}
