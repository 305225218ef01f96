public import Foundation

/// The playback position of an article's file.
public struct Playback: Sendable, Equatable {
  /// Seconds from the beginning.
  public var position: Double
  /// Seconds of the whole file; `nil` if unknown.
  public var duration: Double?
  /// True if the file was played to the end; the next playback starts at the beginning.
  public var isFinished: Bool
  public var at: Date

  public init(position: Double, duration: Double? = nil, isFinished: Bool = false, at: Date) {
    self.position = position
    self.duration = duration
    self.isFinished = isFinished
    self.at = at
  }

  /// Shortest position, in seconds, that is resumed.
  private static let least = 5.0

  /// The position to resume, in seconds; `nil` to start at the beginning.
  public var resumesAt: Double? {
    guard !isFinished, position.isFinite, position >= Self.least else { return nil }
    return position
  }
}
