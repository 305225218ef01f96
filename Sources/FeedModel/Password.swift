/// A password. It prints as three stars, so that none gets into a log, a message or the report of a
/// crash by mistake.
public struct Password: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// What was typed or found.
  public let text: String

  public init(_ text: String) { self.text = text }

  public var description: String { "***" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
