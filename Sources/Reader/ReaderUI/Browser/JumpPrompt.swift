import TerminalViews

/// Letters over the rows, panes and links in view. Typing a letter goes there; any other key ends
/// the prompt. Nothing scrolls.
final class JumpPrompt: Prompt {
  /// A target in the cells of the window, and its letters.
  private typealias Labelled = (label: String, target: JumpTarget)

  private unowned let browser: Browser
  private var typed = ""
  /// The targets of the last drawing, whose labels the user sees.
  private var targets: [Labelled]

  init(_ browser: Browser) {
    self.browser = browser
    targets = Self.targets(in: browser)
  }

  /// The reason not to ask; `nil` if there is a target.
  var whyNot: String? { targets.isEmpty ? "There is nothing to go to" : nil }

  func handle(_ key: Key) -> (() -> Void)? {
    guard case .character(let letter) = key else { return {} }
    typed += letter.lowercased()
    let found = targets.filter { $0.label.hasPrefix(typed) }
    guard let first = found.first else { return {} }
    return first.label == typed ? first.target.choose : nil
  }

  /// Letters in the order of their use: those under the fingers first.
  private static let letters = Array("asdfghjklqwertyuiopzxcvbnm")

  /// Returns labels of one letter; of two if there are more targets than letters.
  static func labels(_ count: Int) -> [String] {
    guard count > letters.count else { return letters.prefix(count).map { String($0) } }
    return letters.flatMap { first in letters.map { "\(first)\($0)" } }.prefix(count).map(\.self)
  }

  /// Returns the panes, then the content of the sheet or of each pane from the left.
  private static func targets(in browser: Browser) -> [Labelled] {
    let layout = browser.layout
    guard !layout.isTooSmall else { return [] }
    var found: [JumpTarget] = []
    func add(_ view: any Screen, _ frame: Rect, pane: PaneKind? = nil) {
      for target in view.jumpTargets where target.y < frame.height {
        found.append(
          JumpTarget(x: frame.x + target.x, y: frame.y + target.y) { [unowned browser] in
            if let pane, pane != browser.focus { browser.setFocus(pane) }
            target.choose()
          })
      }
    }
    if let sheet = browser.sheet {
      add(sheet, layout.body)
    } else {
      for (kind, frame) in layout.panes where layout.panes.count > 1 {
        found.append(
          JumpTarget(x: frame.x, y: layout.frameLine) { [unowned browser] in
            browser.setFocus(kind)
          })
      }
      for (kind, frame) in layout.panes {
        guard let screen = browser.screen(kind) else { continue }
        add(screen, frame, pane: kind)
      }
    }
    return zip(labels(found.count), found).map { (label: $0, target: $1) }
  }

  /// Draws the labels over the window, without the letters that were typed.
  func draw(over canvas: Canvas) {
    targets = Self.targets(in: browser)
    for (label, target) in targets where label.hasPrefix(typed) {
      canvas.write(String(label.dropFirst(typed.count)), x: target.x, y: target.y, .found)
    }
  }

  func draw(on canvas: Canvas) {
    var x = 1 + canvas.write("Go to: ", x: 1, y: 0, .accent)
    x += canvas.write(typed, x: x, y: 0)
    canvas.showCursor(x: x, y: 0)
    canvas.write(
      "type a letter; Esc ends", x: x + 2, y: 0, columns: canvas.width - x - 3, .secondary)
  }
}
