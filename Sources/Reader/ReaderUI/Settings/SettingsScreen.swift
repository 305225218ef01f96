import TerminalViews

/// Every setting of the configuration file with its value, its default and a sentence. Enter
/// changes one.
final class SettingsScreen: ListSheet {
  let context: ReaderContext
  var list: RowList<SettingValueRow>

  init(context: ReaderContext) {
    self.context = context
    list = RowList(context.actions.settings)
  }

  var commandContext: CommandContext { .settings }
  var title: String { "Settings" }
  var caption: String? { "\(list.rows.filter(\.isInFile).count) of \(list.rows.count) set" }
  var emptyText: [String] { [] }

  private(set) lazy var bindings = Bindings { [unowned self] in
    movement + [
      binding(.open) { _ in self.openSelected() }.hinted(self.word("change"))
    ]
  }

  func openSelected() {
    guard let row = selected else { return }
    let (id, usual) = (row.id, Self.usual)
    guard !row.choices.isEmpty else {
      return context.ask(for: "\(id) (or \(usual)): ", text: row.value ?? "") { [weak self] in
        self?.change(id, to: $0)
      }
    }
    let items = [Picker.Item(usual, title: "\(usual) (\(row.usual ?? ""))")]
    let current = row.value.map { [$0] } ?? []
    let others = row.choices.filter { !current.contains($0) }
    context.window?.ask(
      Picker(row.id, current.map { Picker.Item($0) } + items + others.map { Picker.Item($0) }) {
        [weak self] in self?.change(id, to: $0.first ?? usual)
      })
  }

  private static let usual = "default"

  private func change(_ id: String, to text: String) {
    do throws(ActionFailure) {
      try context.actions.change(setting: id, to: text)
    } catch {
      context.show(.failure(error.sentence))
    }
  }

  /// True if the window has room for a setting and its sentence in one line.
  private var isWide: Bool { list.window.width >= 110 }

  func lines(ofRow index: Int) -> Int { isWide ? 1 : 2 }

  func drawHeader(on canvas: Canvas) -> Int {
    list.update(context.actions.settings)
    return 0
  }

  func draw(_ row: SettingValueRow, on canvas: Canvas, y: Int) {
    canvas.write(row.id, x: 3, y: y, columns: 26, .title)
    let value = row.value ?? "not set"
    let isUsual = row.value == row.usual
    let room = max(10, isWide ? 30 : canvas.width - 32)
    let usual = isUsual ? "" : row.usual.map { "  (\($0))" } ?? ""
    let used = canvas.write(
      value, x: 30, y: y, columns: room - usual.count, isUsual ? .secondary : .accent)
    canvas.write(usual, x: 30 + used, y: y, columns: room - used, .secondary)
    let x = isWide ? 62 : 5
    canvas.write(
      row.sentence, x: x, y: isWide ? y : y + 1, columns: canvas.width - x - 1, .secondary)
  }
}
