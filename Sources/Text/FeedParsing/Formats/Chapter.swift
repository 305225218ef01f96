import FeedModel
import TextRules

/// A chapter of an episode.
struct Chapter {
  /// Seconds after the beginning of the episode.
  var start: Double
  var title: String
  var address: String?

  var html: String {
    let title = XMLEscaping.escaped(title)
    let link = address.map { "<a href=\"\(XMLEscaping.escaped($0))\">\(title)</a>" }
    return "\(start.clockTime) \(link ?? title)"
  }
}

extension ParsedItem {
  /// Appends a list of chapters to the text, unless it names the first and the last.
  mutating func append(_ chapters: [Chapter]) {
    guard let first = chapters.first, let last = chapters.last else { return }
    let text = contentHTML ?? contentText ?? ""
    let isListed = [first, last].allSatisfy { chapter in
      [chapter.title, XMLEscaping.escaped(chapter.title)].contains { text.contains($0) }
    }
    if isListed { return }
    if contentText == nil {
      let lines = chapters.map(\.html).joined(separator: "<br>")
      contentHTML = "\(text)<h2>Chapters</h2><p>\(lines)</p>"
    } else {
      let lines = chapters.map { "\($0.start.clockTime) \($0.title)" }.joined(separator: "\n")
      contentText = "\(text)\n\nChapters\n\(lines)"
    }
  }
}
