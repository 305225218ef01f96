/// A password. It prints as three stars, so that none gets into a log, a message or the report of a
/// crash by mistake.
public struct Password: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public let text: String

  public init(_ text: String) { self.text = text }

  /// Always three stars, also for an empty password.
  public var description: String { "***" }
  public var debugDescription: String { description }
  /// Without children, so that `dump` does not print the text.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
