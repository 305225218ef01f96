// Values and pure functions only. NcursesTerminal has the descriptors, clocks and signals.

/// An input event, such as a key press, click or paste.
public enum Key: Sendable, Hashable {
  case character(Character)
  /// Ctrl with a lower-case letter or one of `\ ] ^ _ @`. Ctrl-Space is `@`; Ctrl with `h i j m [`
  /// is Backspace, Tab, Enter, Enter and Esc, which terminals do not distinguish.
  case control(Character)
  case alt(Character)
  case enter, escape, tab, backTab, backspace, delete, insert
  case up, down, left, right, home, end, pageUp, pageDown
  /// A function key; F1 is 1.
  case function(Int)
  case mouse(MouseEvent)
  case paste(String)
  case resize(Size)
  case focusIn, focusOut
  /// The terminal's answer about its background.
  case background(isDark: Bool)
  /// The terminal's confirmation of graphics (`PictureProtocol.kitty`).
  case graphics
}

/// A mouse action in a cell.
public struct MouseEvent: Sendable, Hashable {
  /// Kinds of mouse events. The wheel produces one event per step.
  public enum Action: Sendable, Hashable { case press, doubleClick, release, wheelUp, wheelDown }
  public var action: Action
  public var x: Int
  public var y: Int
  public init(_ action: Action, x: Int, y: Int) { (self.action, self.x, self.y) = (action, x, y) }
}

/// The number of colours of the terminal.
public enum ColorDepth: Int, Sendable, Comparable {
  case mono = 0, ansi16 = 16, ansi256 = 256, trueColor = 16_777_216
  public static func < (a: ColorDepth, b: ColorDepth) -> Bool { a.rawValue < b.rawValue }
}

/// A screen that shows surfaces and reads keys.
@MainActor
public protocol Terminal: AnyObject {
  /// The size in cells.
  var size: Size { get }
  /// The available colours.
  var colorDepth: ColorDepth { get }
  /// True if the terminal shows non-ASCII characters.
  var supportsUTF8: Bool { get }
  /// Shows the surface by writing the differences.
  func present(_ surface: Surface)
  /// Repaints the whole screen, after Ctrl-L or a suspension.
  func redraw()
  /// Returns the keys that have arrived, without waiting.
  func readKeys() -> [Key]
  /// Sets the window title, if supported.
  func setTitle(_ title: String)
  /// The size of a cell in pixels; `nil` if unknown.
  var cellPixels: Size? { get }
  /// The protocol for pictures, if any.
  var graphics: PictureProtocol? { get }
  /// Returns the number for the picture's cells (`Surface.place`), and sends the picture if
  /// necessary. `nil` if the terminal has no graphics.
  func number(of picture: TerminalPicture) -> UInt32?
  /// Copies text to the clipboard (OSC 52). Returns false if known to be unsupported.
  func copy(_ text: String) -> Bool
  /// Restores the terminal for the shell or a program in `body`, then takes it over again.
  func suspended<T>(_ body: () throws -> T) rethrows -> T
  /// Restores the terminal for good.
  func close()
}

/// The words for a surface, for a terminal that writes lines instead of drawing cells.
public struct SpokenScreen: Sendable, Equatable {
  /// The name of the focused part of the screen.
  public var place: String
  /// The selected row as a sentence, or the lines of a text in view; empty while it is loading.
  public var content: [String]
  /// The state of the program, without numbers that change by themselves.
  public var status: String
  /// A message to the user; empty if there is none.
  public var message: String

  public init(
    place: String = "", content: [String] = [], status: String = "", message: String = ""
  ) {
    (self.place, self.content, self.status, self.message) = (place, content, status, message)
  }
}
