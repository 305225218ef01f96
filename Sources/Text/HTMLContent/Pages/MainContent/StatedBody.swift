internal import TextRules

/// The article's text in data for search engines (schema.org `articleBody`), for pages that show
/// only the beginning or require a script.
struct StatedBody {
  let html: String
  private let text: String
  private let length: Int

  private static let maximumSamples = 2_000
  private static let wordsOfSequence = 4

  /// Returns `nil` for a text that is too short, or less than twice as long as the visible text.
  init?(_ body: String?, besides visible: PageNode?) {
    // No text is measured longer than its number of bytes, so this check excludes only short texts.
    guard let body, body.utf8.count >= max(250, 2 * (visible?.measure.text ?? 0)) else {
      return nil
    }
    html = body.contains("<p") ? HTMLContent.sanitise(body) : Self.paragraphs(of: body)
    text = HTMLContent.plainText(html)
    length = TextWeight.of(text).weight
  }

  private static func paragraphs(of body: String) -> String {
    var writer = HTMLWriter()
    for line in body.split(whereSeparator: \.isNewline) {
      let line = HTMLContent.cleanText(String(line))
      guard !line.isEmpty else { continue }
      writer.write("<p>")
      writer.write(text: line, escaping: .text)
      writer.write("</p>")
    }
    return String(decoding: writer.out, as: UTF8.self)
  }

  /// True if the page shows less than half of the text, and mostly the same sequences of words.
  func isCutShort(by visible: PageNode?) -> Bool {
    guard let visible else { return true }
    guard visible.measure.text * 2 < length else { return false }
    var samples: Set<Int> = []
    Self.forEachSequence(in: visible.line(upTo: 4_000)) { hash in
      if samples.count < Self.maximumSamples { samples.insert(hash) }
    }
    let count = samples.count
    Self.forEachSequence(in: text) { samples.remove($0) }
    return samples.count * 2 <= count
  }

  /// Calls `visit` with a hash of each sequence of words. In languages without spaces, a character
  /// is a word.
  private static func forEachSequence(in text: String, _ visit: (Int) -> Void) {
    var words: [Int] = []
    var word = 0
    func end() {
      guard word != 0 else { return }
      words.append(word)
      word = 0
      guard words.count >= wordsOfSequence else { return }
      visit(words.reduce(0) { $0 &* 1_000_003 &+ $1 })
      words.removeFirst()
    }
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x30...0x39, 0x61...0x7A: word = word &* 31 &+ Int(scalar.value)
      case 0x41...0x5A: word = word &* 31 &+ Int(scalar.value | 0x20)
      case 0..<0xC0: end()
      // Scripts without spaces: Thai, Lao, Burmese, Khmer; Chinese, Japanese, Korean.
      case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0xD7FF:
        end()
        guard scalar.properties.isAlphabetic else { continue }
        word = Int(scalar.value)
        end()
      default:
        if scalar.properties.isAlphabetic { word = word &* 31 &+ Int(scalar.value) } else { end() }
      }
    }
    end()
  }
}
