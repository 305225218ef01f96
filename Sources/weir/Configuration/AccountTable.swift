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

  /// Takes the table of one account in. Returns sentences about what has no effect.
  mutating func read(_ value: any TOMLValueConvertible, address: String) -> [String] {
    let place = "accounts.\"\(SafeText.withoutSecrets(address))\""
    guard WebAddress(address).isHTTP else {
      return ["\(place) must be an address that begins with https:// or http://"]
    }
    guard let table = value.table else { return ["\(place) must be a table: [\(place)]"] }
    var problems: [String] = []
    for key in table.keys.sorted() where key != "username" && key != "password-command" {
      problems.append("\(place).\(key) is not known here")
    }
    let user = table["username"].map { $0.string }
    if case .some(nil) = user { problems.append("\(place).username must be a text") }
    let words = table["password-command"].flatMap { Setting.words(in: $0) }
    guard let words, words.first?.isEmpty == false else {
      return problems + [
        "\(place).password-command must be a list of texts: a program and its arguments"
      ]
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
