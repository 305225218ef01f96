import Foundation

// Search: the words of articles, their index, queries, and hits. Lists are in ArticleStore.

/// Words of a text for search, without case and diacritics.
///
/// Scripts without spaces (and Korean, whose words grow at their end) are split into pairs of
/// neighbouring characters and the last single one: 東京都 is 東京, 京都, 都. Each part of a run is thus a
/// sequence of words too, and one index serves all scripts. A symbol (emoji) is one word.
///
/// Index, queries and marking of hits use this type, so that they agree. The rules determine stored
/// data: changing them needs a migration that indexes again.
struct SearchText {
  struct Word {
    /// Range in `folded`.
    var text: Range<Int>
    /// Range in the UTF-8 of the source.
    var source: Range<Int>
    /// True for a pair of characters of a script without spaces, or the last one of a run.
    var isUnspaced: Bool
  }

  /// Words, each followed by a space, as UTF-8: ASCII letters and digits, and characters beyond
  /// ASCII.
  private(set) var folded: [UInt8] = []
  private(set) var words: [Word] = []

  /// Longest word in bytes. Longer ones are cut, so that data like words cannot swell the index.
  fileprivate static let longestWord = 48

  init(_ text: String) { self = text.utf8.withBytes { SearchText($0, isDistinct: false) } }

  /// - Parameter text: well-formed UTF-8.
  init(_ text: [UInt8]) { self = text.withBytes { SearchText($0, isDistinct: false) } }

  /// Returns the folded words of an index column, each once and followed by a space, because the
  /// index stores which words a column has, not how often.
  /// - Parameter text: well-formed UTF-8.
  static func distinct(_ text: some Sequence<UInt8>) -> [UInt8] {
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

  var hashes: some Sequence<UInt64> { words.lazy.map { Self.hash(folded[$0.text]) } }

  /// FNV-1a by Fowler, Noll and Vo.
  static func hash(_ word: some Collection<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in word { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  /// - Parameter bytes: well-formed UTF-8.
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

/// Folds a text word by word, into a buffer with room for all of it.
private struct FoldedWords {
  private let out: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private(set) var words: [SearchText.Word] = []
  /// Words written so far; `nil` if repeated words are written each time.
  private var seen: WordSet?
  /// Empty until the first character that is not ASCII.
  private var plane: [UInt32] = []

  /// Kind of the current word; `.separator` if there is none.
  private var kind = CharacterFold.Kind.separator
  private var start = 0
  /// Bounds of the word in the source.
  private var source = 0
  private var sourceEnd = 0

  /// Returns the maximum output for a text of `count` bytes. In a script without spaces, most words
  /// are pairs of characters, and each character begins one: seven bytes with the space, for a
  /// character of three. A word of one ASCII character becomes two bytes, and any other word
  /// becomes three times its bytes at most.
  static func mostBytes(of count: Int) -> Int { 3 * count + WordSet.padding }

  /// - Parameter isDistinct: true to write each word once; `words` then stays empty.
  init(_ buffer: UnsafeMutableBufferPointer<UInt8>, of bytes: Int, isDistinct: Bool) {
    // The capacity is never 0, so the buffer has an address.
    out = buffer.baseAddress.unsafelyUnwrapped
    seen = isDistinct ? WordSet(bytes: bytes) : nil
  }

  mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, ascii: UnsafeBufferPointer<UInt8>) {
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

  private mutating func close() { if kind != .separator { finish(end: sourceEnd) } }

  private mutating func finish(end: Int) {
    if count - start > SearchText.longestWord {
      count = start + SearchText.longestWord
      while count > start, out[count] & 0xC0 == 0x80 { count -= 1 }
    }
    if seen == nil {
      words.append(
        SearchText.Word(text: start..<count, source: source..<end, isUnspaced: kind == .unspaced))
    }
    kind = .separator
    out[count] = 0x20
    count += 1
    if seen?.insert(out, start..<count) == false { count = start }
  }

  private mutating func append(_ scalar: UInt32) {
    for byte in Unicode.Scalar(scalar).flatMap(UTF8.encode) ?? .init() {
      out[count] = byte
      count += 1
    }
  }
}

extension Sequence<UInt8> {
  /// Passes contiguous bytes to `body`, copied if necessary.
  fileprivate func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withContiguousStorageIfAvailable(body) ?? Array(self).withUnsafeBufferPointer(body)
  }
}
