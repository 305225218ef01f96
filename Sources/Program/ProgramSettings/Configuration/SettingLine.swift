/// Changes the statement of one setting in the text of a configuration file. All other lines, and
/// the comments of the statement, stay as they are.
struct SettingLine {
  let setting: Setting
  private var lines: [[UInt8]]
  private let keys: KeyLines
  private let ending: [UInt8]

  init(_ setting: Setting, in text: String) {
    self.setting = setting
    lines = text.utf8.split(separator: Self.newline, omittingEmptySubsequences: false)
      .map(Array.init)
    keys = KeyLines(text)
    ending = text.utf8.contains(Self.carriageReturn) ? [Self.carriageReturn] : []
  }

  private static let newline = UInt8(ascii: "\n"), carriageReturn = UInt8(ascii: "\r")
  private static let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t"), carriageReturn]

  /// The tables in which the setting may be, with its name there; the one that counts first.
  private var places: [(table: [String], name: [String])] {
    let (expert, own) = ([Setting.expertTable], [setting.table])
    let (path, name) = ([setting.table, setting.name], [setting.name])
    return [(expert + own, name), (expert, path), (own, name), ([], path)]
  }

  /// Returns the text with another value.
  /// - Parameter value: the value as TOML; `nil` to remove the setting, which makes it the default.
  func text(with value: String?) -> String {
    var copy = self
    if let line = places.lazy.compactMap({ keys.exactLine(of: $0.table + $0.name) }).first {
      copy.replace(line - 1, with: value)
    } else if let value {
      copy.insert(value)
    }
    return String(decoding: Array(copy.lines.joined(separator: [Self.newline])), as: UTF8.self)
  }

  private mutating func replace(_ start: Int, with value: String?) {
    let end = lines.indices.first { $0 > start && keys.start(of: $0) != start } ?? lines.count
    let statement = Array(lines[start..<end].joined(separator: [Self.newline]))
    let (begin, comments) = Self.parts(of: statement)
    let isOneLine = end == start + 1
    var new = value.map { begin + Array($0.utf8) }
    var kept = comments.map { Array(statement[$0].filter { $0 != Self.carriageReturn }) }
    if isOneLine, new != nil, let comment = comments.first {
      // The blanks before the comment stay too.
      let blanks = statement[..<comment.lowerBound].reversed().prefix { Self.blanks.contains($0) }
      new? += blanks.reversed() + kept.removeFirst()
    }
    let hasEnding = lines[end - 1].last == Self.carriageReturn
    let result = (kept + [new].compactMap(\.self)).map { $0 + (hasEnding ? ending : []) }
    lines.replaceSubrange(start..<end, with: result)
  }

  /// Returns the statement up to its value, and the places of its comments.
  private static func parts(of statement: [UInt8]) -> (begin: [UInt8], comments: [Range<Int>]) {
    let sign = statement.firstIndex(of: UInt8(ascii: "=")) ?? 0
    let blanks = statement[(sign + 1)...].prefix { $0 == UInt8(ascii: " ") || $0 == 9 }
    var comments: [Range<Int>] = []
    var scanner = StatementScanner()
    var index = 0
    while index < statement.count {
      index += scanner.read(statement[index...])
      guard case .comment = scanner.place else { continue }
      let end = statement[index...].firstIndex(of: newline) ?? statement.count
      comments.append(index - 1..<end)
      index = end
    }
    return (Array(statement[...sign]) + blanks, comments)
  }

  /// Adds the setting below the comment that shows its default; otherwise at the top of its table.
  private mutating func insert(_ value: String) {
    let tables = places.filter { !$0.table.isEmpty && (setting.isExpert || $0.table.count == 1) }
      .filter { setting.isExpert || $0.table != [Setting.expertTable] }
    var (table, found): ([String], (line: Int, name: [String])?) = ([], nil)
    for index in lines.indices where keys.start(of: index) == index {
      let names = KeyLines.names(String(decoding: lines[index], as: UTF8.self))
      if names.isHeading { table = names.path }
      guard let place = tables.first(where: { $0.table == table }) else { continue }
      let shown = lines[index].drop { Self.blanks.contains($0) }
      let comment = KeyLines.names(String(decoding: shown.dropFirst(), as: UTF8.self))
      if shown.first == UInt8(ascii: "#"), comment.isAssignment, comment.path == place.name {
        found = (index, place.name)
        break
      }
      if names.isHeading, found == nil { found = (index, place.name) }
    }
    if let found { return add(found.name, value, below: found.line) }
    // A table that consists of dotted keys has no heading.
    if let line = keys.exactLine(of: [setting.table]) {
      return add([setting.table, setting.name], value, below: line - 2)
    }
    if let last = lines.last, !last.isEmpty {
      lines[lines.count - 1] = last + ending
      lines.append([])
    }
    table = [setting.isExpert ? Setting.expertTable : setting.table]
    if lines.count > 1 { lines.insert(ending, at: lines.count - 1) }
    lines.insert(Array("[\(table[0])]".utf8) + ending, at: lines.count - 1)
    let name = setting.isExpert ? [setting.table, setting.name] : [setting.name]
    add(name, value, below: lines.count - 2)
  }

  private mutating func add(_ name: [String], _ value: String, below line: Int) {
    if line >= 0, !ending.isEmpty, lines[line].last != Self.carriageReturn { lines[line] += ending }
    let text = "\(name.joined(separator: ".")) = \(value)"
    lines.insert(Array(text.utf8) + ending, at: line + 1)
  }
}

extension ConfigurationFile {
  /// Changes one setting in the file, and creates a missing file.
  /// - Parameters:
  ///   - path: the path of the setting.
  ///   - text: the value as typed; "default" removes the setting from the file.
  package static func change(
    _ path: String, to text: String, in name: String
  ) throws(CommandFailure) -> ConfigurationFile {
    guard let setting = Setting.all.first(where: { $0.path == path }) else {
      throw CommandFailure("There is no setting \(path).")
    }
    let before = load(name, isRequired: false)
    let isUsual = text == usualWord
    let value = isUsual ? nil : setting.value(typed: text, before.configuration.values)
    guard value != nil || isUsual else {
      throw CommandFailure("\(setting.name): \(setting.expected) expected.")
    }
    let old = isMissing(name) ? [] : try TextFile.readAtRest(name, name: name)
    guard let file = String(validating: old, as: UTF8.self) else {
      throw CommandFailure("\(name) is not UTF-8 text.")
    }
    let new = SettingLine(setting, in: file).text(with: value?.toml)
    var after = ConfigurationFile(path: name)
    after.read(new)
    var (expected, known) = (before.configuration, after.configuration)
    let result = known.typed.removeValue(forKey: path)
    expected.typed[path] = nil
    // Nothing is written if the new text means anything else, as for a setting in braces.
    guard result == value?.typed, known.typed == expected.typed, known.feeds == expected.feeds,
      known.accounts == expected.accounts, known.programs == expected.programs,
      known.keys == expected.keys, known.bindings == expected.bindings,
      known.themes == expected.themes, after.problems.count <= before.problems.count
    else { throw CommandFailure("Set \(path) in \(name) yourself: it is in braces there.") }
    TextFile.makeFolder(of: name)
    try TextFile.replace(name, with: Array(new.utf8))
    return after
  }

  /// The typed text that stands for the default.
  private static let usualWord = "default"
}
