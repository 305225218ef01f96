import Foundation

extension Setting {
  package static let all =
    EngineSettings.settings + ScreenSettings.settings + Settings.settings

  /// The file of the defaults: the template in which each `#{TABLE}` is replaced by the settings of
  /// the table.
  package static let defaultFile: String = {
    let lines = String(decoding: PackageResources.config_toml, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    return lines.flatMap { line in
      line.hasPrefix("#{") ? Self.lines(of: String(line.dropFirst(2).dropLast())) : [String(line)]
    }.joined(separator: "\n")
  }()

  private static func lines(of table: String) -> [String] {
    let isExpert = table == expertTable
    return all.filter { $0.isExpert == isExpert && (isExpert || $0.table == table) }
      .flatMap { setting in
        setting.comment.split(separator: "\n").map { "# \($0)" }
          + ["#\(isExpert ? setting.path : setting.name) = \(setting.example)"]
      }
  }

  /// Tables of settings, and tables whose keys are commands, keys, programs, addresses or themes.
  package static let tables = Set(all.map(\.table))
    .union([
      keysTable, bindingsTable, programsTable, feedsTable, accountsTable, themesTable,
      expertTable,
    ])
  /// Repeats other tables: `sync.per-host` in [expert] is `per-host` in [sync].
  static let expertTable = "expert"
  static let feedsTable = "feeds"
  static let accountsTable = "accounts"
  static let programsTable = "programs"
  static let keysTable = "keys"
  static let themesTable = "themes"
  static let bindingsTable = "bindings"

  static let entries = [
    feedsTable: FeedTable.settings, accountsTable: AccountTable.settings,
    themesTable: ThemeTable.settings,
  ]

  static let addressForm = "an address that begins with https:// or http://"
  static let outputForm =
    "one of " + ProgramAnswer.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  package static let keysForm = "a key or a list of keys, such as [\"j\", \"down\"],"
  package static let bindingForm =
    "a command or a list of commands, such as [\"toggle-star\", \"quit\"],"

  package static func names(in table: String) -> [String] {
    all.filter { $0.table == table }.map { "\(table).\($0.name)" }
  }

  /// Returns a description of the values of a key; `nil` if the key is unknown.
  /// - Parameter path: the table, the key, and the key inside.
  package static func expected(of path: [String]) -> String? {
    guard let table = path.first, path.count > 1 else { return nil }
    switch table {
    case expertTable: return expected(of: Array(path.dropFirst()))
    case keysTable: return keysForm
    case bindingsTable: return bindingForm
    case programsTable:
      guard path.count > 2 else { return programForm }
      return ["terminal": toggleForm, "output": outputForm][path[2]] ?? programForm
    case feedsTable, accountsTable, themesTable:
      guard path.count == 2 else { return entries[table]?.first { $0.name == path[2] }?.expected }
      let setting = all.first { $0.isNamed(table, path[1]) }
      return setting?.expected ?? (table == themesTable ? nil : addressForm)
    default: return all.first { $0.isNamed(table, path[1]) }?.expected
    }
  }
}
