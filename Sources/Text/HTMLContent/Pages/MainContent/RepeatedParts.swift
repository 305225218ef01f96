internal import TextRules

/// Finds teasers of other articles and readers' comments by their structure, on pages whose class
/// names do not reveal them: at least three parts of one parent, after prose, that begin with the
/// title of another page or with an author. An author alone suffices after a heading such as
/// "Comments", or if the parts end in the same button.
struct RepeatedParts {
  let facts: PageFacts
  /// Amount of prose since the last `h1`, in document order. Parts that no prose precedes, as in a
  /// forum, are the content of the page.
  private var before = 0.0
  private var isFound = false
  private var lastHeading: PageNode?
  private let whole: Int

  /// Least number of parts of a group, and least prose before it.
  private static let leastParts = 3
  private static let leastProse = 250.0
  private static let maximumHeading = 60

  /// Sets the roles of repeated parts below `root`, whose scores are then computed again.
  static func mark(in root: PageNode, _ facts: PageFacts) {
    var parts = RepeatedParts(facts: facts, whole: root.measure.mass)
    parts.read(root)
    if parts.isFound { root.weigh() }
  }

  private mutating func read(_ node: PageNode) {
    before += node.ownProse
    let groups = groups(of: node)
    for child in node.children {
      if child.tag == .h1 { before = 0 }
      if child.measure.hasHeading, child.measure.text <= Self.maximumHeading { lastHeading = child }
      // Counts a table of data, such as results.
      if child.tag == .table, child.measure.prose == 0 {
        before += Double(child.measure.text - child.measure.links)
      }
      for (parts, role, isCertain) in groups
      where parts[0] === child && before >= Self.leastProse && (isCertain || isUnderComments) {
        for part in parts where part.role.rawValue < role.rawValue { part.role = role }
        isFound = true
      }
      if child.measure.prose > 0, child.role.share >= 0.5 || child.measure.mass * 2 >= whole {
        read(child)
        lastHeading = nil
      }
    }
  }

  private var isUnderComments: Bool {
    guard let heading = lastHeading?.line().lowercased() else { return false }
    return Self.wordsForComments.contains(where: heading.holds)
  }

  private static let wordsForComments: [StaticString] = [
    "comment", "kommentar", "komentar", "komentář", "komentarz", "comentario", "comentário",
    "reacties", "replies", "responses", "yorum", "комментар", "σχόλια", "コメント", "评论", "評論", "留言",
    "댓글", "تعليق", "תגובות",
  ]

  private func groups(
    of node: PageNode
  ) -> [(parts: [PageNode], role: PageRole, isCertain: Bool)] {
    let parts = node.children.filter { Self.isPart($0) }
    guard parts.count >= Self.leastParts else { return [] }
    let beginnings = parts.map { Beginning(of: $0) }
    let teasers = zip(parts, beginnings).filter { isTeaser($0, $1) }
    let comments = zip(parts, beginnings).filter { isComment($0, $1) }.map(\.0)
    let authored = zip(parts, beginnings).filter(\.1.isAuthor).map(\.0)
    let pages = Set(teasers.map(\.1.link))
    return [
      (pages.count >= Self.leastParts ? teasers.map(\.0) : [], .beside, true),
      comments.count >= Self.leastParts
        ? (comments, .comments, true) : (authored, .comments, haveSameButton(authored)),
    ].filter { $0.parts.count >= Self.leastParts && !isDivided(node, $0.parts) }
  }

  private func haveSameButton(_ parts: [PageNode]) -> Bool {
    guard let label = parts.first?.lastButton else { return false }
    return parts.allSatisfy { $0.lastButton == label }
  }

  /// True for sections of an article, with headings of their own between them.
  private func isDivided(_ node: PageNode, _ parts: [PageNode]) -> Bool {
    let headings = node.children.drop { $0 !== parts[0] }
      .prefix { $0 !== parts[parts.count - 1] }
      .count { $0.measure.hasHeading }
    return headings > parts.count { $0.measure.hasHeading } + parts.count / 3
  }

  private static func isPart(_ node: PageNode) -> Bool {
    switch node.tag {
    case .a, .article, .div, .li, .section, .td, .tr:
      node.measure.text > 0 && !node.make.isConversation
    default: false
    }
  }

  private func isTeaser(_ part: PageNode, _ beginning: Beginning) -> Bool {
    beginning.isTitle && part.isTeaserSized && !part.measure.hasCode && !part.measure.hasTable
      && leadsElsewhere(beginning)
  }

  private func isComment(_ part: PageNode, _ beginning: Beginning) -> Bool {
    beginning.isAuthor && (beginning.hasTime || leadsElsewhere(beginning))
  }

  private func leadsElsewhere(_ beginning: Beginning) -> Bool {
    beginning.link.map(facts.isElsewhereOnTheSite) == true
  }
}

/// The short lines before the first paragraph of a part.
private struct Beginning {
  private(set) var link: String?
  private var first = ""
  private var text = 0
  private var linked = 0
  private(set) var hasTime = false
  private var hasPicture = false
  private var hasHeading = false
  private var isFollowed = false
  private var isTooLong = false

  private static let maximumText = 300
  private static let maximumLabels = 60
  private static let maximumAuthor = 120

  init(of part: PageNode) {
    _ = read(part, inLink: false)
  }

  /// True for the title of another page, perhaps with its section or date.
  var isTitle: Bool {
    link != nil && text - linked <= Self.maximumLabels && (hasHeading || hasPicture || isFollowed)
      && (hasHeading || linked >= 15)
  }

  /// True for a name before prose.
  var isAuthor: Bool {
    isFollowed && !hasHeading && !isTooLong && text <= Self.maximumAuthor
      && first.first?.isNumber == false
  }

  /// Reads the lines of a node. Returns false when the beginning has ended.
  private mutating func read(_ node: PageNode, inLink: Bool) -> Bool {
    for child in node.children {
      if child.isText {
        guard child.measure.text > 0 else { continue }
        if text == 0 { first = child.line(upTo: 40) }
        text += child.measure.text
        if inLink { linked += child.measure.text }
        isTooLong = text > Self.maximumText
        if isTooLong { return false }
        continue
      }
      if child.isProse {
        isFollowed = true
        return false
      }
      guard child.measure.text > 0 || child.measure.hasPicture else { continue }
      if child.isHeading, child.name <= "h3" { hasHeading = true }
      if child.tag == .time { hasTime = true }
      var isInside = inLink
      if child.tag == .a, let target = child["href"], !target.hasPrefix("#") {
        link = link ?? target
        isInside = true
        if child.measure.hasPicture { hasPicture = true }
      }
      guard read(child, inLink: isInside) else { return false }
    }
    return true
  }
}

extension PageNode {
  /// Label of the button at the end, or of a link to no other page.
  fileprivate var lastButton: String? {
    if tag == .button || tag == .a && self["href"]?.hasPrefix("#") != false {
      return line(upTo: 40)
    }
    return children.last { $0.measure.text > 0 }?.lastButton
  }

  /// True for a block whose own text is prose.
  fileprivate var isProse: Bool {
    isBlock && measure.mass > 0 && !children.contains { $0.isBlock && $0.measure.mass > 0 }
  }
}
