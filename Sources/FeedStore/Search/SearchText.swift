import Foundation

// Search: which words an article holds, the index of them, queries over it, and what they find.
// Lists as such stay in Articles/.

/// Text as search sees it: words without case and diacritics.
///
/// Scripts without spaces (and Korean, whose words grow at their end) give pairs of neighbouring
/// characters and at last the single one: 東京都 is 東京, 京都, 都. So each part of a run is a row of words
/// too, and one index serves all scripts. A symbol (emoji) is a word of its own.
///
/// Index, query and marking of hits go through here, so that they cannot disagree. The rules are
/// part of what is stored: changing them asks for a migration that indexes anew.
struct SearchText {
  struct Word {
    /// In `folded`.
    var text: Range<Int>
    /// In the UTF-8 of the source.
    var source: Range<Int>
    /// Of a script that does not part its words: a pair, or the last of a run alone.
    var isUnspaced: Bool
  }

  /// The words with a space behind each, UTF-8: ASCII letters and digits and characters beyond
  /// ASCII.
  private(set) var folded: [UInt8] = []
  private(set) var words: [Word] = []

  /// Longer words are cut: they are not typed, and data that looks like one must not swell the
  /// index.
  fileprivate static let longestWord = 48

  init(_ text: String) { self = text.utf8.withBytes { SearchText($0, isDistinct: false) } }

  /// - Parameter text: well-formed UTF-8.
  init(_ text: [UInt8]) { self = text.withBytes { SearchText($0, isDistinct: false) } }

  /// The words of a column of the index, folded, each once and with a space behind it: the index
  /// holds which words are in a column, and not how often.
  static func distinct(_ text: String) -> [UInt8] {
    text.utf8.withBytes { SearchText($0, isDistinct: true).folded }
  }

  /// - Parameter text: well-formed UTF-8.
  static func distinct(_ text: [UInt8]) -> [UInt8] {
    text.withBytes { SearchText($0, isDistinct: true).folded }
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, isDistinct: Bool) {
    var words: [Word] = []
    folded = Array(unsafeUninitializedCapacity: FoldedWords.mostBytes(of: bytes.count)) {
      var writer = FoldedWords($0, of: bytes.count, isDistinct: isDistinct)
      CharacterFold.ascii.withUnsafeBufferPointer { writer.scan(bytes, ascii: $0) }
      words = writer.words
      $1 = writer.count
    }
    self.words = words
  }

  var text: String { String(decoding: folded, as: UTF8.self) }

  func bytes(_ index: Int) -> ArraySlice<UInt8> { folded[words[index].text] }

  /// Of each word, for sets of them.
  var hashes: some Sequence<UInt64> { words.lazy.map { Self.hash(folded[$0.text]) } }

  /// Fowler, Noll and Vo's FNV-1a.
  static func hash(_ word: some Collection<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in word { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  /// Of well-formed UTF-8.
  static func scalar(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int
  ) -> (scalar: UInt32, length: Int) {
    func tail(_ offset: Int) -> UInt32 { UInt32(bytes[index + offset] & 0x3F) }
    let first = UInt32(bytes[index])
    if first < 0xE0 { return ((first & 0x1F) << 6 | tail(1), 2) }
    if first < 0xF0 { return ((first & 0x0F) << 12 | tail(1) << 6 | tail(2), 3) }
    return ((first & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4)
  }
}

/// Writes the words of a text into a buffer that has room for them.
private struct FoldedWords {
  private let out: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private(set) var words: [SearchText.Word] = []
  /// Nil: words that repeat are written each time.
  private var seen: WordSet?
  /// Empty up to the first character that is not ASCII.
  private var plane: [UInt32] = []

  /// The word that is being written; `.separator`: none.
  private var kind = CharacterFold.Kind.separator
  private var start = 0
  /// Its bounds in the source.
  private var source = 0
  private var sourceEnd = 0

  /// A character of a script without spaces is written twice with a space behind it: seven bytes of
  /// three. One of ASCII that is a word makes two, and no other makes more than three times its
  /// bytes.
  static func mostBytes(of count: Int) -> Int { 3 * count + WordSet.padding }

  /// - Parameter isDistinct: each word is written once; `words` stays empty.
  init(_ buffer: UnsafeMutableBufferPointer<UInt8>, of bytes: Int, isDistinct: Bool) {
    // A buffer of that capacity has an address.
    out = buffer.baseAddress.unsafelyUnwrapped
    seen = isDistinct ? WordSet(bytes: bytes) : nil
  }

  mutating func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, ascii: UnsafeBufferPointer<UInt8>
  ) {
    var index = 0
    while index < bytes.count {
      let first = index
      let byte = bytes[index]
      if byte < 0x80 {
        var fold = ascii[Int(byte)]
        index += 1
        guard fold != 0 else {
          close()
          continue
        }
        if kind != .word { begin(.word, first) }
        var count = count
        while true {
          out[count] = fold
          count += 1
          guard index < bytes.count else { break }
          fold = ascii[Int(bytes[index])]
          guard fold != 0 else { break }
          index += 1
        }
        self.count = count
        sourceEnd = index
        continue
      }
      let (scalar, length) = SearchText.scalar(bytes, index)
      index += length
      if plane.isEmpty { plane = CharacterFold.plane }
      let fold = CharacterFold.of(scalar, in: plane)
      switch fold.kind {
      case .separator: close()
      case .ignored: sourceEnd = index
      case .word:
        if kind != .word { begin(.word, first) }
        append(fold.scalar)
        sourceEnd = index
      case .unspaced:
        if kind == .unspaced {
          // The pair is a word; its second character begins the next one.
          append(fold.scalar)
          finish(end: index)
        }
        begin(.unspaced, first)
        append(fold.scalar)
        sourceEnd = index
      case .symbol:
        begin(.symbol, first)
        append(fold.scalar)
        sourceEnd = index
      }
    }
    close()
  }

  private mutating func begin(_ kind: CharacterFold.Kind, _ source: Int) {
    close()
    self.kind = kind
    start = count
    self.source = source
  }

  private mutating func close() {
    if kind != .separator { finish(end: sourceEnd) }
  }

  private mutating func finish(end: Int) {
    if count - start > SearchText.longestWord {
      count = start + SearchText.longestWord
      while count > start, out[count] & 0xC0 == 0x80 { count -= 1 }
    }
    if seen == nil {
      words.append(
        SearchText.Word(
          text: start..<count, source: source..<end, isUnspaced: kind == .unspaced))
    }
    kind = .separator
    out[count] = 0x20
    count += 1
    if seen?.insert(out, start..<count) == false { count = start }
  }

  private mutating func append(_ scalar: UInt32) {
    func write(_ byte: UInt32) {
      out[count] = UInt8(truncatingIfNeeded: byte)
      count += 1
    }
    func tail(_ shift: UInt32) { write(0x80 | scalar >> shift & 0x3F) }
    switch scalar {
    case 0..<0x80: write(scalar)
    case 0x80..<0x800:
      write(0xC0 | scalar >> 6)
      tail(0)
    case 0xD800..<0xE000: break
    case 0x800..<0x1_0000:
      write(0xE0 | scalar >> 12)
      tail(6)
      tail(0)
    case 0x1_0000..<0x11_0000:
      write(0xF0 | scalar >> 18)
      tail(12)
      tail(6)
      tail(0)
    default: break
    }
  }
}

/// The words that are in a buffer, each with a space behind it: a table with open addressing.
private struct WordSet {
  /// Bytes behind the last word that may be read or written.
  static let padding = 16
  /// Where a word begins, and above it the upper half of its hash; 0: nothing. The first word
  /// begins at 0, so one is added.
  private var slots: [UInt64]
  private var count = 0
  /// Who writes a text cannot know which words share a slot.
  private static let seed = UInt64.random(in: 0 ... .max)
  private let seed = Self.seed

  /// - Parameter bytes: of the text, whose words are assumed to be rather longer than shorter.
  init(bytes: Int) {
    var capacity = 16
    while capacity < bytes / 4 { capacity *= 2 }
    slots = Array(repeating: 0, count: capacity)
  }

  /// - Returns: false if the word is there already.
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

  /// Eight bytes at a time; those behind the word are in the buffer and are cut off.
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

extension Sequence<UInt8> {
  /// The bytes in one piece, copied where they are not.
  fileprivate func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withContiguousStorageIfAvailable(body) ?? Array(self).withUnsafeBufferPointer(body)
  }
}

/// What one character is to search.
struct CharacterFold {
  enum Kind: UInt8 {
    case separator
    /// Joins what is around it: combining marks that many leave out, joiners, soft hyphens.
    case ignored
    case word
    /// Of a script that does not part its words.
    case unspaced
    case symbol
  }
  var kind: Kind
  /// Without case and diacritics.
  var scalar: UInt32

  /// For each byte; 0: it is no letter or digit of ASCII.
  static let ascii: [UInt8] = (0..<256).map { code in
    switch UInt8(code) {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): UInt8(code)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(code) + 0x20
    default: 0
    }
  }

  /// The basic plane, made at the first text that is not ASCII: kind in the upper half.
  fileprivate static let plane: [UInt32] = (0..<0x1_0000).map { code in
    let fold = Unicode.Scalar(UInt32(code)).map(make) ?? CharacterFold(kind: .separator, scalar: 0)
    return UInt32(fold.kind.rawValue) << 24 | fold.scalar
  }

  static func of(_ scalar: UInt32) -> CharacterFold { of(scalar, in: plane) }

  /// - Parameter plane: read once for many characters.
  fileprivate static func of(_ scalar: UInt32, in plane: [UInt32]) -> CharacterFold {
    guard scalar < 0x1_0000 else {
      return Unicode.Scalar(scalar).map(make) ?? CharacterFold(kind: .separator, scalar: 0)
    }
    let value = plane[Int(scalar)]
    return CharacterFold(
      kind: Kind(rawValue: UInt8(value >> 24)) ?? .separator, scalar: value & 0xFFFFFF)
  }

  private static func make(_ scalar: Unicode.Scalar) -> CharacterFold {
    if isIgnored(scalar.value) { return CharacterFold(kind: .ignored, scalar: 0) }
    // Full-width Latin is Latin (NFKC).
    if (0xFF01...0xFF5E).contains(scalar.value), let narrow = Unicode.Scalar(scalar.value - 0xFEE0)
    {
      let byte = ascii[Int(narrow.value)]
      return CharacterFold(kind: byte == 0 ? .separator : .word, scalar: UInt32(byte))
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .letterNumber, .otherNumber, .privateUse:
      if isUnspaced(scalar.value) { return CharacterFold(kind: .unspaced, scalar: scalar.value) }
      return CharacterFold(kind: .word, scalar: base(scalar))
    case .decimalNumber:
      let digit = scalar.properties.numericValue.map { UInt32($0) + 0x30 } ?? scalar.value
      return CharacterFold(kind: .word, scalar: digit)
    case .otherSymbol: return CharacterFold(kind: .symbol, scalar: scalar.value)
    default: return CharacterFold(kind: .separator, scalar: 0)
    }
  }

  private static func base(_ scalar: Unicode.Scalar) -> UInt32 {
    let small = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
    if small.value == 0x03C2 { return 0x03C3 }
    switch small.value {
    case 0xC0...0x52F, 0x620...0x6FF, 0x1E00...0x1FFF:
      let parts = String(Character(small)).decomposedStringWithCanonicalMapping.unicodeScalars
      guard let first = parts.first, parts.dropFirst().allSatisfy({ isIgnored($0.value) }) else {
        return small.value
      }
      return first.value
    default: return small.value
    }
  }

  private static func isIgnored(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xAD, 0x0300...0x036F, 0x0591...0x05C7, 0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670,
      0x06D6...0x06ED, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x200B...0x200F, 0x2060...0x2064,
      0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xFEFF, 0x1F3FB...0x1F3FF,
      0xE0000...0xE0FFF:
      // Hebrew's own punctuation is among its points.
      ![0x05BE, 0x05C0, 0x05C3, 0x05C6, 0x06DD, 0x06DE, 0x06E9].contains(scalar)
    default: false
    }
  }

  /// Thai, Lao, Myanmar, Khmer, Han, kana, Hangul.
  private static func isUnspaced(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0x2FDF,
      0x3005...0x3007, 0x3040...0x318F, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
