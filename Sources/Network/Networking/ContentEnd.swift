/// Detects truncated compressed bodies. libcurl decodes `Content-Encoding` but reports success for
/// a stream that stops early, so this type observes the compressed bytes before they reach the
/// decoder.
///
/// Only gzip's end is recognised: the decoded size (RFC 1952, §2.3.1). If zlib reached the
/// trailer, it has also compared the checksum; if not, the last four bytes equal that size with
/// probability 2⁻³². For other codings, the framing decides.
struct ContentEnd {
  enum Verdict: Equatable {
    case complete, truncated
    /// Only the framing of the message shows the end.
    case unknown
  }

  private let isGzip: Bool
  private var chunks: ChunkStripper?
  private var isFirst = true
  /// The last four coded bytes.
  private var tail: UInt32 = 0
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
    isGzip = names == ["gzip"] || names == ["x-gzip"]
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
    for byte in bytes.suffix(4) { tail = tail << 8 | UInt32(byte) }
  }

  mutating func sawDecoded(_ bytes: UnsafeRawBufferPointer) {
    decodedBytes += Int64(bytes.count)
  }

  /// - Parameter received: bytes of the body before decompression, as libcurl counts them.
  func verdict(received: Int64) -> Verdict {
    if received == 0 { return .complete }
    // A partly observed body allows no verdict.
    guard isGzip, received == codedBytes else { return .unknown }
    return tail.byteSwapped == UInt32(truncatingIfNeeded: decodedBytes) ? .complete : .truncated
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
