import Synchronization

/// Pauses and resumes whatever exchange is under way for one piece of work: its redirects are one
/// transfer to whoever holds the valve. A closed valve stops the reading of bodies; the kernel's
/// window then stops their sender. Thread-safe.
public final class TransferValve: Sendable {
  private struct State {
    var isClosed = false
    var control: (@Sendable (_ isClosed: Bool) -> Void)?
  }
  private let state = Mutex(State())

  /// Open.
  public init() {}

  /// Whether bodies are paused.
  public var isClosed: Bool { state.withLock(\.isClosed) }
  /// Pauses the body that is under way, and those that follow.
  public func close() { set(true) }
  /// Resumes.
  public func open() { set(false) }

  private func set(_ isClosed: Bool) {
    state.withLock { state in
      guard state.isClosed != isClosed else { return }
      state.isClosed = isClosed
      state.control?(isClosed)
    }
  }

  /// For transports: `control` is told at once how the valve stands, then of every change in its
  /// order, until the next exchange takes its place. It must return at once and leave the valve
  /// alone.
  public func attach(_ control: @escaping @Sendable (_ isClosed: Bool) -> Void) {
    state.withLock { state in
      state.control = control
      control(state.isClosed)
    }
  }
}
