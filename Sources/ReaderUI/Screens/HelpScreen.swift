import Foundation
import TerminalKit

/// Every key of the screen that it was asked from, then the others; made from the keymap.
final class HelpScreen: Sheet {
  private let context: ReaderContext
  private let about: CommandContext
  weak var parent: (any Responder)?
  private var scroll = TextScroll()
  private var text = ""

  init(context: ReaderContext, about: CommandContext) {
    self.context = context
    self.about = about
  }

  var commandContext: CommandContext { .help }
  var title: String { "Help" }
  var caption: String? { text.isEmpty ? nil : "/\(text)" }
  var hints: [Hint] { [Hint(.filter, "find"), Hint(.back, "back")] }

  func respond(to event: InterfaceEvent) -> Bool {
    guard case .command(let command, let count) = event else { return false }
    switch command {
    case .filter:
      send(
        .ask(
          FilterPrompt(
            label: "/", text: text, context: context,
            changed: { [weak self] in
              self?.text = $0
              self?.scroll.toTop()
            },
            ended: { [weak self] keeps in
              if !keeps { self?.text = "" }
              self?.send(.endPrompt)
            })))
    case .dismiss where !text.isEmpty: text = ""
    default: guard scroll.respond(to: command, count) else { return false }
    }
    context.invalidate()
    return true
  }

  func mouse(_ action: MouseEvent.Action, x: Int, y: Int) -> Bool {
    scroll.wheel(action, rows: context.configuration.wheelRows)
  }

  private enum Line {
    case heading(String)
    case command(keys: String, title: String)
    case blank
  }

  private func lines() -> [Line] {
    var lines: [Line] = []
    func add(_ heading: String, _ commands: [Command]) {
      let found = commands.compactMap { command -> Line? in
        let isHere = command.description.contexts.contains(about)
        let sequences =
          isHere
          ? context.keymap.sequences(for: command, in: about)
          : context.keymap.sequences(for: command)
        let keys = sequences.map(\.label).joined(separator: " ")
        let title = command.description.title
        guard !keys.isEmpty else { return nil }
        guard
          text.isEmpty || title.localizedCaseInsensitiveContains(text) || keys.contains(text)
            || command.rawValue.localizedCaseInsensitiveContains(text)
        else { return nil }
        return .command(keys: keys, title: title)
      }
      guard !found.isEmpty else { return }
      if !lines.isEmpty { lines.append(.blank) }
      lines.append(.heading(heading))
      lines += found
    }
    let here = Command.allCases.filter { $0.description.contexts.contains(about) }
    for chapter in CommandDescription.Chapter.allCases {
      add(chapter.rawValue, here.filter { $0.description.chapter == chapter })
    }
    let elsewhere = Command.allCases.filter { !$0.description.contexts.contains(about) }
    add("On other screens", elsewhere)
    addMacros(to: &lines)
    return lines
  }

  private func addMacros(to lines: inout [Line]) {
    let found = context.keymap.macros.compactMap { macro -> Line? in
      let title = macro.invocations.map { invocation in
        let what = invocation.command.description.title
        return invocation.argument.map { "\(what): \($0)" } ?? what
      }.joined(separator: ", then ")
      guard text.isEmpty || title.localizedCaseInsensitiveContains(text) else { return nil }
      return .command(keys: macro.keys.label, title: title)
    }
    guard !found.isEmpty else { return }
    if !lines.isEmpty { lines.append(.blank) }
    lines.append(.heading("Your own"))
    lines += found
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    let lines = lines()
    scroll.update(count: lines.count, height: canvas.height)
    if lines.isEmpty { canvas.write("No key has that name.", x: 3, y: 0, .secondary) }
    let keyColumns = min(20, max(8, canvas.width / 3))
    for (y, line) in lines.dropFirst(scroll.top).prefix(canvas.height).enumerated() {
      switch line {
      case .blank: break
      case .heading(let heading): canvas.write(heading, x: 3, y: y, .title)
      case .command(let keys, let title):
        canvas.write(keys, x: 3, y: y, columns: keyColumns, .accent)
        canvas.write(title, x: 5 + keyColumns, y: y, columns: canvas.width - keyColumns - 6)
      }
    }
  }
}

/// Scrolling of lines that cannot be selected.
struct TextScroll {
  private(set) var top = 0
  private var count = 0
  private var height = 1

  mutating func update(count: Int, height: Int) {
    self.count = count
    self.height = max(1, height)
    top = min(top, max(0, count - self.height))
  }

  mutating func toTop() { top = 0 }

  mutating func respond(to command: Command, _ count: Int?) -> Bool {
    let repetitions = count ?? 1
    switch command {
    case .moveDown: scroll(repetitions)
    case .moveUp: scroll(-repetitions)
    case .halfPageDown: scroll(repetitions * max(1, height / 2))
    case .halfPageUp: scroll(-repetitions * max(1, height / 2))
    case .pageDown: scroll(repetitions * max(1, height - 1))
    case .pageUp: scroll(-repetitions * max(1, height - 1))
    case .top: top = 0
    case .bottom: scroll(self.count)
    default: return false
    }
    return true
  }

  mutating func wheel(_ action: MouseEvent.Action, rows: Int) -> Bool {
    switch action {
    case .wheelUp: scroll(-rows)
    case .wheelDown: scroll(rows)
    default: return false
    }
    return true
  }

  private mutating func scroll(_ lines: Int) {
    top = min(max(0, top + lines), max(0, count - height))
  }
}
