internal import Foundation

/// A line of text that the user edits, with the keys of Emacs and readline.
public struct TextField {
  public private(set) var text: String
  /// Position in characters from the beginning.
  private var cursor: Int
  /// True for a password: each character is shown as a dot.
  private let isHidden: Bool
  /// True if the content is selected: the next letter replaces it, an arrow keeps it.
  private var isSelected: Bool

  /// The most characters; no address or query needs more.
  private static let limit = 4_096

  public init(_ text: String = "", isHidden: Bool = false, isSelected: Bool = false) {
    self.text = text
    self.isHidden = isHidden
    self.isSelected = isSelected && !text.isEmpty
    cursor = text.count
  }

  /// Edits the text; returns `false` if the key is no edit.
  public mutating func handle(_ key: Key) -> Bool {
    replaceSelected(key)
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

  private mutating func replaceSelected(_ key: Key) {
    guard isSelected else { return }
    isSelected = false
    switch key {
    case .character, .paste, .backspace, .delete, .control("h"), .control("d"):
      (text, cursor) = ("", 0)
    default: break
    }
  }

  /// Inserts text. A combining mark joins the cluster before it, so the cursor may move by fewer
  /// characters than were inserted.
  private mutating func insert(
    _ new: some Collection<Character>, into characters: inout [Character]
  ) {
    let before = String(characters[..<cursor]) + String(new)
    characters.insert(contentsOf: new, at: cursor)
    cursor = before.count
  }

  var shown: String { isHidden ? String(repeating: "•", count: text.count) : text }

  /// Draws the part of the text that contains the cursor.
  public func draw(on canvas: Canvas, x: Int, y: Int) {
    let space = max(1, canvas.width - x - 1)
    let characters = Array(shown)
    var start = 0
    while start < cursor, GraphemeWidth.width(of: String(characters[start..<cursor])) >= space {
      start += max(1, (cursor - start) / 8)
    }
    start = min(start, cursor)
    canvas.write(String(characters[start...]), x: x, y: y, isSelected ? .selection : .text)
    let offset = GraphemeWidth.width(of: String(characters[start..<cursor]))
    canvas.showCursor(x: min(x + offset, canvas.width - 1), y: y)
  }
}

/// Asks for one line of text. Enter accepts it, Esc cancels.
public final class TextPrompt: Prompt {
  private let label: String
  private var field: TextField
  private let isFilter: Bool
  /// Earlier texts; `nil` if texts are not remembered.
  private let history: PromptHistory?
  /// Returns completions of the text, for Tab.
  private let completing: ((String) -> [String])?
  /// Index in the history; `nil` for a new text.
  private var place: Int?
  private let changed: (String) -> Void
  private let accepted: (String) -> Void
  private let cancelled: () -> Void

  /// - Parameter accepted: Called with the typed text, trimmed, if that is not empty. A hidden text
  /// is passed unchanged.
  public init(
    _ label: String, text: String = "", isHidden: Bool = false, history: PromptHistory? = nil,
    completing: ((String) -> [String])? = nil, accepted: @escaping (String) -> Void
  ) {
    self.label = label
    self.history = history
    self.completing = completing
    field = TextField(text, isHidden: isHidden, isSelected: true)
    isFilter = false
    changed = { _ in }
    cancelled = {}
    self.accepted = { text in
      let text = isHidden ? text : text.trimmingWhitespace
      guard !text.isEmpty else { return }
      if !isHidden { history?.add(text, to: label) }
      accepted(text)
    }
  }

  /// Filters a list while the user types. Esc, or Backspace without a text, shows all rows again.
  /// - Parameters:
  ///   - changed: Called with each new text; an empty text shows all rows.
  ///   - cancelled: Called to show all rows again; `nil` to call `changed` with an empty text.
  init(filter text: String, changed: @escaping (String) -> Void, cancelled: (() -> Void)? = nil) {
    label = "/"
    history = nil
    completing = nil
    field = TextField(text, isSelected: true)
    isFilter = true
    self.changed = changed
    self.cancelled = cancelled ?? { changed("") }
    accepted = { _ in }
  }

  public func handle(_ key: Key) -> (() -> Void)? {
    switch key {
    case .enter: return { [accepted, text = field.text] in accepted(text) }
    case .escape: return cancelled
    case .backspace where isFilter && field.text.isEmpty: return cancelled
    case .tab where completing != nil: complete()
    case .up where !isFilter: recall(1)
    case .down where !isFilter: recall(-1)
    default:
      if field.handle(key) { changed(field.text) }
    }
    return nil
  }

  /// Completes the part that all completions have in common.
  private func complete() {
    guard let found = completing?(field.text), let first = found.first else { return }
    let common = found.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    if common.count > field.text.count { field = TextField(common) }
  }

  /// Recalls an earlier text, the newest first.
  private func recall(_ step: Int) {
    let texts = history?.texts(of: label) ?? []
    let next = (place ?? -1) + step
    guard next >= -1, next < texts.count else { return }
    place = next >= 0 ? next : nil
    field = TextField(next >= 0 ? texts[next] : "")
  }

  public func draw(on canvas: Canvas) {
    let used = canvas.write(label, x: 1, y: 0, .accent)
    field.draw(on: canvas, x: 1 + used, y: 0)
  }
}

extension Prompt where Self == TextPrompt {
  /// Returns a prompt that filters a list while the user types.
  /// - Parameter cancelled: Called by Esc; `nil` to call `changed` with an empty text.
  public static func filter(
    _ text: String, changed: @escaping (String) -> Void, cancelled: (() -> Void)? = nil
  ) -> TextPrompt {
    TextPrompt(filter: text, changed: changed, cancelled: cancelled)
  }
}

/// Asks a yes-or-no question. `n`, Enter and Esc mean no; so does every other key, which then has
/// its usual effect.
public final class ConfirmPrompt: Prompt {
  private let question: String
  private let confirmed: () -> Void

  public init(question: String, confirmed: @escaping () -> Void) {
    (self.question, self.confirmed) = (question, confirmed)
  }

  public func handle(_ key: Key) -> (() -> Void)? {
    switch key {
    case .character("y"), .character("Y"): return confirmed
    default: return {}
    }
  }

  public func passesOn(_ key: Key) -> Bool {
    switch key {
    case .enter, .escape: false
    case .character(let letter): !["y", "n"].contains(letter.lowercased())
    default: true
    }
  }

  public func draw(on canvas: Canvas) {
    let used = canvas.write(
      question, x: 1, y: 0, columns: max(0, canvas.width - 8), truncation: .middle, .accent)
    canvas.write("y / n", x: 3 + used, y: 0)
    canvas.focus(y: 0)
  }
}

/// A question or a text field in the status line, which receives every key until it is closed.
@MainActor public protocol Prompt: AnyObject {
  /// Handles a key. Returns the action after closing the prompt; `nil` if it stays open.
  func handle(_ key: Key) -> (() -> Void)?
  /// Returns true if a key that has closed the prompt has its usual effect too.
  func passesOn(_ key: Key) -> Bool
  /// Draws the prompt in the status line.
  func draw(on canvas: Canvas)
}

extension Prompt {
  public func passesOn(_ key: Key) -> Bool { false }
}

/// A prompt with a list of choices, drawn above the status line over the screen's content.
@MainActor public protocol ListPrompt: Prompt {
  /// The number of rows that the list can use; at least 1.
  var listRows: Int { get }
  /// Draws the list on a canvas of at most `listRows` rows.
  func draw(list canvas: Canvas)
  /// The effect that the highlighted choice would have now; empty if unknown.
  var effectText: String { get }
}

extension ListPrompt {
  public var effectText: String { "" }
}

/// Texts typed into prompts since the reader was opened, the newest first.
public final class PromptHistory {
  private var texts: [String: [String]] = [:]

  public init() {}
  private static let most = 50

  func texts(of label: String) -> [String] { texts[label] ?? [] }

  func add(_ text: String, to label: String) {
    let others = texts(of: label).filter { $0 != text }
    texts[label] = Array(([text] + others).prefix(Self.most))
  }
}

extension String {
  package nonisolated var trimmingWhitespace: String {
    var part = self[...]
    while let first = part.first, first.isWhitespace { part.removeFirst() }
    while let last = part.last, last.isWhitespace { part.removeLast() }
    return String(part)
  }
}
