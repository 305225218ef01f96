import ArticleText
import FeedModel
import FeedStore
import Foundation
import TerminalKit
import Wording

/// What is above the body of an article: title, feed, authors, date, what it brings, address.
nonisolated struct ArticleHead: Sendable, Equatable {
  var row: ArticleRow
  var authors: [Author]
  var date: String
  /// About the text that is shown; nil: nothing is to be said.
  var note: String?
  var enclosures: [Enclosure]
  var commentsURL: String?
  var facts: ReadingFacts
  /// The key that plays its sound or video; nil: it has none.
  var playKey: String?
  /// The feeds that bring the same story.
  var alsoIn: [String] = []
  /// How far its file was played: "at 12:31 of 48:00".
  var played: String?
  /// The key that shows what changed in its text; nil: nothing has.
  var changesKey: String?

  /// - Parameters:
  ///   - facts: of the text that is shown.
  ///   - note: said about that text.
  ///   - playKey: the key that plays sound and video.
  init(
    _ article: Article, _ facts: ReadingFacts, note: String?, playKey: String? = nil,
    dates: DateWording
  ) {
    self.playKey = article.isPlayable ? playKey : nil
    row = article.row
    authors = article.authors
    enclosures = article.enclosures
    commentsURL = article.commentsURL
    self.facts = facts
    self.note = note
    date = dates.full(article.publishedAt ?? article.row.sortDate)
  }

  func lines(width: Int) -> [ArticleDocument.Line] {
    var lines: [ArticleDocument.Line] = []
    func add(_ text: String, _ role: Role) {
      let wrapped = TextWrapping.lines(GraphemeLimit.limited(text), columns: width)
      let turns = width < UnwrappedText.width && TextDirection.of(text) == .rightToLeft
      for (index, line) in wrapped.enumerated() {
        let space = turns ? max(0, width - GraphemeWidth.width(of: line)) : 0
        lines.append(
          ArticleDocument.Line(
            runs: [
              ArticleDocument.Run(
                text: String(repeating: " ", count: space) + line, roles: [role])
            ],
            block: ArticleDocument.headBlock, joint: index == 0 ? .begins : .space))
      }
    }
    add(row.title, .title)
    let names = authors.compactMap(\.name).filter { !$0.isEmpty && $0 != row.feedName }
    add(([row.feedName] + names.prefix(3)).joined(separator: " · "), .accent)
    lines.append(
      ArticleDocument.Line(
        runs: [ArticleDocument.Run(text: dateLine(width: width), roles: [.secondary])],
        block: ArticleDocument.headBlock))
    lines += contents(width: width)
    if let url = row.url {
      let shown = Confusables.shown(url).fitted(to: width, truncation: .middle)
      lines.append(
        ArticleDocument.Line(
          runs: [ArticleDocument.Run(text: shown, roles: [.secondary], address: url)],
          block: ArticleDocument.headBlock))
    }
    lines.append(ArticleDocument.Line(block: ArticleDocument.headBlock))
    return lines
  }

  /// The date, the time it takes to read, and a note. It is always one line, so that the text below
  /// does not move when the note changes.
  private func dateLine(width: Int) -> String {
    let forms = [
      ReadingWording.minutes(facts.minutes), ReadingWording.shortMinutes(facts.minutes), nil,
    ].map { minutes in
      [date, minutes, played, row.status.isStarred ? "★" : nil, note].compactMap { $0 }
        .joined(separator: Self.dot)
    }
    let fitting = forms.first {
      width == UnwrappedText.width || GraphemeWidth.width(of: $0) <= width
    }
    return fitting ?? forms[forms.count - 1].fitted(to: width)
  }

  /// Files, pictures and comments, where it has any.
  private func contents(width: Int) -> [ArticleDocument.Line] {
    var parts: [ArticleDocument.Run] = []
    func add(_ text: String, address: String?) {
      parts.append(
        ArticleDocument.Run(
          text: text, roles: address == nil ? [.secondary] : [.link], address: address))
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
    if let text = ReadingWording.pictures(facts.pictures, hasMore: facts.hasMorePictures) {
      add(text, address: nil)
    }
    if let commentsURL { add(ReadingWording.comments, address: commentsURL) }
    if !alsoIn.isEmpty { add(ReadingWording.alsoIn(alsoIn), address: nil) }
    if let changesKey { add(ReadingWording.changed(changesKey), address: nil) }
    return filled(parts, width)
  }

  private static let mostFiles = 3

  /// Lines of parts with dots between them.
  private func filled(_ parts: [ArticleDocument.Run], _ width: Int) -> [ArticleDocument.Line] {
    var lines: [ArticleDocument.Line] = []
    var used = 0
    for var part in parts {
      part.text = part.text.fitted(to: width)
      let columns = GraphemeWidth.width(of: part.text)
      if let last = lines.indices.last, used + Self.dot.count + columns <= width {
        lines[last].runs += [ArticleDocument.Run(text: Self.dot, roles: [.secondary]), part]
        used += Self.dot.count + columns
      } else {
        lines.append(ArticleDocument.Line(runs: [part], block: ArticleDocument.headBlock))
        used = columns
      }
    }
    return lines
  }

  private static let dot = " · "
}

extension Article {
  /// It brings sound or video.
  nonisolated var isPlayable: Bool {
    enclosures.contains { $0.mimeType.hasPrefix("audio/") || $0.mimeType.hasPrefix("video/") }
  }
}
