import Dispatch
import Foundation
import Synchronization

/// Handles Ctrl-C and SIGTERM until `end`.
final class Interrupt {
  private static let numbers = [SIGINT, SIGTERM]
  private var sources: [any DispatchSourceSignal] = []
  private let fired = Occurrence()

  /// - Parameter handler: called with the signal on any thread.
  init(_ handler: @escaping @Sendable (Int32) -> Void) {
    let fired = fired
    let registered = DispatchSemaphore(value: 0)
    for number in Self.numbers {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        fired.raise()
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
