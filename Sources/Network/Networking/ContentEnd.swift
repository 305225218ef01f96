/// Detects truncated compressed bodies. libcurl decodes `Content-Encoding` but reports success for
/// a stream that stops early, so this type observes the compressed bytes before they reach the
/// decoder.
///
/// These ends are recognized without decoding again:
/// - gzip ends with the decoded size (RFC 1952, §2.3.1). If zlib reached the trailer, it has also
///   compared the checksum; if not, the last four bytes equal that size with probability 2⁻³².
/// - zlib ends with the Adler-32 of the decoded bytes (RFC 1950, §2.2).
/// - zstd's blocks state their lengths, and the last block is marked (RFC 8878, §3.1.1).
/// - brotli and raw deflate have no end that is visible without decoding.
struct ContentEnd {
  enum Verdict: Equatable {
    case complete, truncated
    /// Only the framing of the message shows the end.
    case unknown
  }

  private enum Coding { case gzip, deflate, zstd, other }
  private let coding: Coding
  private var chunks: ChunkStripper?
  private var isFirst = true
  /// The first two and the last four coded bytes.
  private var start: [UInt8] = []
  private var tail: UInt32 = 0
  private var zstd = ZstdFrames()
  private var adler = Adler32()
  private(set) var codedBytes: Int64 = 0
  private var decodedBytes: Int64 = 0

  /// Returns `nil` if the body is not compressed.
  /// - Parameters:
  ///   - encoding: all values of `Content-Encoding`.
  ///   - isChunked: true if `Transfer-Encoding: chunked` frames the body.
  init?(encoding: String, isChunked: Bool) {
    let names = encoding.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
      .filter { $0 != "identity" && $0 != "none" }
    guard !names.isEmpty else { return nil }
    switch names {
    case ["gzip"], ["x-gzip"]: coding = .gzip
    case ["deflate"]: coding = .deflate
    case ["zstd"]: coding = .zstd
    default: coding = .other
    }
    chunks = isChunked ? ChunkStripper() : nil
  }

  mutating func sawRaw(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.first else { return }
    if isFirst {
      isFirst = false
      // Versions of libcurl differ in whether they report the framing of chunks. A chunk begins
      // with a hexadecimal digit, which none of the codings does.
      if !ChunkStripper.isHexadecimal(first) { chunks = nil }
    }
    if var stripper = chunks {
      // Moves the stripper out of `self`, so that its callback may use `self`.
      chunks = nil
      stripper.strip(bytes) { part in sawCoded(part) }
      chunks = stripper
    } else {
      sawCoded(bytes)
    }
  }

  private mutating func sawCoded(_ bytes: UnsafeRawBufferPointer) {
    codedBytes += Int64(bytes.count)
    if start.count < 2 { start += bytes.prefix(2 - start.count) }
    for byte in bytes.suffix(4) { tail = tail << 8 | UInt32(byte) }
    if coding == .zstd { zstd.consume(bytes) }
  }

  mutating func sawDecoded(_ bytes: UnsafeRawBufferPointer) {
    decodedBytes += Int64(bytes.count)
    if coding == .deflate { adler.update(bytes) }
  }

  /// - Parameter received: bytes of the body before decompression, as libcurl counts them.
  func verdict(received: Int64) -> Verdict {
    if received == 0 { return .complete }
    // A partly observed body allows no verdict.
    guard received == codedBytes else { return .unknown }
    switch coding {
    case .gzip:
      return tail.byteSwapped == UInt32(truncatingIfNeeded: decodedBytes) ? .complete : .truncated
    case .deflate:
      let isZlib =
        start.count == 2 && start[0] & 0x0F == 8
        && (Int(start[0]) << 8 | Int(start[1])) % 31 == 0
      guard isZlib else { return .unknown }
      return tail == adler.value ? .complete : .truncated
    case .zstd: return zstd.isAtEnd ? .complete : .truncated
    case .other: return .unknown
    }
  }
}

/// The checksum of RFC 1950, §9.
struct Adler32 {
  private var a: UInt32 = 1
  private var b: UInt32 = 0
  var value: UInt32 { b << 16 | a }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // 5,552 bytes are the longest run for which the sums fit 32 bits.
      for byte in rest.prefix(5_552) {
        a &+= UInt32(byte)
        b &+= a
      }
      a %= 65_521
      b %= 65_521
      rest = rest.dropFirst(5_552)
    }
  }
}

/// Follows the frames and blocks of a zstd stream by their headers (RFC 8878, §3.1).
struct ZstdFrames {
  private enum Expectation { case magic, descriptor, headerRest, block, skippableSize, nothing }
  private var expecting = Expectation.magic
  private var field: [UInt8] = []
  /// The number of bytes to skip before the next field.
  private var skip: UInt64 = 0
  private var needed = 4
  private var hasChecksum = false
  private var frames = 0

  /// True after the last byte of a whole frame.
  var isAtEnd: Bool { expecting == .magic && field.isEmpty && skip == 0 && frames > 0 }

  mutating func consume(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      if skip > 0 {
        let count = Int(min(skip, UInt64(rest.count)))
        rest = rest.dropFirst(count)
        skip -= UInt64(count)
        continue
      }
      if expecting == .nothing { return }
      let count = min(needed - field.count, rest.count)
      field += rest.prefix(count)
      rest = rest.dropFirst(count)
      if field.count == needed { readField() }
    }
  }

  private mutating func expect(_ next: Expectation, _ count: Int) {
    (expecting, needed) = (next, count)
    field.removeAll(keepingCapacity: true)
  }

  private mutating func readField() {
    let value = field.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    switch expecting {
    case .magic:
      if value == 0xFD2F_B528 {
        expect(.descriptor, 1)
      } else if value & 0xFFFF_FFF0 == 0x184D_2A50 {
        expect(.skippableSize, 4)
      } else {
        expect(.nothing, 1)
      }
    case .skippableSize:
      skip = value
      expect(.magic, 4)
    case .descriptor:
      hasChecksum = value & 4 != 0
      let isSingleSegment = value & 0x20 != 0
      let dictionary = [0, 1, 2, 4][Int(value & 3)]
      let size = [isSingleSegment ? 1 : 0, 2, 4, 8][Int(value >> 6)]
      let rest = dictionary + size + (isSingleSegment ? 0 : 1)
      if rest > 0 { expect(.headerRest, rest) } else { expect(.block, 3) }
    case .headerRest: expect(.block, 3)
    case .block:
      // A run-length block holds one byte, whatever its decoded length.
      skip = value >> 1 & 3 == 1 ? 1 : value >> 3
      if value & 1 == 1 {
        if hasChecksum { skip += 4 }
        frames += 1
        expect(.magic, 4)
      } else {
        expect(.block, 3)
      }
    case .nothing: break
    }
  }
}

/// Removes the framing of `Transfer-Encoding: chunked` (RFC 9112, §7.1), which libcurl has already
/// validated.
struct ChunkStripper {
  private enum Expectation { case size, restOfSizeLine, data, endOfData, trailer }
  private var expecting = Expectation.size
  private var left = 0

  static func isHexadecimal(_ byte: UInt8) -> Bool { digit(byte) != nil }

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x30...0x39: Int(byte) - 0x30
    case 0x41...0x46: Int(byte) - 0x41 + 10
    case 0x61...0x66: Int(byte) - 0x61 + 10
    default: nil
    }
  }

  mutating func strip(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      switch expecting {
      case .size:
        if let digit = Self.digit(byte) {
          left = left &<< 4 | digit
          index += 1
        } else {
          expecting = .restOfSizeLine
        }
      case .restOfSizeLine:
        index += 1
        if byte == 0x0A { expecting = left == 0 ? .trailer : .data }
      case .data:
        let count = max(0, min(left, bytes.count - index))
        body(UnsafeRawBufferPointer(rebasing: bytes[index..<(index + count)]))
        index += count
        left -= count
        if left <= 0 { expecting = .endOfData }
      case .endOfData:
        index += 1
        if byte == 0x0A { (expecting, left) = (.size, 0) }
      case .trailer: index += 1
      }
    }
  }
}
