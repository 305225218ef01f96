import Foundation
import TextRules

/// Decides whether two articles with one address tell the same story. A status page, a front page
/// or a page of shows is the address of many stories, with other titles and texts.
enum DuplicateComparison {
  /// The least share of the words of one title that the other one has if a link post gives the
  /// story a title of its own.
  private static let leastShared = 0.5
  private static let fewestWords = 3

  /// Returns true for equal titles; for a title with more words before or behind it, such as the
  /// name of the site; and for a title of other words in another order, as an aggregator writes.
  /// Titles that begin or end alike and differ in the rest are those of a series.
  static func areAlike(titles a: String, _ b: String) -> Bool {
    let (a, b) = (FoldedTitle.words(a), FoldedTitle.words(b))
    guard a != b else { return true }
    let start = zip(a, b).prefix { $0 == $1 }.count
    let (restA, restB) = (a.dropFirst(start), b.dropFirst(start))
    let end = zip(restA.reversed(), restB.reversed()).prefix { $0 == $1 }.count
    if restA.count == end || restB.count == end { return start + end >= fewestWords }
    guard start == 0, end == 0 else { return false }
    let shared = Set(a).intersection(b).count
    return shared >= fewestWords && Double(shared) >= leastShared * Double(min(a.count, b.count))
  }

  /// Three words in a row.
  private static let words = 3
  /// The least share of the sequences of words of the shorter text that the longer one has.
  private static let leastAlike = 0.6
  /// Fewer sequences say nothing.
  private static let fewestSequences = 20

  /// Compares texts, of which one may be the beginning of the other.
  static func areAlike(texts a: String, _ b: String) -> Bool {
    let (a, b) = (sequences(a), sequences(b))
    let shorter = min(a.count, b.count)
    guard shorter >= fewestSequences else { return false }
    return Double(a.intersection(b).count) >= leastAlike * Double(shorter)
  }

  /// Longest part of a text that is compared, in bytes.
  private static let longest = 20_000

  private static func sequences(_ html: String) -> Set<UInt64> {
    let text = PlainText.cut(html, to: longest).replacing(/<[^>]*>?/, with: " ")
    let hashes = FoldedTitle.words(text).map { XXH64.hash(String($0), seed: 0) }
    guard hashes.count >= words else { return [] }
    return Set(
      (words...hashes.count).map { end in
        hashes[(end - words)..<end].reduce(0) { ($0 &* XXH64.prime1) ^ $1 }
      })
  }
}

/// The words of a title without case, accents and punctuation. Scripts without spaces have words of
/// one character.
enum FoldedTitle {
  static func words(_ title: String) -> [Substring] { joined(title).split(separator: " ") }

  /// Returns the words; the title itself if it has none.
  static func text(_ title: String) -> String {
    let words = joined(title)
    return words.isEmpty ? title : words
  }

  private static func joined(_ title: String) -> String {
    // Bytes need no properties looked up; a document of new items is compared with 512 titles.
    guard title.utf8.allSatisfy({ $0 < 0x80 }) else {
      return folded(title).split { !$0.isLetter && !$0.isNumber }.flatMap(parts)
        .joined(separator: " ")
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(title.utf8.count)
    for byte in title.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes.append(byte | 0x20)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        bytes.append(byte)
      default: if let last = bytes.last, last != UInt8(ascii: " ") { bytes.append(0x20) }
      }
    }
    if bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func folded(_ text: some StringProtocol) -> String {
    text.utf8.allSatisfy { $0 < 0x80 }
      ? text.lowercased()
      : text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  private static func parts(_ word: Substring) -> [Substring] {
    guard word.unicodeScalars.contains(where: isIdeographic) else { return [word] }
    return word.indices.map { word[$0...$0] }
  }

  private static func isIdeographic(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isIdeographic || (0x3040...0x30FF).contains(scalar.value)
  }
}
