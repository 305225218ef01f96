// How things look: roles of meaning and the styles that a theme gives them. No screen names a
// colour.

public import TerminalKit

/// What a piece of the screen means.
public nonisolated enum Role: String, CaseIterable, Sendable {
  /// Ordinary text.
  case text
  /// Ages, feed names, hints, counts.
  case secondary
  /// The one accent: marks, the current list, what invites.
  case accent
  /// The title of an unread article, a list with something unread.
  case unread
  /// The title of the window and of lists.
  case title
  /// The selected row of the pane that has the focus.
  case selection
  /// The other rows of a selection of several.
  case selected
  /// Lines between panes.
  case rule
  case star
  case warning
  case error
  // In the article.
  case heading, strong, emphasis, link, code, struck
  /// What headings of the first two ranks, and those of the last three, have besides.
  case majorHeading, minorHeading
  /// The bars beside quotations and code.
  case quote, codeBar
  /// A block of code, and its parts.
  case codeBlock, comment, string, number, keyword
  /// A key of the keyboard.
  case key
  /// The hit of a filter.
  case hit
  /// What was looked for in an article.
  case found
  /// What rules highlight, in four colours.
  case highlight, highlight2, highlight3, highlight4

  /// The role of a colour of `RuleAction.highlights`; nil: none.
  static func highlight(_ color: Int) -> Role? {
    switch color {
    case 1: .highlight
    case 2: .highlight2
    case 3: .highlight3
    case 4: .highlight4
    default: nil
    }
  }
}

/// A style for each role.
public nonisolated struct Theme: Sendable, Equatable {
  /// What is written on.
  public enum Ground: Sendable { case dark, light }

  /// As the configuration names it.
  public var name: String
  private var styles: [Role: Style]

  /// Roles that are not given look like text; styles without a colour have the text's.
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

  /// How a role looks.
  public func style(_ role: Role) -> Style { styles[role] ?? styles[.text] ?? .plain }

  /// Several roles at once: all attributes, the last colour that is not the text's.
  func style(_ roles: [Role]) -> Style {
    let text = style(.text)
    return roles.reduce(into: text) { result, role in
      let style = style(role)
      result.attributes.formUnion(style.attributes)
      if style.foreground != text.foreground { result.foreground = style.foreground }
      if style.background != text.background { result.background = style.background }
    }
  }

  /// The same colours on the terminal's own ground, which is known to be of the kind they are for.
  var onOwnGround: Theme {
    let ground = style(.text).background
    var theme = self
    for (role, style) in styles where style.background == ground {
      theme.styles[role]?.background = .default
    }
    return theme
  }

  /// Chooses by what the terminal is known to write on.
  public static let auto = "auto"
  /// What the configuration and the palette can name.
  public static let names = [auto] + all.map(\.name)
  /// Every theme.
  public static let all: [Theme] = [
    .terminal, .dark, .light, .warm, .contrast, .mono, .gruvbox, .gruvboxLight, .nord, .catppuccin,
    .catppuccinLatte, .solarized, .solarizedLight,
  ]

  /// The theme of that name as a terminal of this many colours shows it. Where it shows none, there
  /// is one theme; where it shows sixteen, those are the person's own and go before a theme's.
  static func named(
    _ name: String, depth: ColorDepth, ground: Ground?, own: [Theme] = []
  ) -> Theme {
    guard depth > .mono else { return .mono }
    let chosen = (all + own).first { $0.name == name }
    guard depth > .ansi16 else { return chosen.map(\.inSixteen) ?? .terminal }
    if let chosen { return chosen == .terminal ? .tintedTerminal : chosen }
    switch ground {
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
