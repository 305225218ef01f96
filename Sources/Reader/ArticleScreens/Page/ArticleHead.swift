import ArticleText
import Foundation
import TerminalViews

/// The lines above the body of an article: its title, and a line with feed, authors, date and
/// attachments.
nonisolated struct ArticleHead: Sendable, Equatable {
  var row: ArticleRow
  var feedName: String
  var authors: [Author]
  var date: String
  var note: String?
  var enclosures: [Enclosure]
  var commentsURL: String?
  var facts: ReadingFacts
  /// Text like "7 min"; `nil` if there is no text.
  var minutes: String?
  /// The key that plays files; `nil` if there is no sound or video.
  var playKey: String?
  /// The playback position, such as "at 12:31 of 48:00".
  var played: String?
  /// The key that shows changes; `nil` if the text has not changed.
  var changesKey: String?

  init(
    _ article: Article, _ facts: ReadingFacts, note: String?, playKey: String? = nil,
    dates: DateWording
  ) {
    self.playKey = article.isPlayable ? playKey : nil
    row = article.row
    feedName = row.feedName
    authors = article.authors
    enclosures = article.enclosures
    commentsURL = article.commentsURL
    self.facts = facts
    minutes = ReadingWording.shortMinutes(ReadingTime.minutes(ofWords: facts.words))
    self.note = note
    date = dates.short(article.date)
  }

  /// Returns a blank line, the title, which is a link, and a line about the article.
  /// - Parameter omitsTitle: True if the text begins with the title.
  func lines(width: Int, omitsTitle: Bool = false) -> [ArticleDocument.Line] {
    if omitsTitle { return [line([])] + factLines(width: width) + [line([])] }
    let title = GraphemeLimit.limited(row.title)
    let turns = width < UnwrappedText.width && TextDirection.of(title) == .rightToLeft
    var lines = TextWrapping.lines(title, columns: width).enumerated().map { index, text in
      let space = turns ? max(0, width - GraphemeWidth.width(of: text)) : 0
      let margin =
        space > 0
        ? [ArticleDocument.Run(text: String(repeating: " ", count: space), roles: [.text])] : []
      let run = ArticleDocument.Run(text: text, roles: [.title, .accent], address: row.url)
      return line(margin + [run], index == 0 ? .begins : .space)
    }
    if width < UnwrappedText.width {
      lines.insert(line([]), at: 0)
    } else if let url = row.url {
      lines.append(line([.init(text: Confusables.shown(url), roles: [.secondary])]))
    }
    return lines + factLines(width: width) + [line([])]
  }

  private func line(
    _ runs: [ArticleDocument.Run], _ joint: TextLine.Joint = .begins
  ) -> ArticleDocument.Line {
    ArticleDocument.Line(runs: runs, block: ArticleDocument.headBlock, joint: joint)
  }

  /// Returns feed, authors, date, minutes and note, followed by the attachments if they fit beside
  /// date and feed. The note never changes the number of lines, so that the text below does not
  /// move.
  private func factLines(width: Int) -> [ArticleDocument.Line] {
    let contents = contentLines(width: width)
    let names = authors.compactMap(\.name).filter { !$0.isEmpty && $0 != row.feedName }
    let author = names.isEmpty ? nil : names.prefix(3).joined(separator: ", ")
    let state = [played, row.status.isStarred ? "★" : nil, row.status.isLater ? "◆" : nil, note]
    func text(_ parts: [String?]) -> String {
      parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: Self.dot)
    }
    let beside = contents.count == 1 ? contents[0].width + Self.gap.count : 0
    let isBeside =
      beside > 0
      && GraphemeWidth.width(of: text([feedName.fitted(to: Self.leastFeed), date])) + beside
        <= width
    let space = isBeside ? width - beside : width
    let forms = [
      [feedName, author, date, minutes] + state, [feedName, date, minutes] + state,
      [feedName, date] + state,
    ].map(text)
    let shown =
      forms.first { width == UnwrappedText.width || GraphemeWidth.width(of: $0) <= space }
      ?? shortened(text([date] + state), to: space)
    let facts = ArticleDocument.Run(text: shown, roles: [.secondary])
    guard isBeside else { return [line([facts])] + contents }
    return [
      line([facts, .init(text: Self.gap, roles: [.secondary])] + contents[0].runs)
    ]
  }

  /// Shortens the name of the feed so that the rest fits.
  private func shortened(_ rest: String, to space: Int) -> String {
    let room = space - GraphemeWidth.width(of: rest) - Self.dot.count
    guard room >= 8 else { return rest.fitted(to: space) }
    return feedName.fitted(to: room) + Self.dot + rest
  }

  /// Returns files, pictures and comments, if the article has any.
  private func contentLines(width: Int) -> [ArticleDocument.Line] {
    var parts: [ArticleDocument.Run] = []
    func add(_ text: String, address: String?) {
      parts.append(ArticleDocument.Run(text: text, roles: [.secondary], address: address))
    }
    for file in enclosures.prefix(Self.mostFiles) {
      let text = ReadingWording.file(type: file.mimeType, size: file.size, duration: file.duration)
      add(text, address: file.url)
    }
    if enclosures.count > Self.mostFiles {
      let rest = enclosures.count - Self.mostFiles
      add(AmountWording.count(rest, "more file", "more files"), address: nil)
    }
    if let playKey { add(ReadingWording.plays(playKey), address: nil) }
    if facts.pictures > 0 {
      let more = facts.hasMorePictures ? "+" : ""
      add("▣ \(AmountWording.grouped(facts.pictures))\(more)", address: nil)
    }
    if let commentsURL { add("☰", address: commentsURL) }
    if let changesKey { add(ReadingWording.changed(changesKey), address: nil) }
    return filled(parts, width)
  }

  /// The most files in the head; all others are only in the list below the text.
  static let mostFiles = 3

  /// Fills lines with parts and gaps between them.
  private func filled(_ parts: [ArticleDocument.Run], _ width: Int) -> [ArticleDocument.Line] {
    var lines: [ArticleDocument.Line] = []
    var used = 0
    for var part in parts {
      part.text = part.text.fitted(to: width)
      let columns = GraphemeWidth.width(of: part.text)
      if let last = lines.indices.last, used + Self.gap.count + columns <= width {
        lines[last].runs += [ArticleDocument.Run(text: Self.gap, roles: [.secondary]), part]
        used += Self.gap.count + columns
      } else {
        lines.append(line([part]))
        used = columns
      }
    }
    return lines
  }

  private static let leastFeed = 12
  private static let dot = " · "
  private static let gap = "   "
}

extension Article {
  /// True if the article has sound or video.
  nonisolated var isPlayable: Bool {
    enclosures.contains { $0.mimeType.hasPrefix("audio/") || $0.mimeType.hasPrefix("video/") }
  }
}
