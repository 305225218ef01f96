import Synchronization

/// Pauses and resumes the exchanges of one operation, one after the other: a request and the
/// requests that it is redirected to share a token. While it is paused no body is read; the window
/// of TCP then stops the sender. Thread-safe.
public final class PauseToken: Sendable {
  private struct State {
    var isPaused = false
    var control: (@Sendable (_ isPaused: Bool) -> Void)?
  }
  private let state = Mutex(State())

  public init() {}

  public var isPaused: Bool { state.withLock(\.isPaused) }
  /// Pauses the body that is being received, and those that follow.
  public func pause() { set(true) }
  /// Resumes.
  public func resume() { set(false) }

  private func set(_ isPaused: Bool) {
    state.withLock { state in
      guard state.isPaused != isPaused else { return }
      state.isPaused = isPaused
      state.control?(isPaused)
    }
  }

  /// For transports. Calls `control` at once with the current state and later with every change,
  /// in order, until the next exchange attaches its own.
  /// - Parameter control: must return at once, and must not use the token.
  public func attach(_ control: @escaping @Sendable (_ isPaused: Bool) -> Void) {
    state.withLock { state in
      state.control = control
      control(state.isPaused)
    }
  }
}
