import TerminalKit

/// One line of text being edited.
struct TextField {
  private(set) var text: String
  /// In characters from the beginning.
  private var cursor: Int
  /// A password: each character is shown as a dot.
  private let isHidden: Bool

  /// Longer texts are not taken: no address and no query needs more.
  private static let limit = 4_096

  init(_ text: String = "", isHidden: Bool = false) {
    self.text = text
    self.isHidden = isHidden
    cursor = text.count
  }

  /// Edits; false where the key means nothing to a text.
  mutating func take(_ key: Key) -> Bool {
    var characters = Array(text)
    switch key {
    case .character(let character):
      guard characters.count < Self.limit else { return true }
      insert(CollectionOfOne(character), into: &characters)
    case .paste(let pasted):
      let flat = pasted.filter { !$0.isNewline && $0 != "\t" }
      let taken = flat.prefix(max(0, Self.limit - characters.count))
      insert(taken, into: &characters)
    case .backspace, .control("h"):
      guard cursor > 0 else { return true }
      cursor -= 1
      characters.remove(at: cursor)
    case .delete, .control("d"):
      guard cursor < characters.count else { return true }
      characters.remove(at: cursor)
    case .left, .control("b"): cursor = max(0, cursor - 1)
    case .right, .control("f"): cursor = min(characters.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = characters.count
    case .control("u"):
      characters.removeFirst(cursor)
      cursor = 0
    case .control("k"): characters.removeLast(characters.count - cursor)
    case .control("w"):
      var start = cursor
      while start > 0, characters[start - 1] == " " { start -= 1 }
      while start > 0, characters[start - 1] != " " { start -= 1 }
      characters.removeSubrange(start..<cursor)
      cursor = start
    default: return false
    }
    text = String(characters)
    cursor = min(cursor, text.count)
    return true
  }

  /// A combining mark joins the cluster before it: the cursor is behind fewer characters than were put in.
  private mutating func insert(
    _ new: some Collection<Character>, into characters: inout [Character]
  ) {
    let before = String(characters[..<cursor]) + String(new)
    characters.insert(contentsOf: new, at: cursor)
    cursor = before.count
  }

  /// As it may be seen.
  var shown: String { isHidden ? String(repeating: "•", count: text.count) : text }

  /// Draws with the cursor in view.
  func draw(on canvas: Canvas, x: Int, y: Int) {
    let space = max(1, canvas.width - x - 1)
    let characters = Array(shown)
    var start = 0
    while start < cursor, GraphemeWidth.width(of: String(characters[start..<cursor])) >= space {
      start += max(1, (cursor - start) / 8)
    }
    start = min(start, cursor)
    canvas.write(String(characters[start...]), x: x, y: y)
    let offset = GraphemeWidth.width(of: String(characters[start..<cursor]))
    canvas.showCursor(x: min(x + offset, canvas.width - 1), y: y)
  }
}

/// Narrows a list while it is typed. Enter keeps the text, Esc gives everything back.
final class FilterPrompt: Prompt {
  private let label: String
  private var field: TextField
  private let context: ReaderContext
  private let changed: (String) -> Void
  private let ended: (Bool) -> Void

  init(
    label: String, text: String, context: ReaderContext, changed: @escaping (String) -> Void,
    ended: @escaping (_ keeps: Bool) -> Void
  ) {
    self.label = label
    field = TextField(text)
    self.context = context
    self.changed = changed
    self.ended = ended
  }

  func take(_ key: Key) {
    switch key {
    case .enter: ended(true)
    case .escape: ended(false)
    case .backspace where field.text.isEmpty: ended(false)
    default:
      if field.take(key) { changed(field.text) }
    }
    context.invalidate()
  }

  func draw(on canvas: Canvas) {
    let used = canvas.write(label, x: 1, y: 0, .accent)
    field.draw(on: canvas, x: 1 + used, y: 0)
  }
}

/// Asks for one line of text.
final class TextPrompt: Prompt {
  private let label: String
  private var field: TextField
  private let context: ReaderContext
  private let ended: (String?) -> Void

  init(
    label: String, text: String = "", isHidden: Bool = false, context: ReaderContext,
    ended: @escaping (_ text: String?) -> Void
  ) {
    self.label = label
    field = TextField(text, isHidden: isHidden)
    self.context = context
    self.ended = ended
  }

  func take(_ key: Key) {
    switch key {
    case .enter: ended(field.text)
    case .escape: ended(nil)
    default: _ = field.take(key)
    }
    context.invalidate()
  }

  func draw(on canvas: Canvas) {
    let used = canvas.write(label + " ", x: 1, y: 0, .accent)
    field.draw(on: canvas, x: 1 + used, y: 0)
  }
}

/// Asks yes or no; everything but `y` is no.
final class ConfirmPrompt: Prompt {
  private let question: String
  private let ended: (Bool) -> Void

  init(question: String, ended: @escaping (_ isYes: Bool) -> Void) {
    self.question = question
    self.ended = ended
  }

  func take(_ key: Key) {
    switch key {
    case .mouse, .focusIn, .focusOut: break
    default: ended(key == .character("y") || key == .character("Y"))
    }
  }

  func draw(on canvas: Canvas) {
    let used = canvas.write(
      question, x: 1, y: 0, columns: max(0, canvas.width - 8), truncation: .middle, .accent)
    canvas.write("y / n", x: 3 + used, y: 0)
  }
}

/// The number of a link; opens as soon as no longer number is possible.
final class LinkPrompt: Prompt {
  private let count: Int
  private var digits = ""
  private let context: ReaderContext
  private let ended: (Int?) -> Void

  /// - Parameter ended: with an index from 0, or nil.
  init(count: Int, context: ReaderContext, ended: @escaping (Int?) -> Void) {
    self.count = count
    self.context = context
    self.ended = ended
  }

  func take(_ key: Key) {
    context.invalidate()
    switch key {
    case .character(let character):
      guard character.isASCII, let digit = character.wholeNumberValue else { return }
      let number = (Int(digits) ?? 0) * 10 + digit
      guard (1...count).contains(number) else { return }
      digits = String(number)
      if number * 10 > count { ended(number - 1) }
    case .backspace: _ = digits.popLast()
    case .enter: ended(Int(digits).map { $0 - 1 })
    case .escape: ended(nil)
    default: break
    }
  }

  func draw(on canvas: Canvas) {
    var x = 1 + canvas.write("Open link: ", x: 1, y: 0, .accent)
    x += canvas.write(digits, x: x, y: 0)
    canvas.showCursor(x: x, y: 0)
    canvas.write("  of \(count)", x: x + 1, y: 0, .secondary)
  }
}
