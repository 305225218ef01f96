// Follows Readability: scores text by length and links, descends to the highest score, and removes
// elements with names of boilerplate. Linear time.

public import FeedModel
internal import TextRules

// The type of an extracted article, which other targets of Weir share.
@_exported public import struct FeedModel.MainContent

extension HTMLContent {
  /// Returns the article of a page; `nil` for a list of teasers, a form, an application without
  /// content.
  /// - Parameter page: the bytes, in any encoding.
  public static func mainContent(of page: [UInt8], contentType: String? = nil, url: String)
    -> MainContent?
  {
    let text = PageEncoding.utf8(page, contentType: contentType)
    let nodes = parse(String(decoding: text, as: UTF8.self))
    let facts = PageFacts(nodes, url: url)
    let root = PageNode(HTMLElement(name: "body", children: nodes))
    root.weigh()
    guard !facts.isObstacle else { return nil }
    RepeatedParts.mark(in: root, facts)
    let article = MainContentSearch(root: root, facts: facts).run()
    if let stated = StatedBody(facts.publisher.body, besides: article),
      stated.isCutShort(by: article)
    {
      return facts.content(html: stated.html)
    }
    guard let article else { return nil }
    var content = facts.content(html: ArticleWriter(facts: facts).html(of: article))
    content.nextPart = facts.nextPart
    if Paywall.cutsOff(content.html, length: article.measure.text, of: nodes, facts.publisher) {
      content.obstacle = .subscriberPage
    }
    if content.obstacle != nil || article.measure.text < facts.publisher.promisedLength {
      content.otherVersion = facts.otherVersion
    }
    return content
  }

  /// Returns the address of another version of a page without an article.
  package static func otherVersion(of page: [UInt8], contentType: String? = nil, url: String)
    -> String?
  {
    let text = PageEncoding.utf8(page, contentType: contentType)
    return PageFacts(parse(String(decoding: text, as: UTF8.self)), url: url).otherVersion
  }
}

extension PageFacts {
  /// Returns the article with the page's metadata; adds the lead picture to a text without one.
  fileprivate func content(html: String) -> MainContent {
    var html = html
    if !html.holds("<img "), let picture = publisher.lead {
      var writer = HTMLWriter()
      writer.write("<figure><img src=\"")
      writer.write(text: picture, escaping: .attribute)
      writer.write("\"></figure>")
      html =
        HTMLContent.sanitise(
          String(decoding: writer.out, as: UTF8.self), baseURL: base.text) + html
    }
    return MainContent(
      title: title, author: publisher.author.text, published: publisher.published, html: html)
  }
}

struct MainContentSearch {
  let root: PageNode
  let facts: PageFacts

  /// Least mass of an article that is not announced, and of one that the markup announces.
  static let leastMass = 250
  private static let leastAnnouncedMass = 100
  /// The share of the mass that a part must have to be taken for the whole article.
  private static let dominance = 0.6

  /// Returns the article without boilerplate, if there is one.
  func run() -> PageNode? {
    if let announced = announced() { return cleaned([announced], isAnnounced: true) }
    return cleaned(descend(from: mainPart()), isAnnounced: facts.publisher.isArticle)
  }

  private func cleaned(_ nodes: [PageNode], isAnnounced: Bool) -> PageNode? {
    let article = PageNode(HTMLElement(name: "div"))
    article.children = nodes.count == 1 && nodes[0].isContainer ? nodes[0].children : nodes
    article.weigh()
    Boilerplate.clear(article, facts)
    article.weigh()
    let mass = article.measure.mass
    guard mass >= (isAnnounced ? Self.leastAnnouncedMass : Self.leastMass),
      !PageObstacle.isCookieNotice(article)
    else { return nil }
    return isIndex(article) ? nil : article
  }

  // MARK: Content that the markup announces

  /// Returns `itemprop=articleBody`, the article with the page's title, or the dominant article.
  private func announced() -> PageNode? {
    var bodies: [PageNode] = []
    var articles: [PageNode] = []
    collect(root) { node in
      if node["itemprop"]?.lowercased().holds("articlebody") == true {
        bodies.append(node)
        return false
      }
      if node.name == "article" { articles.append(node) }
      return true
    }
    return dominant(bodies, ofPage: 0.2) ?? titled(articles) ?? dominant(articles, ofPage: 0.3)
  }

  private func titled(_ articles: [PageNode]) -> PageNode? {
    guard articles.count > 1, let title = facts.title else { return nil }
    return articles.prefix(20).first { article in
      var isTitled = false
      collect(article) { node in
        if node.name == "h1" || node.name == "h2" {
          isTitled = PageFacts.isSameTitle(node.line(), title)
        }
        return !isTitled && node.name != "article"
      }
      return isTitled && article.score >= Double(Self.leastMass)
    }
  }

  /// Returns `main` if it has much of the content, or else the root.
  private func mainPart() -> PageNode {
    var parts: [PageNode] = []
    collect(root) { node in
      guard node.name == "main" || node["role"] == "main" else { return true }
      parts.append(node)
      return false
    }
    return dominant(parts, ofPage: 0.4) ?? root
  }

  private func dominant(_ nodes: [PageNode], ofPage share: Double) -> PageNode? {
    guard let best = nodes.max(by: { $0.score < $1.score }) else { return nil }
    // Nested articles are part of the outer one.
    var own: Set<ObjectIdentifier> = [ObjectIdentifier(best)]
    collect(best) { node in
      own.insert(ObjectIdentifier(node))
      return true
    }
    let rivals = nodes.reduce(0.0) { sum, node in
      own.contains(ObjectIdentifier(node)) ? sum : sum + node.measure.prose * node.role.share
    }
    let mass = best.measure.prose
    guard mass >= root.measure.prose * share, mass >= rivals else { return nil }
    return best
  }

  private func collect(_ node: PageNode, _ visit: (PageNode) -> Bool) {
    for child in node.children where !child.isText && visit(child) { collect(child, visit) }
  }

  // MARK: Following the mass

  private func descend(from start: PageNode) -> [PageNode] {
    var node = start
    var parent: PageNode?
    while let next = step(from: node) {
      parent = node
      node = next
    }
    guard let parent else { return [node] }
    // Adds a standfirst or picture, which is often beside the rest.
    return parent.children.filter { $0 === node || $0.isContentOfItsOwn }
  }

  /// Returns the child with nearly all of the mass; `nil` if it is spread.
  private func step(from node: PageNode) -> PageNode? {
    guard node.isContainer,
      let best = node.children.max(by: { $0.score < $1.score }), best.isContainer
    else { return nil }
    let total = node.children.reduce(node.ownProse) { $0 + $1.score }
    guard best.score >= total * Self.dominance, best.measure.mass > 0, best.role != .notice else {
      return nil
    }
    // An article that consists of several similar parts is kept whole.
    let isCut = node.children.contains {
      $0 !== best && $0.isOfTheSameMake(as: best)
        && $0.measure.mass * 6 >= node.measure.mass
    }
    return isCut ? nil : best
  }

  // MARK: Pages that only lead to others

  /// True for a front page or archive: most of the text is below headings that link to other pages
  /// of the site, or in many similar parts of a little text and a link.
  private func isIndex(_ article: PageNode) -> Bool {
    var linkedHeadings = 0
    var massUnderLinked = 0
    var isUnderLinked = false
    var isList = isListOfTeasers(article, of: article.measure.mass)
    collect(article) { child in
      if child.isHeading, child.name != "h1" {
        isUnderLinked = leadsElsewhere(child)
        if isUnderLinked { linkedHeadings += 1 }
      }
      if !isList { isList = isListOfTeasers(child, of: article.measure.mass) }
      if child.measure.hasHeading { return true }
      if isUnderLinked { massUnderLinked += child.measure.mass }
      return !isList
    }
    return isList || linkedHeadings >= 3 && massUnderLinked * 2 > article.measure.mass
  }

  private func leadsElsewhere(_ heading: PageNode) -> Bool {
    guard heading.measure.links * 10 >= heading.measure.text * 8 else { return false }
    // The heading of a forum's post links to its place: "topic?post=310#p310".
    return heading.firstLink.map { !$0.contains("#") && facts.isElsewhereOnTheSite($0) } ?? false
  }

  /// True for a part that begins with its author, such as a forum's post.
  private func isPost(_ node: PageNode) -> Bool {
    !node.measure.hasHeading && node.firstLink.map(facts.isProfile) == true
  }

  private func isListOfTeasers(_ node: PageNode, of mass: Int) -> Bool {
    let groups = Dictionary(grouping: node.children.filter { $0.isTeaserSized }) { $0.make }
    return groups.contains { make, teasers in
      teasers.count >= 4 && !make.isConversation && !teasers.allSatisfy(isPost)
        && teasers.reduce(0) { $0 + $1.measure.mass } * 10 >= mass * 6
        && teasers.allSatisfy { $0.firstLink.map(facts.isElsewhereOnTheSite) ?? false }
    }
  }
}
