// How things look: roles of meaning and the styles that a theme gives them. No screen names a colour.

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
  /// Lines between panes.
  case rule
  case star
  case warning
  case error
  // In the article.
  case heading, strong, emphasis, link, code, quote, struck
  /// The hit of a filter.
  case hit
}

/// A style for each role.
public nonisolated struct Theme: Sendable, Equatable {
  /// As the configuration names it.
  public var name: String
  private var styles: [Role: Style]

  /// Roles that are not given look like text.
  public init(name: String, styles: [Role: Style]) {
    self.name = name
    self.styles = styles
  }

  /// How a role looks.
  public func style(_ role: Role) -> Style { styles[role] ?? styles[.text] ?? .plain }

  /// Several roles at once: all attributes, the last colour that is given.
  func style(_ roles: [Role]) -> Style {
    roles.reduce(into: Style.plain) { result, role in
      let style = style(role)
      result.attributes.formUnion(style.attributes)
      if style.foreground != .default { result.foreground = style.foreground }
      if style.background != .default { result.background = style.background }
    }
  }

  /// Looks right on light and on dark ground: the terminal's own colours, one accent.
  public static let standard = Theme(
    name: "default",
    styles: [
      .secondary: Style(attributes: .dim),
      .accent: Style(foreground: .palette(6)),
      .unread: Style(attributes: .bold),
      .title: Style(attributes: .bold),
      .selection: Style(attributes: .reverse),
      .rule: Style(attributes: .dim),
      .star: Style(foreground: .palette(3)),
      .warning: Style(foreground: .palette(3)),
      .error: Style(foreground: .palette(1)),
      .heading: Style(attributes: .bold),
      .strong: Style(attributes: .bold),
      .emphasis: Style(attributes: .italic),
      .link: Style(foreground: .palette(6), attributes: .underline),
      .code: Style(foreground: .palette(6)),
      .quote: Style(attributes: .dim),
      .hit: Style(attributes: .underline),
      .struck: Style(attributes: .strikethrough),
    ])

  /// Bold, dim, underline and reverse only.
  public static let mono = Theme(
    name: "mono",
    styles: [
      .secondary: Style(attributes: .dim),
      .unread: Style(attributes: .bold),
      .accent: Style(attributes: .bold),
      .title: Style(attributes: .bold),
      .selection: Style(attributes: .reverse),
      .rule: Style(attributes: .dim),
      .error: Style(attributes: .bold),
      .heading: Style(attributes: .bold),
      .strong: Style(attributes: .bold),
      .emphasis: Style(attributes: .underline),
      .link: Style(attributes: .underline),
      .quote: Style(attributes: .dim),
      .hit: Style(attributes: .underline),
      .struck: Style(attributes: .strikethrough),
    ])

  /// The themes that can be chosen by name.
  public static let all: [Theme] = [.standard, .mono]

  /// The theme of that name where the terminal has colours for it; else the one without.
  static func named(_ name: String, depth: ColorDepth) -> Theme {
    depth == .mono ? .mono : all.first { $0.name == name } ?? .standard
  }
}
