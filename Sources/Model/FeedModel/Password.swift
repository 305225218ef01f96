/// A password that prints as three stars in logs, messages and crash reports.
public struct Password: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public let text: String

  public init(_ text: String) { self.text = text }

  public var description: String { "***" }
  public var debugDescription: String { description }
  /// Hides the text from `dump`.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
