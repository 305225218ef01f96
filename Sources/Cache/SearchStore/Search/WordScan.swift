/// Decides whether HTML can contain a word, without extracting its text.
///
/// The prefixes of the word that end at a character are bits of one number (Baeza-Yates and Gonnet,
/// "A New Approach to Text Searching", 1992). A negative answer is certain. A positive answer is a
/// guess if markup or dropped characters are between the letters: a prefix before any markup may
/// continue after it.
struct WordScan: Sendable {
  /// Positions in the word by ASCII character, in either case.
  private var places = [UInt64](repeating: 0, count: 128)
  private var widePositions: [(scalar: UInt32, places: UInt64)] = []
  private var last: UInt64 = 0

  /// Character references of separators, the only references in the HTML of the cache.
  private static let references = ["amp;", "lt;", "gt;", "quot;", "nbsp;", "apos;", "#39;"]
    .map { Array($0.utf8) }

  /// - Parameter word: the word as `SearchText` folds it, at most 48 bytes of UTF-8.
  init(_ word: [UInt8]) {
    for (place, scalar) in String(decoding: word, as: UTF8.self).unicodeScalars.enumerated()
    where place < UInt64.bitWidth {
      last = 1 << UInt64(place)
      guard scalar.value >= 0x80 else {
        places[Int(scalar.value)] |= last
        if scalar.properties.isLowercase { places[Int(scalar.value) - 0x20] |= last }
        continue
      }
      if let known = widePositions.firstIndex(where: { $0.scalar == scalar.value }) {
        widePositions[known].places |= last
      } else {
        widePositions.append((scalar.value, last))
      }
    }
  }

  /// Returns `false` if the text of the HTML cannot contain the word.
  func mayStand(in html: String) -> Bool {
    var html = html
    return html.withUTF8 { html in places.withUnsafeBufferPointer { mayStand(in: html, $0) } }
  }

  private func mayStand(
    in html: UnsafeBufferPointer<UInt8>, _ places: UnsafeBufferPointer<UInt64>
  ) -> Bool {
    var begun: UInt64 = 0
    var beforeMarkup: UInt64 = 0
    var index = 0
    while index < html.count {
      let byte = html[index]
      guard byte < 0x80 else {
        let (scalar, length) = SearchText.scalar(html, index)
        index += length
        let fold = CharacterFold.of(scalar)
        // Characters that join their neighbours, or may be dropped from the text, are skipped.
        guard fold.kind != .ignored, fold.kind != .separator else { continue }
        let found =
          fold.scalar < 0x80
          ? places[Int(fold.scalar)]
          : widePositions.first { $0.scalar == fold.scalar }?.places ?? 0
        begun |= (begun << 1 | 1) & found
        if begun & last != 0 { return true }
        continue
      }
      index += 1
      switch byte {
      case UInt8(ascii: "<"):
        beforeMarkup |= begun
        begun = 0
      case UInt8(ascii: ">"): begun = beforeMarkup
      case UInt8(ascii: "&"):
        begun = 0
        if !Self.isSeparator(html, index) { return true }
      // Control characters are dropped.
      case 0..<0x09, 0x0B, 0x0E..<0x20, 0x7F: break
      default:
        begun = (begun << 1 | 1) & places[Int(byte)]
        if begun & last != 0 { return true }
      }
    }
    return false
  }

  /// Returns true if the text after an ampersand makes it a separator.
  private static func isSeparator(_ html: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    guard index < html.count else { return true }
    guard html[index] == UInt8(ascii: "#") || CharacterFold.ascii[Int(html[index] & 0x7F)] != 0
    else { return true }
    return references.contains { html[index...].starts(with: $0) }
  }
}
