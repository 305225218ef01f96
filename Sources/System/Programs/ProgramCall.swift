/// A program of the user, with its input and arguments.
public struct ProgramCall: Sendable, Equatable {
  public var words: [String]
  /// Variables added to Weir's environment.
  public var environment: [String: String]
  public var input: [UInt8]
  /// The name of the article's note that receives the output; `nil` discards the output.
  public var note: String?

  public init(
    words: [String], environment: [String: String], input: [UInt8], note: String? = nil
  ) {
    (self.words, self.environment, self.input, self.note) = (words, environment, input, note)
  }
}
