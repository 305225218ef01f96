/// Turns frames into lines: the content when it changes after a key, the place, the state and
/// messages when they change, and the text before the cursor as it is typed.
package struct LineTranscript: Sendable {
  private let supportsUTF8: Bool
  private var written = SpokenScreen()
  /// The unfinished line of a text field.
  private var typed: String?
  /// True if a change of the content is written. Changes without a key are not, since nobody asked.
  private var isDue = true
  private var isAnswer = false

  package init(supportsUTF8: Bool) { self.supportsUTF8 = supportsUTF8 }

  /// Lets the next frames answer a key.
  package mutating func keyPressed() { (isDue, isAnswer) = (true, true) }

  /// Forgets what was written, so that the next frame is written whole.
  package mutating func forget() { (written, isDue) = (SpokenScreen(), true) }

  /// Returns the text to write for a frame; empty if nothing is new.
  package mutating func text(of surface: Surface) -> String {
    let lines = newLines(surface.spoken ?? SpokenScreen()).map(cleaned)
    var text = ""
    if typed != nil, !lines.isEmpty {
      text = "\n"
      typed = nil
    }
    text += lines.map { $0 + "\n" }.joined()
    guard let cursor = surface.cursor else {
      if typed != nil { text += "\n" }
      typed = nil
      return text
    }
    let row = surface.row(cursor.y).prefix(max(0, cursor.x)).map(\.text).joined()
    let before = cleaned(String(row.drop { $0 == " " }))
    if let typed, before.hasPrefix(typed) {
      text += before.dropFirst(typed.count)
    } else {
      text += (typed == nil ? "" : "\n") + before
    }
    typed = before
    return text
  }

  private mutating func newLines(_ new: SpokenScreen) -> [String] {
    var lines: [String] = []
    if new.place != written.place {
      lines.append(new.place)
      (written.place, written.content, isDue) = (new.place, [], true)
    }
    if isDue, !new.content.isEmpty, new.content != written.content {
      lines += Self.added(new.content, to: written.content)
      (written.content, isDue) = (new.content, false)
    }
    if new.status != written.status { lines.append(new.status) }
    if isAnswer || new.message != written.message { lines.append(new.message) }
    (written.status, written.message, isAnswer) = (new.status, new.message, false)
    return lines.filter { !$0.isEmpty }
  }

  /// Returns the lines that scrolling has brought into view.
  private static func added(_ new: [String], to old: [String]) -> [String] {
    for count in stride(from: min(new.count, old.count), to: 0, by: -1) {
      if old.suffix(count).elementsEqual(new.prefix(count)) { return Array(new.dropFirst(count)) }
      if old.prefix(count).elementsEqual(new.suffix(count)) { return Array(new.dropLast(count)) }
    }
    return new
  }

  /// Removes control characters, and replaces others if the terminal has only ASCII.
  private func cleaned(_ text: String) -> String {
    text.compactMap { character in
      guard let cluster = CellText.admissible(character) else { return nil }
      return supportsUTF8
        ? cluster.text : ASCIIFallback.text(for: cluster.text, columns: cluster.width)
    }.joined()
  }
}
