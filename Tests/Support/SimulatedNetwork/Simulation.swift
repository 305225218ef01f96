public import NetworkMeasurement
import TestSupport

/// Simulates one sync on one network with one concurrency limiter. The same seed gives the same
/// numbers.
public final class Simulation {
  enum Event {
    case step(Transfer)
    case silence(Transfer)
    case probe(reached: Bool)
    case tick
    case user
    case host(SimulatedHost)
  }

  struct Entry: Comparable {
    var at: Double
    var order: Int
    var event: Event
    static func < (a: Entry, b: Entry) -> Bool { (a.at, a.order) < (b.at, b.order) }
    static func == (a: Entry, b: Entry) -> Bool { a.order == b.order }
  }

  /// Bytes that leave the queue; the socket receives them one by one.
  struct Delivery {
    var start: Double
    var finish: Double
    var bytes: Int
    var transfer: Transfer
    var told = 0
  }

  static let ceiling = 128

  var link: Link
  var random: SeededRandom
  let feeds: [SimulatedFeed]
  let userHost = SimulatedHost()
  /// The limiter after the events so far.
  public internal(set) var controller: any ConcurrencyLimiter
  /// The coming events, the last first.
  var events: [Entry] = []
  var order = 0
  var now = 0.0

  var waiting: [SimulatedFeed]
  var userWaiting: [SimulatedFeed] = []
  var picturesLeft: Int
  let pictureHosts: [SimulatedHost]
  var last: [SimulatedFeed] = []
  var running: [OperationID: Transfer] = [:]
  var deliveries: [Delivery] = []
  var delivered = 0
  var nextID: OperationID = 1
  var remaining: Int
  /// The result of the events so far.
  public internal(set) var result = SimulationResult()

  /// - Parameters:
  ///   - requests: number of user requests for other feeds during the sync, at equal intervals.
  ///   - pictures: number of pictures prefetched after all other work; the sync does not wait for
  ///     them.
  public init(
    _ network: NetworkProfile, _ workload: Workload, _ controller: any ConcurrencyLimiter,
    requests: Int = 10, pictures: Int = 0
  ) {
    link = Link(network)
    random = SeededRandom(seed: workload.seed &* 7_919 &+ 13)
    feeds = workload.make()
    waiting = feeds
    remaining = feeds.count
    self.controller = controller
    userHost.path = 0.03
    userHost.think = 0.1
    userHost.cap = 99
    picturesLeft = pictures
    pictureHosts = (0..<min(pictures, 10)).map { _ in
      let host = SimulatedHost()
      (host.path, host.think, host.cap) = (0.02, 0.05, 2)
      return host
    }
    guard requests > 0 else { return }
    let rates = network.states.map(\.state).filter { $0.rate > 0 }
    let shortest = 3.5 * (rates.map { Self.unloaded($0) }.max() ?? 0)
    let gap = max(Self.bound(network, feeds) / Double(requests + 1), shortest)
    for number in 1...requests { at(gap * Double(number), .user) }
  }

  /// Minimum seconds for the good feeds' bytes or for the slowest host, whichever is more.
  static func bound(_ network: NetworkProfile, _ feeds: [SimulatedFeed]) -> Double {
    let good = feeds.filter(\.isGood)
    var hosts: [ObjectIdentifier: (host: SimulatedHost, seconds: Double)] = [:]
    for feed in good {
      let key = ObjectIdentifier(feed.host)
      let seconds = max(feed.host.gap, (feed.think + feed.host.path) / Double(feed.host.cap))
      hosts[key] = (feed.host, (hosts[key]?.seconds ?? 0) + seconds)
    }
    let bytes =
      good.reduce(0) { $0 + $1.size } + hosts.values.reduce(0) { $0 + $1.host.certificates + 210 }
    let byLink = Link(network).finish(0, Double(bytes), waits: true) ?? 0
    return max(byLink, hosts.values.map(\.seconds).max() ?? 0)
  }

  /// Seconds of a user request on an idle network.
  public static func unloaded(_ state: LinkState) -> Double {
    var workload = Workload(seed: 1)
    workload.feeds = 0
    let alone = Simulation(
      NetworkProfile("idle", [(0, state)]), workload, FixedLimiter(1), requests: 0)
    alone.at(0, .user)
    alone.remaining = 1
    alone.run()
    return alone.result.userLatencies.first ?? 0
  }

  // MARK: Running

  /// - Parameter limit: simulated seconds after which the run stops.
  @discardableResult public func run(limit: Double = 20_000) -> SimulationResult {
    at(0, .tick)
    pump()
    while remaining > 0, let entry = events.popLast(), entry.at <= limit {
      now = entry.at
      deliver()
      handle(entry.event)
    }
    result.end = now
    result.feeds = feeds.count(where: \.isGood)
    result.missed = feeds.count { $0.isGood && $0.endedAt == nil }
    return result
  }

  func at(_ time: Double, _ event: Event) {
    let entry = Entry(at: time, order: order, event: event)
    order += 1
    var places = 0...events.count
    while places.lowerBound < places.upperBound {
      let middle = (places.lowerBound + places.upperBound) / 2
      places = entry < events[middle] ? middle + 1...places.upperBound : places.lowerBound...middle
    }
    events.insert(entry, at: places.lowerBound)
  }

  var demand: NetworkDemand {
    NetworkDemand(waiting: waiting.count + last.count + userWaiting.count, hosts: 700)
  }

  func handle(_ event: Event) {
    switch event {
    case .step(let transfer): if !transfer.isOver { advance(transfer) }
    case .silence(let transfer):
      guard !transfer.isOver else { return }
      let due = transfer.heardAt + transfer.silenceLimit
      if transfer.isPaused {
        at(now + 15, event)
      } else if now >= due - 1e-9 {
        end(transfer, .timedOut)
      } else {
        at(min(due, now + 30), event)
      }
    case .probe(let reached):
      if reached { hear() }
      controller.probeEnded(reached: reached, at: now)
      pump()
    case .tick:
      tick()
      at(now + 0.1, .tick)
    case .user:
      let feed = SimulatedFeed(host: userHost, size: 20_000, think: 0.1, priority: .userInitiated)
      feed.askedAt = now
      userWaiting.append(feed)
      pump()
      tick()
    case .host(let host): release(host)
    }
  }

  func tick() {
    for action in controller.tick(at: now, demand: demand) {
      switch action {
      case .requeue(let id): if let transfer = running[id] { end(transfer, .cancelled) }
      case .pause(let id): running[id]?.isPaused = true
      case .resume(let id):
        running[id]?.isPaused = false
        running[id]?.heardAt = now
      case .probe: probe()
      }
    }
    result.note(controller, at: now, running.count)
    pump()
  }

  func probe() {
    result.probes += 1
    guard let sent = link.up(60, at: now) else { return at(now + 5, .probe(reached: false)) }
    let there = sent + link.state(at: now).roundTrip / 2 + userHost.path
    guard let back = link.down(60, at: there) else { return at(now + 5, .probe(reached: false)) }
    at(back.finish + link.state(at: there).roundTrip / 2, .probe(reached: true))
  }

  // MARK: Starting and ending

  func pump() {
    while let feed = userWaiting.first, controller.mayStart(.userInitiated), isLineOpen {
      userWaiting.removeFirst()
      launch(feed)
    }
    while let feed = waiting.first ?? last.first {
      guard running.count < Self.ceiling, isLineOpen, controller.mayStart(feed.priority) else {
        return
      }
      if waiting.isEmpty { last.removeFirst() } else { waiting.removeFirst() }
      let host = feed.host
      if host.inUse >= host.cap {
        host.blocked.append(feed)
        continue
      }
      if host.gap > 0 {
        if now < host.nextAllowed {
          host.inUse += 1
          host.blocked.append(feed)
          at(host.nextAllowed, .host(host))
          continue
        }
        host.nextAllowed = now + host.gap
      }
      launch(feed)
    }
    pumpPictures()
  }

  /// Starts prefetches when nothing else waits, or beside other work if the limiter allows that.
  func pumpPictures() {
    while picturesLeft > 0, running.count < Self.ceiling, isLineOpen,
      controller.mayStart(.prefetch), let host = pictureHosts.first(where: { $0.inUse < $0.cap })
    {
      picturesLeft -= 1
      launch(SimulatedFeed(host: host, size: 150_000, think: 0.05, priority: .prefetch))
    }
  }

  var isLineOpen: Bool { controller.limit > 0 }

  func release(_ host: SimulatedHost) {
    host.inUse -= 1
    if !host.blocked.isEmpty { waiting.insert(host.blocked.removeFirst(), at: 0) }
    pump()
  }

  func launch(_ feed: SimulatedFeed) {
    feed.host.inUse += 1
    if feed.askedAt == nil { feed.askedAt = now }
    let transfer = Transfer(
      id: nextID, feed: feed, now: now, silenceLimit: controller.timeouts.silence)
    nextID += 1
    feed.transfer = transfer
    running[transfer.id] = transfer
    result.note(inFlight: running.count, at: now)
    controller.operationStarted(transfer.id, feed.priority, at: now)
    at(now + transfer.silenceLimit, .silence(transfer))
    advance(transfer)
  }

  func end(_ transfer: Transfer, _ end: OperationEnd) {
    let feed = transfer.feed
    transfer.isOver = true
    running[transfer.id] = nil
    let mayTryAgain = controller.operationEnded(transfer.id, end, demand: demand, at: now)
    if end != .answered { result.wasted += transfer.received }
    if feed.priority == .prefetch { return endPicture(feed, end) }
    switch end {
    case .answered: finish(feed)
    case .cancelled:
      if feed.priority == .userInitiated {
        userWaiting.insert(feed, at: 0)
      } else {
        waiting.insert(feed, at: 0)
      }
    default:
      if feed.priority == .userInitiated {
        result.failedRequests += 1
        result.userLatencies.append(now - (feed.askedAt ?? now))
        if feeds.isEmpty { remaining -= 1 }
      } else if mayTryAgain, feed.retries < 1 {
        feed.retries += 1
        last.append(feed)
      } else {
        remaining -= 1
      }
    }
    release(feed.host)
  }

  func endPicture(_ feed: SimulatedFeed, _ end: OperationEnd) {
    if end == .answered { result.pictures += 1 } else { picturesLeft += 1 }
    feed.host.inUse -= 1
    pump()
  }

  func finish(_ feed: SimulatedFeed) {
    guard feed.priority > .userInitiated else {
      result.userLatencies.append(now - (feed.askedAt ?? now))
      if feeds.isEmpty { remaining -= 1 }
      return
    }
    feed.endedAt = now
    remaining -= 1
    guard feed.isGood else { return }
    result.ends.append(now)
    if feed.priority == .visible { result.top = now }
  }
}
