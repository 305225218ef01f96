import Dispatch
import Foundation

/// Ctrl-C and a friendly kill, as something to be reacted to instead of died of. Belongs to the
/// task that makes it; ends with `end`.
final class Interrupt {
  private static let numbers = [SIGINT, SIGTERM]

  private var sources: [any DispatchSourceSignal] = []
  private let fired = Occurrence()

  /// - Parameter handler: called on an arbitrary thread.
  init(_ handler: @escaping @Sendable () -> Void) {
    let fired = fired
    for number in Self.numbers {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        fired.raise()
        handler()
      }
      source.resume()
      sources.append(source)
    }
  }

  var hasFired: Bool { fired.hasHappened }

  func end() {
    for source in sources { source.cancel() }
    sources = []
    for number in Self.numbers { signal(number, SIG_DFL) }
  }
}
