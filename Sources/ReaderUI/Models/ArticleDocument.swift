import ArticleText
import FeedModel
import FeedStore
import Foundation
import TerminalKit

/// An article as the reader shows it at one width: its head, its body, its files and links.
nonisolated struct ArticleDocument {
  struct Run: Equatable {
    var text: String
    var roles: [Role]
    /// Into `links` or `places`.
    var link: LinkTarget?
  }

  private(set) var lines: [[Run]] = []
  /// The block of each line.
  private var blocks: [Int] = []
  /// How each line goes on from the one before it.
  private(set) var joints: [TextLine.Joint] = []
  /// The runs of each line that are its margin.
  private(set) var margins: [Int] = []
  /// From the first time that something is looked for.
  private var findable: FindableText?
  /// Addresses in the order of their numbers.
  private(set) var links: [String] = []
  /// The lines that links within the article lead to. Their numbers go on from those of `links`.
  private(set) var places: [Int] = []
  let width: Int
  let isJustified: Bool

  private static let headBlock = -1

  /// - Parameters:
  ///   - note: said behind the date.
  ///   - files: by address, what is said below a file that the article brings.
  ///   - isJustified: whether lines of text are filled to the width.
  init(
    _ article: Article, body: ArticleBlocks, note: String? = nil, files: [String: String] = [:],
    width: Int, isJustified: Bool = false, dates: DateWording
  ) {
    self.width = max(1, width)
    self.isJustified = isJustified
    addHead(article, note, dates)
    let laidOut = body.layout(width: self.width, justified: isJustified) {
      GraphemeWidth.width(of: $0)
    }
    links = laidOut.links
    let first = lines.count
    places = laidOut.places.map { first + $0 }
    for line in laidOut.lines {
      append(
        line.runs.map { Run(text: $0.text, roles: Self.roles($0.style), link: $0.link) },
        block: line.block, line.joint, marginRuns: line.marginRuns)
    }
    let last = max(0, blocks.last ?? 0)
    if laidOut.lines.isEmpty {
      append([Run(text: "This article has no text here.", roles: [.secondary])], block: last)
    }
    addEnclosures(article.enclosures, files, block: last + 1)
    addLinks(block: last + 2)
  }

  private mutating func append(
    _ runs: [Run], block: Int, _ joint: TextLine.Joint = .begins, marginRuns: Int = 0
  ) {
    lines.append(runs)
    blocks.append(block)
    joints.append(joint)
    margins.append(marginRuns)
  }

  // MARK: Parts

  private mutating func addHead(_ article: Article, _ note: String?, _ dates: DateWording) {
    let head = Self.headBlock
    for (index, line) in TextWrapping.lines(article.row.title, columns: width).enumerated() {
      append([Run(text: line, roles: [.title])], block: head, index == 0 ? .begins : .space)
    }
    let authors = article.authors.compactMap(\.name)
      .filter { !$0.isEmpty && $0 != article.row.feedName }
    let byline = ([article.row.feedName] + authors.prefix(3)).joined(separator: " · ")
    for (index, line) in TextWrapping.lines(byline, columns: width).enumerated() {
      append([Run(text: line, roles: [.accent])], block: head, index == 0 ? .begins : .space)
    }
    var date = dates.full(article.publishedAt ?? article.row.sortDate)
    if article.row.status.isStarred { date += "  ★" }
    if let note { date += " · " + note }
    append([Run(text: date.fitted(to: width), roles: [.secondary])], block: head)
    if let url = article.row.url {
      let shown = Confusables.shown(url).fitted(to: width, truncation: .middle)
      append([Run(text: shown, roles: [.secondary])], block: head)
    }
    append([], block: head)
  }

  private mutating func addEnclosures(
    _ enclosures: [Enclosure], _ notes: [String: String], block: Int
  ) {
    guard !enclosures.isEmpty else { return }
    append([], block: block)
    for enclosure in enclosures {
      let link = LinkTarget.address(links.count)
      links.append(enclosure.url)
      let path = WebAddress(enclosure.url).path
      let name = path.split(separator: "/").last.map(String.init)
      let facts = [
        enclosure.size.flatMap { $0 > 0 ? AmountWording.bytes(Double($0)) : nil },
        enclosure.duration.flatMap { $0 > 0 ? AmountWording.duration($0) : nil },
        enclosure.mimeType.isEmpty ? nil : enclosure.mimeType,
      ].compactMap { $0 }
      let tail = facts.isEmpty ? "" : "  " + facts.joined(separator: " · ")
      let number = "[\(links.count)] "
      let title = enclosure.title ?? name ?? Confusables.shown(enclosure.url)
      let space = width - GraphemeWidth.width(of: number) - GraphemeWidth.width(of: tail) - 2
      append(
        [
          Run(text: "↓ ", roles: [.accent]),
          Run(text: number, roles: [.secondary], link: link),
          Run(text: title.fitted(to: max(8, space)), roles: [.text], link: link),
          Run(text: tail, roles: [.secondary]),
        ], block: block)
      guard let note = notes[enclosure.url] else { continue }
      for line in TextWrapping.lines(note, columns: width - 2) {
        append([Run(text: "  " + line, roles: [.accent])], block: block)
      }
    }
  }

  /// The addresses behind the numbers, so that nobody follows a link unseen.
  private mutating func addLinks(block: Int) {
    guard !links.isEmpty else { return }
    append([], block: block)
    let digits = String(links.count).count
    for (index, link) in links.enumerated() {
      let number = String(index + 1)
      let label = String(repeating: " ", count: digits - number.count) + "[\(number)] "
      let space = max(4, width - label.count)
      let shown = Confusables.shown(link).fitted(to: space, truncation: .middle)
      append(
        [
          Run(text: label, roles: [.secondary], link: .address(index)),
          Run(text: shown, roles: [.secondary], link: .address(index)),
        ], block: block)
    }
  }

  private static func roles(_ style: TextStyle) -> [Role] {
    if style.isEmpty { return [.text] }
    let pairs: [(TextStyle, Role)] = [
      (.secondary, .secondary), (.quote, .quote), (.heading, .heading), (.code, .code),
      (.link, .link), (.emphasis, .emphasis), (.strong, .strong), (.underline, .hit),
      (.strikethrough, .struck),
    ]
    let roles = pairs.compactMap { style.contains($0.0) ? $0.1 : nil }
    return roles.isEmpty ? [.text] : roles
  }

  // MARK: Links and finding

  /// All that a link leads to, in the order of the numbers.
  var targets: [LinkTarget] {
    links.indices.map { LinkTarget.address($0) } + places.indices.map { LinkTarget.place($0) }
  }

  /// The number of a link, from 1.
  func number(of link: LinkTarget) -> Int {
    switch link {
    case .address(let index): index + 1
    case .place(let index): links.count + index + 1
    }
  }

  /// Where a link leads outside of the article; nil where it does not.
  func address(of link: LinkTarget?) -> String? {
    guard case .address(let index) = link, links.indices.contains(index) else { return nil }
    return links[index]
  }

  /// All places of a text, without regard to case; none of an empty one.
  mutating func find(_ text: String) -> FindableText.Findings {
    guard !text.isEmpty else { return FindableText.Findings() }
    let findable = findable ?? FindableText(self)
    self.findable = findable
    return findable.find(text, in: self)
  }

  // MARK: Positions

  func position(line: Int) -> ReadingPosition {
    guard blocks.indices.contains(line) else {
      return ReadingPosition(block: Self.headBlock, share: 0)
    }
    let block = blocks[line]
    let first = blocks.firstIndex(of: block) ?? line
    let count = blocks[first...].prefix { $0 == block }.count
    return ReadingPosition(block: block, share: Double(line - first) / Double(max(1, count)))
  }

  func line(_ position: ReadingPosition) -> Int {
    guard let first = blocks.firstIndex(where: { $0 >= position.block }) else {
      return max(0, lines.count - 1)
    }
    guard blocks[first] == position.block else { return first }
    let count = blocks[first...].prefix { $0 == position.block }.count
    return first + min(count - 1, Int((position.share * Double(count)).rounded()))
  }
}

extension Article {
  /// The page's own text where it was fetched and is wanted, else what the feed says.
  nonisolated func shownHTML(with fullText: FullText?) -> String {
    guard case .found(let html) = fullText?.state, fullText?.isShown == true else {
      return bodyHTML
    }
    return html
  }
}
