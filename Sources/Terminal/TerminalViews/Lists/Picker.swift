/// The selected row of a list above the status line, and the visible part of the list.
package struct ChoiceList {
  package var selected: Int?
  private var top = 0

  package init(selected: Int? = nil) { self.selected = selected }

  /// Moves by some rows; continues at the other end of the list.
  package mutating func step(_ steps: Int, of count: Int) {
    guard count > 0 else { return }
    let start = selected ?? (steps > 0 ? -1 : count)
    selected = (start + steps + count) % count
  }

  package mutating func draw(_ count: Int, on canvas: Canvas, row: (_ index: Int, _ y: Int) -> Void)
  {
    if let selected {
      if selected < top { top = selected }
      if selected >= top + canvas.height { top = selected - canvas.height + 1 }
    }
    for (y, index) in (0..<count).dropFirst(top).prefix(canvas.height).enumerated() {
      row(index, y)
      if index == selected { canvas.select(row: y) }
    }
  }
}

/// Asks for one or several values of a list, which is filtered while the user types. An entry for a
/// new value comes first.
public final class Picker: ListPrompt {
  /// A value with its display text and a note beside it.
  public struct Item {
    var value: String
    var title: String
    var note = ""

    public init(_ value: String, title: String? = nil, note: String = "") {
      self.value = value
      self.title = title ?? value
      self.note = note
    }
  }

  private enum Entry {
    case new
    case item(Item, positions: [Int])
  }

  private let label: String
  private let items: [Item]
  private let choices: ArgumentChoices
  private let new: String?
  private let effectSource: (_ value: String) -> EffectText.Source?
  private let chosen: ([String]) -> Void
  /// The selected values at first and now, if several can be selected.
  private let markedBefore: Set<String>
  private var marked: Set<String>
  private var field = TextField()
  private var entries: [Entry] = []
  private var list = ChoiceList()
  private let effect = EffectText()
  /// The reason why the value was not accepted, until the next key.
  private var problem: String?

  public convenience init(
    _ label: String, _ items: [Item], chosen: @escaping ([String]) -> Void
  ) { self.init(label, ArgumentChoices(all: []), items, chosen: chosen) }

  /// Asks for a value, or for several if the choices have a separator.
  /// - Parameters:
  ///   - items: `nil` for those of the choices.
  ///   - new: Label like "New folder" if the typed text can be a new value; `nil` if only listed
  ///     values can be chosen.
  ///   - effect: Says what choosing a value would do; see `EffectText`.
  ///   - chosen: Called with the values; for a single choice, with one value.
  package init(
    _ label: String, _ choices: ArgumentChoices, _ items: [Item]? = nil, new: String? = nil,
    effect: @escaping (_ value: String) -> EffectText.Source? = { _ in nil },
    chosen: @escaping ([String]) -> Void
  ) {
    self.items =
      items
      ?? choices.all.map { Item($0, title: choices.titles[$0], note: choices.notes[$0] ?? "") }
    (self.label, self.choices, self.new, effectSource) = (label, choices, new, effect)
    self.chosen = chosen
    let current = choices.current.trimmingWhitespace
    let values = choices.separator.map { current.split(separator: $0).map(String.init) }
    markedBefore = Set(values ?? [])
    marked = markedBefore
    find()
    let place = entries.firstIndex { entry in
      if case .item(let item, _) = entry { item.value == current } else { false }
    }
    if let place { list.selected = place }
    readEffect()
  }

  private var isSeveral: Bool { choices.separator != nil }

  private func find() {
    let text = field.text.trimmingWhitespace
    let found = items.compactMap { item -> (entry: Entry, score: Int)? in
      if let match = FuzzyMatch(text, in: item.title) {
        return (.item(item, positions: match.positions), match.score)
      }
      // The value's name in the configuration matches too.
      return FuzzyMatch(text, in: item.value).map { (.item(item, positions: []), $0.score) }
    }
    let ranked = text.isEmpty ? found.map(\.entry) : FuzzyMatch.ranked(found)
    let isKnown = items.contains { $0.title == text || $0.value == text }
    entries = (new == nil || isKnown ? [] : [.new]) + ranked
    let hasNew = entries.count > ranked.count
    // Selects an existing value first; selects the new one if no existing value matches.
    list = ChoiceList(selected: entries.isEmpty ? nil : hasNew && !ranked.isEmpty ? 1 : 0)
  }

  public func handle(_ key: Key) -> (() -> Void)? {
    problem = nil
    switch key {
    case .escape: return choices.cancelled
    case .backspace where field.text.isEmpty: return choices.cancelled
    case .enter: return finish()
    case .down, .control("n"): step(1)
    case .up, .control("p"), .backTab: step(-1)
    case .tab where isSeveral: toggle()
    case .tab: step(1)
    default:
      if field.handle(key) {
        find()
        highlight()
      }
    }
    return nil
  }

  private func step(_ steps: Int) {
    list.step(steps, of: entries.count)
    highlight()
  }

  private var selected: Item? {
    guard let selected = list.selected, case .item(let item, _) = entries[selected] else {
      return nil
    }
    return item
  }

  private func highlight() {
    if let selected { choices.highlighted(selected.value) }
    readEffect()
  }

  private func readEffect() {
    let value = list.selected.map { _ in selected?.value ?? field.text.trimmingWhitespace }
    effect.read(of: value, value.flatMap { effectSource($0) })
  }

  private func toggle() {
    guard let selected else { return }
    if marked.remove(selected.value) == nil { marked.insert(selected.value) }
  }

  private func finish() -> (() -> Void)? {
    let (chosen, text) = (chosen, field.text.trimmingWhitespace)
    guard let index = list.selected else { return text.isEmpty ? choices.cancelled : nil }
    guard isSeveral else {
      if selected == nil, text.isEmpty, choices.newNeedsText { return nil }
      let value = selected?.value ?? text
      problem = choices.problem(value)
      return problem == nil ? { chosen([value]) } : nil
    }
    if case .new = entries[index] {
      let new = text.split(separator: choices.separator ?? " ")
      marked.formUnion(new.map { String($0).trimmingWhitespace })
    } else if marked == markedBefore {
      toggle()
    }
    let values = items.map(\.value).filter(marked.contains)
    let others = marked.subtracting(values).sorted()
    return { chosen(values + others) }
  }

  public var effectText: String { problem ?? effect.text }
  public var listRows: Int { problem == nil ? min(12, max(1, entries.count)) : 1 }

  public func draw(on canvas: Canvas) {
    let used = canvas.write(label + ": ", x: 1, y: 0, .accent)
    field.draw(on: canvas, x: 1 + used, y: 0)
    canvas.write(effect: effect.text)
  }

  /// Draws the matching values, or the reason why the value was not accepted.
  public func draw(list canvas: Canvas) {
    if let problem {
      canvas.write(problem, x: 3, y: 0, columns: canvas.width - 4, .error)
      return
    }
    guard !entries.isEmpty else {
      canvas.write("No matches.", x: 3, y: 0, columns: canvas.width - 4, .secondary)
      return
    }
    list.draw(entries.count, on: canvas) { index, y in
      switch entries[index] {
      case .new:
        let text = field.text.trimmingWhitespace
        let name = text.isEmpty ? " …" : " \u{201C}\(text)\u{201D}"
        canvas.write("+ \(new ?? "")\(name)", x: 3, y: y, columns: canvas.width - 4, .accent)
      case .item(let item, let positions):
        var x = 3
        if isSeveral {
          canvas.write(marked.contains(item.value) ? "✓" : " ", x: 3, y: y, .accent)
          x = 5
        }
        x += canvas.write(
          FuzzyMatch.pieces(of: item.title, matched: positions), x: x, y: y,
          columns: canvas.width - x - 1, .text)
        canvas.write(item.note, x: x + 3, y: y, columns: max(0, canvas.width - x - 4), .secondary)
      }
    }
  }
}
