/// The work of a run until idle, such as that of `weir sync`.
public enum SyncWork: Sendable {
  case dueAndRequested
  case requested
  case push
  /// Completes the pack that was begun, and nothing else.
  case pack
}

/// The mode of a run.
enum RunMode: Sendable, Equatable {
  case serving
  case untilIdle(SyncWork)

  var isServing: Bool { self == .serving }
}
