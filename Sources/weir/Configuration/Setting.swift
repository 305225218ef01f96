import FeedStore
import ReaderUI
import TOMLKit

/// One key of the configuration file: where it stands, what it takes, what it sets.
struct Setting: Sendable {
  var table: String
  var name: String
  /// The end of "reader.text-width must be …".
  var expected: String
  /// False where the value is of another kind.
  var apply: @Sendable (any TOMLValueConvertible, inout Configuration) -> Bool

  static let all: [Setting] = [
    .toggle("sync", "automatic") { $0.sync.isAutomatic = $1 },
    .number("sync", "per-host", 1...16) { $0.sync.perHost = $1 },
    .number("sync", "connections", 1...128) { $0.sync.connections = $1 },
    .number("sync", "largest-feed", 1...1024) { $0.sync.largestFeed = $1 },
    .number("sync", "connect-timeout", 1...600) { $0.sync.connectTimeout = $1 },
    .number("sync", "silence-timeout", 1...600) { $0.sync.silenceTimeout = $1 },
    .text("sync", "proxy", expected: FeedTable.proxyForm) {
      FeedTable.readProxy($1, hasExceptions: true, into: &$0.sync.requests)
    },
    .text("sync", "user-agent", expected: FeedTable.textForm) {
      FeedTable.readUserAgent($1, into: &$0.sync.requests)
    },
    .choice("reader", "theme", Theme.names) { $0.reader.theme = $1 },
    .number("reader", "text-width", 20...1000) { $0.reader.textWidth = $1 },
    .toggle("reader", "justify") { $0.reader.isJustified = $1 },
    .number("reader", "wheel-rows", 1...100) { $0.reader.wheelRows = $1 },
    .number("keep", "articles", 0...10_000_000) { $0.retention.articles = $1 },
    .number("keep", "days", 0...36_500) { $0.retention.days = $1 },
    .number("keep", "new-articles", 1...50_000) { $0.maximumNewArticles = $1 },
    .number("keep", "unread-days", 0...36_500) { $0.retention.unreadDays = $1 },
    .words("open", "browser") { $0.browser = $1 },
    .text("open", "downloads", expected: "an absolute path, or one that begins with ~/") {
      $0.downloads = $1
      return $1.hasPrefix("/") || $1.hasPrefix("~/")
    },
    .words("open", "bookmark") { $0.bookmark = $1 },
    .words("notify", "command") { $0.notification = $1 },
    .number("notify", "pause", 0...86_400) { $0.notificationPause = $1 },
    .choice("log", "level", ["off"] + Log.Level.allCases.map(\.name)) { configuration, name in
      configuration.logLevel = Log.Level.allCases.first { $0.name == name }
    },
  ]

  /// The tables that hold settings; `keys`, whose names are the reader's commands; `bindings`, whose
  /// names are keys; `programs`, whose names are the user's; `feeds` and `accounts`, whose names are
  /// addresses.
  static let tables = Set(all.map(\.table))
    .union([keysTable, bindingsTable, programsTable, feedsTable, accountsTable])
  static let feedsTable = "feeds"
  static let accountsTable = "accounts"
  static let programsTable = "programs"
  static let keysTable = "keys"
  static let bindingsTable = "bindings"

  /// A program's words or a command's keys: one text, or a list of them.
  static func words(in value: any TOMLValueConvertible) -> [String]? {
    if let text = value.string { return [text] }
    guard let array = value.array else { return nil }
    let texts = array.compactMap(\.string)
    return texts.count == array.count ? texts : nil
  }

  // MARK: Kinds

  private static func toggle(
    _ table: String, _ name: String, _ set: @escaping @Sendable (inout Configuration, Bool) -> Void
  ) -> Setting {
    Setting(table: table, name: name, expected: "true or false") { value, configuration in
      guard let flag = value.bool else { return false }
      set(&configuration, flag)
      return true
    }
  }

  private static func number(
    _ table: String, _ name: String, _ range: ClosedRange<Int>,
    _ set: @escaping @Sendable (inout Configuration, Int) -> Void
  ) -> Setting {
    Setting(
      table: table, name: name,
      expected: "a whole number from \(range.lowerBound) to \(range.upperBound)"
    ) { value, configuration in
      guard let number = value.int, range.contains(number) else { return false }
      set(&configuration, number)
      return true
    }
  }

  private static func choice(
    _ table: String, _ name: String, _ choices: [String],
    _ set: @escaping @Sendable (inout Configuration, String) -> Void
  ) -> Setting {
    let quoted = choices.map { "\"\($0)\"" }
    let expected = quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "")
    return Setting(table: table, name: name, expected: expected) { value, configuration in
      guard let text = value.string, choices.contains(text) else { return false }
      set(&configuration, text)
      return true
    }
  }

  /// - Parameter set: false where the text does not fit.
  private static func text(
    _ table: String, _ name: String, expected: String,
    _ set: @escaping @Sendable (inout Configuration, String) -> Bool
  ) -> Setting {
    Setting(table: table, name: name, expected: expected) { value, configuration in
      guard let text = value.string else { return false }
      return set(&configuration, text)
    }
  }

  private static func words(
    _ table: String, _ name: String,
    _ set: @escaping @Sendable (inout Configuration, [String]) -> Void
  ) -> Setting {
    Setting(
      table: table, name: name, expected: "a list of texts: a program and its arguments"
    ) { value, configuration in
      guard let words = words(in: value), let program = words.first, !program.isEmpty else {
        return false
      }
      set(&configuration, words)
      return true
    }
  }
}
