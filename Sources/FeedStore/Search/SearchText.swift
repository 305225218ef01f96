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
  private static let longestWord = 48

  private let keepsWords: Bool

  /// - Parameter keepsWords: false for the index, which takes `folded` alone.
  init(_ text: String, keepsWords: Bool = true) {
    self.keepsWords = keepsWords
    var text = text
    text.withUTF8 { bytes in
      CharacterFold.ascii.withUnsafeBufferPointer { scan(bytes, ascii: $0) }
    }
  }

  /// - Parameter text: well-formed UTF-8.
  init(_ text: [UInt8], keepsWords: Bool = true) {
    self.keepsWords = keepsWords
    text.withUnsafeBufferPointer { bytes in
      CharacterFold.ascii.withUnsafeBufferPointer { scan(bytes, ascii: $0) }
    }
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

  // MARK: The walk

  private struct Open {
    var kind: CharacterFold.Kind
    /// Where the word began in `folded` and in the source.
    var folded: Int
    var source: Int
    var end: Int
  }

  private mutating func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, ascii: UnsafeBufferPointer<UInt8>
  ) {
    folded.reserveCapacity(bytes.count + bytes.count / 8)
    var open: Open?
    var index = 0
    while index < bytes.count {
      let start = index
      let byte = bytes[index]
      if byte < 0x80 {
        index += 1
        guard ascii[Int(byte)] != 0 else {
          close(&open)
          continue
        }
        while index < bytes.count, bytes[index] < 0x80, ascii[Int(bytes[index])] != 0 { index += 1 }
        if open?.kind != .word { begin(&open, .word, start) }
        append(UnsafeBufferPointer(rebasing: bytes[start..<index]), ascii)
        open?.end = index
        continue
      }
      let (scalar, length) = Self.scalar(bytes, index)
      index += length
      let fold = CharacterFold.of(scalar)
      switch fold.kind {
      case .separator: close(&open)
      case .ignored: open?.end = index
      case .word:
        if open?.kind != .word { begin(&open, .word, start) }
        append(fold.scalar)
        open?.end = index
      case .unspaced:
        if let previous = open, previous.kind == .unspaced {
          // The pair is a word; its second character begins the next one.
          let second = folded.count
          append(fold.scalar)
          let size = folded.count - second
          finish(previous, end: index)
          open = Open(kind: .unspaced, folded: folded.count, source: start, end: index)
          for offset in 0..<size { folded.append(folded[second + offset]) }
        } else {
          begin(&open, .unspaced, start)
          append(fold.scalar)
          open?.end = index
        }
      case .symbol:
        begin(&open, .symbol, start)
        append(fold.scalar)
        open?.end = index
      }
    }
    close(&open)
  }

  private mutating func begin(_ open: inout Open?, _ kind: CharacterFold.Kind, _ source: Int) {
    close(&open)
    open = Open(kind: kind, folded: folded.count, source: source, end: source)
  }

  private mutating func close(_ open: inout Open?) {
    if let word = open { finish(word, end: word.end) }
    open = nil
  }

  private mutating func finish(_ word: Open, end: Int) {
    if folded.count - word.folded > Self.longestWord {
      var cut = word.folded + Self.longestWord
      while cut > word.folded, folded[cut] & 0xC0 == 0x80 { cut -= 1 }
      folded.removeLast(folded.count - cut)
    }
    if keepsWords {
      words.append(
        Word(
          text: word.folded..<folded.count, source: word.source..<end,
          isUnspaced: word.kind == .unspaced))
    }
    folded.append(0x20)
  }

  /// ASCII letters and digits.
  private mutating func append(
    _ word: UnsafeBufferPointer<UInt8>, _ ascii: UnsafeBufferPointer<UInt8>
  ) {
    let start = folded.count
    folded.append(contentsOf: word)
    folded.withUnsafeMutableBufferPointer { folded in
      for index in start..<folded.count { folded[index] = ascii[Int(folded[index])] }
    }
  }

  private mutating func append(_ scalar: UInt32) {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | scalar >> shift & 0x3F) }
    switch scalar {
    case 0..<0x80: folded.append(UInt8(scalar))
    case 0x80..<0x800:
      folded.append(UInt8(0xC0 | scalar >> 6))
      folded.append(tail(0))
    case 0xD800..<0xE000: break
    case 0x800..<0x1_0000:
      folded.append(UInt8(0xE0 | scalar >> 12))
      folded.append(tail(6))
      folded.append(tail(0))
    case 0x1_0000..<0x11_0000:
      folded.append(UInt8(0xF0 | scalar >> 18))
      folded.append(tail(12))
      folded.append(tail(6))
      folded.append(tail(0))
    default: break
    }
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

  static let ascii: [UInt8] = (0..<128).map { code in
    switch UInt8(code) {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): UInt8(code)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(code) + 0x20
    default: 0
    }
  }

  /// The basic plane, made at the first text that is not ASCII: kind in the upper half.
  private static let plane: [UInt32] = (0..<0x1_0000).map { code in
    let fold = Unicode.Scalar(UInt32(code)).map(make) ?? CharacterFold(kind: .separator, scalar: 0)
    return UInt32(fold.kind.rawValue) << 24 | fold.scalar
  }

  static func of(_ scalar: UInt32) -> CharacterFold {
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
