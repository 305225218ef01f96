import Dispatch
import Foundation
import Synchronization

/// Handles Ctrl-C and SIGTERM until `end`. The second signal, or `grace` after the first, ends the
/// process even if all threads of tasks compute; the log of SQLite makes that safe.
final class Interrupt {
  private static let numbers = [SIGINT, SIGTERM]
  /// Seconds for an orderly end.
  static let grace = 0.7
  private var sources: [any DispatchSourceSignal] = []
  private let fired = Occurrence()

  /// - Parameter handler: called with the signal on any thread.
  init(_ handler: @escaping @Sendable (Int32) -> Void) {
    let fired = fired
    let registered = DispatchSemaphore(value: 0)
    // A queue without a target has a thread of its own, whatever others compute.
    let queue = DispatchQueue(label: "weir.interrupt", qos: .userInteractive)
    for number in Self.numbers {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if fired.hasHappened { _exit(128 + number) }
        fired.raise()
        Thread.detachNewThread {
          Thread.sleep(forTimeInterval: Self.grace)
          _exit(128 + number)
        }
        handler(number)
      }
      source.setRegistrationHandler { registered.signal() }
      source.resume()
      sources.append(source)
    }
    // Waits for the registration, because earlier signals would be lost.
    for _ in sources { registered.wait() }
  }

  var hasFired: Bool { fired.hasHappened }

  func end() {
    for source in sources { source.cancel() }
    sources = []
    for number in Self.numbers { signal(number, SIG_DFL) }
  }
}

private final class Occurrence: Sendable {
  private let raised = Atomic(false)
  var hasHappened: Bool { raised.load(ordering: .acquiring) }
  func raise() { raised.store(true, ordering: .releasing) }
}
