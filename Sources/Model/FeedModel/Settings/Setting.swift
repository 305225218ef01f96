/// A value of the configuration file.
package enum SettingValue: Sendable {
  case text(String)
  case number(Int)
  case toggle(Bool)
  case texts([String])
  /// A value that no setting has, such as a date.
  case other

  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var number: Int? { if case .number(let number) = self { number } else { nil } }
  package var isOn: Bool? { if case .toggle(let isOn) = self { isOn } else { nil } }

  /// A text or a list of texts as a list.
  package var words: [String]? {
    switch self {
    case .text(let text): [text]
    case .texts(let texts): texts
    case .number, .toggle, .other: nil
    }
  }

  /// The value as a user types it: "72", "true", "firefox --new-tab"; see `LocalSource.words`.
  package var typed: String {
    switch self {
    case .text(let text): text
    case .number(let number): "\(number)"
    case .toggle(let isOn): "\(isOn)"
    case .texts(let texts):
      texts.map { text in
        let isPlain = !text.isEmpty && !text.contains { $0.isWhitespace || "\"'\\".contains($0) }
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return isPlain ? text : "\"\(escaped)\""
      }.joined(separator: " ")
    case .other: ""
    }
  }

  /// The value as TOML.
  package var toml: String {
    switch self {
    case .text(let text): Self.quoted(text)
    case .texts(let texts): "[" + texts.map(Self.quoted).joined(separator: ", ") + "]"
    case .number, .toggle, .other: typed
    }
  }

  private static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\u{0}"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16, uppercase: true)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}

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
  /// The default as TOML, or an example if `hasDefault` is false.
  package var example: String
  package var hasDefault: Bool
  /// True for a setting that few need: the printed defaults have it in [expert].
  package var isExpert = false
  /// Applies a value. Returns `false` if the value is invalid.
  package var apply: @Sendable (SettingValue, inout SettingValues) -> Bool
  package var differs: @Sendable (SettingValues, SettingValues) -> Bool
  /// Returns true if a change waits for the next start; `nil` if every change takes effect at once.
  package var waits: (@Sendable (SettingValues, SettingValues) -> Bool)?

  package var path: String { "\(table).\(name)" }

  /// The first sentence of the comment.
  package var sentence: String {
    let text = comment.replacing("\n", with: " ")
    return text.firstRange(of: ". ").map { text[..<$0.lowerBound] + "." } ?? text
  }

  /// Returns the value that a typed text means; `nil` if the setting has no such value.
  package func value(typed text: String, _ values: SettingValues) -> SettingValue? {
    let words = LocalSource.words(text).map(SettingValue.texts)
    let readings = [
      Int(text).map(SettingValue.number), Bool(text).map(SettingValue.toggle), words, .text(text),
    ]
    return readings.compactMap(\.self).first { reading in
      var values = values
      return apply(reading, &values)
    }
  }

  package func isNamed(_ table: String, _ name: String) -> Bool {
    self.table == table && self.name == name
  }

  package static let toggleForm = "true or false"
  package static let programForm = "a list of texts (a program and its arguments)"
  package static let textForm = "a text without control characters"
  package static let proxyForm =
    "\"\" for none, or an address that begins with http://, https://, socks5:// or socks5h://"

  /// Returns true for a text without control characters.
  package static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
  }
}

/// The values that the user has set, by the paths of their settings, such as "reader.theme".
package struct SettingValues: Sendable, Equatable {
  private var values: [String: any Sendable & Equatable] = [:]

  package init() {}

  package var names: Set<String> { Set(values.keys) }

  package subscript<Value>(key: SettingKey<Value>) -> Value {
    get { values[key.path] as? Value ?? key.usual }
    set { values[key.path] = newValue }
  }

  package static func == (a: SettingValues, b: SettingValues) -> Bool {
    func isEqual<Value: Equatable>(_ value: Value, _ other: Any?) -> Bool {
      other as? Value == value
    }
    for (path, value) in a.values where !isEqual(value, b.values[path]) { return false }
    return a.names == b.names
  }
}

/// Settings that one target declares and uses; the printed defaults have their order.
package protocol SettingList: Sendable {
  /// The keys, as stored properties.
  static var all: Self { get }
}

extension SettingList {
  package static var settings: [Setting] {
    Mirror(reflecting: all).children.compactMap { ($0.value as? any AnySettingKey)?.setting }
  }
}

/// A setting with the type of its value.
package struct SettingKey<Value: Sendable & Equatable>: Sendable {
  package let path: String
  package let usual: Value
  /// The description for the file; `nil` for a table of any keys.
  package var setting: Setting?

  package init(table: String, usual: Value) { (path, self.usual) = (table, usual) }

  /// - Parameters:
  ///   - path: "table.name".
  ///   - read: returns `nil` if the value is invalid.
  package init(
    _ path: String, expected: String, choices: [String] = [], usual: Value, example: String = "",
    hasDefault: Bool = true, _ comment: String = "",
    read: @escaping @Sendable (SettingValue, SettingValues) -> Value?
  ) {
    self.init(table: path, usual: usual)
    let (key, parts) = (self, path.split(separator: ".", maxSplits: 1).map(String.init))
    setting = Setting(
      table: parts[0], name: parts[1], expected: expected, choices: choices, comment: comment,
      example: example, hasDefault: hasDefault,
      apply: { value, values in
        guard let found = read(value, values) else { return false }
        values[key] = found
        return true
      },
      differs: { $0[key] != $1[key] })
  }

  package var forExperts: Self {
    var key = self
    key.setting?.isExpert = true
    return key
  }

  /// The setting, if its changes wait for the next start of the program.
  package var atStart: Self { atStart { _ in true } }

  /// - Parameter matters: returns true if a change from or to the value waits for the next start.
  package func atStart(if matters: @escaping @Sendable (Value) -> Bool) -> Self {
    var key = self
    key.setting?.waits = { old, new in
      old[self] != new[self] && (matters(old[self]) || matters(new[self]))
    }
    return key
  }
}

private protocol AnySettingKey {
  var setting: Setting? { get }
}

extension SettingKey: AnySettingKey {}

/// Returns a range of numbers for messages.
private func form(_ range: ClosedRange<Int>) -> String {
  "a whole number from \(range.lowerBound) to \(range.upperBound)"
}

extension SettingKey<Bool> {
  package static func toggle(_ path: String, _ usual: Bool, _ comment: String) -> Self {
    SettingKey(
      path, expected: Setting.toggleForm, choices: ["true", "false"], usual: usual,
      example: "\(usual)", comment
    ) { value, _ in value.isOn }
  }
}

extension SettingKey<Int> {
  package static func number(
    _ path: String, _ range: ClosedRange<Int>, _ usual: Int, _ comment: String
  ) -> Self { number(path, range, usual, comment) { $0 } }
}

extension SettingKey<Int?> {
  package static func optional(
    _ path: String, _ range: ClosedRange<Int>, example: Int, _ comment: String
  ) -> Self {
    SettingKey(
      path, expected: form(range), usual: nil, example: "\(example)", hasDefault: false, comment
    ) { value, _ in value.number.flatMap { range.contains($0) ? .some($0) : nil } }
  }
}

extension SettingKey<[String]?> {
  /// Creates a setting of a program and its arguments.
  package static func words(
    _ path: String, example: String = "", _ comment: String = ""
  ) -> Self {
    SettingKey(
      path, expected: Setting.programForm, usual: nil, example: example, hasDefault: false,
      comment
    ) { value, _ in value.words.flatMap { $0.first?.isEmpty == false ? .some($0) : nil } }
  }
}

extension SettingKey {
  /// Creates a setting of a number that is used in another unit or type.
  package static func number(
    _ path: String, _ range: ClosedRange<Int>, _ usual: Int, _ comment: String,
    as convert: @escaping @Sendable (Int) -> Value
  ) -> Self {
    SettingKey(path, expected: form(range), usual: convert(usual), example: "\(usual)", comment) {
      value, _ in value.number.flatMap { range.contains($0) ? convert($0) : nil }
    }
  }

  /// Creates a setting with a choice of words, the default first.
  package static func choice(
    _ path: String, _ choices: [String], _ comment: String,
    _ read: @escaping @Sendable (String) -> Value
  ) -> Self {
    let quoted = choices.map { "\"\($0)\"" }
    return SettingKey(
      path, expected: "\(quoted.dropLast().joined(separator: ", ")) or \(quoted.last ?? "")",
      choices: choices, usual: read(choices[0]), example: quoted[0], comment
    ) { value, _ in value.text.flatMap { choices.contains($0) ? read($0) : nil } }
  }

  /// - Parameter read: returns `nil` if the text is invalid.
  package static func text<Found>(
    _ path: String, expected: String, example: String = "", _ comment: String = "",
    _ read: @escaping @Sendable (String) -> Found?
  ) -> Self where Value == Found? {
    SettingKey(
      path, expected: expected, usual: nil, example: "\"\(example)\"", hasDefault: false, comment
    ) { value, _ in value.text.flatMap(read).map { .some($0) } }
  }
}
