/// A program of the user's own, ready to be run, and what it is given.
public struct ProgramCall: Sendable, Equatable {
  public var words: [String]
  /// Beside our own environment.
  public var environment: [String: String]
  public var input: [UInt8]
  /// What it prints is kept as a note of the article, under this name; nil: it is dropped.
  public var note: String?

  public init(
    words: [String], environment: [String: String], input: [UInt8], note: String? = nil
  ) {
    (self.words, self.environment, self.input, self.note) = (words, environment, input, note)
  }
}
