import TOMLKit
import TerminalViews

/// The table [themes]: colours by role, based on another theme.
///
///     [themes.dusk]
///     base = "dark"
///     accent = "#e3a45c"
///     title = "bold #ffffff"
enum ThemeTable {
  private static let base = SettingKey.text(
    "themes.base", expected: "one of \(Theme.all.map(\.name).joined(separator: ", "))"
  ) { name in Theme.all.first { $0.name == name } }
  private static let styles = Role.allCases.map { role in
    SettingKey.text(
      "themes.\(role.rawValue)", expected: "a style such as \"bold #f4f6f8 on #14171c\""
    ) { StyleText.style(from: $0) }
  }
  static let settings = ([base.setting] + styles.map(\.setting)).compactMap(\.self)

  static func theme(_ name: String, _ values: SettingValues) -> Theme {
    let changes = zip(Role.allCases, styles).compactMap { role, key in
      values[key].map { (role, $0) }
    }
    return Theme(
      name: name, base: values[base] ?? .terminal,
      changes: Dictionary(uniqueKeysWithValues: changes))
  }
}
