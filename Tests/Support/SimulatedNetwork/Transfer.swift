import NetworkMeasurement

/// An exchange on the simulated network: DNS, TCP, TLS, request, server time, body in slow start.
final class Transfer {
  static let packet = 1_460
  static let firstWindow = 10 * packet
  static let largestWindow = 256 * 1_024

  /// A small exchange before the body.
  struct Message {
    enum Kind { case lookup, handshake, tls, oldTLS }
    var kind: Kind
    var up: Int
    var down: Int
    var path: Double
    /// Seconds until it is sent again.
    var timeout = 1.0
  }

  enum Step {
    case send(Message)
    case reply(Message)
    case delivered(Message)
    case request(timeout: Double)
    case body
    case received(taken: Int, wasLost: Bool, next: Double)
    case never
  }

  let id: OperationID
  let feed: SimulatedFeed
  let startedAt: Double
  var step: Step
  /// Small exchanges that are still to come.
  var messages: [Message] = []
  var handshakeAt = 0.0
  var heardAt: Double
  var silenceLimit: Double
  var left: Int
  var received = 0
  var window = Transfer.firstWindow
  var slowStartEnds = Int.max
  var timeout = 1.0
  var hasAnswer = false
  var isPaused = false
  var isOver = false

  init(id: OperationID, feed: SimulatedFeed, now: Double, silenceLimit: Double) {
    self.id = id
    self.feed = feed
    startedAt = now
    heardAt = now
    self.silenceLimit = silenceLimit
    left = feed.size
    let host = feed.host
    host.idle.removeAll { now - $0.since > 30 }
    if let kept = host.idle.popLast() {
      window = max(Self.firstWindow, kept.window)
      step = .request(timeout: 1)
      return
    }
    step = .send(Message(kind: .lookup, up: 70, down: 150, path: 0.01))
    messages = [
      Message(kind: .handshake, up: 60, down: 60, path: host.path),
      Message(kind: .tls, up: 520, down: host.certificates, path: host.path),
    ]
    if host.needsOldTLS {
      messages.append(Message(kind: .oldTLS, up: 300, down: 250, path: host.path))
    }
  }
}
