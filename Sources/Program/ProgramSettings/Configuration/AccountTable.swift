package import TOMLKit

/// The table [accounts]: sources of the passwords of remote accounts, and the server's label for
/// articles that are kept for later.
///
///     [accounts."https://rss.example.org/api/greader.php"]
///     password-command = ["pass", "show", "rss.example.org"]
///     later = "Read later"
package struct AccountTable: Sendable, Equatable {
  private struct Entry: Sendable, Equatable {
    var address: String
    var user: String?
    var command: [String]
    /// The header lines "AppId: …" and "AppKey: …", which Inoreader requires.
    var headers: String?
    var later: String?
  }
  private var entries: [Entry] = []

  /// Returns the program that prints the password, and its arguments.
  package func passwordCommand(url: String, user: String) -> [String]? {
    let command = entry(url: url, user: user)?.command
    return command?.isEmpty == true ? nil : command
  }

  /// Returns the label of articles that are kept for later.
  package func laterTag(url: String, user: String) -> String? {
    entry(url: url, user: user)?.later
  }

  private func entry(url: String, user: String) -> Entry? {
    let address = Self.bare(url)
    let matching = entries.filter {
      $0.address == address && ($0.user == nil || $0.user == user)
    }
    return matching.first { $0.user != nil } ?? matching.first
  }

  /// Returns header lines for the requests of the account at an address.
  package func headers(url: String) -> String? {
    entries.first { entry in
      entry.headers != nil && (url == entry.address || url.hasPrefix(entry.address + "/"))
    }?.headers
  }

  package static let forms = [
    "username": "a text", "password-command": Setting.programForm, "app-id": FeedTable.textForm,
    "app-key": FeedTable.textForm, "later": "a label",
  ]

  /// Reads the table of one account and returns its problems.
  package mutating func read(_ value: any TOMLValueConvertible, address: String) -> [TableProblem] {
    guard WebAddress(address).isHTTP else {
      return [TableProblem(text: "\(FeedTable.addressForm) expected")]
    }
    guard let table = value.table else { return [TableProblem(text: "a table expected")] }
    var problems = table.keys.sorted().compactMap { TableProblem(unknown: $0, among: Self.forms) }
    func misses(_ key: String) {
      problems.append(TableProblem(key: key, text: "\(Self.forms[key] ?? "") expected"))
    }
    let user = table["username"].map { $0.string }
    if case .some(nil) = user { misses("username") }
    let words = table["password-command"].flatMap { Setting.words(in: $0) }
    let keys = readKeys(table, misses)
    let later = table["later"]?.string.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    if table["later"] != nil, later == nil { misses("later") }
    if later != nil, address.lowercased().contains("fever") {
      problems.append(TableProblem(key: "later", text: "Fever has no labels"))
    }
    // An account may need only the keys of an application, or a label.
    let isPassword = words?.first?.isEmpty == false
    guard isPassword || (keys != nil || later != nil) && table["password-command"] == nil else {
      misses("password-command")
      return problems
    }
    entries.append(
      Entry(
        address: Self.bare(address), user: user ?? nil, command: isPassword ? words ?? [] : [],
        headers: keys, later: later))
    return problems
  }

  /// Returns both keys as header lines; `nil` unless both are set.
  private func readKeys(_ table: TOMLTable, _ misses: (String) -> Void) -> String? {
    var lines: [String] = []
    for (key, header) in [("app-id", "AppId"), ("app-key", "AppKey")] {
      guard let value = table[key] else { continue }
      guard let text = value.string, FeedOptions.headerLines("\(header): \(text)")?.count == 1
      else {
        misses(key)
        return nil
      }
      lines.append("\(header): \(text)")
    }
    guard lines.count != 1 else {
      misses(table["app-id"] == nil ? "app-id" : "app-key")
      return nil
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  private static func bare(_ url: String) -> String {
    var url = url
    while url.hasSuffix("/") { url.removeLast() }
    return url
  }
}
