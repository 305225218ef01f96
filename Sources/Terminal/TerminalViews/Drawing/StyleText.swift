/// Styles as users write them: "bold #f4f6f8 on #14171c", "underline 6", "default".
public nonisolated enum StyleText {
  private static let attributes: [(name: String, attribute: Style.Attributes)] = [
    ("bold", .bold), ("dim", .dim), ("italic", .italic), ("underline", .underline),
    ("reverse", .reverse), ("strikethrough", .strikethrough),
  ]

  public static func style(from text: String) -> Style? {
    var style = Style.plain
    var (isGround, hasColor, hasGround) = (false, false, false)
    for word in text.split(separator: " ") {
      if let known = attributes.first(where: { $0.name == word }), !isGround {
        style.attributes.insert(known.attribute)
      } else if word == "on", !isGround {
        isGround = true
      } else if let color = color(word), isGround, !hasGround {
        style.background = color
        hasGround = true
      } else if let color = color(word), !isGround, !hasColor {
        style.foreground = color
        hasColor = true
      } else {
        return nil
      }
    }
    return isGround && !hasGround ? nil : style
  }

  private static func color(_ word: Substring) -> Color? {
    if word == "default" { return .default }
    if let index = UInt8(word) { return .palette(index) }
    guard word.hasPrefix("#"), word.count == 7, let value = UInt32(word.dropFirst(), radix: 16)
    else { return nil }
    return .rgb(
      UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 8),
      UInt8(truncatingIfNeeded: value))
  }

  /// Returns the text of a style, which `style(from:)` parses: "bold #f4f6f8 on #14171c".
  public static func text(of style: Style) -> String {
    var words = attributes.filter { style.attributes.contains($0.attribute) }.map(\.name)
    if style.foreground != .default || style == .plain { words.append("\(style.foreground)") }
    if style.background != .default { words += ["on", "\(style.background)"] }
    return words.joined(separator: " ")
  }
}

nonisolated extension Theme {
  /// Makes a variant of a theme with some roles changed. If the text changes, roles with its old
  /// colour or background get the new one.
  public init(name: String, base: Theme, changes: [Role: Style]) {
    let (old, new) = (base.style(.text), changes[.text])
    var styles: [Role: Style] = [:]
    for role in Role.allCases {
      var style = base.style(role)
      if let new {
        if style.background == old.background { style.background = new.background }
        if style.foreground == old.foreground { style.foreground = new.foreground }
      }
      styles[role] = style
    }
    let derived = changes[.text].map { Self.derived(from: $0, accent: changes[.accent]) } ?? [:]
    self.init(
      name: name, styles: styles.merging(derived) { $1 }.merging(changes) { $1 })
  }

  /// Returns roles derived from the colours of text and accent; empty if these are not RGB.
  private static func derived(from text: Style, accent: Style?) -> [Role: Style] {
    let (ink, ground) = (text.foreground, text.background)
    func mixed(_ color: Color, _ share: Double) -> Color? { color.mixed(with: ground, share) }
    guard let grey = mixed(ink, 0.7), let rule = mixed(ink, 0.25), let mark = mixed(ink, 0.07),
      let bar = mixed(accent?.foreground ?? ink, 0.25) ?? mixed(ink, 0.2)
    else { return [:] }
    var styles: [Role: Style] = [
      .rule: Style(foreground: rule), .selection: Style(foreground: ink, background: bar),
      .selected: Style(background: mark),
    ]
    for role in [Role.secondary, .codeBar, .comment] { styles[role] = Style(foreground: grey) }
    for role in [Role.title, .heading, .strong] {
      styles[role] = Style(foreground: ink, attributes: .bold)
    }
    styles[.minorHeading] = Style(foreground: ink, attributes: .italic)
    styles[.key] = Style(foreground: ink, background: mark, attributes: .bold)
    guard let accent = accent?.foreground else { return styles }
    styles[.link] = Style(foreground: accent, attributes: .underline)
    styles[.quote] = Style(foreground: accent)
    return styles
  }

  public var configurationText: String {
    let text = style(.text)
    let lines = Role.allCases.map { role in
      var style = style(role)
      // Roles that look like the text are omitted.
      if role != .text {
        if style.foreground == text.foreground { style.foreground = .default }
        if style.background == text.background { style.background = .default }
      }
      return "\(role.rawValue) = \"\(StyleText.text(of: style))\"\n"
    }
    return "[themes.my-\(name)]\nbase = \"\(name)\"\n" + lines.joined()
  }
}

extension Color {
  /// Returns a mixture of a share of this colour and another colour; `nil` unless both are RGB.
  nonisolated fileprivate func mixed(with other: Color, _ share: Double) -> Color? {
    guard case .rgb(let r, let g, let b) = self, case .rgb(let r2, let g2, let b2) = other else {
      return nil
    }
    func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
      UInt8((Double(a) * share + Double(b) * (1 - share)).rounded())
    }
    return .rgb(mix(r, r2), mix(g, g2), mix(b, b2))
  }
}
