import Foundation
package import TOMLKit
import TerminalViews

/// A key of the configuration file: its place, its values, its effect.
package struct Setting: Sendable {
  package var table: String
  package var name: String
  /// The description of valid values, to which messages add "expected".
  package var expected: String
  /// The valid values; empty if other values are allowed.
  package var choices: [String]
  /// The lines before the setting in the printed defaults.
  package var comment: String
  package var example: String
  /// Applies a value. Returns `false` if the value is invalid.
  package var apply: @Sendable (any TOMLValueConvertible, inout UserConfiguration) -> Bool
  package var differs: @Sendable (UserConfiguration, UserConfiguration) -> Bool

  package var path: String { "\(table).\(name)" }

  package func isNamed(_ table: String, _ name: String) -> Bool {
    self.table == table && self.name == name
  }

  package static let all = Mirror(reflecting: Settings.all).children.compactMap { child in
    (child.value as? any AnySettingKey)?.setting
  }

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
    all.filter { $0.table == table }.flatMap { setting in
      setting.comment.split(separator: "\n").map { "# \($0)" }
        + ["#\(setting.name) = \(setting.example)"]
    }
  }

  /// Tables of settings, and tables whose keys are commands, keys, programs, addresses or
  /// themes.
  package static let tables = Set(all.map(\.table))
    .union([
      keysTable, bindingsTable, programsTable, feedsTable, accountsTable, themesTable,
    ])
  static let feedsTable = "feeds"
  static let accountsTable = "accounts"
  static let programsTable = "programs"
  static let keysTable = "keys"
  static let themesTable = "themes"
  static let bindingsTable = "bindings"

  static let toggleForm = "true or false"
  package static let programForm = "a list of texts (a program and its arguments)"
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
    case keysTable: return keysForm
    case bindingsTable: return bindingForm
    case programsTable:
      guard path.count > 2 else { return programForm }
      return ["terminal": toggleForm, "output": outputForm][path[2]] ?? programForm
    case feedsTable: return path.count > 2 ? FeedTable.forms[path[2]] : FeedTable.addressForm
    case accountsTable where path.count > 2: return AccountTable.forms[path[2]]
    case accountsTable:
      return all.first { $0.isNamed(table, path[1]) }?.expected ?? FeedTable.addressForm
    case themesTable: return path.count > 2 ? UserConfiguration.themeForm(of: path[2]) : nil
    default: return all.first { $0.table == table && $0.name == path[1] }?.expected
    }
  }

  /// Returns a text or a list of texts as a list; `nil` for other values.
  package static func words(in value: any TOMLValueConvertible) -> [String]? {
    if let text = value.string { return [text] }
    guard let array = value.array else { return nil }
    let texts = array.compactMap(\.string)
    return texts.count == array.count ? texts : nil
  }
}

/// A setting with the type of its value.
package struct SettingKey<Value: Sendable & Equatable>: Sendable {
  package var setting: Setting
  package let usual: Value

  /// - Parameters:
  ///   - path: "table.name".
  ///   - read: returns `nil` if the value is invalid.
  package init(
    _ path: String, expected: String, choices: [String] = [], usual: Value, example: String,
    _ comment: String,
    read: @escaping @Sendable (any TOMLValueConvertible, UserConfiguration) -> Value?
  ) {
    let parts = path.split(separator: ".").map(String.init)
    self.usual = usual
    setting = Setting(
      table: parts[0], name: parts[1], expected: expected, choices: choices, comment: comment,
      example: example,
      apply: { value, configuration in
        guard let found = read(value, configuration) else { return false }
        configuration.values[path] = found
        return true
      },
      differs: { ($0.values[path] as? Value ?? usual) != ($1.values[path] as? Value ?? usual) })
  }
}

/// A setting with a value of any type.
protocol AnySettingKey {
  var setting: Setting { get }
}

extension SettingKey: AnySettingKey {}

/// Returns a range of numbers for messages.
private func form(_ range: ClosedRange<Int>) -> String {
  "a whole number from \(range.lowerBound) to \(range.upperBound)"
}

extension SettingKey<Bool> {
  package static func toggle(_ path: String, _ usual: Bool, _ comment: String) -> Self {
    SettingKey(
      path, expected: Setting.toggleForm, usual: usual, example: "\(usual)", comment
    ) { value, _ in value.bool }
  }
}

extension SettingKey<Int> {
  package static func number(
    _ path: String, _ range: ClosedRange<Int>, _ usual: Int, _ comment: String
  ) -> Self {
    SettingKey(path, expected: form(range), usual: usual, example: "\(usual)", comment) {
      value, _ in value.int.flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension SettingKey<Int?> {
  static func optional(
    _ path: String, _ range: ClosedRange<Int>, example: Int, _ comment: String
  ) -> Self {
    SettingKey(path, expected: form(range), usual: nil, example: "\(example)", comment) {
      value, _ in value.int.flatMap { range.contains($0) ? .some($0) : nil }
    }
  }
}

extension SettingKey<[String]?> {
  /// Creates a setting of a program and its arguments.
  package static func words(_ path: String, example: String, _ comment: String) -> Self {
    SettingKey(
      path, expected: Setting.programForm, usual: nil, example: example, comment
    ) { value, _ in
      Setting.words(in: value).flatMap { $0.first?.isEmpty == false ? .some($0) : nil }
    }
  }
}

extension SettingKey<String> {
  package static func theme(_ path: String, _ comment: String) -> Self {
    SettingKey(
      path,
      expected: Theme.names.map { "\"\($0)\"" }.joined(separator: ", ") + " or one of [themes]",
      choices: Theme.names, usual: Theme.auto, example: "\"\(Theme.auto)\"", comment
    ) { value, configuration in
      value.string.flatMap { configuration.themeNames.contains($0) ? $0 : nil }
    }
  }
}

extension SettingKey {
  /// Creates a setting with a choice of words, the default first.
  package static func choice(
    _ path: String, _ choices: [String], _ comment: String,
    _ read: @escaping @Sendable (String) -> Value
  ) -> Self {
    let quoted = choices.map { "\"\($0)\"" }
    return SettingKey(
      path, expected: AmountWording.list(quoted, "or"), choices: choices, usual: read(choices[0]),
      example: quoted[0], comment
    ) { value, _ in value.string.flatMap { choices.contains($0) ? read($0) : nil } }
  }

  /// - Parameter read: returns `nil` if the text is invalid.
  package static func text<Found>(
    _ path: String, expected: String, example: String, _ comment: String,
    _ read: @escaping @Sendable (String) -> Found?
  ) -> Self where Value == Found? {
    SettingKey(path, expected: expected, usual: nil, example: "\"\(example)\"", comment) {
      value, _ in value.string.flatMap(read).map { .some($0) }
    }
  }
}
