@_exported public import TerminalKit

/// A part of the window with its own content.
@MainActor public protocol View<ProgramCommand>: CommandTarget {
  var commandContext: ProgramCommand.Place { get }
  /// Text for the top bar.
  var title: String { get }
  /// Text in the rule above the view, such as filters and progress.
  var caption: String? { get }
  /// True if typed letters are text instead of commands.
  var acceptsText: Bool { get }
  /// Called before any command runs while this view has the focus.
  func willPerform(_ command: ProgramCommand)
  /// Called after a command has run while this view has the focus.
  func didPerform()
  /// Handles a key before the keymap, for views with a text field; returns `false` if not handled.
  func handle(_ key: Key) -> Bool
  /// Returns the meaning of a typed number that no command key follows.
  func meaning(ofNumber number: Int) -> CommandNumber<ProgramCommand>?
  /// Draws the view on a canvas that has its background.
  func draw(on canvas: Canvas, isFocused: Bool)
  /// Handles a click at a position of the last canvas.
  func press(x: Int, y: Int, isDouble: Bool)
  /// Handles a step of the wheel at a position of the last canvas; `rows` is negative for up.
  func scroll(by rows: Int, x: Int, y: Int)
  /// Keys for the left of the status line, shown if there is no message.
  var hints: [CommandHint<ProgramCommand>] { get }
}

extension View {
  public var caption: String? { nil }
  public var acceptsText: Bool { false }
  public func willPerform(_ command: ProgramCommand) {}
  public func didPerform() {}
  public func handle(_ key: Key) -> Bool { false }
  public func meaning(ofNumber number: Int) -> CommandNumber<ProgramCommand>? { nil }
  public func press(x: Int, y: Int, isDouble: Bool) {}
  public func scroll(by rows: Int, x: Int, y: Int) {}
  public var hints: [CommandHint<ProgramCommand>] { bindings.hints }
}

extension View {
  /// Handles a click, or a step of the wheel by three rows.
  public func handle(_ action: MouseEvent.Action, x: Int, y: Int) {
    switch action {
    case .wheelUp: scroll(by: -3, x: x, y: y)
    case .wheelDown: scroll(by: 3, x: x, y: y)
    case .press, .doubleClick: press(x: x, y: y, isDouble: action == .doubleClick)
    case .release: break
    }
  }
}
