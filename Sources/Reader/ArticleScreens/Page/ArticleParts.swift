import ArticleText
import Foundation
import TerminalViews

/// The lines below the body of an article: notes and files.
nonisolated struct ArticleEnd: Sendable {
  var notes: [ArticleDocument.Line] = []
  var files: [ArticleDocument.Line] = []
  /// Addresses of the body's links, then of the files.
  var links: [String]

  /// Keys that show more of an article than its feed contains.
  struct Remedies: Equatable {
    var fullText: String?
    var browser: String?
  }

  /// - Parameters:
  ///   - block: The last block of the body.
  ///   - fileNotes: The notes below files, by address.
  init(
    links: [String], block: Int, isEmpty: Bool, cuts: ArticleCuts, remedies: Remedies,
    missing: String?, enclosures: [Enclosure], fileNotes: [String: String], width: Int
  ) {
    self.links = links + enclosures.map(\.url)
    func note(_ text: String) {
      for line in TextWrapping.lines(text, columns: width) {
        notes.append(
          ArticleDocument.Line(
            runs: [ArticleDocument.Run(text: line, roles: [.secondary])], block: block))
      }
    }
    if isEmpty {
      let fetching = remedies.fullText.map { " \($0) fetches the page." } ?? ""
      note("The feed has no text for this article.\(fetching)")
    }
    if !cuts.isEmpty {
      notes.append(ArticleDocument.Line(block: block))
      note(Self.wording(cuts))
      if let key = remedies.browser { note("\(key) opens the page.") }
    }
    if let missing {
      notes.append(ArticleDocument.Line(block: block))
      note(missing)
    }
    files = Self.fileLines(enclosures, from: links.count, fileNotes, block: block + 1, width: width)
  }

  private static func wording(_ cuts: ArticleCuts) -> String {
    if cuts.contains(.text) { return "This article is too long to show in full; it is cut here." }
    if cuts.contains(.links) { return "This article has too many links; some have no number." }
    return "A table in this article is too large to show in full."
  }

  /// Returns the numbered files: those with a note, and those that are not in the head.
  /// - Parameter first: The number of links before the files.
  static func fileLines(
    _ enclosures: [Enclosure], from first: Int, _ notes: [String: String], block: Int, width: Int
  ) -> [ArticleDocument.Line] {
    let shown = enclosures.enumerated().filter { index, file in
      index >= ArticleHead.mostFiles || notes[file.url] != nil
    }
    guard !shown.isEmpty else { return [] }
    var lines = [ArticleDocument.Line(block: block)]
    for (index, enclosure) in shown {
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
            ArticleDocument.Run(text: number, roles: [.secondary], link: link, isLinkNumber: true),
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
}

/// The body of an article, which is read and laid out in the background.
nonisolated struct ArticleLayout: Sendable {
  private var layout: IncrementalLayout
  private var lineCount = 0
  private var lastBlock = 0

  init(_ body: ArticleBody, width: Int, style: TextSetting, limits: ArticleLimits = .standard) {
    layout = body.incrementalLayout(
      width: width, wide: style.wide, pictures: style.pictures, marksCode: style.marksCode,
      numbers: style.numbers, limits: limits
    ) { GraphemeWidth.width(of: $0) }
  }

  struct Piece: Sendable {
    var lines: [ArticleDocument.Line]
    var links: [String]
    var places: [Int?]
    var isLast: Bool

    /// Returns true if the first text is the title, or begins with the title's text before "…".
    func begins(with title: String) -> Bool {
      guard let block = lines.first(where: { !$0.isBlank })?.block else { return false }
      var text = ""
      for line in lines.prefix(while: { $0.block <= block }) where text.count <= title.count {
        if line.joint == .space { text += " " }
        for run in line.textRuns where !run.isLinkNumber { text += run.text }
      }
      let isShortened = title.hasSuffix("…")
      let start = isShortened ? String(title.dropLast()) : title
      return !start.isEmpty && (isShortened ? text.hasPrefix(start) : text == title)
    }
  }

  /// - Parameter bytes: The approximate number of bytes to read.
  mutating func advance(by bytes: Int) -> Piece {
    let lines = layout.advance(by: bytes).map { line in
      ArticleDocument.Line(
        runs: line.runs.map {
          ArticleDocument.Run(
            text: $0.text, roles: roles($0.style), link: $0.link,
            isLinkNumber: $0.style.contains(.linkNumber))
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

  func end(
    enclosures: [Enclosure], fileNotes: [String: String], remedies: ArticleEnd.Remedies,
    missing: String? = nil, width: Int
  ) -> ArticleEnd {
    ArticleEnd(
      links: layout.links, block: lastBlock, isEmpty: lineCount == 0 && missing == nil,
      cuts: layout.cuts,
      remedies: remedies, missing: missing, enclosures: enclosures, fileNotes: fileNotes,
      width: width)
  }

  /// Roles shared by all runs of a style, of which an article may have hundreds of thousands.
  private var rolesByStyle: [TextStyle: [Role]] = [:]

  private mutating func roles(_ style: TextStyle) -> [Role] {
    if let roles = rolesByStyle[style] { return roles }
    var found = Self.table.compactMap { style.contains($0.0) ? $0.1 : nil }
    // Minor headings look weaker than the others.
    if style.contains(.minorHeading) { found.removeAll { $0 == .heading } }
    let roles = found.isEmpty ? [.text] : found
    rolesByStyle[style] = roles
    return roles
  }

  /// Roles of styles. If a style has several colours, the last one is visible.
  private static let table: [(TextStyle, Role)] = [
    (.secondary, .secondary), (.quoteBar, .quote), (.codeBar, .codeBar), (.heading, .heading),
    (.minorHeading, .minorHeading), (.strong, .strong), (.note, .number),
    (.emphasis, .emphasis), (.code, .code), (.codeBlock, .codeBlock), (.key, .key),
    (.comment, .comment), (.string, .string), (.number, .number), (.keyword, .keyword),
    (.link, .link), (.underline, .hit), (.strikethrough, .struck),
  ]
}
