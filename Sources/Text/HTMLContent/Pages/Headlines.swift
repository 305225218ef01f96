package import FeedModel

extension HTMLContent {
  /// Returns the page's title and groups of links that are probably headlines, best first: at least
  /// three different addresses in the same place of the tree, with texts of typical length.
  /// Excludes navigation.
  package static func headlineGroups(
    in page: [UInt8], contentType: String? = nil, url: String
  ) -> (title: String?, groups: [HeadlineGroup]) {
    let page = PageLinks(page, contentType: contentType, url: url)
    return (page.title, HeadlineSearch.groups(of: page.links))
  }

  /// Returns the page's title and the links in one place found by `headlineGroups`.
  package static func headlines(
    at place: String, in page: [UInt8], contentType: String? = nil, url: String
  ) -> (title: String?, headlines: [Headline]) {
    let steps = place.split(separator: "/").map(String.init)
    let page = PageLinks(page, contentType: contentType, url: url)
    let links = page.links.filter { link in
      link.path.count == steps.count && zip(link.path, steps).allSatisfy { $0.matches($1) }
    }
    return (page.title, HeadlineSearch.headlines(of: links))
  }
}

/// An element on the path from the root to a link.
struct HeadlineStep {
  var tag: String
  /// The label `.class` or `~id` without digits, else `.`.
  var label: String
  /// A number that is unique for each element of the page.
  var element: Int

  /// - Parameter step: a step of a place, such as `div`, `div.news`, `div~news`, `div.`.
  func matches(_ step: String) -> Bool { step == tag || step == tag + label }
}

/// The links of a page outside its navigation, with their paths.
struct PageLinks {
  struct Link {
    var path: [HeadlineStep]
    var headline: Headline
    /// True if the text is, or is inside, a heading.
    var isHeading: Bool
  }

  private(set) var links: [Link] = []
  private(set) var title: String?
  private var path: [HeadlineStep] = []
  private var around: [HTMLElement] = []
  private var elements = 0
  private var base: WebAddress
  private let page: WebAddress

  private static let mostLinks = 5_000
  private static let longest = 300
  private static let skipped: Set<String> = [
    "nav", "footer", "form", "script", "style", "template", "select", "svg", "math", "head", "menu",
  ]
  private static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6"]

  init(_ bytes: [UInt8], contentType: String?, url: String) {
    (base, page) = (WebAddress(url), WebAddress(url).withoutFragment)
    let text = String(decoding: PageEncoding.utf8(bytes, contentType: contentType), as: UTF8.self)
    let tree = HTMLContent.parse(text)
    readHead(tree)
    walk(tree, isInHeading: false)
  }

  /// Reads the title and the base.
  private mutating func readHead(_ nodes: [HTMLNode]) {
    for case .element(let element) in nodes {
      switch element.name {
      case "html", "head": readHead(element.children)
      case "title" where title == nil:
        let text = HTMLContent.cleanText(Self.text(of: element.children))
        title = text.isEmpty ? nil : text
      case "base":
        guard let href = element["href"], let address = base.resolve(WebAddress(href)) else {
          continue
        }
        if address.isHTTP { base = address }
      default: break
      }
    }
  }

  private mutating func walk(_ nodes: [HTMLNode], isInHeading: Bool) {
    for case .element(let element) in nodes {
      guard links.count < Self.mostLinks else { return }
      guard !Self.skipped.contains(element.name), element["role"] != "navigation",
        element["hidden"] == nil, element["aria-hidden"] != "true"
      else { continue }
      elements += 1
      path.append(
        HeadlineStep(tag: element.name, label: Self.label(of: element), element: elements))
      let isHeading = isInHeading || Self.headings.contains(element.name)
      if element.name == "a" { read(element, isInHeading: isHeading) }
      around.append(element)
      walk(element.children, isInHeading: isHeading)
      around.removeLast()
      path.removeLast()
    }
  }

  private mutating func read(_ anchor: HTMLElement, isInHeading: Bool) {
    guard let href = anchor["href"], var address = base.resolve(WebAddress(href)) else { return }
    address.fragment = nil
    guard address.isHTTP, address != page else { return }
    var heading = Self.heading(in: anchor.children)
    var text = HTMLContent.cleanText(Self.text(of: heading ?? anchor.children))
    if text.isEmpty {
      // The empty link may be an overlay that makes the whole card a link.
      heading = cardHeading()
      let name = heading.map(Self.text) ?? anchor["aria-label"] ?? anchor["title"] ?? ""
      text = HTMLContent.cleanText(name)
    }
    guard !text.isEmpty else { return }
    links.append(
      Link(
        path: path,
        headline: Headline(title: String(text.prefix(Self.longest)), url: address.text),
        isHeading: isInHeading || heading != nil))
  }

  /// Returns the only heading of the innermost enclosing elements.
  private func cardHeading() -> [HTMLNode]? {
    for element in around.suffix(4).reversed() {
      var left = Self.mostNodes
      let count = Self.headingCount(in: element.children, &left)
      if count > 0 { return count == 1 ? Self.heading(in: element.children) : nil }
    }
    return nil
  }

  private static func headingCount(in nodes: [HTMLNode], _ left: inout Int) -> Int {
    var count = 0
    for case .element(let element) in nodes {
      left -= 1
      guard left > 0, count < 2 else { break }
      count += headings.contains(element.name) ? 1 : headingCount(in: element.children, &left)
    }
    return count
  }

  /// Returns the first heading in an anchor that contains more than its headline.
  private static func heading(in nodes: [HTMLNode]) -> [HTMLNode]? {
    var left = mostNodes
    return heading(in: nodes, &left)
  }

  private static func heading(in nodes: [HTMLNode], _ left: inout Int) -> [HTMLNode]? {
    for case .element(let element) in nodes {
      left -= 1
      guard left > 0 else { return nil }
      if headings.contains(element.name) { return element.children }
      if let found = heading(in: element.children, &left) { return found }
    }
    return nil
  }

  private static func text(of nodes: [HTMLNode]) -> String {
    var text = ""
    var left = mostNodes
    write(nodes, to: &text, &left)
    return text
  }

  /// Maximum number of nodes read of each anchor, since anchors may be nested.
  private static let mostNodes = 200
  private static let inline: Set<String> = [
    "a", "abbr", "b", "bdi", "cite", "code", "em", "i", "mark", "q", "s", "small", "span", "strong",
    "sub", "sup", "u", "wbr",
  ]

  private static func write(_ nodes: [HTMLNode], to text: inout String, _ left: inout Int) {
    for node in nodes {
      left -= 1
      guard left > 0, text.utf8.count < 4 * longest else { return }
      switch node {
      case .text(let part): text += part.prefix(longest)
      case .element(let element) where !["script", "style", "svg"].contains(element.name):
        let separator = inline.contains(element.name) ? "" : " "
        text += separator
        write(element.children, to: &text, &left)
        text += separator
      case .element: break
      }
    }
  }

  /// Returns a class, else the id, of letters, hyphens and underscores. Names with digits often
  /// change between items or versions of a site.
  private static func label(of element: HTMLElement) -> String {
    let classes = element["class"]?.split { $0.isWhitespace } ?? []
    if let name = classes.first(where: isName) { return "." + name }
    if let id = element["id"], isName(id[...]) { return "~" + id }
    return "."
  }

  private static func isName(_ text: Substring) -> Bool {
    (1...40).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || $0 == UInt8(ascii: "-")
          || $0 == UInt8(ascii: "_")
      }
  }
}

extension WebAddress {
  fileprivate var withoutFragment: WebAddress {
    var address = self
    address.fragment = nil
    return address
  }
}

/// Groups links that repeat one structure.
enum HeadlineSearch {
  private static let fewest = 3
  /// Minimum median of the characters in a group's links.
  private static let shortestMedian = 15
  /// Minimum median for headings.
  private static let shortestHeading = 4
  private static let mostGroups = 8
  /// Fewest links in an element for its class to separate groups; an element with fewer links is
  /// part of the repetition.
  private static let linksOfContainer = 3

  static func groups(of links: [PageLinks.Link]) -> [HeadlineGroup] {
    var order: [String] = []
    var byTags: [String: [PageLinks.Link]] = [:]
    for link in links {
      let tags = link.path.map(\.tag).joined(separator: "/")
      if byTags[tags] == nil { order.append(tags) }
      byTags[tags, default: []].append(link)
    }
    var found: [Scored] = []
    for tags in order { split(byTags[tags] ?? [], steps: [], into: &found) }
    // Ranks links in the texts of posts after the posts' headings.
    var posts: [String: Double] = [:]
    for entry in found where entry.isHeading {
      if let post = articleTags(entry.group.selector) {
        posts[post] = max(posts[post] ?? 0, entry.score)
      }
    }
    for index in found.indices where !found[index].isHeading {
      if let heading = articleTags(found[index].group.selector).flatMap({ posts[$0] }) {
        found[index].score = min(found[index].score, heading / 2)
      }
    }
    // The sort is stable: equal groups keep the page's order.
    return found.sorted { $0.score > $1.score }.prefix(mostGroups).map(\.group)
  }

  private struct Scored {
    var group: HeadlineGroup
    var score: Double
    var isHeading: Bool
  }

  /// Returns the tags of a place down to its last article, if any; groups may differ in classes.
  private static func articleTags(_ place: String) -> String? {
    let tags = place.split(separator: "/").map { $0.prefix { $0 != "." && $0 != "~" } }
    return tags.lastIndex(of: "article").map { tags[...$0].joined(separator: "/") }
  }

  /// Returns one headline for each address, with its longest text.
  static func headlines(of links: [PageLinks.Link]) -> [Headline] {
    var places: [String: Int] = [:]
    var headlines: [Headline] = []
    for link in links.map(\.headline) {
      if let place = places[link.url] {
        if link.title.count > headlines[place].title.count { headlines[place].title = link.title }
      } else {
        places[link.url] = headlines.count
        headlines.append(link)
      }
    }
    return headlines
  }

  /// Splits links by container, from the root inwards: containers of different classes contain
  /// different groups.
  private static func split(
    _ links: [PageLinks.Link], steps: [String],
    into found: inout [Scored]
  ) {
    guard links.count >= fewest, let first = links.first else { return }
    let depth = steps.count
    guard depth < first.path.count else {
      return splitInnermost(links, steps: steps, from: depth, into: &found)
    }
    let tag = first.path[depth].tag
    let elements = Set(links.map { $0.path[depth].element }).count
    guard links.count >= linksOfContainer * elements else {
      return split(links, steps: steps + [tag], into: &found)
    }
    var labels: [String] = []
    var byLabel: [String: [PageLinks.Link]] = [:]
    for link in links {
      let label = link.path[depth].label
      if byLabel[label] == nil { labels.append(label) }
      byLabel[label, default: []].append(link)
    }
    for label in labels {
      split(byLabel[label] ?? [], steps: steps + [tag + label], into: &found)
    }
  }

  /// Splits links that form no group by the class of their innermost elements: titles and details
  /// may have no other difference.
  private static func splitInnermost(
    _ links: [PageLinks.Link], steps: [String], from end: Int, into found: inout [Scored]
  ) {
    if let group = group(links, steps) { return found.append(group) }
    guard links.count >= fewest,
      let depth = (0..<end).last(where: { depth in
        links.contains { $0.path[depth].label != links[0].path[depth].label }
      })
    else { return }
    for label in Set(links.map { $0.path[depth].label }).sorted() {
      var steps = steps
      steps[depth] = links[0].path[depth].tag + label
      splitInnermost(
        links.filter { $0.path[depth].label == label }, steps: steps, from: depth, into: &found)
    }
  }

  private static func group(
    _ links: [PageLinks.Link], _ steps: [String]
  ) -> Scored? {
    let headlines = headlines(of: links)
    let lengths = headlines.map { length($0.title) }.sorted()
    // Excludes "Read more", however frequent it is.
    let isHeading = links.allSatisfy(\.isHeading)
    guard headlines.count >= fewest,
      lengths[lengths.count / 2] >= (isHeading ? shortestHeading : shortestMedian),
      Set(headlines.map(\.title)).count * 5 >= headlines.count * 3
    else { return nil }
    var score = lengths.reduce(0.0) { $0 + Double(min($1, 80)) }
    if isHeading { score *= 2 }
    if let path = links.first?.path.map(\.tag) {
      if path.contains("main") || path.contains("article") { score *= 1.5 }
      if path.contains("aside") { score *= 0.5 }
      if !isHeading, path.contains("p") || path.contains("blockquote") { score *= 0.2 }
    }
    return Scored(
      group: HeadlineGroup(selector: steps.joined(separator: "/"), headlines: headlines),
      score: score, isHeading: isHeading)
  }

  /// Returns the length, with an East Asian character counted as four.
  private static func length(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2E80 ? 4 : 1) }
  }
}
