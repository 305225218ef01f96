import TOMLKit

/// The settings of one name or address in a table, such as [themes.dusk].
struct TableEntry {
  var values = SettingValues()
  var problems: [TableProblem] = []

  /// Reads a table and returns `nil` for any other value.
  /// - Parameter unknown: the problem of a key that is no setting.
  init?(
    _ value: any TOMLValueConvertible, _ settings: [Setting], unknown: String = "unknown setting"
  ) {
    guard let table = value.table else { return nil }
    for key in table.keys.sorted() where problems.count < ConfigurationFile.mostProblems {
      guard let value = table[key] else { continue }
      if let setting = settings.first(where: { $0.name == key }) {
        guard !setting.apply(SettingValue(value), &values) else { continue }
        problems.append(TableProblem(key: key, text: "\(setting.expected) expected"))
      } else {
        let near = Suggestion.nearest(to: key, among: settings.map(\.name))
        problems.append(TableProblem(key: key, text: unknown, near: near))
      }
    }
  }
}

struct TableProblem {
  /// The key; `nil` for the whole table.
  var key: String?
  var text: String
  var near: String?
}

extension SettingValue {
  init(_ value: any TOMLValueConvertible) {
    if let text = value.string {
      self = .text(text)
    } else if let isOn = value.bool {
      self = .toggle(isOn)
    } else if let number = value.int {
      self = .number(number)
    } else if let array = value.array {
      let texts = array.compactMap(\.string)
      self = texts.count == array.count ? .texts(texts) : .other
    } else {
      self = .other
    }
  }
}
