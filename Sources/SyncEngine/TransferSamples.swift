import Networking
import Synchronization

/// Gathers what transfers report on the transport's thread until the controller looks: no task and no hop
/// per chunk of bytes.
final class TransferSamples: Sendable {
  struct Sample: Sendable {
    var operation: OperationID
    var event: TransferEvent
    var at: Double
  }

  private let samples = Mutex<[Sample]>([])
  private let uptime: @Sendable () -> Double

  init(uptime: @escaping @Sendable () -> Double) { self.uptime = uptime }

  func observer(of operation: OperationID) -> @Sendable (TransferEvent) -> Void {
    { event in
      let sample = Sample(operation: operation, event: event, at: self.uptime())
      self.samples.withLock { $0.append(sample) }
    }
  }

  func take() -> [Sample] {
    samples.withLock { samples in
      let taken = samples
      samples.removeAll(keepingCapacity: true)
      return taken
    }
  }
}
