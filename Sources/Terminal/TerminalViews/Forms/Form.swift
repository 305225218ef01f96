/// Labelled fields, one of which receives the keys, and an error below its field.
public struct Form<Field: Hashable> {
  enum Control {
    /// - Parameters:
    ///   - placeholder: The value that applies if the field is empty.
    ///   - suggestions: Values that Ctrl-n and Ctrl-p put into the field, one after another.
    case text(TextField, placeholder: String = "", suggestions: [String] = [])
    /// A choice that Space and the arrows change.
    case choice([String], selected: Int = 0)

    /// The text, or the selected choice.
    var value: String {
      switch self {
      case .text(let text, _, _): text.text
      case .choice(let choices, let selected): choices[selected]
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

  public var isChanged: Bool { rows.map(\.control.value) != initial }

  /// Returns the fields whose value differs from another state of the form.
  public func changes(since other: Form) -> Set<Field> {
    Set(rows.map(\.field).filter { text($0) != other.text($0) })
  }

  /// Shows an error and selects its field.
  public mutating func showError(_ text: String, at field: Field? = nil) {
    error = (text, field)
    index = rows.firstIndex { $0.field == field } ?? index
  }

  public mutating func clearError() { error = nil }

  public mutating func handle(_ key: Key) -> Outcome {
    switch key {
    case .escape, .control("c"): return .leave
    case .enter: return .submit
    case .tab, .down: step(1)
    case .backTab, .up: step(-1)
    default: edit(key)
    }
    return .stays
  }

  /// Moves by some fields; continues at the other end.
  public mutating func step(_ steps: Int) { index = (index + steps + rows.count) % rows.count }

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
    let isLow = canvas.height < 12 || rows.count * 2 + linesBelow > max(canvas.height, 12)
    let spacing = isLow ? 1 : 2
    let most = max(1, min(rows.count, (canvas.height - linesBelow) / spacing))
    let first = min(max(0, index - most / 2), rows.count - most)
    let x = 4 + (rows.map(\.label.count).max() ?? 0)
    var errorBelow = error?.text
    for (place, row) in rows.enumerated().dropFirst(first).prefix(most) {
      let (y, isCurrent) = ((place - first) * spacing, isActive && place == index)
      if isCurrent {
        canvas.mark(row: y)
        canvas.focus(y: y)
      }
      canvas.write(row.label, x: 2, y: y, isCurrent ? .title : .secondary)
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
