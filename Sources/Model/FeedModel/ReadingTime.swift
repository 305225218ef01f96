import Foundation

/// The time that reading takes, from words that are counted once, when a text is stored.
public enum ReadingTime {
  /// Words that are read in a minute unless the configuration says otherwise.
  public static let wordsPerMinute = 240

  /// Returns whole minutes: 0 for no words, else at least 1.
  /// - Parameter speed: words in a minute.
  public static func minutes(ofWords words: Int, speed: Int = wordsPerMinute) -> Int {
    words <= 0 ? 0 : max(1, (words + speed / 2) / max(1, speed))
  }

  /// Returns the minutes that are left of an article that was begun, at least 1; `nil` for one that
  /// was not begun or was read to its end.
  /// - Parameter seen: the share of the text that has been on screen; `nil` if unknown.
  public static func left(ofWords words: Int, seen: Double?, speed: Int = wordsPerMinute) -> Int? {
    guard words > 0, let seen, seen < 1 else { return nil }
    return minutes(ofWords: max(1, Int(Double(words) * (1 - seen))), speed: speed)
  }

  /// Number of bytes that are counted; the rest of a longer text counts in proportion.
  private static let sample = 131_072
  /// Hundredths of a word. A minute has 240 words or 500 characters of Chinese, Japanese or Korean.
  private static let (word, ideograph, thaiLetter) = (100, 48, 24)

  /// Counts the words of sanitised HTML. Characters of scripts without spaces count as parts of a
  /// word; words of code and tables count half. A text that is not empty has at least one word.
  public static func words(in html: String, isMarkup: Bool = true) -> Int {
    var html = html
    return html.withUTF8 { utf8 in
      guard let base = utf8.baseAddress else { return 0 }
      let end = min(utf8.count, sample)
      let units = isMarkup ? count(base, end) : count(base, 0, end)
      let whole = units * utf8.count / max(1, end)
      return units == 0 ? 0 : max(1, (whole + word / 2) / word)
    }
  }

  private static func count(_ base: UnsafePointer<UInt8>, _ end: Int) -> Int {
    func place(of byte: UInt8, from start: Int) -> Int? {
      memchr(base + start, Int32(byte), end - start).map {
        UnsafeRawPointer($0) - UnsafeRawPointer(base)
      }
    }
    var (units, halved, depth, index) = (0, 0, 0, 0)
    while index < end {
      guard base[index] == UInt8(ascii: "<") else {
        let next = place(of: UInt8(ascii: "<"), from: index) ?? end
        let found = count(base, index, next)
        if depth > 0 { halved += found } else { units += found }
        index = next
        continue
      }
      let isEnd = index + 1 < end && base[index + 1] == UInt8(ascii: "/")
      if isHalving(base, index + (isEnd ? 2 : 1), end) { depth = max(0, depth + (isEnd ? -1 : 1)) }
      index = place(of: UInt8(ascii: ">"), from: index).map { $0 + 1 } ?? end
    }
    return units + halved / 2
  }

  /// Returns true for the name of `pre` or `table`.
  private static func isHalving(_ base: UnsafePointer<UInt8>, _ name: Int, _ end: Int) -> Bool {
    guard name + 2 < end else { return false }
    let letters = (base[name], base[name + 1], base[name + 2])
    return letters == (0x70, 0x72, 0x65) || letters == (0x74, 0x61, 0x62)
  }

  /// Counts a text without markup.
  ///
  /// A word begins after white space. A punctuation mark between spaces is not a word. Eight bytes
  /// are examined at once unless a character of three bytes is among them, because each merge
  /// counts every byte of its articles.
  private static func count(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
    var (units, words, isInWord, index) = (0, 0, false, start)
    // The end of a group of eight bytes that are examined one by one.
    var slowEnd = start
    while index < end {
      if index >= slowEnd, index + 9 <= end {
        let bytes = load(base + index)
        if bytes & bytes << 1 & bytes << 2 & high == 0 {
          let text = visible(bytes)
          let before = text << 8 | (isInWord ? 0x80 : 0)
          let starts = text & ~before & (visible(load(base + index + 1)) | alphanumeric(bytes))
          words += Int(((starts >> 7) &* 0x0101_0101_0101_0101) >> 56)
          isInWord = text >> 63 == 1
          index += 8
          continue
        }
        slowEnd = index + 8
      }
      switch base[index] {
      case 0...0x20:
        isInWord = false
        index += 1
      case 0xE2, 0xEF:  // Punctuation, also of full width, and symbols.
        index += 3
      case 0xE3 where index + 1 < end && base[index + 1] == 0x80:
        isInWord = false
        index += 3
      case 0xE3...0xED:
        units += ideograph
        isInWord = false
        index += 3
      case 0xE0 where index + 1 < end && (0xB8...0xB9).contains(base[index + 1]):
        units += thaiLetter
        isInWord = false
        index += 3
      case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7F:  // Punctuation of ASCII.
        index += 1
      case let byte:
        if !isInWord { words += 1 }
        isInWord = true
        index += byte < 0xE0 ? 1 : byte < 0xF0 ? 3 : 4
      }
    }
    return units + words * word
  }

  private static let high: UInt64 = 0x8080_8080_8080_8080
  private static let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F

  private static func load(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }

  /// Returns the high bit of each byte that is neither white space nor a control character.
  private static func visible(_ bytes: UInt64) -> UInt64 {
    ((bytes & low) &+ 0x5F5F_5F5F_5F5F_5F5F | bytes) & high
  }

  /// Returns the high bit of each byte that is a letter or digit of ASCII, or not of ASCII.
  private static func alphanumeric(_ bytes: UInt64) -> UInt64 {
    let digits = bytes & low
    let letters = digits | 0x2020_2020_2020_2020
    return
      ((digits &+ 0x5050_5050_5050_5050) & ~(digits &+ 0x4646_4646_4646_4646)
      | (letters &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(letters &+ 0x0505_0505_0505_0505) | bytes) & high
  }
}
