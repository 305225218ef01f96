import Foundation
import TerminalViews

/// All keys of the screen below, then the others, generated from the keymap. A line can be carried
/// out.
final class HelpScreen: Sheet {
  private let context: ReaderContext
  private let about: CommandContext
  /// Returns the handler of a command in the screen below.
  private let binding: (Command) -> Binding?
  private let run: ([Invocation]) -> Void
  private var text = ""
  private var lines: [Line] = []
  /// The index of the selected line. The line is a command if there are any commands.
  private var selected = 0
  private var scroll = TextScroll()
  /// The division of the lines in the last drawing.
  private var grid = Grid()
  private let effect = EffectText()

  init(
    context: ReaderContext, about: CommandContext, binding: @escaping (Command) -> Binding?,
    run: @escaping ([Invocation]) -> Void
  ) {
    self.context = context
    self.about = about
    self.binding = binding
    self.run = run
    find("")
  }

  var commandContext: CommandContext { .help }
  var title: String { "Help: \(about.title)" }
  var caption: String? { text.isEmpty ? nil : "/\(text)" }

  private(set) lazy var bindings = Bindings { [unowned self] in
    Binding.movement { self.move($0) } + [
      Binding(.open, unless: self.selectedCommand == nil ? "No key matches" : nil) {
        self.runSelected()
      }.hinted("run"),
      Binding(.help) { self.context.window?.closeSheet() },
      Binding(.filter) { self.askForText() }.hinted("find"),
      Binding(.dismiss, when: !self.text.isEmpty) { self.find("") },
    ]
  }

  private func askForText() {
    context.window?.ask(.filter(text) { [weak self] in self?.find($0) })
  }

  // MARK: The selection

  private var selectedCommand: [Invocation]? {
    guard lines.indices.contains(selected), case .command(_, let invocations) = lines[selected]
    else { return nil }
    return invocations
  }

  private func select(_ index: Int) {
    selected = index
    let invocations = selectedCommand
    effect.read(of: invocations, invocations.flatMap { $0.first }.flatMap(effectSource))
  }

  private func effectSource(_ invocation: Invocation) -> EffectText.Source? {
    binding(invocation.command)?.effect(invocation.argument)
  }

  private func move(_ movement: ListMovement) {
    let commands = lines.indices.filter { lines[$0].isCommand }
    guard let place = commands.firstIndex(of: selected) else { return }
    let goal =
      switch movement {
      case .top: 0
      case .bottom, .row: commands.count - 1
      case .rows, .halfPages, .pages: place + movement.distance(height: grid.height)
      }
    select(commands[min(max(0, goal), commands.count - 1)])
    reveal()
  }

  /// Scrolls as little as possible to the selected line. When scrolling up, also shows the line
  /// above, which may be a heading. For the last command, scrolls to the end, so that all columns
  /// can be read to their end.
  private func reveal() {
    if selected == lines.lastIndex(where: \.isCommand) { return scroll.move(.bottom) }
    let row = selected % max(1, grid.rows)
    scroll.scroll(by: min(0, max(0, row - 1) - scroll.top))
    scroll.scroll(by: max(0, row - grid.height + 1 - scroll.top))
  }

  private func runSelected() {
    guard let invocations = selectedCommand else { return }
    context.window?.closeSheet()
    run(invocations)
  }

  func press(x: Int, y: Int, isDouble: Bool) {
    let index = min(x / grid.width, grid.columns - 1) * grid.rows + scroll.top + y
    guard lines.indices.contains(index), lines[index].isCommand else { return }
    select(index)
    if isDouble { runSelected() }
  }

  func scroll(by rows: Int, x: Int, y: Int) { scroll.scroll(by: rows) }

  // MARK: Lines

  /// Columns of lines, from the top of each to its end.
  private struct Grid {
    var columns = 1
    /// The lines of a column.
    var rows = 1
    /// The visible lines of a column.
    var height = 1
    var width = 1
  }

  private enum Line {
    case heading(String)
    case command(keys: String, [Invocation])
    case blank

    var isCommand: Bool { if case .command = self { true } else { false } }
  }

  private func find(_ text: String) {
    self.text = text
    lines = foundLines()
    scroll.move(.top)
    select(lines.firstIndex(where: \.isCommand) ?? 0)
  }

  private func foundLines() -> [Line] {
    var lines: [Line] = []
    func add(_ heading: String, _ found: [Line]) {
      guard !found.isEmpty else { return }
      lines += (lines.isEmpty ? [] : [.blank]) + [.heading(heading)] + found
    }
    let here = Command.allCases.filter { $0.places.contains(about) }
    for chapter in Command.Chapter.allCases {
      add(
        chapter.rawValue, here.filter { $0.chapter == chapter }.compactMap { line($0, in: about) })
    }
    var elsewhere = Command.allCases.filter { !$0.places.contains(about) }
    for place in CommandContext.allCases where place != about {
      add(
        place.title.prefix(1).uppercased() + place.title.dropFirst(),
        elsewhere.filter { $0.places.contains(place) }.compactMap { line($0, in: place) })
      elsewhere.removeAll { $0.places.contains(place) }
    }
    add("Your own keys", macros)
    return lines
  }

  private func line(_ command: Command, in place: CommandContext) -> Line? {
    let keys = context.keymap.sequences(for: command, in: place).map(\.label)
      .joined(separator: " ")
    guard !keys.isEmpty, matches(command.title) || keys.contains(text) || matches(command.name)
    else { return nil }
    return .command(keys: keys, [Invocation(command)])
  }

  private func matches(_ name: String) -> Bool {
    text.isEmpty || name.localizedCaseInsensitiveContains(text)
  }

  private var macros: [Line] {
    context.keymap.macros.filter { matches($0.invocations.title) }.map {
      .command(keys: $0.keys.label, $0.invocations)
    }
  }

  // MARK: Drawing

  /// Column width; a narrower column would cut titles.
  private static let columnWidth = 66

  func draw(on canvas: Canvas, isFocused: Bool) {
    if lines.isEmpty { canvas.write("No matches.", x: 3, y: 0, .secondary) }
    let columns = max(1, canvas.width / Self.columnWidth)
    let rows = (lines.count + columns - 1) / columns
    grid = Grid(
      columns: columns, rows: max(1, rows), height: canvas.height,
      width: max(1, canvas.width / columns))
    scroll.update(count: rows, height: canvas.height)
    for column in 0..<columns {
      let part = canvas.part(
        Rect(x: column * grid.width, y: 0, width: grid.width, height: canvas.height))
      let own = lines.indices.dropFirst(column * rows).prefix(rows)
      for (y, index) in own.dropFirst(scroll.top).prefix(canvas.height).enumerated() {
        draw(index, on: part, y: y)
      }
    }
    guard scroll.top + canvas.height < rows else { return }
    let more = " more ↓ "
    canvas.write(
      more, x: canvas.width - GraphemeWidth.width(of: more) - 1, y: canvas.height - 1, .accent)
  }

  var spoken: [String]? {
    guard lines.indices.contains(selected), case .command(let keys, _) = lines[selected] else {
      return nil
    }
    return ["\(keys), \(title(selected))"]
  }

  /// The titles of a line's commands, with their effect if the line is selected.
  private func title(_ index: Int) -> String {
    guard case .command(_, let invocations) = lines[index] else { return "" }
    let words = index == selected && !effect.text.isEmpty ? ": \(effect.text)" : ""
    return invocations.title + words
  }

  private func draw(_ index: Int, on canvas: Canvas, y: Int) {
    let keyColumns = min(20, max(8, canvas.width / 3))
    switch lines[index] {
    case .blank: break
    case .heading(let heading): canvas.write(heading, x: 3, y: y, .title)
    case .command(let keys, _):
      canvas.write(keys, x: 3, y: y, columns: keyColumns, .accent)
      canvas.write(title(index), x: 5 + keyColumns, y: y, columns: canvas.width - keyColumns - 6)
      if index == selected { canvas.select(row: y) }
    }
  }
}

/// Changes of the keys by version, which the reader shows once after an upgrade.
public nonisolated enum KeyChanges {
  /// The newest version first, each with the most important changes first.
  private static let all = [
    (
      version: "0.1.0",
      lines: [
        "'  goes to a row, pane or link on screen by its letter",
        ".  shows new articles from every pane",
        "f  lists the links of an article, which no longer follow its text",
      ]
    )
  ]

  private static let most = 3

  /// Returns a heading and at most three lines about the changes since a version; `nil` if there
  /// are none.
  public static func news(since version: String) -> String? {
    let lines = all.filter { $0.version.compare(version, options: .numeric) == .orderedDescending }
      .flatMap { $0.lines }.prefix(most)
    return lines.isEmpty
      ? nil : (["New keys since your last version:"] + lines).joined(separator: "\n")
  }
}
