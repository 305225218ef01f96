import TerminalViews

/// The words for the window in the linear form.
extension WindowDrawing {
  func spoken(on surface: Surface) -> SpokenScreen {
    SpokenScreen(place: place, content: content(on: surface), status: status, message: message)
  }

  private var place: String {
    if let sheet = browser.sheet { return sheet.title }
    let caption = browser.focused.caption.map { ", \($0)" } ?? ""
    switch browser.focus {
    case .feeds: return "List of feeds" + caption
    case .articles: return "List of articles: \(browser.articles?.title ?? "")" + caption
    case .reader: return "Article"
    }
  }

  /// The keys that may follow, the words of the screen, or the row of the hidden cursor.
  private func content(on surface: Surface) -> [String] {
    if !continuations.isEmpty { return continuations.map { "\($0.key), \($0.title)" } }
    if browser.prompt == nil || browser.prompt is TextPrompt, let words = browser.focused.spoken {
      return words
    }
    guard let focus = surface.focus, focus.y != surface.cursor?.y else { return [] }
    let row = SpokenRow.text(of: surface.row(focus.y).dropFirst(focus.x).map(\.text).joined())
    return row.isEmpty ? [] : [row]
  }

  private var status: String {
    var parts: [String] = []
    if refreshes.pauses.contains(.everything) { parts.append("the sync is paused") }
    let quality = refreshes.status.quality
    if refreshes.progress.total > 0, quality != .offline { parts.append("refreshing") }
    if let text = SyncWording.connection(
      quality, since: refreshes.offlineSince, newest: newestSync, context.dates)
    {
      parts.append(text)
    }
    let text = parts.joined(separator: ", ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// The effect of the highlighted choice, the status line's message, or the problem of a form.
  private var message: String {
    if let effect = (browser.prompt as? any ListPrompt)?.effectText, !effect.isEmpty {
      return effect
    }
    return context.messages.current?.text ?? (browser.sheet as? any FieldSheet)?.problem ?? ""
  }
}

/// Rows of the screen in words.
enum SpokenRow {
  /// Words for the symbols that rows begin with.
  private static let words: [Substring: String] = [
    "●": "unread,", "★": "starred,", "!": "failing,", "⟳": "refreshing,", "⏸": "paused,",
    "↷": "moved,", "✓": "marked,", "•": "changed,",
  ]

  /// Returns a row with words for symbols, commas between columns, and without lines and arrows.
  static func text(of row: String) -> String {
    let columns = row.split(separator: "  ").map { column in
      column.split(separator: " ").compactMap { word in
        if let known = words[word] { return known }
        let isOrnament = word.unicodeScalars.allSatisfy { ornaments.contains($0.value) }
        return isOrnament ? nil : String(word)
      }.joined(separator: " ")
    }
    let text = columns.filter { !$0.isEmpty }.joined(separator: ", ").replacing(",,", with: ",")
    return text.hasSuffix(",") ? String(text.dropLast()) : text
  }

  /// Lines, blocks and shapes (U+2500…25FF), and the marks of a choice.
  private static let ornaments = Set<UInt32>([0x2039, 0x203A]).union(0x2500...0x25FF)
}
