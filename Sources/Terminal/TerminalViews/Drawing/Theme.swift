// Screens name no colours: they use roles, to which themes give styles.

/// The meaning of a part of the screen.
public nonisolated enum Role: String, CaseIterable, Sendable {
  case text
  /// Ages, feed names, hints and counts.
  case secondary
  /// Marks, the current list and prompts.
  case accent
  /// The role for titles of unread articles, and of lists with unread articles.
  case unread
  case title
  /// The selected row of the pane with the focus.
  case selection
  /// The other rows of a multiple selection.
  case selected
  case rule
  case star
  case warning
  case error
  case heading, strong, emphasis, link, code, struck
  /// Replaces `heading` for the last three ranks.
  case minorHeading
  /// Bars beside quotations and code.
  case quote, codeBar
  /// A block of code and its parts.
  case codeBlock, comment, string, number, keyword
  case key
  case hit
  case found
  /// Colours that rules give to articles.
  case highlight, highlight2, highlight3, highlight4

  /// Returns the role of a colour of `RuleAction.highlights`.
  package static func highlight(_ color: Int) -> Role? {
    switch color {
    case 1: .highlight
    case 2: .highlight2
    case 3: .highlight3
    case 4: .highlight4
    default: nil
    }
  }
}

/// The style of each role.
public nonisolated struct Theme: Sendable, Equatable {
  /// The brightness of the terminal's background.
  public enum Background: Sendable { case dark, light }

  public var name: String
  private var styles: [Role: Style]

  /// Makes a theme. Missing roles look like text; styles without a colour have the text's.
  public init(name: String, styles: [Role: Style]) {
    self.name = name
    let text = styles[.text] ?? .plain
    self.styles = styles.mapValues { style in
      var style = style
      if style.foreground == .default { style.foreground = text.foreground }
      if style.background == .default { style.background = text.background }
      return style
    }
  }

  init(name: String, looks: KeyValuePairs<Style, [Role]>) {
    let styles = looks.flatMap { look in look.value.map { ($0, look.key) } }
    self.init(name: name, styles: Dictionary(uniqueKeysWithValues: styles))
  }

  /// Returns the style of a role; the style of `text` if the theme has none.
  public func style(_ role: Role) -> Style { styles[role] ?? styles[.text] ?? .plain }

  /// Returns all attributes of the roles, and their last colours that differ from the text's.
  public func style(_ roles: [Role]) -> Style {
    let text = style(.text)
    return roles.reduce(into: text) { result, role in
      let style = style(role)
      result.attributes.formUnion(style.attributes)
      if style.foreground != text.foreground { result.foreground = style.foreground }
      if style.background != text.background { result.background = style.background }
    }
  }

  /// The same colours on the terminal's own background, for a terminal of the same brightness.
  var onOwnGround: Theme {
    let ground = style(.text).background
    var theme = self
    for (role, style) in styles where style.background == ground {
      theme.styles[role]?.background = .default
    }
    return theme
  }

  /// Name of the theme that depends on the terminal's background.
  public static let auto = "auto"
  public static let names = [auto] + all.map(\.name)
  public static let all: [Theme] = [
    .terminal, .dark, .light, .warm, .contrast, .mono, .gruvbox, .gruvboxLight, .nord, .catppuccin,
    .catppuccinLatte, .solarized, .solarizedLight,
  ]

  /// Returns the theme of that name for a terminal of this many colours. A terminal without colours
  /// has one theme; themes for sixteen colours use the user's own palette.
  public static func named(
    _ name: String, depth: ColorDepth, background: Background?, own: [Theme] = []
  ) -> Theme {
    guard depth > .mono else { return .mono }
    let chosen = (all + own).first { $0.name == name }
    guard depth > .ansi16 else { return chosen.map(\.inSixteen) ?? .terminal }
    if let chosen { return chosen == .terminal ? .tintedTerminal : chosen }
    switch background {
    case .dark: return Theme.dark.onOwnGround
    case .light: return Theme.light.onOwnGround
    case nil: return .tintedTerminal
    }
  }

  private var inSixteen: Theme {
    switch self {
    case .mono: return .mono
    case .contrast: return .contrastInSixteen
    case .warm: return .warmInSixteen
    default: return .terminal
    }
  }
}
