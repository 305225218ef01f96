import CNamespaces
import Foundation
import Synchronization

/// The network between the two namespaces: moves packets from one tunnel device to the other on its
/// own thread. Each direction has a rate, a queue that drops packets when full, a delay, and
/// outages. (Many kernels lack netem, and an origin cannot delay a handshake.)
final class Bottleneck: Sendable {
  private struct Packet {
    /// Nanoseconds on the monotonic clock.
    var due: Int
    var bytes: [UInt8]
  }

  private struct Way {
    var queue: [Packet] = []
    var first = 0
    var freeAt = 0
    var lastDue = 0

    mutating func send(
      _ bytes: [UInt8], _ kilobits: Double, _ stretch: Timeline.Stretch, at now: Int
    ) {
      guard !stretch.isDead, Double(freeAt - now) < stretch.queue * 1e9 else { return }
      freeAt = max(freeAt, now) + Int(Double(bytes.count) * 8e6 / kilobits)
      // Packets do not overtake others when the delay becomes shorter.
      lastDue = max(lastDue, freeAt + Int(stretch.roundTrip / 2 * 1e9))
      queue.append(Packet(due: lastDue, bytes: bytes))
    }

    /// Sends the packets that are due, and returns the time of the next one, if any.
    mutating func give(_ descriptor: Int32, at now: Int) -> Int? {
      while first < queue.count, queue[first].due <= now {
        _ = queue[first].bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        first += 1
      }
      if first > 1_024 {
        queue.removeFirst(first)
        first = 0
      }
      return first < queue.count ? queue[first].due : nil
    }
  }

  private struct State {
    var timeline = Timeline.open
    var startedAt = Bottleneck.now
    var isStopped = false
  }

  private static let packetSize = 1_600
  private let state = Mutex(State())
  private let near: Int32
  private let far: Int32

  /// - Parameters:
  ///   - near: the tunnel device on the reader's side.
  ///   - far: the tunnel device on the origin's side.
  init(near: Int32, far: Int32) {
    self.near = near
    self.far = far
    let thread = Thread { [self] in run() }
    thread.name = "link"
    thread.start()
  }

  /// Plays a network from its beginning.
  func play(_ timeline: Timeline) {
    state.withLock {
      $0.timeline = timeline
      $0.startedAt = Self.now
    }
  }

  func stop() { state.withLock { $0.isStopped = true } }

  private static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  private func run() {
    // The programs are measured, not this thread.
    weir_set_niceness(-12)
    var down = Way()
    var up = Way()
    while true {
      let now = Self.now
      let stretch = state.withLock { state -> Timeline.Stretch? in
        if state.isStopped { return nil }
        let elapsed = Double(now - state.startedAt) / 1e9
        return state.timeline.stretches.last { $0.from <= elapsed } ?? state.timeline.stretches[0]
      }
      guard let stretch else { return }
      for bytes in read(far) { down.send(bytes, stretch.down, stretch, at: now) }
      for bytes in read(near) { up.send(bytes, stretch.up, stretch, at: now) }
      let next = [down.give(near, at: Self.now), up.give(far, at: Self.now)].compactMap { $0 }.min()
      wait(until: min(next ?? .max, now + 50_000_000))
    }
  }

  private func wait(until moment: Int) {
    let left = max(0, moment - Self.now)
    var pollers = [near, far].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    weir_poll(&pollers, 2, left)
  }

  /// Reads a few packets at a time, so that neither direction starves the other.
  private func read(_ descriptor: Int32) -> [[UInt8]] {
    var packets: [[UInt8]] = []
    while packets.count < 64 {
      var count = 0
      let packet = [UInt8](unsafeUninitializedCapacity: Self.packetSize) { buffer, used in
        count = Foundation.read(descriptor, buffer.baseAddress, Self.packetSize)
        used = max(0, count)
      }
      guard count > 0 else { break }
      packets.append(packet)
    }
    return packets
  }
}
