internal import TextRules

/// Removes boilerplate inside an article. It uses, in the order of trust: elements without text,
/// the markup (`PageRole`) unless the text contradicts it, and the text: links to other articles,
/// repetitions, labels.
struct Boilerplate {
  private let facts: PageFacts
  /// Measure of the article before any removal.
  private let whole: PageNode.Measure
  private var figures = 0
  private var captions: Set<String> = []

  /// - Parameter article: the caller calls its `weigh` before and afterwards.
  static func clear(_ article: PageNode, _ facts: PageFacts) {
    var boilerplate = Boilerplate(facts: facts, whole: article.measure)
    boilerplate.clear(article, inCode: false)
  }

  private mutating func clear(_ node: PageNode, inCode: Bool) {
    // Highlighted code has classes such as "comment" and "label", and tables have "date".
    let isCode = inCode || node.tag == .pre || node.tag == .code || node.isDataTable
    var kept: [PageNode] = []
    var before: PageNode?
    var index = 0
    while index < node.children.count {
      var child = node.children[index]
      index += 1
      if child.isText {
        kept.append(child)
        continue
      }
      if isCode ? isField(child) || child.role == .hidden : isBoilerplate(child, in: node) {
        continue
      }
      if !isCode {
        if let end = endOfSeeAlso(in: node, from: index - 1) {
          index = end
          continue
        }
        // An inline element in a paragraph is part of a sentence.
        let isInSentence = node.tag == .p && !child.isBlock
        if !isInSentence && isSeeAlso(child, after: before) {
          guard let author = author(in: child) else { continue }
          child = author
        }
        if isLooseCaption(
          child, after: before, before: node.children[index...].first { !$0.isBlank })
        {
          continue
        }
      }
      kept.append(child)
      if !child.isBlank { before = child }
      if child.tag == .figure { figures += 1 }
      clear(child, inCode: isCode)
      if child.tag == .figure { figures -= 1 }
    }
    node.children = kept
  }

  /// True for a repeated caption or one without a picture, as in scripted galleries.
  private mutating func isLooseCaption(
    _ node: PageNode, after before: PageNode?, before after: PageNode?
  ) -> Bool {
    guard node.measure.text > 0, node.measure.text < 600, !node.measure.hasPicture, !node.isHeading,
      node.tag == .figcaption || figures == 0 && HintWords.has(Self.caption, in: node["class"])
    else { return false }
    if node.tag == .figcaption || before?.isPictureAlone == true || after?.isPictureAlone == true {
      return !captions.insert(node.line(upTo: 300)).inserted
    }
    return true
  }

  // MARK: By markup

  private func isBoilerplate(_ node: PageNode, in parent: PageNode) -> Bool {
    if isField(node) { return true }
    switch node.tag {
    case .form: return !isMuch(node)
    case .address: return node.measure.text < 250
    case .video, .audio: return !hasFile(node)
    case .iframe: return Embed(node) == nil
    case .svg: return parent.tag != .figure
    case .footer where parent.tag == .blockquote: return false
    default: break
    }
    switch node.role {
    // Keeps a word with a pop-up in a sentence; only the pop-up is removed.
    case .beside where parent.tag == .p && node.children.contains { $0.role == .beside }: break
    case .beside where parent.role == .beside && isName(node, in: parent): break
    case .notice: return true
    case .hidden, .beside: if !isMuch(node) || isListOfOthers(node) { return true }
    case .comments: if whole.prose >= Self.leastArticle { return true }
    case .doubtful: if !isProse(node) && !node.isDataTable { return true }
    case .about: if isShort(node) { return true }
    case .plain, .promising: break
    }
    return isLabel(node) || isAnchor(node, in: parent) || isCounter(node, in: parent)
      || asksForAnswer(node)
  }

  /// True for a link that begins a name with a pop-up.
  private func isName(_ node: PageNode, in parent: PageNode) -> Bool {
    node.tag == .a && parent.tag == .span && parent.children.first { !$0.isBlank } === node
  }

  /// True for a player with a file; scripts fill players without one.
  private func hasFile(_ node: PageNode) -> Bool {
    node["src"] != nil || node["poster"] != nil
      || node.children.contains { $0.tag == .source && $0["src"] != nil }
  }

  private func isField(_ node: PageNode) -> Bool {
    switch node.tag {
    case .button, .canvas, .datalist, .embed, .input, .object, .option, .select, .textarea: true
    default: false
    }
  }

  /// Least prose of an article with comments. Pages with less are discussions.
  private static let leastArticle = 100.0

  /// True if the node has too much prose to be boilerplate.
  private func isMuch(_ node: PageNode) -> Bool {
    whole.mass > 0 && node.measure.mass * 2 >= whole.mass
  }

  /// True for a list that leads to other pages, besides enough text for an article.
  private func isListOfOthers(_ node: PageNode) -> Bool {
    var items = node.children.filter { $0.measure.text > 0 }
    if items.count == 1 { items = items[0].children.filter { $0.measure.text > 0 } }
    return items.count >= 3 && whole.mass - node.measure.mass >= MainContentSearch.leastMass
      && items.count { $0.firstLink.map(facts.isElsewhereOnTheSite) == true } * 4 >= items.count * 3
  }

  /// True for paragraphs of the article, whatever the name of their element.
  private func isProse(_ node: PageNode) -> Bool {
    node.measure.mass * 5 >= whole.mass && node.measure.linkDensity < 0.3
  }

  private func isShort(_ node: PageNode) -> Bool {
    node.measure.text < 400 && node.measure.mass * 4 < whole.mass
      && (!node.measure.hasPicture || node.measure.text > 0)
      && !node.measure.hasCode && !node.measure.hasTable && !node.isHeading
  }

  private static let caption = NameTable(["caption"])

  // MARK: Links to other articles

  /// Returns the end of a list of other articles after a heading or line such as "Related".
  private func endOfSeeAlso(in node: PageNode, from start: Int) -> Int? {
    let head = node.children[start]
    guard head.isBlock, Self.isInvitation(head) else { return nil }
    var end = start + 1
    if head.isHeading {
      end =
        node.children[end...].firstIndex { $0.isHeading && $0.name <= head.name }
        ?? node.children.count
      let section = node.children[(start + 1)..<end]
      let text = section.reduce(0) { $0 + $1.measure.text }
      let links = section.reduce(0) { $0 + $1.measure.links }
      if links * 3 >= text || text < 300 { return end }
      end = start + 1
    }
    var isFollowed = false
    while end < node.children.count {
      let next = node.children[end]
      guard next.isBlank || next.measure.linkDensity >= 0.3 else { break }
      if !next.isBlank { isFollowed = true }
      end += 1
    }
    return isFollowed || head.measure.linkDensity >= 0.5 ? end : nil
  }

  private func isSeeAlso(_ node: PageNode, after before: PageNode?) -> Bool {
    let measure = node.measure
    guard measure.text >= 15, measure.links * 10 >= measure.text * 7,
      measure.links * 3 < whole.text, !measure.hasTable,
      whole.linkDensity < 0.4
    else { return isBoxOfLinks(node) }
    if PageRole.mentionsBox(node["class"]) { return true }
    switch node.tag {
    case .p, .div, .section, .aside, .table: break
    // A list after its heading contains sources.
    case .ul, .ol: if before?.isHeading == true { return false }
    default: return false
    }
    return !measure.hasPicture && node.firstLink.map(facts.isElsewhereOnTheSite) == true
  }

  /// Returns the author of a post in a discussion.
  private func author(in node: PageNode) -> PageNode? {
    guard whole.prose < Self.leastArticle else { return nil }
    if node.tag == .a, let link = node["href"], facts.isProfile(link) { return node }
    return node.children.lazy.compactMap { author(in: $0) }.first
  }

  /// True for a box that begins with a label such as "Related".
  private func isBoxOfLinks(_ node: PageNode) -> Bool {
    guard node.isContainer || node.tag == .ul || node.tag == .aside,
      node.measure.mass * 4 < whole.mass, node.measure.links * 3 >= node.measure.text,
      let first = node.children.first(where: { !$0.isBlank })
    else { return false }
    return
      (first.isHeading || first.tag == .p || first.tag == .strong || first.tag == .span
      || first.tag == .div)
      && Self.isInvitation(first)
  }

  private static func isInvitation(_ node: PageNode) -> Bool {
    let limit = node.measure.linkDensity >= 0.5 ? 600 : 120
    guard node.measure.text > 0, node.measure.text <= limit else { return false }
    let text = node.line(upTo: 40).lowercased()
    return invitations.contains { text.utf8.starts(with: $0.utf8) }
  }

  private static let invitations = [
    "related", "read more", "read also", "read next", "see more", "see also:", "more:", "more from",
    "more on", "more great", "more stories", "more like this", "don't miss", "you may also",
    "you might", "recommended", "recent posts", "latest posts", "latest popular", "popular",
    "most read", "trending", "also read", "share this", "share on", "sharing is caring",
    "click here", "tags:", "mehr zum thema", "lesen sie auch", "auch interessant", "das könnte",
    "weitere artikel", "teilen", "mehr aus", "à lire aussi", "lire aussi", "sur le même sujet",
    "te puede interesar", "leggi anche", "leia também", "leia mais", "lees ook", "czytaj też",
    "читайте также", "関連", "あわせて読みたい", "おすすめ", "人気記事", "最新記事", "シェア", "相关", "推荐",
  ]

  // MARK: By its words

  /// True for a block such as "Advertisement", perhaps with the advertisement's picture.
  private func isLabel(_ node: PageNode) -> Bool {
    guard node.measure.text <= 60, node.measure.text > 0, node.isBlock, !node.isHeading else {
      return false
    }
    let line = node.line().lowercased()
    if Self.advertisements.contains(line) { return true }
    guard !node.measure.hasPicture else { return false }
    return Self.labels.contains(line) || line.hasPrefix("filed under")
      || line.hasPrefix("posted in")
  }

  private static let advertisements: Set<String> = [
    "advert", "advertisement", "advertising", "anzeige", "werbung", "publicité", "publicidad", "広告",
    "スポンサーリンク", "iklan",
  ]

  private static let labels: Set<String> = [
    "article continues below", "article continues after advertisement",
    "continue reading the main story", "story continues below advertisement", "share", "share this",
    "share this article", "print", "caption", "hide caption", "toggle caption", "close", "comments",
    "skip to content", "skip to main content", "listen to this article", "back to top", "nach oben",
    "reply", "quote", "antworten", "zitieren", "répondre", "citer", "responder", "citar",
  ]

  /// True for a sign at a heading that links to it.
  private func isAnchor(_ node: PageNode, in parent: PageNode) -> Bool {
    guard node.tag == .a, parent.isHeading, node.measure.text <= 2 else { return false }
    return node["href"]?.hasPrefix("#") ?? true
  }

  /// True for a link of digits among other links, such as the number of likes.
  private func isCounter(_ node: PageNode, in parent: PageNode) -> Bool {
    guard node.tag == .a, parent.tag == .div, node.measure.text > 0, node.measure.text <= 6,
      parent.measure.mass == 0, node["href"]?.hasPrefix("#") != true
    else { return false }
    return node.line().allSatisfy(\.isNumber)
  }

  /// True for a box around a form, such as "Sign up".
  private func asksForAnswer(_ node: PageNode) -> Bool {
    node.measure.hasForm && node.measure.text < 500 && !node.measure.hasLandmark
      && !node.measure.hasCode && !node.measure.hasTable && !isMuch(node) && node.isContainer
  }
}
