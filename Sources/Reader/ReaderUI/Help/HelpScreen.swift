import Foundation
import TerminalViews

/// A key of the help, or a macro, with its commands.
nonisolated struct HelpLine: Identifiable {
  let id: Int
  let keys: String
  let invocations: [Invocation]
  /// The chapter, for its first line.
  let chapter: String
}

/// The card with the keys of every day and the signs of the screen below; then all keys of that
/// screen, generated from the keymap. A line can be carried out.
final class HelpScreen: ListSheet {
  private let context: ReaderContext
  private let about: CommandContext
  /// Returns the handler of a command in the screen below.
  private let binding: (Command) -> Binding?
  private let run: ([Invocation]) -> Void
  var list = RowList<HelpLine>()
  private var text = ""
  private var isCard = true

  init(
    context: ReaderContext, about: CommandContext, binding: @escaping (Command) -> Binding?,
    run: @escaping ([Invocation]) -> Void
  ) {
    self.context = context
    self.about = about
    self.binding = binding
    self.run = run
    list = RowList(lines)
  }

  var commandContext: CommandContext { .help }
  var title: String { "Help: \(about.title)" }
  var caption: String? { text.isEmpty ? nil : "/\(text)" }

  private(set) lazy var bindings = Bindings { [unowned self] in
    movement + [
      Binding(.open, unless: self.selected == nil ? "No key matches" : nil) { self.openSelected() }
        .hinted(self.isCard ? nil : "run"),
      Binding(.help) {
        if self.isCard { self.isCard = false } else { self.context.window?.closeSheet() }
      }.hinted(self.isCard ? "all keys" : nil),
      Binding(.readOn) { self.list.move(.pages(1)) }.hinted(self.isCard ? nil : "page"),
      Binding(.filter) {
        self.context.window?.ask(.filter(self.text) { [weak self] in self?.find($0) })
      }.hinted("find"),
      Binding(.dismiss, when: !self.text.isEmpty) { self.find("") },
    ]
  }

  /// Any command in the help except these leads from the card to the list.
  func willPerform(_ command: Command) {
    let isElsewhere: [Command] = [.help, .back, .dismiss, .palette, .quit]
    if !isElsewhere.contains(command) { isCard = false }
  }

  func openSelected() {
    guard let selected, !isCard else { return }
    context.window?.closeSheet()
    run(selected.invocations)
  }

  private func find(_ text: String) {
    self.text = text
    list = RowList(lines)
  }

  private var lines: [HelpLine] {
    var lines: [HelpLine] = []
    func add(_ keys: String, _ invocations: [Invocation], _ chapter: String) {
      let names = [invocations.title] + invocations.map(\.command.name)
      guard !keys.isEmpty,
        text.isEmpty || keys.contains(text)
          || names.contains(where: { $0.localizedCaseInsensitiveContains(text) })
      else { return }
      let isFirst = !lines.contains { $0.chapter == chapter }
      lines.append(
        HelpLine(
          id: lines.count, keys: keys, invocations: invocations, chapter: isFirst ? chapter : ""))
    }
    for chapter in Command.Chapter.allCases {
      for command in Command.allCases where command.chapter == chapter {
        let keys = context.keymap.sequences(for: command, in: about).map(\.label)
        add(keys.joined(separator: " "), [Invocation(command)], chapter.rawValue)
      }
    }
    for macro in context.keymap.macros {
      add(macro.keys.label, macro.invocations, "Your own keys")
    }
    return lines
  }

  // MARK: Drawing

  var emptyText: [String] { isCard ? [] : ["No matches."] }
  private var card: HelpCard { HelpCard(context: context, place: about, binding: binding) }
  var spoken: [String]? { isCard ? card.spoken : nil }

  /// Draws the card in place of the list.
  func drawHeader(on canvas: Canvas) -> Int {
    guard isCard else { return 0 }
    card.draw(on: canvas)
    return canvas.height
  }

  func draw(_ line: HelpLine, on canvas: Canvas, y: Int) {
    let keyColumns = min(20, max(8, canvas.width / 3))
    canvas.write(line.keys, x: 3, y: y, columns: keyColumns, .accent)
    let x = 5 + keyColumns
    let end = x + canvas.write(line.invocations.title, x: x, y: y, columns: canvas.width - x - 1)
    let left = canvas.width - 1 - GraphemeWidth.width(of: line.chapter)
    if end + 2 < left { canvas.write(line.chapter, x: left, y: y, .secondary) }
  }
}

/// Changes of the keys by version, which the reader shows once after an upgrade.
public nonisolated enum KeyChanges {
  /// The newest version first, each with the most important changes first.
  private static let all = [
    (
      version: "0.1.0",
      lines: [
        "gx sends an article or a list, gl shows other lists, ga tells about an article",
        "gA marks a part read, D deletes what is selected, p pauses in Sync and Downloads",
        ":  finds every command, by its old name and by everyday words too",
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
