/// Reading time and pictures of an article, counted in its HTML without layout.
public struct ReadingFacts: Sendable, Equatable {
  /// The reading time; at least 1 if there is any text.
  public var minutes: Int
  /// Number of distinct pictures larger than `largestIcon`.
  public var pictures: Int
  /// True if the text is longer than the sample and may contain more pictures.
  public var hasMorePictures: Bool

  public init(minutes: Int = 0, pictures: Int = 0, hasMorePictures: Bool = false) {
    self.minutes = minutes
    self.pictures = pictures
    self.hasMorePictures = hasMorePictures
  }

  /// Longest side of an icon, in pixels.
  public static let largestIcon = 48

  /// The number of bytes examined; a longer text is not read further.
  private static let sample = 131_072
  private static let wordsPerMinute = 230
  private static let charactersPerMinute = 400

  /// - Parameter html: sanitised HTML.
  public init(html: String) {
    var html = html
    self = html.withUTF8 { Self.count($0) }
  }

  private static func count(_ utf8: UnsafeBufferPointer<UInt8>) -> ReadingFacts {
    let end = min(utf8.count, sample)
    var (words, characters, pictures) = (0, 0, 0)
    var isInWord = false
    var index = 0
    while index < end {
      let byte = utf8[index]
      switch byte {
      case UInt8(ascii: "<"):
        let start = index
        while index < end, utf8[index] != UInt8(ascii: ">") { index += 1 }
        if isPicture(utf8, start..<index) { pictures += 1 }
        isInWord = false
      case 0...0x20: isInWord = false
      case 0xE3...0xE9:
        characters += 1
        isInWord = false
      case 0x80..<0xC0: break
      default:
        if !isInWord { words += 1 }
        isInWord = true
      }
      index += 1
    }
    let minutes =
      Double(words) / Double(wordsPerMinute)
      + Double(characters) / Double(charactersPerMinute)
    let whole = end > 0 ? minutes * Double(utf8.count) / Double(end) : 0
    return ReadingFacts(
      minutes: words + characters == 0 ? 0 : max(1, Int(whole.rounded())), pictures: pictures,
      hasMorePictures: pictures > 0 && end < utf8.count)
  }

  private static func isPicture(_ utf8: UnsafeBufferPointer<UInt8>, _ tag: Range<Int>) -> Bool {
    let text = utf8[tag]
    guard text.starts(with: "<img ".utf8) else { return false }
    // Skips icons.
    for side in ["width=\"", "height=\""] {
      guard let start = end(of: Array(side.utf8), in: text) else { continue }
      let digits = text[start...].prefix { (0x30...0x39).contains($0) }
      if let pixels = Int(String(decoding: digits, as: UTF8.self)),
        pixels <= largestIcon
      {
        return false
      }
    }
    return true
  }

  private static func end(
    of mark: [UInt8], in text: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Int? {
    guard text.count >= mark.count else { return nil }
    for index in text.startIndex...(text.endIndex - mark.count)
    where text[index..<index + mark.count].elementsEqual(mark) { return index + mark.count }
    return nil
  }
}
