/// Reading time and pictures of an article, counted in its HTML without layout.
public struct ReadingFacts: Sendable, Equatable {
  /// Words as `ReadingTime` counts them.
  public var words: Int
  /// Number of distinct pictures larger than `largestIcon`.
  public var pictures: Int
  /// True if the text is longer than the sample and may contain more pictures.
  public var hasMorePictures: Bool

  public init(words: Int = 0, pictures: Int = 0, hasMorePictures: Bool = false) {
    (self.words, self.pictures, self.hasMorePictures) = (words, pictures, hasMorePictures)
  }

  /// Longest side of an icon, in pixels.
  public static let largestIcon = 48

  /// The number of bytes examined; a longer text is not read further.
  private static let sample = 131_072

  /// - Parameter html: sanitised HTML.
  public init(html: String) {
    var html = html
    self = html.withUTF8 { Self.pictures(in: $0) }
    words = ReadingTime.words(in: html)
  }

  private static func pictures(in utf8: UnsafeBufferPointer<UInt8>) -> ReadingFacts {
    let end = min(utf8.count, sample)
    var facts = ReadingFacts()
    var index = 0
    while index < end {
      let start = index
      if utf8[index] == UInt8(ascii: "<") {
        while index < end, utf8[index] != UInt8(ascii: ">") { index += 1 }
        if isPicture(utf8, start..<index) { facts.pictures += 1 }
      }
      index += 1
    }
    facts.hasMorePictures = facts.pictures > 0 && end < utf8.count
    return facts
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
