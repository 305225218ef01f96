/// The commands of a program: an enumeration whose cases can be bound to keys. A program declares
/// one, and its views, keymap and key line are made for it.
public nonisolated protocol CommandSet: CaseIterable, Hashable, Sendable where AllCases == [Self] {
  /// The parts of the program's screen in which a key can mean different things.
  associatedtype Place: CaseIterable, Hashable, Sendable

  /// The name in a configuration: "move-down".
  var name: String { get }
  /// - Parameter name: A name of a configuration; `nil` if no command has it.
  init?(named name: String)
  /// The default keys, each a sequence: "j", "ctrl-d", "g g".
  var keys: [String] { get }
  /// The places where the command works.
  var places: Set<Place> { get }
  /// A text may follow the name.
  var takesArgument: Bool { get }

  /// Moves down by one row, or by the number typed before.
  static var moveDown: Self { get }
  /// Moves up by one row, or by the number typed before.
  static var moveUp: Self { get }
  /// Moves down by half of what is in view.
  static var halfPageDown: Self { get }
  /// Moves up by half of what is in view.
  static var halfPageUp: Self { get }
  /// Moves down by what is in view, of which a row or two stay.
  static var pageDown: Self { get }
  /// Moves up by what is in view, of which a row or two stay.
  static var pageUp: Self { get }
  /// Moves to the first row.
  static var top: Self { get }
  /// Moves to the last row, or to the row of the number typed before.
  static var bottom: Self { get }
}
