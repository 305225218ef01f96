package import TerminalViews

/// The configuration of the screens with its keymap and theme, and whether to draw a frame.
package final class Appearance {
  package private(set) var configuration: ReaderConfiguration
  package private(set) var keymap: Keymap
  package private(set) var theme: Theme
  private let depth: ColorDepth
  private var background: Theme.Background?
  package private(set) var needsDrawing = true
  private var isDrawingDeferred = false

  init(_ configuration: ReaderConfiguration, depth: ColorDepth) {
    self.configuration = configuration
    self.depth = depth
    keymap = configuration.keymap
    theme = configuration.appliedTheme(depth: depth)
  }

  package func setBackground(_ background: Theme.Background) {
    self.background = background
    configure(configuration)
  }

  package func configure(_ new: ReaderConfiguration) {
    configuration = new
    configuration.background = background ?? new.background
    keymap = new.keymap
    theme = configuration.appliedTheme(depth: depth)
    invalidate()
  }

  func change(_ body: (inout ReaderConfiguration) -> Void) {
    var new = configuration
    body(&new)
    configure(new)
  }

  package func invalidate() { needsDrawing = true }
  package func drawn() { (needsDrawing, isDrawingDeferred) = (false, false) }

  /// Delays the drawing of pending changes until the next key's frame.
  package func deferDrawing() {
    if needsDrawing { (needsDrawing, isDrawingDeferred) = (false, true) }
  }

  package func drawDeferred() { if isDrawingDeferred { invalidate() } }

  /// Lets the next frame draw what a read in the background has changed.
  func readApplied() { isDrawingDeferred = true }
}

extension Canvas {
  /// Writes a text with marked hits into `columns` columns; returns the columns used.
  @discardableResult
  package func write(_ text: MarkedText, x: Int, y: Int, columns: Int, _ role: Role) -> Int {
    guard !text.hits.isEmpty else { return write(text.text, x: x, y: y, columns: columns, role) }
    return write(text.pieces.map { ($0.text, $0.isHit) }, x: x, y: y, columns: columns, role)
  }
}
