import TOMLKit

/// The table [accounts]: sources of the passwords of remote accounts, and the server's label for
/// articles that are kept for later.
///
///     [accounts."https://rss.example.org/api/greader.php"]
///     password-command = ["pass", "show", "rss.example.org"]
///     later = "Read later"
package struct AccountTable: Sendable, Equatable {
  private static let user = SettingKey.text("accounts.username", expected: "a text") { $0 }
  private static let command = SettingKey.words("accounts.password-command")
  private static let later = SettingKey.text("accounts.later", expected: "a label") {
    $0.allSatisfy(\.isWhitespace) ? nil : $0
  }
  /// The header lines "AppId: …" and "AppKey: …", which Inoreader requires.
  private static let keys = [("app-id", "AppId"), ("app-key", "AppKey")].map { name, header in
    SettingKey.text("accounts.\(name)", expected: Setting.textForm) { text -> String? in
      let line = "\(header): \(text)"
      return FeedOptions.headerLines(line)?.count == 1 ? line : nil
    }
  }
  static let settings =
    ([user.setting, command.setting, later.setting] + keys.map(\.setting)).compactMap(\.self)

  private struct Entry: Equatable {
    var address: String
    var values: SettingValues
  }
  private var entries: [Entry] = []

  package func passwordCommand(url: String, user: String) -> [String]? {
    values(url: url, user: user)?[Self.command]
  }

  func laterTag(url: String, user: String) -> String? { values(url: url, user: user)?[Self.later] }

  private func values(url: String, user: String) -> SettingValues? {
    let address = Self.bare(url)
    let matching = entries.filter {
      $0.address == address && ($0.values[Self.user] ?? user) == user
    }
    return (matching.first { $0.values[Self.user] != nil } ?? matching.first)?.values
  }

  func headers(url: String) -> String? {
    entries.lazy.filter { url == $0.address || url.hasPrefix($0.address + "/") }
      .map { entry in Self.keys.compactMap { entry.values[$0] } }
      .first { !$0.isEmpty }?.joined(separator: "\n")
  }

  /// Adds the table of one account and reports its problems.
  mutating func add(_ entry: inout TableEntry, address: String) {
    var values = entry.values
    func misses(_ setting: Setting?) -> TableProblem {
      TableProblem(key: setting?.name, text: "\(setting?.expected ?? "") expected")
    }
    let missing = Self.keys.filter { values[$0] == nil }
    if missing.count == 1 {
      entry.problems.append(misses(missing[0].setting))
      for key in Self.keys { values[key] = nil }
    }
    if values[Self.later] != nil, address.lowercased().contains("fever") {
      entry.problems.append(TableProblem(key: "later", text: "Fever has no labels"))
    }
    // An account may need only the keys of an application, or a label. Another problem explains why
    // nothing is left.
    guard values[Self.command] != nil || missing.isEmpty || values[Self.later] != nil else {
      if entry.problems.isEmpty { entry.problems.append(misses(Self.command.setting)) }
      return
    }
    entries.append(Entry(address: Self.bare(address), values: values))
  }

  private static func bare(_ url: String) -> String {
    var url = url
    while url.hasSuffix("/") { url.removeLast() }
    return url
  }
}
