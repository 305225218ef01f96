public import Foundation

/// How far a file of an article was played.
public struct Playback: Sendable, Equatable {
  /// Seconds from its beginning.
  public var position: Double
  /// Seconds of the whole; nil: not known.
  public var duration: Double?
  /// It was played to its end; playing it again begins anew.
  public var isFinished: Bool
  /// When it was played last.
  public var at: Date

  /// - Parameters:
  ///   - position: seconds from the file's beginning.
  ///   - duration: seconds of the whole.
  public init(position: Double, duration: Double? = nil, isFinished: Bool = false, at: Date) {
    self.position = position
    self.duration = duration
    self.isFinished = isFinished
    self.at = at
  }

  /// Seconds before which no answer is expected.
  private static let least = 5.0

  /// Where playing goes on, in seconds; nil: at the beginning.
  public var resumesAt: Double? {
    guard !isFinished, position.isFinite, position >= Self.least else { return nil }
    return position
  }
}
