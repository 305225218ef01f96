import FeedParsing

extension NewsboatTranslation {
  /// Translates `color PART FOREGROUND BACKGROUND [ATTRIBUTE …]`.
  mutating func color(_ statement: NewsboatConfig.Statement) {
    let words = statement.words.map { $0.lowercased() }
    guard words.count >= 3, let roles = NewsboatTables.roles[words[0]] else {
      return refuse(statement, "Weir has no such part of the screen")
    }
    guard let foreground = Self.color(words[1]), let background = Self.color(words[2]) else {
      return refuse(statement, "unknown colour")
    }
    guard !roles.isEmpty else {
      return refuse(statement, "this part has the colours of the text around it")
    }
    let attributes = words.dropFirst(3).compactMap { NewsboatTables.attributes[$0] }
    var style = attributes
    if !foreground.isEmpty { style.append(foreground) }
    if !background.isEmpty { style += ["on", background] }
    // Default colours without attributes are those of the theme.
    guard !style.isEmpty else { return accept(statement, "the terminal\u{2019}s own colours") }
    for role in roles {
      colors.removeAll { $0.role == role }
      colors.append((role, style.joined(separator: " ")))
    }
    accept(
      statement, "[themes.newsboat] \(roles.map(\.rawValue).joined(separator: ", "))",
      isRenamed: true)
  }

  /// Returns a number of the terminal's palette; empty for the default colour; `nil` otherwise.
  private static func color(_ name: String) -> String? {
    if name == "default" { return "" }
    if let number = NewsboatTables.colors[name] { return String(number) }
    guard name.hasPrefix("color"), let number = Int(name.dropFirst(5)), (0...255).contains(number)
    else { return nil }
    return String(number)
  }

  mutating func setTheme() {
    guard !colors.isEmpty else { return }
    proposal.set("themes.newsboat", "base", ConfigurationProposal.quoted("terminal"))
    for (role, style) in colors {
      proposal.set("themes.newsboat", role.rawValue, ConfigurationProposal.quoted(style))
    }
    proposal.set("reader", "theme", ConfigurationProposal.quoted("newsboat"))
  }

  mutating func nameLostCommands(_ commands: [(name: String, keys: [String])]) {
    let taken = proposal.tables["bindings"] ?? [:]
    let bound = taken.values.map(\.value).joined()
    for command in commands
    where !command.keys.isEmpty && command.keys.allSatisfy(taken.keys.contains)
      && !bound.contains("\"\(command.name)\"")
    {
      proposal.lost.append(
        .init(line: command.name, result: "had the keys " + command.keys.joined(separator: ", ")))
    }
  }
}
