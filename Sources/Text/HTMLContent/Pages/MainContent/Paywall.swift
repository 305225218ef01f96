internal import TextRules

/// Detects pages that show only the beginning of an article.
///
/// An invitation to subscribe proves nothing: free articles have one too, and pages with a metered
/// paywall contain the whole text. A second sign is required, and the text must be short.
struct Paywall {
  private let publisher: PublisherData
  /// The content score of the text read so far; invitations above the article do not count.
  private var mass = 0
  private var hasInvitation = false
  private var isNamed = false
  private var showsPaidPart = false

  /// Longest beginning in characters, on a page that does not state the number of words.
  private static let longestBeginning = 2_500
  /// Low estimate of the characters in a word, with a space.
  private static let charactersOfWord = 4
  private static let longestInvitation = 160
  private static let leastBeginning = 60
  private static let leastPaidPart = 250

  /// - Parameters:
  ///   - html: the article.
  ///   - length: its characters.
  ///   - nodes: the page.
  static func cutsOff(
    _ html: String, length: Int, of nodes: [HTMLNode], _ publisher: PublisherData
  ) -> Bool {
    let whole = publisher.words * charactersOfWord
    guard length < (whole > 0 ? whole : longestBeginning) else { return false }
    let root = PageNode(HTMLElement(name: "body", children: nodes))
    root.weigh()
    var paywall = Paywall(publisher: publisher)
    paywall.read(root, isNamed: false)
    guard paywall.hasInvitation else { return false }
    return endsInEllipsis(html) || paywall.isNamed
      || publisher.isPaid && !paywall.showsPaidPart
  }

  private static func endsInEllipsis(_ html: String) -> Bool {
    let end = HTMLContent.plainText(html).suffix(10).filter { !$0.isWhitespace && $0 != "]" }
    return end.hasSuffix("…") || end.hasSuffix("...")
  }

  private mutating func read(_ node: PageNode, isNamed: Bool) {
    guard node.role != .hidden, node.measure.text > 0 else { return }
    let names = [node["class"], node["id"]].compactMap { $0?.lowercased() }
    var isNamed = isNamed
    if node.measure.mass < Self.leastPaidPart {
      isNamed =
        isNamed || node.isWall || names.contains { Self.names.contains(where: $0.holds) }
    } else if names.contains(where: { name in
      name.split(separator: " ").contains(where: publisher.paidParts.contains)
    }) {
      showsPaidPart = true
    }
    // Ignores invitations in footers and navigation, which are on every page.
    guard node.role != .beside || isNamed else { return }
    guard !node.children.contains(where: \.isBlock) else {
      for child in node.children { read(child, isNamed: isNamed) }
      return
    }
    if mass >= Self.leastBeginning, node.measure.text <= Self.longestInvitation,
      PageObstacle.invites(node.line(upTo: Self.longestInvitation))
    {
      hasInvitation = true
      self.isNamed = self.isNamed || isNamed
    }
    mass += node.measure.mass
  }

  private static let names: [StaticString] = [
    "paywall", "regwall", "upgrade-cta", "members-only", "subscriber-only", "subscribers-only",
  ]
}

extension PageNode {
  /// True for a box with data of a paywall's script, such as `data-paywall`.
  fileprivate var isWall: Bool {
    attributes.contains { $0.name.hasPrefix("data-") && $0.name.holds("paywall") }
  }
}
