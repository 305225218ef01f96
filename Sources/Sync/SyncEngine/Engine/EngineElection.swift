import Foundation
import Synchronization

/// Elects one engine among the cache's processes by an advisory lock (flock(2)), which the system
/// releases when its holder dies. The other processes wait for the lock on a thread and then become
/// the engine.
final class EngineElection: Sendable {
  private struct State {
    var descriptor: Int32 = -1
    var isWanted = false
    var isWaiting = false
  }

  /// A separate object, because the waiting thread must not keep the election alive.
  private final class Lock: Sendable {
    let path: String
    let state = Mutex(State())
    init(_ path: String) { self.path = path }
  }

  private let lock: Lock?
  private let elected: @Sendable () -> Void

  /// - Parameters:
  ///   - directory: the folder of `engine.lock`; `nil` if no other process uses this cache.
  ///   - elected: called on an arbitrary thread when the lock was obtained after a wait.
  init(directory: String?, elected: @escaping @Sendable () -> Void) {
    lock = directory.map { Lock($0 + "/engine.lock") }
    self.elected = elected
  }

  deinit { resign() }

  /// Takes the lock if it is free, otherwise begins to wait. Returns at once; true if elected.
  func stand() -> Bool {
    guard let lock else { return true }
    let (isElected, mustWait) = lock.state.withLock { state -> (Bool, Bool) in
      state.isWanted = true
      if state.descriptor >= 0 { return (true, false) }
      if let file = Self.lock(lock.path, waits: false) {
        state.descriptor = file
        return (true, false)
      }
      defer { state.isWaiting = true }
      return (false, !state.isWaiting)
    }
    if mustWait { wait(for: lock) }
    return isElected
  }

  var isElected: Bool { lock?.state.withLock { $0.descriptor >= 0 } ?? true }

  func resign() {
    lock?.state.withLock { state in
      state.isWanted = false
      if state.descriptor >= 0 { StoreFiles.unlock(closing: state.descriptor) }
      state.descriptor = -1
    }
  }

  private func wait(for lock: Lock) {
    let elected = elected
    let thread = Thread {
      // Signals are handled on the main thread.
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_BLOCK, &all, nil)
      let file = Self.lock(lock.path, waits: true)
      let isWanted = lock.state.withLock { state in
        state.isWaiting = false
        guard let file else { return false }
        guard state.isWanted, state.descriptor < 0 else {
          StoreFiles.unlock(closing: file)
          return false
        }
        state.descriptor = file
        return true
      }
      if isWanted { elected() }
    }
    thread.name = "election"
    thread.stackSize = 128 << 10
    thread.start()
  }

  /// Returns the locked file; `nil` if the lock is taken or the folder read-only. Without file
  /// locks every process is elected, because two engines are better than none.
  private static func lock(_ path: String, waits: Bool) -> Int32? {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    var result: Int32
    repeat {
      result = flock(file, waits ? LOCK_EX : LOCK_EX | LOCK_NB)
    } while result != 0
      && errno == EINTR
    guard result == 0 || errno == ENOLCK || errno == ENOTSUP else {
      close(file)
      return nil
    }
    return file
  }
}
