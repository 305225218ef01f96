/// What is around an article and says so: by its element, its role, its class, its words.
struct Boilerplate {
  private let page: PageNode.Measure

  /// - Parameter page: the whole page, weighed.
  init(page: PageNode) { self.page = page.measure }

  /// Removes the boilerplate from a node. What is left has to be scored again.
  func clear(_ node: PageNode) { clear(node, inCode: false) }

  private func clear(_ node: PageNode, inCode: Bool) {
    guard !node.isText else { return }
    // Highlighted code calls its parts "comment" and "label".
    let isCode = inCode || node.tag == .pre || node.tag == .code
    node.children.removeAll { isCode ? isMachinery($0) : isBoilerplate($0, in: node) }
    for child in node.children { clear(child, inCode: isCode) }
  }

  // MARK: By element

  /// What no reader ever sees as text.
  private func isMachinery(_ node: PageNode) -> Bool {
    switch node.tag {
    case .base, .button, .canvas, .datalist, .embed, .head, .input, .link, .meta, .noembed,
      .noframes, .noscript, .object, .option, .script, .select, .style, .template, .textarea,
      .title:
      true
    default: false
    }
  }

  private func isBoilerplate(_ node: PageNode, in parent: PageNode) -> Bool {
    if node.isText { return false }
    if isMachinery(node) { return true }
    switch node.tag {
    case .nav, .menu, .dialog, .search: return !isMuch(node)
    case .footer:
      return parent.tag != .blockquote && !isNote(node) && !isMuch(node)
    case .aside: return !isNote(node) && !isMuch(node)
    case .form: return !isMuch(node)
    case .address: return node.measure.text < 250
    case .iframe: return !isVideoEmbed(node)
    case .svg: return parent.tag != .figure
    default: break
    }
    if isHidden(node) || hasForeignRole(node) { return !isMuch(node) }
    return namesItself(node) || isLabel(node) || isAnchor(node, in: parent) || asksForAnswer(node)
  }

  /// So much of the page's prose that it cannot be beside the article.
  private func isMuch(_ node: PageNode) -> Bool {
    page.mass > 0 && node.measure.mass * 2 >= page.mass
  }

  /// Notes and warnings in documentation are written as asides; footnotes as footers.
  private func isNote(_ node: PageNode) -> Bool {
    node.words.contains { Self.notes.contains($0) } || node["role"] == "note"
      || node["role"] == "doc-endnotes" || node["role"] == "doc-footnotes"
  }

  private static let notes: Set<Substring> = [
    "admonition", "alert", "callout", "caution", "danger", "endnotes", "footnote", "footnotes",
    "hint", "important", "info", "note", "notes", "tip", "warning",
  ]

  private func isHidden(_ node: PageNode) -> Bool {
    if node["hidden"] != nil { return true }
    if node["aria-hidden"] == "true", !node.measure.hasPicture { return true }
    guard let style = node["style"] else { return false }
    let plain = style.lowercased().filter { !$0.isWhitespace }
    return plain.contains("display:none") || plain.contains("visibility:hidden")
  }

  private func hasForeignRole(_ node: PageNode) -> Bool {
    guard let role = node["role"]?.lowercased() else { return false }
    return [
      "alertdialog", "banner", "complementary", "contentinfo", "dialog", "menu", "menubar",
      "navigation", "search", "toolbar", "tooltip",
    ].contains(role) && !isNote(node)
  }

  /// Films and sounds that belong to an article; other frames are boxes of somebody else.
  private func isVideoEmbed(_ node: PageNode) -> Bool {
    let source = (node["src"] ?? node["data-src"] ?? "").lowercased()
    return [
      "youtube.com/embed", "youtube-nocookie.com/embed", "player.vimeo.com",
      "dailymotion.com/embed",
      "w.soundcloud.com", "open.spotify.com/embed", "bandcamp.com/embed", "/videos/embed/",
    ].contains { source.contains($0) }
  }

  // MARK: By name

  private func namesItself(_ node: PageNode) -> Bool {
    switch node.tag {
    case .html, .body, .main, .article, .code, .pre, .figure, .img, .picture, .tbody, .tr, .h1:
      return false
    default: break
    }
    // An id on what has text of its own is where a link leads to: "#comments" of an article on
    // those.
    let readsID = [.div, .aside, .ul, .ol, .td, .table, .form].contains(node.tag)
    var words = HintWords.of(node["class"])
    if readsID || Self.plainIDs.contains(node["id"] ?? "") { words += HintWords.of(node["id"]) }
    guard !words.isEmpty else { return false }
    if words.contains(where: Self.invisible.contains) { return !isMuch(node) }
    if words.contains(where: Self.isAboutAnswers) {
      return !node.measure.hasLandmark && !(words.contains("post") && isMuch(node))
    }
    if words.contains(where: Self.isBesideTheText) { return !isMuch(node) }
    let measure = node.measure
    let isShort =
      measure.text < 250 && (!measure.hasPicture || measure.text > 0) && !measure.hasCode
    return isShort && !node.isHeading && words.contains(where: Self.aboutTheArticle.contains)
  }

  private static let plainIDs: Set<String> = [
    "comments", "respond", "related", "related-posts", "newsletter", "sidebar", "share",
  ]

  private static let invisible: Set<Substring> = [
    "noprint", "skip", "hidden", "sr", "gutter", "lineno", "linenos", "headerlink", "editsection",
  ]

  private static func isAboutAnswers(_ word: Substring) -> Bool {
    [
      "comments", "comment", "disqus", "respond", "replies", "kommentare", "commentlist",
      "webmentions",
    ]
    .contains(word)
  }

  private static let beside: Set<Substring> = [
    "ad", "ads", "adsbygoogle", "advert", "ambox", "banner", "breadcrumb", "breadcrumbs",
    "catlinks", "consent",
    "cookie", "cookies", "cta", "donate", "donation", "gdpr", "masthead", "menu", "modal", "nav",
    "navbar",
    "navbox", "navigation", "newsletter", "optin", "outbrain", "pager", "pagination", "paywall",
    "popular",
    "popup", "promo", "rating", "recirc", "recirculation", "recommended", "related", "relatedposts",
    "shares",
    "share", "sharing", "sharedaddy", "sharebar", "sidebar", "signup", "sitenav", "social",
    "sponsor",
    "sponsored", "subscribe", "subscription", "taboola", "teaser", "teasers", "toolbar", "trending",
    "vote",
    "widget", "widgets", "toc",
  ]
  private static let besideBeginnings = [
    "advert", "newsletter", "recommend", "related", "sidebar", "breadcrumb", "paginat", "subscri",
  ]

  private static func isBesideTheText(_ word: Substring) -> Bool {
    beside.contains(word) || besideBeginnings.contains(where: word.hasPrefix)
  }

  /// Who, when, filed where: the reader shows it already.
  private static let aboutTheArticle: Set<Substring> = [
    "author", "authors", "byline", "categories", "category", "dateline", "meta", "metadata",
    "postmetadata",
    "published", "tags", "taglist", "timestamp", "tools", "actions", "edit", "print", "bio",
  ]

  // MARK: By its words

  /// "Advertisement" and the like, alone in a block.
  private func isLabel(_ node: PageNode) -> Bool {
    guard node.measure.text <= 60, node.measure.text > 0, node.isBlock, !node.isHeading,
      !node.measure.hasPicture
    else { return false }
    return Self.labels.contains(node.line().lowercased())
  }

  private static let labels: Set<String> = [
    "advertisement", "advertising", "article continues below",
    "article continues after advertisement",
    "continue reading the main story", "story continues below advertisement", "anzeige", "werbung",
    "publicité", "publicidad", "広告", "スポンサーリンク", "share", "share this", "share this article",
    "print",
    "skip to content", "skip to main content", "listen to this article", "back to top", "nach oben",
  ]

  /// The sign beside a heading that links to it.
  private func isAnchor(_ node: PageNode, in parent: PageNode) -> Bool {
    guard node.tag == .a, parent.isHeading, node.measure.text <= 2 else { return false }
    return node["href"]?.hasPrefix("#") ?? true
  }

  /// A box around a form: "Sign up", with a field.
  private func asksForAnswer(_ node: PageNode) -> Bool {
    node.measure.hasForm && node.measure.text < 500 && !node.measure.hasLandmark
      && !node.measure.hasCode && !isMuch(node) && node.isContainer
  }
}
