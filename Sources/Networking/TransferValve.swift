import Synchronization

/// Pauses and resumes whatever exchange is under way for one piece of work: its redirects are one transfer to
/// whoever holds the valve. A closed valve stops the reading of bodies; the kernel's window then stops their
/// sender. Thread-safe.
public final class TransferValve: Sendable {
  private struct State {
    var isClosed = false
    var control: (@Sendable (_ isClosed: Bool) -> Void)?
  }
  private let state = Mutex(State())

  public init() {}

  public var isClosed: Bool { state.withLock(\.isClosed) }
  public func close() { set(true) }
  public func open() { set(false) }

  private func set(_ isClosed: Bool) {
    let control = state.withLock { state in
      defer { state.isClosed = isClosed }
      return state.isClosed == isClosed ? nil : state.control
    }
    control?(isClosed)
  }

  /// For transports: `control` is called at once where the valve is closed, then at every change, until the
  /// next exchange takes its place. It must return at once.
  public func attach(_ control: @escaping @Sendable (_ isClosed: Bool) -> Void) {
    let isClosed = state.withLock { state in
      state.control = control
      return state.isClosed
    }
    if isClosed { control(true) }
  }
}
