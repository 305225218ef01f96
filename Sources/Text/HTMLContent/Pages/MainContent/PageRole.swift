internal import TextRules

/// The role of an element by its name, ARIA role, class and id.
///
/// A name alone does not decide. The search counts the text of boilerplate in part, so that other
/// text is preferred; boilerplate inside the article is removed unless it is too large
/// (`Boilerplate`). If an element has several names, the last in this order counts.
enum PageRole: Int {
  case plain
  /// An article, such as "article-body", "entry-content".
  case promising
  /// Facts about the article, such as "byline", "tags".
  case about
  /// An ambiguous name that articles use too, such as "widget", "ad", "paywall".
  case doubtful
  /// A box beside the text, such as "sidebar", "related", "share", `nav`, `aside`.
  case beside
  case comments
  /// An element that is hidden until a script shows it.
  case hidden
  /// A notice or question about cookies.
  case notice

  /// The share of its text that counts in the search.
  var share: Double {
    switch self {
    case .plain, .promising, .about: 1
    case .doubtful: 0.5
    case .beside: 0.15
    case .hidden: 0.1
    case .comments, .notice: 0.001
    }
  }

  /// - Parameter isVague: set to true for a box beside the text by a name that may speak of the
  ///   layout or of the text: a word within a longer name (`toc-content`), a numbered id
  ///   (`related-1`), a name beside that of an article (`entry share`).
  init(of element: HTMLElement, _ tag: HTMLTag, isVague: inout Bool) {
    self = element.attributes.isEmpty ? .plain : Self.byAttributes(element, tag, &isVague)
    guard self == .plain || self == .promising else { return }
    switch tag {
    case .nav, .menu, .dialog, .search, .footer, .aside: break
    default: return
    }
    // Notes in documentation and quotes in forums are asides; footnotes are footers.
    self = Self.isNote(element) ? .plain : .beside
    isVague = false
  }

  private static func byAttributes(
    _ element: HTMLElement, _ tag: HTMLTag, _ isVague: inout Bool
  ) -> PageRole {
    var role = PageRole.plain
    for (name, value) in element.attributes {
      var isFoundVague = false
      let found: PageRole =
        switch name {
        case "class" where isLeftOut(value, tag): .hidden
        case "class": isNamed(tag) ? byName(value, &isFoundVague) : .plain
        // Ids of paragraphs and headings are link targets, such as "#comments" in an article about
        // comments.
        case "id": isNamed(tag) && isBox(tag) ? byName(value, &isFoundVague) : .plain
        case "hidden": HiddenPart(hidden: value.utf8).isEmpty ? .plain : .hidden
        case "aria-hidden" where value == "true":
          tag == .img || tag == .picture || tag == .figure ? .plain : .hidden
        case "style":
          // Wikipedia hides its formulas, and shows pictures of them.
          HiddenPart(style: value.utf8).contains(.isHidden)
            && !isFormula(element) ? .hidden : .plain
        case "role" where boxRoles.contains(value.lowercased()): .beside
        default: .plain
        }
      isFoundVague = isFoundVague || name == "id" && value.contains(where: \.isNumber)
      if found.rawValue > role.rawValue {
        (role, isVague) = (found, isFoundVague)
      } else if found == role {
        isVague = isVague && isFoundVague
      }
    }
    return role
  }

  private static func isNote(_ element: HTMLElement) -> Bool {
    element["role"].map { noteRoles.contains($0.lowercased()) } == true
      || HintWords.has(notes, in: element["class"]) || HintWords.has(notes, in: element["id"])
  }

  private static let noteRoles: Set<String> = ["note", "doc-endnotes", "doc-footnotes"]
  private static let boxRoles: Set<String> = [
    "alertdialog", "banner", "complementary", "contentinfo", "dialog", "menu", "menubar",
    "navigation", "search", "toolbar", "tooltip",
  ]
  private static let notes = NameTable([
    "admonition", "alert", "callout", "caution", "danger", "endnotes", "footnote", "footnotes",
    "hint", "important", "info", "note", "notes", "quote", "tip", "warning",
  ])

  /// False if class and id are ignored: highlighted code has classes "comment" and "label".
  private static func isNamed(_ tag: HTMLTag) -> Bool {
    switch tag {
    case .html, .body, .main, .article, .code, .pre, .img, .picture, .tbody, .tr, .h1: false
    default: true
    }
  }

  private static func isBox(_ tag: HTMLTag) -> Bool {
    switch tag {
    case .div, .aside, .section, .ul, .ol, .td, .table, .form: true
    default: false
    }
  }

  private static func isFormula(_ element: HTMLElement) -> Bool {
    element.children.contains {
      if case .element(let child) = $0 { child.name == "math" } else { false }
    }
  }

  /// True for classes of text for screen readers and of line numbers.
  private static func isLeftOut(_ value: String, _ tag: HTMLTag) -> Bool {
    var value = value
    let effects = value.withUTF8 { HiddenPart(class: $0) }
    return !effects.isDisjoint(with: [.isHidden, .numbersLines]) && tag != .pre && tag != .code
  }

  // MARK: Class and id

  /// Reads the first and last word of a name, ignoring words for any box: "sidebar",
  /// "post-comments", "c-social-bar". Words between, and names like "content-with-sidebar",
  /// describe layout.
  private static func byName(_ value: String, _ isVague: inout Bool) -> PageRole {
    var role = PageRole.plain
    var (hasText, hasBox) = (false, false)
    HintWords.forEachName(in: value) { words in
      guard !words.contains(where: layout.contains),
        let first = words.first(where: { !anyBox.contains($0) }),
        let last = words.last(where: { !anyBox.contains($0) })
      else { return }
      for word in [first, last] {
        guard let place = hints.table.place(of: word) else { continue }
        // An element named "label-hidden" or "hidden-mobile" is visible.
        if words.count > 1, onlyAlone.contains(word) { continue }
        let found = hints.roles[place]
        if found == .promising, role == .plain || first == last { hasText = true }
        if found == .beside, first == last { hasBox = true }
        if found.rawValue > role.rawValue { role = found }
      }
    }
    isVague = hasText || !hasBox
    return role
  }

  /// True if any word of the names means a box beside the text.
  static func mentionsBox(_ value: String?) -> Bool {
    guard let value, !value.isEmpty else { return false }
    var isFound = false
    HintWords.forEachName(in: value) { words in
      for word in words {
        if let place = hints.table.place(of: word), hints.roles[place] == .beside { isFound = true }
      }
    }
    return isFound
  }

  private static let onlyAlone = NameTable(["hidden", "pagination", "widget", "widgets"])
  private static let anyBox = NameTable([
    "c", "l", "m", "o", "u", "bar", "block", "box", "btn", "button", "buttons", "container",
    "group", "icons", "inner", "item", "items", "link", "links", "list", "module", "outer",
    "panel", "section", "wrap", "wrapper",
  ])
  private static let layout = NameTable([
    "with", "without", "and", "has", "no", "non", "not", "js", "embed",
  ])

  private static let hints: (table: NameTable, roles: [PageRole]) = {
    let groups: [(PageRole, String)] = [
      (.promising, "article body content entry main post story text"),
      (
        .about,
        """
        actions author authors bio byline categories category copyright credit credits date
        dateline dates edit likes meta metadata posted postmetadata postprofile print profile
        publish published stat stats taglist tags time timestamp tools
        """
      ),
      (
        .doubtful,
        """
        ad ads adsbygoogle next prev previous breaking advert advertisement advertising banner cta modal paywall promo
        rating sponsor sponsored subscribe subscription teaser vote widget widgets
        """
      ),
      (
        .beside,
        """
        ambox breadcrumb breadcrumbs catlinks donate donation dropdown flyout latest masthead menu
        nav navbar navbox navigation newsletter notification
        optin outbrain pager pagination popover popular popup recirc recirculation recommended
        related relatedarticles relatedposts rail rollover share sharebar sharedaddy shares sharing sidebar signup
        similar sitenav social taboola teasers ticker toc toolbar tooltip trending
        """
      ),
      (.comments, "comment commentlist comments disqus kommentare replies respond webmentions"),
      (
        .hidden,
        "editsection gutter headerlink hidden lineno linenos noprint offscreen screen skip sr visually"
      ),
      (.notice, "consent cookie cookies gdpr"),
    ]
    var names: [String] = []
    var roles: [PageRole] = []
    for (role, words) in groups {
      for word in words.split(whereSeparator: \.isWhitespace) {
        names.append(String(word))
        roles.append(role)
      }
    }
    return (NameTable(names), roles)
  }()
}
