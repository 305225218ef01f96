/// A network over time, as the bottleneck plays it.
struct Timeline: Sendable {
  struct Stretch: Sendable {
    /// Seconds from the start.
    var from: Double
    /// Kilobits per second towards the reader, and back.
    var down: Double
    var up: Double
    /// Round-trip time in seconds, without queueing.
    var roundTrip: Double
    /// Seconds of queue that the network holds before it drops packets.
    var queue: Double
    var isDead = false

    static func gprs(_ from: Double) -> Stretch {
      Stretch(from: from, down: 40, up: 20, roundTrip: 0.6, queue: 3)
    }
    static func edge(_ from: Double) -> Stretch {
      Stretch(from: from, down: 200, up: 100, roundTrip: 0.3, queue: 2)
    }
    static func threeG(_ from: Double) -> Stretch {
      Stretch(from: from, down: 1_500, up: 500, roundTrip: 0.12, queue: 1)
    }
    static func dsl(_ from: Double) -> Stretch {
      Stretch(from: from, down: 16_000, up: 1_000, roundTrip: 0.04, queue: 0.3)
    }
    static func fibre(_ from: Double) -> Stretch {
      Stretch(from: from, down: 500_000, up: 500_000, roundTrip: 0.01, queue: 0.1)
    }
  }

  var name: String
  var stretches: [Stretch]
  /// The number of feeds that make a sync of a minute or two.
  var feeds: Int

  static let all: [Timeline] = [
    Timeline(name: "gprs", stretches: [.gprs(0)], feeds: 40),
    Timeline(name: "edge", stretches: [.edge(0)], feeds: 200),
    Timeline(name: "3g", stretches: [.threeG(0)], feeds: 600),
    Timeline(name: "dsl", stretches: [.dsl(0)], feeds: 1_000),
    Timeline(name: "fibre", stretches: [.fibre(0)], feeds: 1_000),
    Timeline(name: "drop", stretches: [.fibre(0), .edge(1), .fibre(31)], feeds: 1_000),
    Timeline(
      name: "tunnel",
      stretches: [
        .threeG(0),
        Stretch(from: 10, down: 1_500, up: 500, roundTrip: 0.12, queue: 1, isDead: true),
        .threeG(40),
      ], feeds: 600),
  ]

  static let open = Timeline(name: "open", stretches: [.fibre(0)], feeds: 0)
}
