import Synchronization

/// Pauses and resumes an operation's exchanges, including redirects. A paused body is not read, so
/// that TCP's window stops the sender. Thread-safe.
public final class PauseToken: Sendable {
  private struct State {
    var isPaused = false
    var control: (@Sendable (_ isPaused: Bool) -> Void)?
  }
  private let state = Mutex(State())

  public init() {}

  public var isPaused: Bool { state.withLock(\.isPaused) }
  /// Pauses the current body and later ones.
  public func pause() { set(true) }
  public func resume() { set(false) }

  private func set(_ isPaused: Bool) {
    state.withLock { state in
      guard state.isPaused != isPaused else { return }
      state.isPaused = isPaused
      state.control?(isPaused)
    }
  }

  /// Calls a transport's `control` at once and with every change, in order, until the next exchange
  /// attaches.
  /// - Parameter control: must return at once, and must not use the token.
  public func attach(_ control: @escaping @Sendable (_ isPaused: Bool) -> Void) {
    state.withLock { state in
      state.control = control
      control(state.isPaused)
    }
  }
}
