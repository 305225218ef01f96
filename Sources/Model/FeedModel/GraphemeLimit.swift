/// A bound on the length of one grapheme cluster (UAX #29).
///
/// A base with a megabyte of combining marks is a single `Character`: measuring, comparing or
/// drawing it costs its whole length each time. No writing system needs more than a few scalars in
/// a cluster, and Unicode's stream-safe text format (UAX #15 §13) allows 30 marks in a row.
public enum GraphemeLimit {
  public static let scalars = 32

  public static func limited(_ text: String) -> String {
    var text = text
    let ranges = text.withUTF8 { excess(in: $0) }
    guard !ranges.isEmpty else { return text }
    return String(decoding: removing(ranges, from: Array(text.utf8)), as: UTF8.self)
  }

  /// Returns well-formed UTF-8 with the excess of each cluster removed.
  public static func limited(_ bytes: [UInt8]) -> [UInt8] {
    let ranges = bytes.withUnsafeBufferPointer { excess(in: $0) }
    return ranges.isEmpty ? bytes : removing(ranges, from: bytes)
  }

  /// Returns `bytes` without ascending ranges.
  public static func removing(_ ranges: [Range<Int>], from bytes: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    var start = 0
    for range in ranges {
      kept.append(contentsOf: bytes[start..<range.lowerBound])
      start = range.upperBound
    }
    kept.append(contentsOf: bytes[start...])
    return kept
  }

  /// Returns the bytes of well-formed UTF-8 beyond the limit of their cluster: ascending ranges of
  /// whole scalars, none in ordinary text. Linear time.
  public static func excess(in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    // A continuing scalar has at least two bytes, so shorter texts have no excess.
    let reach = 2 * scalars + 1
    while bytes.count - start > reach {
      start =
        lastBeginning(in: bytes, after: start, upTo: start + reach)
        ?? addExcess(in: bytes, from: start, to: &ranges)
    }
    return ranges
  }

  /// Returns the last index up to `end` at which a first byte shows that a cluster begins.
  @inline(__always)
  private static func lastBeginning(
    in bytes: UnsafeBufferPointer<UInt8>, after start: Int, upTo end: Int
  ) -> Int? {
    var index = end
    while index > start {
      let byte = bytes[index]
      if byte < 0x80 { return index }
      if leadBeginsCluster(byte), !isJoiner(bytes, before: index) { return index }
      index -= 1
    }
    return nil
  }

  /// Checks each scalar from a cluster start to the next start that a first byte shows.
  /// - Returns: the position of that start, or the end.
  private static func addExcess(
    in bytes: UnsafeBufferPointer<UInt8>, from first: Int, to ranges: inout [Range<Int>]
  ) -> Int {
    var index = first
    // The number and start of the scalars since the last certain cluster start.
    var count = 0
    var start = first
    var isJoined = false
    while index < bytes.count {
      let byte = bytes[index]
      if index > first, byte < 0x80 || (leadBeginsCluster(byte) && !isJoined) { break }
      let (scalar, length) = scalar(in: bytes, at: index)
      if byte < 0x80 || (beginsCluster(scalar) && !isJoined) {
        if count > scalars {
          addExcess(in: bytes, start..<index, followedBy: index, to: &ranges)
        }
        count = 0
        start = index
      } else {
        count += 1
      }
      // Scalars after a joiner belong to the cluster (GB11).
      isJoined = scalar == 0x200D
      index += length
    }
    if count > scalars {
      addExcess(in: bytes, start..<index, followedBy: index, to: &ranges)
    }
    return index
  }

  /// True if every non-ASCII character with this first byte begins a cluster, unless after a
  /// joiner: Latin, Greek and Cyrillic letters, Chinese characters, most Hangul.
  @inline(__always)
  static func leadBeginsCluster(_ byte: UInt8) -> Bool {
    switch byte {
    case 0xC2...0xCB, 0xCE...0xD1, 0xE4...0xE9, 0xEB, 0xEC: true
    default: false
    }
  }

  /// True if the character before `index` is U+200D.
  @inline(__always)
  private static func isJoiner(_ bytes: UnsafeBufferPointer<UInt8>, before index: Int) -> Bool {
    index >= 3 && bytes[index - 1] == 0x8D && bytes[index - 2] == 0x80 && bytes[index - 3] == 0xE2
  }

  // MARK: Clusters

  /// Returns true for scalars that continue no cluster, unless after a joiner. Lists only scripts
  /// with long words or no spaces; long stretches of other scripts are checked cluster by cluster.
  public static func beginsCluster(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0..<0x300, 0x370..<0x483, 0x48A..<0x591, 0x5D0..<0x600, 0x620..<0x64B, 0x671..<0x6D6,
      0xE01..<0xE31, 0x1E00..<0x2000, 0x2010..<0x2028, 0x2030..<0x205F, 0x2070..<0x20D0,
      0x2100..<0x2CEF, 0x2E00..<0x302A, 0x3030..<0x3099, 0x309B..<0xA66F, 0xAC00..<0xD7A4,
      0xF900..<0xFB00, 0xFE30..<0xFE70, 0xFF00..<0xFF9E, 0xFFA0..<0xFFF0, 0x20000..<0x40000:
      true
    default: false
    }
  }

  private static func scalar(
    in bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (value: UInt32, length: Int) {
    func tail(_ offset: Int) -> UInt32 {
      index + offset < bytes.count ? UInt32(bytes[index + offset] & 0x3F) : 0
    }
    let lead = UInt32(bytes[index])
    switch lead {
    case 0xC0..<0xE0: return ((lead & 0x1F) << 6 | tail(1), 2)
    case 0xE0..<0xF0: return ((lead & 0x0F) << 12 | tail(1) << 6 | tail(2), 3)
    case 0xF0...: return ((lead & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4)
    default: return (lead, 1)
    }
  }

  private static func addExcess(
    in bytes: UnsafeBufferPointer<UInt8>, _ stretch: Range<Int>, followedBy next: Int,
    to ranges: inout [Range<Int>]
  ) {
    let end = min(stretch.upperBound, bytes.count)
    let text = String(
      decoding: UnsafeBufferPointer(rebasing: bytes[stretch.lowerBound..<end]), as: UTF8.self)
    var after: Unicode.Scalar?
    if next < bytes.count { after = Unicode.Scalar(scalar(in: bytes, at: next).value) }
    var place = stretch.lowerBound
    var index = text.startIndex
    while index < text.endIndex {
      let cluster = text[index]
      text.formIndex(after: &index)
      let length = cluster.utf8.count
      // Clusters of fewer bytes have few enough scalars.
      if length > scalars, cluster.unicodeScalars.count > scalars {
        let following = index < text.endIndex ? text.unicodeScalars[index] : after
        ranges += excess(of: cluster, before: following).map {
          place + $0.lowerBound..<place + $0.upperBound
        }
      }
      place += length
    }
  }

  /// Returns the offsets of the bytes to remove. The kept bytes must not join the next cluster.
  private static func excess(
    of cluster: Character, before next: Unicode.Scalar?
  ) -> [Range<Int>] {
    var kept = Array(cluster.unicodeScalars.prefix(scalars))
    if let next {
      while !kept.isEmpty, joins(kept, next) { kept.removeLast() }
    }
    let length = cluster.utf8.count
    let start = kept.reduce(0) { $0 + UTF8.width($1) }
    // The cluster has only prefixes (the Arabic number signs): the letter after them is kept.
    if kept.isEmpty, let last = cluster.unicodeScalars.last {
      return [0..<length - UTF8.width(last)]
    }
    return [start..<length]
  }

  private static func joins(_ scalars: [Unicode.Scalar], _ next: Unicode.Scalar) -> Bool {
    var view = String.UnicodeScalarView(scalars)
    let before = String(view).count
    view.append(next)
    return String(view).count == before
  }
}
