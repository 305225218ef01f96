import Foundation

/// Elects one engine among the processes that have the cache open: an advisory lock that the system
/// lets go when its holder dies, however it dies (flock(2)).
final class EngineElection {
  private let path: String?
  private var descriptor: Int32 = -1

  /// - Parameter directory: where `engine.lock` lies; nil: nobody else can want it.
  init(directory: String?) { path = directory.map { $0 + "/engine.lock" } }

  deinit { resign() }

  var isElected: Bool { path == nil || descriptor >= 0 }

  /// Takes the lock if nobody has it; returns at once either way.
  func stand() -> Bool {
    guard let path, descriptor < 0 else { return true }
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    // A folder in which no lock can be made (read-only) is one in which nobody else syncs either.
    guard file >= 0 else { return false }
    var result: Int32
    repeat { result = flock(file, LOCK_EX | LOCK_NB) } while result != 0 && errno == EINTR
    guard result == 0 else {
      close(file)
      return false
    }
    descriptor = file
    return true
  }

  func resign() {
    guard descriptor >= 0 else { return }
    // Closing is not enough: a program that is being started holds a copy until it is executed, and the
    // lock with it.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
    descriptor = -1
  }
}
