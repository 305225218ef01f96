import TerminalViews

/// The keys of every day and the signs of a screen.
struct HelpCard {
  let context: ReaderContext
  let place: CommandContext
  let binding: (Command) -> Binding?

  private static let most = 10

  private static let words: [(command: Command, word: String)] = [
    (.readOn, "read on"), (.back, "back"), (.fullText, "full text"), (.followLink, "links"),
    (.toggleStar, "star"), (.toggleLater, "later"), (.undo, "undo"), (.markShownRead, "all read"),
    (.search, "search"), (.refresh, "refresh"), (.add, "add"), (.edit, "edit"),
    (.toggleUnreadFilter, "unread/all"), (.openInBrowser, "browser"),
  ]

  /// The keys with their words; the last one finds all others.
  private var keys: [(key: String, word: String)] {
    func key(_ command: Command, _ word: String) -> (key: String, word: String)? {
      guard binding(command) != nil else { return nil }
      return context.keymap.sequences(for: command, in: place).first.map { ($0.label, word) }
    }
    return Self.words.compactMap(key).prefix(Self.most - 1)
      + [key(.palette, "any command")].compactMap(\.self)
  }

  private static let signs: [CommandContext: [(sign: String, word: String)]] = [
    .feeds: [
      ("\u{27F3}", "refreshing"), ("!", "failing"), ("\u{23F8}", "paused"), ("\u{21B7}", "moved"),
      ("z", "asleep"), ("\u{25BE}", "open folder"), ("\u{25B8}", "closed folder"),
    ],
    .articles: [
      ("\u{25CF}", "unread"), ("\u{2605}", "starred"), ("\u{25C6}", "for later"),
      ("\u{25CD}", "ready for reading offline"),
    ],
    .reader: [
      ("\u{2605}", "starred"), ("\u{25C6}", "for later"), ("\u{25A3}", "pictures"),
      ("\u{2630}", "comments"), ("\u{21E1}", "not sent to the server yet"),
    ],
  ]

  private var signs: [String] {
    (Self.signs[place] ?? []).map { "\($0.sign) \($0.word)" }
  }

  private var more: String {
    "\(context.keymap.label(.help) ?? "") again: all keys of this screen"
  }

  var spoken: [String] { keys.map { "\($0.key), \($0.word)" } + signs + [more] }

  func draw(on canvas: Canvas) {
    let (keys, air) = (keys, canvas.height < 18 ? 0 : 1)
    let canvas = canvas.part(
      Rect(x: 0, y: air, width: canvas.width, height: canvas.height - air))
    let columns = canvas.width >= 44 && canvas.height < keys.count + 6 || canvas.width >= 64 ? 2 : 1
    let rows = (keys.count + columns - 1) / columns
    for (index, key) in keys.enumerated() {
      let (x, y) = (3 + index / rows * min(32, canvas.width / columns), index % rows)
      canvas.write(key.key, x: x, y: y, .accent)
      canvas.write(key.word, x: x + 8, y: y)
    }
    canvas.focus(x: 3, y: 0)
    var y = rows + 1
    // A sign stays beside its word.
    let text = signs.map { $0.replacing(" ", with: "\u{A0}") }.joined(separator: "   ")
    for line in TextWrapping.lines(text, columns: max(1, canvas.width - 4)) where !signs.isEmpty {
      canvas.write(line, x: 3, y: y, .secondary)
      y += 1
    }
    canvas.write(more, x: 3, y: signs.isEmpty ? y : y + 1, .secondary)
  }
}
