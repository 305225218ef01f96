import FeedModel
import TOMLKit

/// How the configuration says a remote account's password is to be had:
///
///     [accounts."https://rss.example.org/api/greader.php"]
///     password-command = ["pass", "show", "rss.example.org"]
struct AccountTable: Sendable, Equatable {
  private struct Entry: Sendable, Equatable {
    var address: String
    /// Nil: of every user there.
    var user: String?
    var command: [String]
  }
  private var entries: [Entry] = []

  /// The program that knows an account's password, and its arguments; nil: none is set.
  func passwordCommand(url: String, user: String) -> [String]? {
    let address = Self.bare(url)
    let matching = entries.filter {
      $0.address == address && ($0.user == nil || $0.user == user)
    }
    return (matching.first { $0.user != nil } ?? matching.first)?.command
  }

  /// What each key takes.
  static let forms = ["username": "a text", "password-command": Setting.programForm]

  /// Takes the table of one account in. Returns what has no effect.
  mutating func read(_ value: any TOMLValueConvertible, address: String) -> [TableProblem] {
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
    guard let words, words.first?.isEmpty == false else {
      misses("password-command")
      return problems
    }
    entries.append(Entry(address: Self.bare(address), user: user ?? nil, command: words))
    return problems
  }

  private static func bare(_ url: String) -> String {
    var url = url
    while url.hasSuffix("/") { url.removeLast() }
    return url
  }
}
