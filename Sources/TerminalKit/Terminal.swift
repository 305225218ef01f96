// What a terminal is to the screens, without one: values and pure functions only. What touches a
// descriptor, the clock or the process is in NcursesTerminal.

/// One key press, click or paste.
public enum Key: Sendable, Hashable {
  case character(Character)
  /// Ctrl with a letter in lower case or one of `\ ] ^ _ @`. Ctrl-Space is `@`; Ctrl with `h i j m
  /// [` is Backspace, Tab, Enter, Enter and Esc: terminals send the same.
  case control(Character)
  case alt(Character)
  case enter, escape, tab, backTab, backspace, delete, insert
  case up, down, left, right, home, end, pageUp, pageDown
  /// F1 is 1.
  case function(Int)
  case mouse(MouseEvent)
  case paste(String)
  case resize(Size)
  case focusIn, focusOut
  /// The terminal says whether it writes on a dark background.
  case background(isDark: Bool)
  /// The terminal says that it shows pictures (`PictureProtocol.kitty`).
  case graphics
}

/// What the mouse did, and in which cell.
public struct MouseEvent: Sendable, Hashable {
  /// The wheel gives one event a step.
  public enum Action: Sendable, Hashable { case press, doubleClick, release, wheelUp, wheelDown }
  public var action: Action
  /// The column, 0 first.
  public var x: Int
  /// The row, 0 first.
  public var y: Int
  /// In the cell at (`x`, `y`), counted from 0.
  public init(_ action: Action, x: Int, y: Int) {
    self.action = action
    self.x = x
    self.y = y
  }
}

/// How many colours the terminal shows.
public enum ColorDepth: Int, Sendable, Comparable {
  case mono = 0, ansi16 = 16, ansi256 = 256, trueColor = 16_777_216
  /// Fewer colours are less.
  public static func < (a: ColorDepth, b: ColorDepth) -> Bool { a.rawValue < b.rawValue }
}

/// A screen that shows surfaces and gives keys. The real one is in NcursesTerminal;
/// `VirtualTerminal` keeps what it was shown, for tests.
@MainActor
public protocol Terminal: AnyObject {
  /// Its size in cells.
  var size: Size { get }
  /// How many colours it shows.
  var colorDepth: ColorDepth { get }
  /// Whether it shows characters beyond ASCII.
  var takesUTF8: Bool { get }
  /// Shows the surface; writes only what differs from what is on the screen.
  func present(_ surface: Surface)
  /// Repaints everything (Ctrl-L, return from suspension).
  func redraw()
  /// All keys that have arrived, without waiting; empty if there are none.
  func readKeys() -> [Key]
  /// Sets the title of the window, where the terminal has one.
  func setTitle(_ title: String)
  /// Pixels of one cell; nil: the terminal does not say.
  var cellPixels: Size? { get }
  /// What the terminal is known to show.
  var graphics: PictureProtocol? { get }
  /// The number by which cells (`Surface.place`) show this picture; it is sent to the terminal when
  /// it is not there yet. Nil if the terminal has no graphics.
  func number(of picture: TerminalPicture) -> UInt32?
  /// Puts text into the clipboard (OSC 52); false if the terminal is known not to take it.
  func copy(_ text: String) -> Bool
  /// Gives the terminal back to the shell, or to a program that `body` runs, and takes it again.
  func suspended<T>(_ body: () throws -> T) rethrows -> T
  /// Restores the terminal for good.
  func close()
}
