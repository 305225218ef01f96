import TOMLKit
import TerminalViews

/// The table [themes]: colours by role, based on another theme.
///
///     [themes.dusk]
///     base = "dark"
///     accent = "#e3a45c"
///     title = "bold #ffffff"
extension UserConfiguration {
  private static let styleForm = "a style such as \"bold #f4f6f8 on #14171c\""
  private static let baseForm = "one of \(Theme.all.map(\.name).joined(separator: ", "))"

  static func themeForm(of key: String) -> String? {
    key == "base" ? baseForm : Role(rawValue: key).map { _ in styleForm }
  }

  /// Reads a theme and returns its problems.
  mutating func readTheme(_ value: any TOMLValueConvertible, name: String) -> [TableProblem] {
    guard let table = value.table else { return [TableProblem(text: "a table expected")] }
    guard !Theme.names.contains(name) else {
      return [TableProblem(text: "Weir has a theme of this name; choose another")]
    }
    var problems: [TableProblem] = []
    var base = Theme.terminal
    var changes: [Role: Style] = [:]
    for key in table.keys.sorted() {
      guard let value = table[key] else { continue }
      if key == "base" {
        if let found = Theme.all.first(where: { $0.name == value.string }) {
          base = found
        } else {
          problems.append(TableProblem(key: key, text: "\(Self.baseForm) expected"))
        }
      } else if let role = Role(rawValue: key) {
        if let style = value.string.flatMap(StyleText.style(from:)) {
          changes[role] = style
        } else {
          problems.append(TableProblem(key: key, text: "\(Self.styleForm) expected"))
        }
      } else {
        problems.append(
          TableProblem(
            key: key, text: "unknown role",
            near: Suggestion.nearest(to: key, among: Role.allCases.map(\.rawValue))))
      }
    }
    themes.append(Theme(name: name, base: base, changes: changes))
    return problems
  }
}
