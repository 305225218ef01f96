import Foundation
import ReaderUI
import TOMLKit

/// A configuration file as read: what could be understood is in force, the rest is reported.
struct ConfigurationFile {
  /// Something in the file that has no effect, and why.
  struct Problem: Equatable {
    /// From 1; nil where it concerns the whole file.
    var line: Int?
    /// A sentence that begins with the key; without its full stop, if it is no question.
    var text: String

    /// "line 7: reader.text-width must be a whole number from 20 to 1000"
    var described: String { (line.map { "line \($0): " } ?? "") + text }

    /// The same with the full stop that it needs.
    var sentence: String { described + (described.hasSuffix("?") ? "" : ".") }

    /// What a command says before it goes on without the setting.
    func warning(of file: ConfigurationFile) -> String {
      let others = file.problems.count - 1
      let more = others > 0 ? " And \(others) more." : ""
      return "\(file.path ?? "config.toml"), \(sentence)\(more) The default is used; "
        + "\u{201C}weir config check\u{201D} checks the file."
    }
  }

  var path: String?
  var configuration = Configuration()
  /// In the order of their lines.
  var problems: [Problem] = []

  /// - Parameters:
  ///   - path: nil: there is none.
  ///   - isRequired: whether it is a problem when the file is not there: the user named it.
  static func load(_ path: String?, isRequired: Bool) -> ConfigurationFile {
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

  /// A link that leads nowhere is there, and to be told.
  private static func isMissing(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  mutating func read(_ text: String) {
    if let line = KeyDepth.excess(in: text) {
      problems = [Problem(line: line, text: "tables are nested too deep")]
      return
    }
    let root: TOMLTable
    do {
      root = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      problems = [Problem(line: error.source.begin.line, text: Self.reason(error))]
      return
    } catch {
      problems = [Problem(text: "the file is no TOML")]
      return
    }
    let lines = KeyLines(text)
    for name in root.keys {
      guard Setting.tables.contains(name) else {
        reportUnknown(name, among: Setting.tables, lines.line(of: [name]))
        continue
      }
      guard let table = root[name]?.table else {
        report("\(name) must be a table: [\(name)]", lines.line(of: [name]))
        continue
      }
      for key in table.keys {
        guard let value = table[key] else { continue }
        if name == Setting.bindingsTable, let inner = value.table {
          readBindings(inner, of: key, lines)
        } else {
          read(value, table: name, key: key, line: lines.line(of: [name, key]))
        }
      }
    }
    // What is said of one place goes over what is said of all, wherever it stands.
    let bindings = configuration.bindings
    configuration.bindings =
      bindings.filter { $0.context == nil } + bindings.filter { $0.context != nil }
    problems.sort { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  private mutating func read(
    _ value: any TOMLValueConvertible, table: String, key: String, line: Int?
  ) {
    if table == Setting.keysTable { return readKeys(value, command: key, line: line) }
    if table == Setting.bindingsTable { return readBinding(value, keys: key, in: nil, line: line) }
    if table == Setting.programsTable { return readProgram(value, name: key, line: line) }
    if table == Setting.feedsTable {
      return configuration.feeds.read(value, address: key).forEach { report($0, line) }
    }
    if table == Setting.accountsTable {
      return configuration.accounts.read(value, address: key).forEach { report($0, line) }
    }
    let settings = Setting.all.filter { $0.table == table }
    guard let setting = settings.first(where: { $0.name == key }) else {
      return reportUnknown("\(table).\(key)", among: settings.map { "\(table).\($0.name)" }, line)
    }
    if !setting.apply(value, &configuration) {
      report("\(table).\(key) must be \(setting.expected)", line)
    }
  }

  private mutating func readKeys(_ value: any TOMLValueConvertible, command: String, line: Int?) {
    guard let sequences = Setting.words(in: value) else {
      return report("keys.\(command) must be a key or a list of keys: [\"j\", \"down\"]", line)
    }
    if check(Keymap(overrides: [command: sequences]), "keys.\(command)", line) {
      configuration.keys[command] = sequences
    }
  }

  /// The bindings of one place: `[bindings.reader]`.
  private mutating func readBindings(_ table: TOMLTable, of place: String, _ lines: KeyLines) {
    let path = [Setting.bindingsTable, place]
    guard let context = CommandContext(rawValue: place) else {
      return reportUnknown(
        path.joined(separator: "."),
        among: CommandContext.allCases.map { "\(Setting.bindingsTable).\($0.rawValue)" },
        lines.line(of: path))
    }
    for key in table.keys {
      guard let value = table[key] else { continue }
      readBinding(value, keys: key, in: context, line: lines.line(of: path + [key]))
    }
  }

  private mutating func readBinding(
    _ value: any TOMLValueConvertible, keys: String, in context: CommandContext?, line: Int?
  ) {
    let path = ([Setting.bindingsTable] + (context.map { [$0.rawValue] } ?? []) + [keys])
      .joined(separator: ".")
    guard let commands = Setting.words(in: value) else {
      return report(
        "\(path) must be a command or a list of commands: [\"toggle-star\", \"open-in-browser\"]",
        line)
    }
    let binding = KeyBinding(keys: keys, commands: commands, context: context)
    guard check(Keymap(bindings: [binding]), path, line), checkArguments(of: binding, path, line)
    else { return }
    configuration.bindings.append(binding)
  }

  /// Where only what Weir itself has can be given: the name of a theme, of an order.
  private mutating func checkArguments(
    of binding: KeyBinding, _ path: String, _ line: Int?
  ) -> Bool {
    for invocation in binding.commands.compactMap({ Invocation($0) }) {
      guard let argument = invocation.argument,
        let known = invocation.command.knownArguments(in: binding.context),
        !known.contains(argument)
      else { continue }
      let near = Suggestion.nearest(to: argument, among: known)
      let hint = near == nil ? "; it takes \(known.joined(separator: ", "))" : Self.hint(near)
      let name = invocation.command.rawValue
      report("\(path): \(name) takes no \u{201C}\(argument)\u{201D}\(hint)", line)
      return false
    }
    return true
  }

  /// `name = ["program", "argument"]`, or `{ command = […], terminal = true }`.
  private mutating func readProgram(
    _ value: any TOMLValueConvertible, name: String, line: Int?
  ) {
    let path = "\(Setting.programsTable).\(name)"
    let table = value.table
    let words = (table?["command"] ?? value).flatMap(Setting.words)
    guard let words, let first = words.first, !first.isEmpty else {
      return report("\(path) must be a list of texts: a program and its arguments", line)
    }
    for key in table?.keys ?? [] where key != "command" && key != "terminal" {
      reportUnknown("\(path).\(key)", among: ["\(path).command", "\(path).terminal"], line)
    }
    if let terminal = table?["terminal"], terminal.bool == nil {
      return report("\(path).terminal must be true or false", line)
    }
    configuration.programs[name] = .init(
      arguments: words, usesTerminal: table?["terminal"]?.bool)
  }

  /// The keymap is what knows commands and keys; asked for one binding it names the fault.
  private mutating func check(_ keymap: Keymap, _ path: String, _ line: Int?) -> Bool {
    switch keymap.problems.first {
    case nil: return true
    case .unknownCommand(let text):
      let name = String(text.prefix { $0 != " " })
      if Command(rawValue: name) != nil {
        report("\(path): \(name) takes nothing behind its name", line)
      } else {
        let near = Suggestion.nearest(to: name, among: Command.allCases.map(\.rawValue))
        let what = path.hasSuffix(".\(name)") ? "such command" : "command \u{201C}\(name)\u{201D}"
        report("\(path): there is no \(what)\(Self.hint(near))", line)
      }
    case .unknownKey(_, let sequence):
      report("\(path): \u{201C}\(sequence)\u{201D} is no key", line)
    }
    return false
  }

  private mutating func reportUnknown(
    _ name: String, among known: some Collection<String>, _ line: Int?
  ) {
    let near = Suggestion.nearest(to: name, among: known)
    report("\(name) is not known here\(Self.hint(near))", line)
  }

  private static func hint(_ near: String?) -> String {
    near.map { "; did you mean \($0)?" } ?? ""
  }

  private mutating func report(_ text: String, _ line: Int?) {
    problems.append(Problem(line: line, text: SafeText.line(text)))
  }

  /// The parser's reason: what it says ahead of the position that is told apart.
  private static func reason(_ error: TOMLParseError) -> String {
    SafeText.line(error.description).trimmingSuffix(".")
  }
}

/// On which line a key stands. The TOML library tells the places of syntax errors only; the text that
/// it accepted is read once more, for its headings and keys.
struct KeyLines {
  private var lines: [[String]: Int] = [:]

  init(_ text: String) {
    var table: [String] = []
    var inLongText: String?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if let quotes = inLongText {
        if line.contains(quotes) { inLongText = nil }
        continue
      }
      var scanner = Scanner(line.utf8[...])
      if scanner.take("[") {
        _ = scanner.take("[")
        table = scanner.path()
        note(table, index + 1)
        continue
      }
      let key = scanner.path()
      guard !key.isEmpty, scanner.take("=") else { continue }
      // A key inside of dotted keys or of a table that is written in line counts for its parents too.
      for length in 1...key.count { note(table + key.prefix(length), index + 1) }
      for quotes in ["\"\"\"", "'''"] where line.components(separatedBy: quotes).count == 2 {
        inLongText = quotes
      }
    }
  }

  /// The line of a key, else that of the table around it; nil where neither is found.
  func line(of path: [String]) -> Int? {
    lines[path] ?? (path.count > 1 ? line(of: path.dropLast()) : nil)
  }

  private mutating func note(_ path: [String], _ line: Int) {
    if lines[path] == nil { lines[path] = line }
  }

  /// Reads `a."b c".d` off the front of a line.
  private struct Scanner {
    var rest: Substring.UTF8View

    init(_ rest: Substring.UTF8View) { self.rest = rest }

    mutating func take(_ character: Character) -> Bool {
      skipBlanks()
      guard rest.first == character.asciiValue else { return false }
      rest.removeFirst()
      return true
    }

    mutating func path() -> [String] {
      var names: [String] = []
      repeat {
        guard let name = name() else { return [] }
        names.append(name)
      } while take(".")
      return names
    }

    private mutating func name() -> String? {
      skipBlanks()
      guard let first = rest.first else { return nil }
      if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: first) else { return nil }
        defer { rest = rest[rest.index(after: end)...] }
        return String(Substring(rest[..<end]))
      }
      let bare = rest.prefix {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
      rest = rest.dropFirst(bare.count)
      return bare.isEmpty ? nil : String(Substring(bare))
    }

    private mutating func skipBlanks() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }
  }
}
