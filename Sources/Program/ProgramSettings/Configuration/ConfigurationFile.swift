import Foundation
import TOMLKit
import TerminalViews

/// A configuration file. Valid settings apply; the others are reported.
package struct ConfigurationFile {
  package struct Problem: Equatable {
    /// The line, from 1; `nil` for the whole file.
    package var line: Int?
    /// The setting and its error: "reader.wrap-code: true or false expected".
    package var text: String
    /// A suggestion: "did you mean sync.per-host?".
    package var hint: String?

    package var message: String { text + (hint.map { "; \($0)" } ?? "") }

    /// The message with its line: "reader.wrap-code: true or false expected, line 7".
    package var described: String {
      text + (line.map { ", line \($0)" } ?? "") + (hint.map { "; \($0)" } ?? "")
    }

    package var sentence: String { described + (described.hasSuffix("?") ? "" : ".") }

    /// Returns the message of a command that continues without the setting.
    package func warning(of file: ConfigurationFile) -> String {
      let others = file.problems.count - 1
      let more = others > 0 ? " (\(others) more)" : ""
      return "\(file.path ?? "config.toml"): \(sentence)\(more) The default is used; "
        + "see \u{201C}weir config check\u{201D}."
    }
  }

  package var path: String?
  package var configuration = UserConfiguration()
  package var problems: [Problem] = []
  // Gathered here, because each assignment to a setting copies it.
  private var themes: [Theme] = []
  private var themeNames = Set(Theme.names)
  private var bindings: [KeyBinding] = []

  init(path: String? = nil) { self.path = path }

  /// - Parameter isRequired: true if the user named the file, so that a missing one is a problem.
  package static func load(_ path: String?, isRequired: Bool) -> ConfigurationFile {
    var file = ConfigurationFile(path: path)
    guard let path else { return file }
    guard isRequired || !isMissing(path) else { return file }
    do {
      let bytes = try TextFile.readAtRest(path, name: "the file")
      guard let text = String(validating: bytes, as: UTF8.self) else {
        file.problems = [Problem(text: "the file is not UTF-8 text")]
        return file
      }
      file.read(text)
    } catch {
      file.problems = [Problem(text: error.sentence.trimmingSuffix("."))]
    }
    return file
  }

  /// Returns true if there is no file. A dangling link counts as existing and is reported.
  static func isMissing(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  package mutating func read(_ text: String) {
    if let line = KeyLines(text).excess {
      problems = [Problem(line: line, text: "tables are nested too deeply")]
      return
    }
    var statements = Statements(text)
    guard let root = parse(&statements) else { return }
    read(root, KeyLines(statements.text))
    // Bindings of a single context follow those of all contexts, which they override.
    if !bindings.isEmpty {
      configuration.bindings =
        bindings.filter { $0.context == nil } + bindings.filter { $0.context != nil }
    }
    problems.sort { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  private mutating func read(_ root: TOMLTable, _ lines: KeyLines, isExpert: Bool = false) {
    // Themes come first, because other tables name them.
    let names = root.keys.sorted { $0 == Setting.themesTable && $1 != Setting.themesTable }
    for name in names where isExpert || name != Setting.expertTable {
      guard Setting.tables.contains(name), !isExpert || name != Setting.expertTable else {
        reportUnknown([name], lines.line(of: [name]))
        continue
      }
      guard let table = root[name]?.table else {
        report("\(name): a table expected, [\(name)]", lines.line(of: [name]))
        continue
      }
      for key in table.keys {
        guard problems.count < Self.mostProblems, let value = table[key] else { continue }
        if name == Setting.bindingsTable, let inner = value.table {
          readBindings(inner, of: key, lines)
        } else {
          read(value, table: name, key: key, lines)
        }
      }
      if !themes.isEmpty { configuration.themes = themes }
    }
    guard !isExpert, let expert = root[Setting.expertTable] else { return }
    guard let table = expert.table else {
      return report("expert: a table expected, [expert]", lines.line(of: [Setting.expertTable]))
    }
    read(table, lines.within(Setting.expertTable), isExpert: true)
  }

  /// The limit of reported problems; the suggestion for each costs a comparison with all names.
  static let mostProblems = 200
  /// The limit of syntax errors, each of which costs another parse.
  private static let mostMistakes = 20

  /// Parses the text. Reports and removes each statement that is not TOML. Returns `nil` if nothing
  /// is left.
  private mutating func parse(_ statements: inout Statements) -> TOMLTable? {
    while problems.count < Self.mostMistakes {
      if let heading = statements.removeNamelessHeading() {
        report(mistake: heading)
        continue
      }
      do {
        return try TOMLTable(string: statements.text)
      } catch let error as TOMLParseError {
        guard let removed = statements.remove(at: error.source.begin.line) else { break }
        report(mistake: removed)
      } catch {
        break
      }
    }
    report("the file isn\u{2019}t TOML", nil)
    return nil
  }

  private mutating func report(mistake statement: Statements.Removed) {
    let (path, line) = (statement.path, statement.line)
    let shown = Self.shown(path)
    let place = shown.isEmpty ? "" : "\(shown): "
    if let earlier = statement.earlier, statement.isHeading || statement.isAssignment {
      let what =
        statement.isHeading ? "[\(shown)]: a second table of this name" : "\(shown): set twice"
      return report(what, line, "the first is in line \(earlier)")
    }
    guard !statement.isHeading else {
      return report(place + "the name of a table in brackets expected, such as [reader]", line)
    }
    guard statement.isAssignment else { return report(place + "name = value expected", line) }
    if let expected = Setting.expected(of: path) {
      return report("\(shown): \(expected) expected", line)
    }
    reportUnknown(path, line)
  }

  /// Returns "feeds.\"https://example.org/\".proxy", without a password in the address.
  private static func shown(_ path: [String]) -> String {
    let table = path.first ?? ""
    let isByAddress = table == Setting.feedsTable || table == Setting.accountsTable
    return path.enumerated().map { index, name in
      let isSetting = Setting.all.contains { $0.isNamed(table, name) }
      return isByAddress && index == 1 && !isSetting ? "\"\(SafeText.withoutSecrets(name))\"" : name
    }.joined(separator: ".")
  }

  private mutating func read(
    _ value: any TOMLValueConvertible, table: String, key: String, _ lines: KeyLines
  ) {
    let line = lines.line(of: [table, key])
    if let settings = Setting.entries[table],
      !Setting.all.contains(where: { $0.isNamed(table, key) })
    {
      let problems = readEntry(value, table, key, settings)
      return report(problems, [table, key], lines)
    }
    if table == Setting.keysTable { return readKeys(value, command: key, line: line) }
    if table == Setting.bindingsTable { return readBinding(value, keys: key, in: nil, line: line) }
    if table == Setting.programsTable { return readProgram(value, name: key, lines) }
    guard let setting = Setting.all.first(where: { $0.isNamed(table, key) }) else {
      return reportUnknown([table, key], line)
    }
    let value = SettingValue(value)
    if setting.apply(value, &configuration.values) {
      configuration.typed[setting.path] = value.typed
    } else {
      let near = value.text.flatMap { Suggestion.nearest(to: $0, among: setting.choices) }
      report("\(table).\(key): \(setting.expected) expected", line, Self.hint(near))
    }
  }

  /// Reads the table of one theme or address and returns its problems.
  private mutating func readEntry(
    _ value: any TOMLValueConvertible, _ table: String, _ name: String, _ settings: [Setting]
  ) -> [TableProblem] {
    let isTheme = table == Setting.themesTable
    guard isTheme || WebAddress(name).isHTTP else {
      return [TableProblem(text: "\(Setting.addressForm) expected")]
    }
    let unknown = isTheme ? "unknown role" : "unknown setting"
    guard var entry = TableEntry(value, settings, unknown: unknown) else {
      return [TableProblem(text: "a table expected")]
    }
    switch table {
    case Setting.feedsTable: configuration.feeds.add(&entry, address: name)
    case Setting.accountsTable: configuration.accounts.add(&entry, address: name)
    default:
      guard !Theme.names.contains(name) else {
        return [TableProblem(text: "Weir has a theme of this name; choose another")]
      }
      themes.append(ThemeTable.theme(name, entry.values))
      themeNames.insert(name)
    }
    return entry.problems
  }

  private mutating func readKeys(_ value: any TOMLValueConvertible, command: String, line: Int?) {
    guard let sequences = SettingValue(value).words else {
      return report("keys.\(command): \(Setting.keysForm) expected", line)
    }
    if check(Keymap(overrides: [command: sequences]), "keys.\(command)", line) {
      configuration.keys[command] = sequences
    }
  }

  private mutating func readBindings(_ table: TOMLTable, of place: String, _ lines: KeyLines) {
    let path = [Setting.bindingsTable, place]
    guard let context = CommandContext(rawValue: place) else {
      let near = Suggestion.nearest(to: place, among: CommandContext.allCases.map(\.rawValue))
      return reportUnknown(
        path.joined(separator: "."), near: near.map { "\(Setting.bindingsTable).\($0)" },
        lines.line(of: path))
    }
    for key in table.keys {
      guard problems.count < Self.mostProblems, let value = table[key] else { continue }
      readBinding(value, keys: key, in: context, line: lines.line(of: path + [key]))
    }
  }

  private mutating func readBinding(
    _ value: any TOMLValueConvertible, keys: String, in context: CommandContext?, line: Int?
  ) {
    let path = ([Setting.bindingsTable] + (context.map { [$0.rawValue] } ?? []) + [keys])
      .joined(separator: ".")
    guard let commands = SettingValue(value).words else {
      return report("\(path): \(Setting.bindingForm) expected", line)
    }
    let binding = KeyBinding(keys: keys, commands: commands, context: context)
    guard check(Keymap(bindings: [binding]), path, line), checkArguments(of: binding, path, line)
    else { return }
    bindings.append(binding)
  }

  /// Checks arguments with a fixed list of values, such as the name of a theme or an order.
  private mutating func checkArguments(
    of binding: KeyBinding, _ path: String, _ line: Int?
  ) -> Bool {
    for invocation in binding.commands.compactMap({ Invocation($0) }) {
      guard let argument = invocation.argument,
        let known = invocation.command.knownArguments(in: binding.context),
        !known.contains(argument),
        !(invocation.command.name == "theme" && themeNames.contains(argument))
      else { continue }
      let near = Suggestion.nearest(to: argument, among: known)
      let name = invocation.command.name
      report(
        "\(path): \(name) has no \u{201C}\(argument)\u{201D}", line,
        Self.hint(near) ?? "valid values: \(known.joined(separator: ", "))")
      return false
    }
    return true
  }

  /// Reads `name = ["program", "argument"]`, or `{ command = […], terminal = true }`.
  private mutating func readProgram(
    _ value: any TOMLValueConvertible, name: String, _ lines: KeyLines
  ) {
    let place = [Setting.programsTable, name]
    let (path, table) = (place.joined(separator: "."), value.table)
    let words = SettingValue(table?["command"] ?? value).words
    guard let words, let first = words.first, !first.isEmpty else {
      return report("\(path): \(Setting.programForm) expected", lines.line(of: place))
    }
    let known = ["command", "terminal", "output", "rules"]
    for key in table?.keys ?? []
    where !known.contains(key) && problems.count < Self.mostProblems {
      let near = Suggestion.nearest(to: key, among: known)
      reportUnknown(
        "\(path).\(key)", near: near.map { "\(path).\($0)" }, lines.line(of: place + [key]))
    }
    func refuse(_ key: String, _ form: String) {
      report("\(path).\(key): \(form) expected", lines.line(of: place + [key]))
    }
    for key in ["terminal", "rules"] {
      guard let value = table?[key], value.bool == nil else { continue }
      return refuse(key, Setting.toggleForm)
    }
    let output = table?["output"].map { $0.string.flatMap(ProgramAnswer.init) }
    if case .some(nil) = output { return refuse("output", Setting.outputForm) }
    configuration.programs[name] = .init(
      arguments: words, usesTerminal: table?["terminal"]?.bool, output: output ?? nil,
      isForRules: table?["rules"]?.bool ?? false)
  }

  /// Reports the first problem of a keymap with one binding. Returns true if there is none.
  private mutating func check(_ keymap: Keymap, _ path: String, _ line: Int?) -> Bool {
    switch keymap.problems.first {
    case nil: return true
    case .unknownCommand(let text):
      let name = String(text.prefix { $0 != " " })
      if Command(named: name) != nil {
        report("\(path): \(name) takes no argument", line)
      } else {
        let near = Suggestion.nearest(to: name, among: Command.allCases.map(\.name))
        let what = path.hasSuffix(".\(name)") ? "such command" : "command \u{201C}\(name)\u{201D}"
        report("\(path): there is no \(what)", line, Self.hint(near))
      }
    case .unknownKey(_, let sequence):
      report("\(path): \u{201C}\(sequence)\u{201D} isn\u{2019}t a key", line)
    }
    return false
  }

  private mutating func reportUnknown(_ path: [String], _ line: Int?) {
    let elsewhere = Setting.all.first { $0.name == path.last }.map { "\($0.table).\($0.name)" }
    let known = path.count > 1 ? Setting.names(in: path[0]) : Array(Setting.tables)
    reportUnknown(
      Self.shown(path), near: elsewhere ?? Suggestion.nearest(to: Self.shown(path), among: known),
      line)
  }

  private mutating func reportUnknown(_ name: String, near: String?, _ line: Int?) {
    report("\(name): unknown setting", line, Self.hint(near))
  }

  private static func hint(_ near: String?) -> String? { near.map { "did you mean \($0)?" } }

  private mutating func report(_ problems: [TableProblem], _ path: [String], _ lines: KeyLines) {
    for problem in problems {
      let text = Self.shown(path + [problem.key].compactMap(\.self)) + ": " + problem.text
      // A value that is not TOML has been reported and removed.
      guard !self.problems.contains(where: { $0.text == SafeText.line(text) }) else { continue }
      let line = lines.line(of: path + [problem.key].compactMap(\.self))
      report(text, line, Self.hint(problem.near))
    }
  }

  private mutating func report(_ text: String, _ line: Int?, _ hint: String? = nil) {
    guard problems.count < Self.mostProblems else { return }
    problems.append(Problem(line: line, text: SafeText.line(text), hint: hint.map(SafeText.line)))
  }
}
