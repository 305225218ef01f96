/// Labelled fields, one of which receives the keys, and an error below its field.
public struct Form<Field: Hashable> {
  enum Control {
    /// - Parameters:
    ///   - placeholder: The value that applies if the field is empty.
    ///   - suggestions: Values that Ctrl-n and Ctrl-p put into the field, one after another.
    case text(TextField, placeholder: String = "", suggestions: [String] = [])
    /// A choice that Space and the arrows change.
    case choice([String], selected: Int = 0)
    /// The heading of the fields up to the next heading, which Space and Enter fold.
    case group(isOpen: Bool)

    /// The text, or the selected choice.
    var value: String {
      switch self {
      case .text(let text, _, _): text.text
      case .choice(let choices, let selected): choices[selected]
      case .group: ""
      }
    }
  }

  /// A field with its label.
  public struct Row {
    let field: Field
    let label: String
    var control: Control

    public static func text(
      _ field: Field, _ label: String, _ text: String = "", isHidden: Bool = false,
      placeholder: String = "", suggestions: [String] = []
    ) -> Row {
      let control = Control.text(
        TextField(text, isHidden: isHidden), placeholder: placeholder, suggestions: suggestions)
      return Row(field: field, label: label, control: control)
    }

    public static func choice(
      _ field: Field, _ label: String, _ choices: [String], selected: Int = 0
    ) -> Row { Row(field: field, label: label, control: .choice(choices, selected: selected)) }

    /// The heading of the fields that follow, which are hidden until it is opened.
    public static func group(_ field: Field, _ label: String) -> Row {
      Row(field: field, label: label, control: .group(isOpen: false))
    }
  }

  /// The meaning of a key for the screen of the form.
  public enum Outcome {
    case stays
    case submit
    case leave
  }

  private var rows: [Row]
  /// The values of the rows before the first key.
  private let initial: [String]
  private var index: Int
  private var error: (text: String, field: Field?)?

  public init(_ rows: [Row], current: Field) {
    self.rows = rows
    initial = rows.map(\.control.value)
    index = rows.firstIndex { $0.field == current } ?? 0
  }

  public var current: Field { rows[index].field }
  public var problem: String? { error?.text }
  /// True if Ctrl-n offers a suggestion for the current field.
  public var hasSuggestions: Bool {
    if case .text(_, _, let suggestions) = rows[index].control {
      !suggestions.isEmpty
    } else {
      false
    }
  }

  public var isGroup: Bool { if case .group = rows[index].control { true } else { false } }

  /// Returns the heading above each row; the index of a heading is its own.
  private var headings: [Int?] {
    var heading: Int?
    return rows.indices.map { index in
      if case .group = rows[index].control { heading = index }
      return heading
    }
  }

  /// The indices of the rows outside closed groups.
  private var shown: [Int] {
    zip(rows.indices, headings).filter { index, heading in
      guard let heading, heading != index else { return true }
      return rows[heading].control.isOpenGroup
    }.map(\.0)
  }

  public var isChoice: Bool { if case .choice = rows[index].control { true } else { false } }

  private func control(_ field: Field) -> Control? { rows.first { $0.field == field }?.control }

  /// Returns the text of a field, or its selected choice.
  public func text(_ field: Field) -> String { control(field)?.value ?? "" }

  /// Returns the index of the selected choice.
  public func choice(_ field: Field) -> Int {
    if case .choice(_, let selected) = control(field) { selected } else { 0 }
  }

  /// The fields with a text, or with another choice than the first.
  public var filled: Set<Field> {
    Set(rows.map(\.field).filter { choice($0) > 0 || !isChoice($0) && !text($0).isEmpty })
  }

  private func isChoice(_ field: Field) -> Bool {
    if case .choice = control(field) { true } else { false }
  }

  /// The fields whose value differs from their first one.
  public var changes: Set<Field> {
    Set(zip(rows, initial).filter { $0.control.value != $1 }.map(\.0.field))
  }

  /// Shows an error and selects its field.
  public mutating func showError(_ text: String, at field: Field? = nil) {
    error = (text, field)
    index = rows.firstIndex { $0.field == field } ?? index
    if let heading = headings[index] { rows[heading].control = .group(isOpen: true) }
  }

  public mutating func clearError() { error = nil }

  public mutating func handle(_ key: Key) -> Outcome {
    switch key {
    case .escape, .control("c"): return .leave
    case .enter where isGroup: edit(.character(" "))
    case .enter: return .submit
    case .tab, .down: step(1)
    case .backTab, .up: step(-1)
    default: edit(key)
    }
    return .stays
  }

  /// Moves by some fields; continues at the other end.
  public mutating func step(_ steps: Int) {
    let shown = shown
    let place = shown.firstIndex(of: index) ?? 0
    index = shown[(place + steps + shown.count) % shown.count]
  }

  private mutating func edit(_ key: Key) {
    switch rows[index].control {
    case .text(var text, let placeholder, let suggestions):
      if let suggestion = Self.suggestion(key, after: text.text, suggestions) {
        text = TextField(suggestion)
      } else if !text.handle(key) {
        return
      }
      rows[index].control = .text(text, placeholder: placeholder, suggestions: suggestions)
    case .choice(let choices, let selected):
      guard [.character(" "), .left, .right].contains(key) else { return }
      let step = key == .left ? -1 : 1
      let next = (selected + step + choices.count) % choices.count
      rows[index].control = .choice(choices, selected: next)
    case .group(let isOpen):
      guard [.character(" "), .left, .right].contains(key) else { return }
      rows[index].control = .group(isOpen: key == .right || key != .left && !isOpen)
      return
    }
    error = nil
  }

  private static func suggestion(
    _ key: Key, after text: String, _ suggestions: [String]
  ) -> String? {
    guard !suggestions.isEmpty, key == .control("n") || key == .control("p") else { return nil }
    let (all, step) = ([""] + suggestions, key == .control("n") ? 1 : -1)
    let place = all.firstIndex(of: text.trimmingWhitespace) ?? (step > 0 ? -1 : all.count)
    return all[(place + step + all.count) % all.count]
  }

  /// The number of lines below the fields for an error or the screen's own content.
  private var linesBelow: Int { 2 }

  /// Draws the fields, with a blank line between them if they fit. If the fields do not fit without
  /// blank lines either, draws only those around the current one.
  /// - Parameters:
  ///   - isActive: `false` if no field receives the keys.
  ///   - marked: fields with a dot before their value.
  /// - Returns: The free area below, and the error to show there.
  public func draw(
    on canvas: Canvas, isActive: Bool = true, marked: Set<Field> = []
  ) -> (below: Canvas, error: String?) {
    let (shown, headings) = (shown, headings)
    let isLow = canvas.height < 12 || shown.count * 2 + linesBelow > max(canvas.height, 12)
    let spacing = isLow ? 1 : 2
    let most = max(1, min(shown.count, (canvas.height - linesBelow) / spacing))
    let current = shown.firstIndex(of: index) ?? 0
    let first = min(max(0, current - most / 2), shown.count - most)
    let x = 4 + (rows.filter { !$0.control.isGroup }.map(\.label.count).max() ?? 0)
    var errorBelow = error?.text
    for (place, number) in shown.dropFirst(first).prefix(most).enumerated() {
      let (y, isCurrent, row) = (place * spacing, isActive && number == index, rows[number])
      if isCurrent {
        canvas.mark(row: y)
        canvas.focus(y: y)
      }
      let sign = row.control.isGroup ? row.control.isOpenGroup ? "▾ " : "▸ " : ""
      let used = canvas.write(sign + row.label, x: 2, y: y, isCurrent ? .title : .secondary)
      if row.control.isGroup {
        // A dot says that a folded field has its own value.
        let members = zip(rows, headings).filter { $0.1 == number }.map(\.0.field)
        let isMarked = !row.control.isOpenGroup && !marked.isDisjoint(with: members)
        if isMarked { canvas.write("•", x: 3 + used, y: y, .accent) }
        continue
      }
      if marked.contains(row.field) { canvas.write("•", x: x - 2, y: y, .accent) }
      let space = canvas.part(Rect(x: x, y: y, width: max(1, canvas.width - x), height: 1))
      Self.draw(row.control, on: space, isCurrent: isCurrent)
      if spacing > 1, let error, error.field == row.field,
        GraphemeWidth.width(of: error.text) <= canvas.width - x
      {
        canvas.write(error.text, x: x, y: y + 1, .error)
        errorBelow = nil
      }
    }
    let y = most * spacing
    let below = Rect(x: 2, y: y, width: max(1, canvas.width - 2), height: max(0, canvas.height - y))
    return (canvas.part(below), errorBelow)
  }

  private static func draw(_ control: Control, on canvas: Canvas, isCurrent: Bool) {
    switch control {
    case .group: break
    case .choice(let choices, let selected):
      canvas.write("‹ \(choices[selected]) ›", x: 0, y: 0, columns: canvas.width)
    case .text(let text, let placeholder, _):
      if text.text.isEmpty {
        canvas.write(placeholder, x: 0, y: 0, columns: canvas.width, .secondary)
      }
      if isCurrent {
        text.draw(on: canvas, x: 0, y: 0)
      } else {
        canvas.write(text.shown, x: 0, y: 0, columns: canvas.width, truncation: .middle)
      }
    }
  }
}

extension Form.Control {
  fileprivate var isGroup: Bool { if case .group = self { true } else { false } }
  fileprivate var isOpenGroup: Bool { if case .group(isOpen: true) = self { true } else { false } }
}
