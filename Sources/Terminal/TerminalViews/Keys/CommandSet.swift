/// The commands of a program: an enumeration whose cases can be bound to keys. A program declares
/// a single set, which its views, keymap and key line use.
public nonisolated protocol CommandSet: CaseIterable, Hashable, Sendable where AllCases == [Self] {
  /// The parts of the program's screen in which a key can mean different things.
  associatedtype Place: CaseIterable, Hashable, Sendable

  /// The name in a configuration: "move-down".
  var name: String { get }
  /// - Parameter name: A name of a configuration. `nil` is returned if no command has it.
  init?(named name: String)
  /// The default keys, each a sequence: "j", "ctrl-d", "g g".
  var keys: [String] { get }
  /// The places where the command works.
  var places: Set<Place> { get }
  /// True if a text may follow the name.
  var acceptsArgument: Bool { get }

  /// Returns the command, with its argument, that replaces a former name; `nil` by default.
  static func replacement(for name: String) -> String?

  /// Moves down by one row, or by the number typed before the key.
  static var moveDown: Self { get }
  /// Moves up by one row, or by the number typed before the key.
  static var moveUp: Self { get }
  /// Moves down by half of the view.
  static var halfPageDown: Self { get }
  /// Moves up by half of the view.
  static var halfPageUp: Self { get }
  /// Moves down by the view's height, less a row or two.
  static var pageDown: Self { get }
  /// Moves up by the view's height, less a row or two.
  static var pageUp: Self { get }
  /// Moves to the first row.
  static var top: Self { get }
  /// Moves to the last row, or to the row of the number typed before the key.
  static var bottom: Self { get }
}

nonisolated extension CommandSet {
  public var places: Set<Place> { Set(Place.allCases) }
  public var acceptsArgument: Bool { false }
  public static func replacement(for name: String) -> String? { nil }
}

nonisolated extension CommandSet where Self: RawRepresentable, RawValue == String {
  public var name: String { rawValue }
  public init?(named name: String) { self.init(rawValue: name) }
}
