import Foundation
import ReaderServices
import TerminalKit
import TerminalViews

/// All keys of the screen below, then the others, generated from the keymap.
final class HelpScreen: Sheet {
  private let context: ReaderContext
  private let about: CommandContext
  private var scroll = TextScroll()
  private var text = ""

  init(context: ReaderContext, about: CommandContext) {
    self.context = context
    self.about = about
  }

  var commandContext: CommandContext { .help }
  var title: String { "Help: \(about.title)" }
  var caption: String? { text.isEmpty ? nil : "/\(text)" }
  var hints: [Hint] { [Hint(.filter, "find"), Hint(.back, "back")] }

  private(set) lazy var bindings = Bindings { [unowned self] in
    Binding.movement { self.scroll.move($0) } + [
      Binding(.help) { self.context.window?.closeSheet() },
      Binding(.filter) { self.askForText() },
      Binding(.dismiss, when: !self.text.isEmpty) { self.text = "" },
    ]
  }

  private func askForText() {
    context.window?.ask(
      .filter(text) { [weak self] in
        self?.text = $0
        self?.scroll.move(.top)
      })
  }

  func scroll(by rows: Int, x: Int, y: Int) { scroll.scroll(by: rows) }

  private enum Line {
    case heading(String)
    case command(keys: String, title: String)
    case blank
  }

  private func lines() -> [Line] {
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
    return .command(keys: keys, title: command.title)
  }

  private func matches(_ name: String) -> Bool {
    text.isEmpty || name.localizedCaseInsensitiveContains(text)
  }

  private var macros: [Line] {
    context.keymap.macros.compactMap { macro in
      let title = macro.invocations.title
      return matches(title) ? .command(keys: macro.keys.label, title: title) : nil
    }
  }

  /// Column width; a narrower column would cut titles.
  private static let columnWidth = 66

  func draw(on canvas: Canvas, isFocused: Bool) {
    let lines = lines()
    if lines.isEmpty { canvas.write("No matches.", x: 3, y: 0, .secondary) }
    let columns = max(1, canvas.width / Self.columnWidth)
    let rows = (lines.count + columns - 1) / columns
    scroll.update(count: rows, height: canvas.height)
    let width = canvas.width / columns
    for column in 0..<columns {
      let part = canvas.part(Rect(x: column * width, y: 0, width: width, height: canvas.height))
      let own = lines.dropFirst(column * rows).prefix(rows)
      draw(own.dropFirst(scroll.top).prefix(canvas.height), on: part)
    }
    guard scroll.top + canvas.height < rows else { return }
    let more = " more ↓ "
    canvas.write(
      more, x: canvas.width - GraphemeWidth.width(of: more) - 1, y: canvas.height - 1, .accent)
  }

  private func draw(_ lines: ArraySlice<Line>, on canvas: Canvas) {
    let keyColumns = min(20, max(8, canvas.width / 3))
    for (y, line) in lines.enumerated() {
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
