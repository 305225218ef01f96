import FeedModel
internal import TextRules

/// A node of a page with the measure of its text.
final class PageNode {
  /// The name in lower case; empty for text.
  let name: String
  private let ownTag: HTMLTag
  var attributes: [(name: String, value: String)]
  let text: String
  var children: [PageNode]
  var role: PageRole
  /// True until the text decides about the role; see `PageRole.init`.
  private var isVague = false
  private(set) var measure = Measure()

  /// The content of a node in characters; Chinese, Japanese and Korean count twice.
  struct Measure {
    var text = 0
    var links = 0
    /// Amount of prose and code: sentences that are not mostly links.
    var mass = 0
    /// The mass; boilerplate found by markup counts in part.
    var prose = 0.0
    var paragraphs = 0
    var hasPicture = false
    var hasCode = false
    var hasTable = false
    var hasForm = false
    var hasHeading = false
    /// True if the node contains `h1`, `main` or the body of the article. A box beside the article
    /// contains none of them.
    var hasLandmark = false

    var linkDensity: Double { text == 0 ? 0 : Double(links) / Double(text) }
  }

  convenience init(_ element: HTMLElement) { self.init(element, Self.tag(of: element)) }

  private init(_ element: HTMLElement, _ tag: HTMLTag) {
    name = element.name
    ownTag = tag
    attributes = element.attributes
    text = ""
    children = Self.children(of: element, tag)
    role = PageRole(of: element, tag, isVague: &isVague)
  }

  init(text: String) {
    name = ""
    ownTag = .unknown
    attributes = []
    self.text = text
    children = []
    role = .plain
  }

  private static func children(of element: HTMLElement, _ tag: HTMLTag) -> [PageNode] {
    // The text of form fields does not belong to the page.
    if tag == .select || tag == .textarea || tag == .datalist { return [] }
    var nodes: [PageNode] = []
    for child in element.children {
      switch child {
      case .text(let text): nodes.append(PageNode(text: text))
      case .element(let element):
        let tag = Self.tag(of: element)
        switch tag {
        case .noscript:
          // The fallback for missing scripts contains the real picture.
          var (pictures, text) = ([HTMLNode](), 0)
          collectPictures(in: element, &pictures, &text)
          if text >= MainContentSearch.leastMass {
            // The whole article may be there.
            nodes.append(PageNode(HTMLElement(name: "div", children: element.children)))
            nodes.last?.role = .hidden
          } else if !pictures.isEmpty {
            nodes.append(PageNode(HTMLElement(name: "noscript", children: pictures), tag))
          }
        // Browsers do not show these elements.
        case .base, .link, .meta, .noembed, .noframes, .script, .style, .template, .title: continue
        default: nodes.append(PageNode(element, tag))
        }
      }
    }
    return nodes
  }

  private static func tag(of element: HTMLElement) -> HTMLTag {
    HTMLTag.byName[PackedName(element.name)] ?? .unknown
  }

  private static func collectPictures(
    in element: HTMLElement, _ pictures: inout [HTMLNode], _ text: inout Int
  ) {
    for child in element.children {
      switch child {
      case .text(let content): text += TextWeight.of(content).weight
      case .element(let element) where element.name == "img": pictures.append(child)
      case .element(let element): collectPictures(in: element, &pictures, &text)
      }
    }
  }

  // MARK: Weighing

  /// Prose in a block that is not yet counted.
  private struct Run {
    var text = 0
    var links = 0
    var marks = 0
  }

  func weigh() {
    let left = weigh(inLink: false, inCode: false)
    measure.add(mass: Self.mass(left))
  }

  /// Measures the descendants and returns the prose that continues after this node.
  private func weigh(inLink: Bool, inCode: Bool) -> Run {
    measure = Measure()
    var run = Run()
    if isText {
      let (weight, marks) = TextWeight.of(text)
      measure.text = weight
      if inLink { measure.links = weight }
      if inCode { measure.add(mass: weight) }
      return inCode ? run : Run(text: weight, links: inLink ? weight : 0, marks: marks)
    }
    let inLink = inLink || tag == .a
    let inCode = inCode || tag == .pre
    for child in children {
      let inner = child.weigh(inLink: inLink, inCode: inCode)
      measure.add(child.measure, share: child.role.share)
      if child.isBlock {
        // A block ends the previous run of text.
        measure.add(mass: Self.mass(run))
        run = Run()
      } else {
        run.text += inner.text
        run.links += inner.links
        run.marks += inner.marks
      }
    }
    switch tag {
    case .img, .picture, .video, .audio: measure.hasPicture = true
    case .iframe: measure.hasPicture = Embed(self) != nil
    case .pre: measure.hasCode = true
    case .table: if isDataTable { measure.hasTable = true }
    case .form, .input, .textarea, .select: measure.hasForm = true
    case .h1, .main:
      measure.hasLandmark = true
      if tag == .h1 { measure.hasHeading = true }
    default:
      if isHeading { measure.hasHeading = true }
      if self["itemprop"]?.lowercased().holds("articlebody") == true {
        measure.hasLandmark = true
      }
    }
    guard isBlock else { return run }
    measure.add(mass: Self.mass(run))
    if isVague, role == .beside, measure.mass > 0, measure.linkDensity < 0.05,
      !measure.hasForm
    {
      role = .plain
    }
    isVague = false
    if tag == .ul || tag == .ol, measure.linkDensity > 0.25 { measure.prose *= 0.3 }
    return Run()
  }

  /// Returns the mass of a run of text; 0 for a label or mostly links.
  private static func mass(_ run: Run) -> Int {
    guard run.text >= 80 || run.text >= 25 && run.marks > 0, run.links * 2 <= run.text else {
      return 0
    }
    return run.text - run.links + 10 * min(run.marks, run.text / 40)
  }

  // MARK: Kinds

  var tag: HTMLTag {
    #if DEBUG
      VisitCounter.current?.visits += 1
    #endif
    return ownTag
  }

  var isText: Bool { name.isEmpty }
  var isBlank: Bool { isText && text.utf8.allSatisfy(\.isSpace) }
  /// True for elements that end the previous line.
  var isBlock: Bool { tag != .br && tag.traits.contains(.isBlock) }
  var isHeading: Bool { tag.traits.contains(.isHeading) }

  subscript(attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }

  var isContainer: Bool {
    switch tag {
    case .article, .blockquote, .body, .center, .div, .form, .html, .main, .section, .table, .tbody,
      .td, .tr, .unknown, .dd, .dl, .font, .span, .fieldset:
      !isText && !isDataTable
    default: false
    }
  }

  /// True for prose or a picture that is complete by itself.
  var isContentOfItsOwn: Bool {
    switch tag {
    case .p, .blockquote, .pre: measure.mass > 0
    case .figure, .picture, .img, .noscript: measure.hasPicture
    case .table: measure.hasTable
    default: false
    }
  }

  var isPictureAlone: Bool {
    if tag == .img || tag == .picture { return true }
    let inside = children.filter { !$0.isBlank }
    return !isText && !inside.isEmpty && inside.allSatisfy(\.isPictureAlone)
  }

  /// True for a table with a caption, or with headings and at least two rows of two cells. Other
  /// tables may be layout.
  var isDataTable: Bool {
    guard tag == .table else { return false }
    let parts = children.flatMap { [.thead, .tbody, .tfoot].contains($0.tag) ? $0.children : [$0] }
    let cells = parts.filter { $0.tag == .tr }.map { row in
      row.children.filter { ($0.tag == .td || $0.tag == .th) && $0.measure.text > 0 }
    }
    return cells.count(where: { $0.count > 1 }) > 1
      && (parts.contains { $0.tag == .caption } || cells.joined().contains { $0.tag == .th })
  }

  /// Amount of prose outside all children, such as lines between `br`.
  var ownProse: Double {
    max(0, measure.prose - children.reduce(0) { $0 + $1.measure.prose * $1.role.share })
  }

  var score: Double { measure.prose * (role == .promising ? 1.5 : role.share) }

  /// The name and class, equal for similar parts.
  var make: Make { Make(name: name, look: self["class"] ?? "") }

  struct Make: Hashable {
    var name: String
    var look: String

    /// True for a thread of posts, which unlike teasers are read in sequence.
    var isConversation: Bool {
      HintWords.has(Self.conversation, in: look)
    }

    private static let conversation = NameTable(["answer", "comment", "message", "post", "reply"])
  }

  func isOfTheSameMake(as other: PageNode) -> Bool {
    guard !isText, name == other.name else { return false }
    // Posts of a forum may have the class names of even and odd rows, and page builders number the
    // parts of a text after a common name.
    guard self["class"] == other["class"] else {
      let isPart = measure.linkDensity < 0.1 && role.share == 1 && firstName == other.firstName
      return isPart && firstName != nil || make.isConversation && other.make.isConversation
    }
    return self["class"] != nil || tag == .section || tag == .article
  }

  private var firstName: Substring? { self["class"]?.split(separator: " ").first }

  /// True for a card of a list: neither a paragraph nor an article.
  var isTeaserSized: Bool {
    switch tag {
    case .a, .article, .div, .li, .section, .tr, .td: measure.mass < 500 && measure.links > 0
    default: false
    }
  }

  var firstLink: String? {
    if tag == .a, let target = self["href"] { return target }
    for child in children { if let target = child.firstLink { return target } }
    return nil
  }

  /// Returns the text in one line, cut after about `limit` characters.
  func line(upTo limit: Int = 200) -> String {
    var out = ""
    collectText(into: &out, limit)
    return HTMLContent.cleanText(out)
  }

  private func collectText(into out: inout String, _ limit: Int) {
    guard out.utf8.count < limit * 4 else { return }
    out += text
    for child in children {
      child.collectText(into: &out, limit)
      if child.isBlock || child.tag == .br { out += " " }
    }
  }
}

extension PageNode.Measure {
  fileprivate mutating func add(_ other: Self, share: Double) {
    text += other.text
    links += other.links
    mass += other.mass
    prose += other.prose * share
    paragraphs += other.paragraphs
    hasPicture = hasPicture || other.hasPicture
    hasCode = hasCode || other.hasCode
    hasTable = hasTable || other.hasTable
    hasForm = hasForm || other.hasForm
    hasHeading = hasHeading || other.hasHeading
    hasLandmark = hasLandmark || other.hasLandmark
  }

  fileprivate mutating func add(mass: Int) {
    guard mass > 0 else { return }
    self.mass += mass
    prose += Double(mass)
    paragraphs += 1
  }
}

#if DEBUG
  /// Counts visits of nodes, for tests of hostile pages.
  final class VisitCounter: @unchecked Sendable {
    @TaskLocal static var current: VisitCounter?
    var visits = 0
  }
#endif
