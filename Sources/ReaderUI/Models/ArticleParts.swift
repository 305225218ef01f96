import ArticleText
import FeedModel
import FeedStore
import Foundation
import TerminalKit
import Wording

/// What is below the body of an article: its files, and the addresses of its links.
nonisolated struct ArticleEnd: Sendable {
  /// What was left out of the body, or that there is none.
  var notes: [ArticleDocument.Line] = []
  var files: [ArticleDocument.Line] = []
  var linkList: [ArticleDocument.Line] = []
  var links: [String]

  /// - Parameters:
  ///   - links: of the body.
  ///   - block: the last one of the body.
  ///   - isEmpty: the body has no lines.
  ///   - cuts: what was left out of it.
  ///   - remedy: the key that shows all of it.
  ///   - fileNotes: by address, what is said below a file.
  init(
    links: [String], block: Int, isEmpty: Bool, cuts: ArticleCuts, remedy: String?,
    enclosures: [Enclosure], fileNotes: [String: String], width: Int
  ) {
    self.links = links + enclosures.map(\.url)
    func note(_ text: String) {
      for line in TextWrapping.lines(text, columns: width) {
        notes.append(
          ArticleDocument.Line(
            runs: [ArticleDocument.Run(text: line, roles: [.secondary])], block: block))
      }
    }
    if isEmpty { note("The feed has no text for this article; x fetches the page.") }
    if !cuts.isEmpty {
      notes.append(ArticleDocument.Line(block: block))
      note(Self.wording(cuts))
      if let remedy { note("\(remedy) opens the page.") }
    }
    files = Self.fileLines(
      enclosures, from: links.count, fileNotes, block: block + 1, width: width)
    addLinkList(block: block + 2, width)
  }

  private static func wording(_ cuts: ArticleCuts) -> String {
    if cuts.contains(.text) { return "This article is too long to show in full; it is cut here." }
    if cuts.contains(.links) { return "This article has too many links; some have no number." }
    return "A table in this article is too large to show in full."
  }

  /// The files, with their numbers.
  ///
  /// - Parameter first: how many links are numbered before them.
  static func fileLines(
    _ enclosures: [Enclosure], from first: Int, _ notes: [String: String], block: Int, width: Int
  ) -> [ArticleDocument.Line] {
    guard !enclosures.isEmpty else { return [] }
    var lines = [ArticleDocument.Line(block: block)]
    for (index, enclosure) in enclosures.enumerated() {
      let link = LinkTarget.address(first + index)
      let path = WebAddress(enclosure.url).path
      let name = path.split(separator: "/").last.map(String.init)
      let facts = [
        enclosure.size.flatMap { $0 > 0 ? AmountWording.bytes(Double($0)) : nil },
        enclosure.duration.flatMap { $0 > 0 ? AmountWording.duration($0) : nil },
        enclosure.mimeType.isEmpty ? nil : enclosure.mimeType,
      ].compactMap { $0 }
      let tail = facts.isEmpty ? "" : "  " + facts.joined(separator: " · ")
      let number = "[\(first + index + 1)] "
      let title = enclosure.title ?? name ?? Confusables.shown(enclosure.url)
      let space = width - GraphemeWidth.width(of: number) - GraphemeWidth.width(of: tail) - 2
      lines.append(
        ArticleDocument.Line(
          runs: [
            ArticleDocument.Run(text: "↓ ", roles: [.accent]),
            ArticleDocument.Run(text: number, roles: [.secondary], link: link),
            ArticleDocument.Run(text: title.fitted(to: max(8, space)), roles: [.text], link: link),
            ArticleDocument.Run(text: tail, roles: [.secondary]),
          ], block: block))
      guard let note = notes[enclosure.url] else { continue }
      for line in TextWrapping.lines(note, columns: width - 2) {
        lines.append(
          ArticleDocument.Line(
            runs: [ArticleDocument.Run(text: "  " + line, roles: [.accent])], block: block))
      }
    }
    return lines
  }

  /// The addresses behind the numbers, so that no link is followed unseen.
  private mutating func addLinkList(block: Int, _ width: Int) {
    guard !links.isEmpty else { return }
    linkList = [ArticleDocument.Line(block: block)]
    linkList.reserveCapacity(links.count + 1)
    let digits = String(links.count).count
    for (index, link) in links.enumerated() {
      let number = String(index + 1)
      let label = String(repeating: " ", count: digits - number.count) + "[\(number)] "
      let space = max(4, width - label.count)
      let shown = Confusables.shown(link).fitted(to: space, truncation: .middle)
      linkList.append(
        ArticleDocument.Line(
          runs: [
            ArticleDocument.Run(text: label, roles: [.secondary], link: .address(index)),
            ArticleDocument.Run(text: shown, roles: [.secondary], link: .address(index)),
          ], block: block))
    }
  }
}

/// The body of an article on its way into a document: read and laid out beside the screen.
nonisolated struct ArticleLayout: Sendable {
  private var layout: IncrementalLayout
  private var lineCount = 0
  private var lastBlock = 0

  init(_ body: ArticleBody, width: Int, style: TextSetting, limits: ArticleLimits = .standard) {
    layout = body.incrementalLayout(
      width: width, justified: style.isJustified, wide: style.wide, pictures: style.pictures,
      marksCode: style.marksCode, limits: limits
    ) { GraphemeWidth.width(of: $0) }
  }

  /// More of the body.
  struct Piece: Sendable {
    var lines: [ArticleDocument.Line]
    var links: [String]
    var places: [Int?]
    var isLast: Bool
  }

  /// - Parameter bytes: about so much is read.
  mutating func advance(by bytes: Int) -> Piece {
    let lines = layout.advance(by: bytes).map { line in
      ArticleDocument.Line(
        runs: line.runs.map {
          ArticleDocument.Run(text: $0.text, roles: roles($0.style), link: $0.link)
        }, block: line.block, joint: line.joint, marginRuns: line.marginRuns,
        marginRunsAtEnd: line.marginRunsAtEnd, isHeading: line.isHeading, isWide: line.isWide,
        picture: line.picture)
    }
    lineCount += lines.count
    lastBlock = lines.last?.block ?? lastBlock
    return Piece(
      lines: lines, links: layout.links,
      places: (0..<layout.placeCount).map { layout.line(ofPlace: $0) }, isLast: layout.isFinished)
  }

  /// What comes below the body, once that is finished.
  func end(
    enclosures: [Enclosure], fileNotes: [String: String], remedy: String?, width: Int
  ) -> ArticleEnd {
    ArticleEnd(
      links: layout.links, block: lastBlock, isEmpty: lineCount == 0, cuts: layout.cuts,
      remedy: remedy, enclosures: enclosures, fileNotes: fileNotes, width: width)
  }

  /// By style; shared by all its runs, of which an article has hundreds of thousands.
  private var rolesByStyle: [TextStyle: [Role]] = [:]

  private mutating func roles(_ style: TextStyle) -> [Role] {
    if let roles = rolesByStyle[style] { return roles }
    let found = Self.table.compactMap { style.contains($0.0) ? $0.1 : nil }
    let roles = found.isEmpty ? [.text] : found
    rolesByStyle[style] = roles
    return roles
  }

  /// Of several colours that of the last one is seen.
  private static let table: [(TextStyle, Role)] = [
    (.secondary, .secondary), (.quoteBar, .quote), (.codeBar, .codeBar), (.heading, .heading),
    (.majorHeading, .majorHeading), (.minorHeading, .minorHeading), (.strong, .strong),
    (.emphasis, .emphasis), (.code, .code), (.codeBlock, .codeBlock), (.key, .key),
    (.comment, .comment), (.string, .string), (.number, .number), (.keyword, .keyword),
    (.link, .link), (.underline, .hit), (.strikethrough, .struck),
  ]
}
