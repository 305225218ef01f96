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
    self.place = place
    self.content = content
    self.status = status
    self.message = message
  }
}
