import FeedModel
import FeedStore
import ReaderUI
import SyncEngine
import TOMLKit

/// A key of the configuration file: its place, its values, its effect.
struct Setting: Sendable {
  var table: String
  var name: String
  var expected: String
  var choices: [String] = []
  var apply: @Sendable (any TOMLValueConvertible, inout Configuration) -> Bool

  func isNamed(_ table: String, _ name: String) -> Bool {
    self.table == table && self.name == name
  }

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
    Setting(
      table: "reader", name: "theme",
      expected: Theme.names.map { "\"\($0)\"" }.joined(separator: ", ") + " or one of [themes]",
      choices: Theme.names
    ) { value, configuration in
      guard let name = value.string, configuration.themeNames.contains(name) else { return false }
      configuration.reader.theme = name
      return true
    },
    .number("reader", "text-width", 20...1000) { $0.reader.textWidth = $1 },
    .toggle("reader", "justify") { $0.reader.isJustified = $1 },
    .toggle("reader", "wrap-code") { $0.reader.wrapsCode = $1 },
    .choice("reader", "links", ["numbers", "quiet"]) { $0.reader.hidesLinkNumbers = $1 == "quiet" },
    .choice("reader", "images", PictureDisplay.allCases.map(\.rawValue)) {
      $0.reader.pictures = PictureDisplay(rawValue: $1) ?? .auto
    },
    .number("reader", "mark-after", 0...3_600) { $0.reader.markAfter = $1 },
    .toggle("reader", "mark-passed") { $0.reader.marksPassed = $1 },
    .number("reader", "wheel-rows", 1...100) { $0.reader.wheelRows = $1 },
    .choice("lists", "order", ReaderConfiguration.articleOrders) { $0.reader.articleOrder = $1 },
    .choice("lists", "rows", ["compact", "roomy"]) { $0.reader.isRoomy = $1 == "roomy" },
    .toggle("lists", "thumbnails") { $0.reader.hasThumbnails = $1 },
    .number("keep", "articles", 0...10_000_000) { $0.retention.articles = $1 },
    .number("keep", "days", 0...36_500) { $0.retention.days = $1 },
    .number("keep", "new-articles", 1...50_000) { $0.maximumNewArticles = $1 },
    .number("keep", "pictures", 0...1_000_000) { $0.pictureLimit = $1 },
    .number("keep", "unread-days", 0...36_500) { $0.retention.unreadDays = $1 },
    .number("keep", "downloads", 0...36_500) { $0.retention.downloadDays = $1 },
    .number(accountsTable, "interval", 1...1_440) { $0.accountInterval = .seconds(60 * $1) },
    .words("open", "browser") { $0.browser = $1 },
    .text("open", "downloads", expected: "an absolute path, or one that begins with ~/") {
      $0.downloads = $1
      return $1.hasPrefix("/") || $1.hasPrefix("~/")
    },
    .text("downloads", "hours", expected: "two times such as \"22:00-07:00\"") {
      $0.downloadLimits.hours = DownloadLimits.Hours($1)
      return $0.downloadLimits.hours != nil
    },
    .number("downloads", "per-day", 0...10_000_000) {
      $0.downloadLimits.perDay = $1 > 0 ? Int64($1) * 1_000_000 : nil
    },
    .number("downloads", "per-month", 0...10_000_000) {
      $0.downloadLimits.perMonth = $1 > 0 ? Int64($1) * 1_000_000 : nil
    },
    .number("downloads", "parallel", 1...16) { $0.downloadLimits.parallel = $1 },
    .text(
      "downloads", "name",
      expected: "a name with "
        + DownloadNameTemplate.Placeholder.allCases.map { "{\($0.rawValue)}" }
        .joined(separator: ", ")
        + " and folders before /"
    ) {
      $0.downloadName = DownloadNameTemplate($1)
      return $0.downloadName != nil
    },
    .words("open", "player") { $0.player = $1 },
    .words("open", "bookmark") { $0.bookmark = $1 },
    .words("notify", "command") { $0.notification = $1 },
    .number("notify", "pause", 0...86_400) { $0.notificationPause = $1 },
    .choice("log", "level", ["off"] + Log.Level.allCases.map(\.name)) { configuration, name in
      configuration.logLevel = Log.Level.allCases.first { $0.name == name }
    },
  ]

  /// Tables of settings, and tables whose keys are commands, keys, programs or addresses.
  static let tables = Set(all.map(\.table))
    .union([keysTable, bindingsTable, programsTable, feedsTable, accountsTable, themesTable])
  static let feedsTable = "feeds"
  static let accountsTable = "accounts"
  static let programsTable = "programs"
  static let keysTable = "keys"
  static let themesTable = "themes"
  static let bindingsTable = "bindings"

  static let toggleForm = "true or false"
  static let programForm = "a list of texts (a program and its arguments)"
  static let outputForm =
    "one of " + ProgramAnswer.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  static let keysForm = "a key or a list of keys, such as [\"j\", \"down\"],"
  static let bindingForm = "a command or a list of commands, such as [\"toggle-star\", \"quit\"],"

  static func names(in table: String) -> [String] {
    all.filter { $0.table == table }.map { "\(table).\($0.name)" }
  }

  /// The values that a key takes; `nil` if it is unknown.
  /// - Parameter path: table, key, and the key inside.
  static func expected(of path: [String]) -> String? {
    guard let table = path.first, path.count > 1 else { return nil }
    switch table {
    case keysTable: return keysForm
    case bindingsTable: return bindingForm
    case programsTable:
      guard path.count > 2 else { return programForm }
      return ["terminal": toggleForm, "output": outputForm][path[2]] ?? programForm
    case feedsTable: return path.count > 2 ? FeedTable.forms[path[2]] : FeedTable.addressForm
    case accountsTable where path.count > 2: return AccountTable.forms[path[2]]
    case accountsTable:
      return all.first { $0.isNamed(table, path[1]) }?.expected ?? FeedTable.addressForm
    case themesTable: return path.count > 2 ? Configuration.themeForm(of: path[2]) : nil
    default: return all.first { $0.table == table && $0.name == path[1] }?.expected
    }
  }

  /// One text or a list of texts.
  static func words(in value: any TOMLValueConvertible) -> [String]? {
    if let text = value.string { return [text] }
    guard let array = value.array else { return nil }
    let texts = array.compactMap(\.string)
    return texts.count == array.count ? texts : nil
  }

  private static func toggle(
    _ table: String, _ name: String, _ set: @escaping @Sendable (inout Configuration, Bool) -> Void
  ) -> Setting {
    Setting(table: table, name: name, expected: toggleForm) { value, configuration in
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
    return Setting(table: table, name: name, expected: expected, choices: choices) {
      value, configuration in
      guard let text = value.string, choices.contains(text) else { return false }
      set(&configuration, text)
      return true
    }
  }

  /// - Parameter set: returns `false` if the text does not fit.
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
      table: table, name: name, expected: programForm
    ) { value, configuration in
      guard let words = words(in: value), let program = words.first, !program.isEmpty else {
        return false
      }
      set(&configuration, words)
      return true
    }
  }
}
