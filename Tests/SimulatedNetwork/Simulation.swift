import FeedModel
public import NetworkMeasurement
import Networking
import TestSupport

/// Simulates one sync on one network with one concurrency limiter. The same seed gives the same
/// numbers.
public final class Simulation {
  private enum Event {
    case step(Transfer)
    case silence(Transfer)
    case probe(reached: Bool)
    case tick
    case user
    case host(SimulatedHost)
  }

  private struct Entry: Comparable {
    var at: Double
    var order: Int
    var event: Event
    static func < (a: Entry, b: Entry) -> Bool { (a.at, a.order) < (b.at, b.order) }
    static func == (a: Entry, b: Entry) -> Bool { a.order == b.order }
  }

  /// Bytes on their way out of the queue; they come off the socket one by one.
  private struct Delivery {
    var start: Double
    var finish: Double
    var bytes: Int
    var transfer: Transfer
    var told = 0
  }

  private static let ceiling = 128

  private var link: Link
  private var random: SeededRandom
  private let feeds: [SimulatedFeed]
  private let userHost = SimulatedHost()
  /// As it is after the events so far.
  public private(set) var controller: any ConcurrencyLimiter
  private var events = Heap<Entry>()
  private var order = 0
  private var now = 0.0

  private var waiting: [SimulatedFeed]
  private var userWaiting: [SimulatedFeed] = []
  private var picturesLeft: Int
  private let pictureHosts: [SimulatedHost]
  private var last: [SimulatedFeed] = []
  private var running: [OperationID: Transfer] = [:]
  private var deliveries: [Delivery] = []
  private var delivered = 0
  private var nextID: OperationID = 1
  private var remaining: Int
  /// As far as the simulation has come.
  public private(set) var result = SimulationResult()

  /// - Parameters:
  ///   - requests: how often the user asks for a feed of their own meanwhile, at equal intervals.
  ///   - pictures: how many are fetched ahead of need, behind everything else. The sync does not
  ///     wait for them.
  public init(
    _ network: NetworkProfile, _ workload: Workload, _ controller: any ConcurrencyLimiter,
    requests: Int = 10,
    pictures: Int = 0
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

  /// Seconds that the good bytes need at least, or the slowest host.
  private static func bound(_ network: NetworkProfile, _ feeds: [SimulatedFeed]) -> Double {
    let good = feeds.filter(\.isGood)
    var hosts: [ObjectIdentifier: (host: SimulatedHost, seconds: Double)] = [:]
    for feed in good {
      let key = ObjectIdentifier(feed.host)
      let seconds = max(feed.host.gap, (feed.think + feed.host.path) / Double(feed.host.cap))
      hosts[key] = (feed.host, (hosts[key]?.seconds ?? 0) + seconds)
    }
    let bytes =
      good.reduce(0) { $0 + $1.size }
      + hosts.values.reduce(0) { $0 + $1.host.certificates + 210 }
    let byLink = Link(network).finish(0, Double(bytes), waits: true) ?? 0
    return max(byLink, hosts.values.map(\.seconds).max() ?? 0)
  }

  /// Seconds that the user's request takes on an idle network.
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

  /// - Parameter limit: seconds after which it gives up.
  @discardableResult
  public func run(limit: Double = 20_000) -> SimulationResult {
    at(0, .tick)
    pump()
    while remaining > 0, let entry = events.popFirst(), entry.at <= limit {
      now = entry.at
      deliver()
      handle(entry.event)
    }
    result.end = now
    result.feeds = feeds.count(where: \.isGood)
    result.missed = feeds.count { $0.isGood && $0.endedAt == nil }
    return result
  }

  private func at(_ time: Double, _ event: Event) {
    events.insert(Entry(at: time, order: order, event: event))
    order += 1
  }

  private var demand: NetworkDemand {
    NetworkDemand(waiting: waiting.count + last.count + userWaiting.count, hosts: 700)
  }

  private func handle(_ event: Event) {
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

  private func tick() {
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

  private func probe() {
    result.probes += 1
    guard let sent = link.up(60, at: now) else { return at(now + 5, .probe(reached: false)) }
    let there = sent + link.state(at: now).roundTrip / 2 + userHost.path
    guard let back = link.down(60, at: there) else { return at(now + 5, .probe(reached: false)) }
    at(back.finish + link.state(at: there).roundTrip / 2, .probe(reached: true))
  }

  // MARK: Starting and ending

  private func pump() {
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

  /// What comes ahead of need goes out when nothing else waits, or beside it where the controller
  /// allows that.
  private func pumpPictures() {
    while picturesLeft > 0, running.count < Self.ceiling, isLineOpen,
      controller.mayStart(.prefetch),
      let host = pictureHosts.first(where: { $0.inUse < $0.cap })
    {
      picturesLeft -= 1
      launch(SimulatedFeed(host: host, size: 150_000, think: 0.05, priority: .prefetch))
    }
  }

  private var isLineOpen: Bool { controller.limit > 0 }

  private func release(_ host: SimulatedHost) {
    host.inUse -= 1
    if !host.blocked.isEmpty { waiting.insert(host.blocked.removeFirst(), at: 0) }
    pump()
  }

  private func launch(_ feed: SimulatedFeed) {
    feed.host.inUse += 1
    if feed.askedAt == nil { feed.askedAt = now }
    let transfer = Transfer(
      id: nextID, feed: feed, now: now, silenceLimit: controller.patience.silence)
    nextID += 1
    feed.transfer = transfer
    running[transfer.id] = transfer
    result.note(inFlight: running.count, at: now)
    controller.operationStarted(transfer.id, feed.priority, at: now)
    at(now + transfer.silenceLimit, .silence(transfer))
    advance(transfer)
  }

  private func end(_ transfer: Transfer, _ end: OperationEnd) {
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

  private func endPicture(_ feed: SimulatedFeed, _ end: OperationEnd) {
    if end == .answered { result.pictures += 1 } else { picturesLeft += 1 }
    feed.host.inUse -= 1
    pump()
  }

  private func finish(_ feed: SimulatedFeed) {
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

  // MARK: One transfer

  private func advance(_ transfer: Transfer) {
    let host = transfer.feed.host
    switch transfer.step {
    case .send(var message):
      if message.kind == .handshake, message.patience == 1 { transfer.handshakeAt = now }
      if message.kind == .handshake, host.kind == .blackHole { return transfer.step = .never }
      guard let through = link.up(message.up, at: now) else {
        return again(transfer, &message)
      }
      transfer.step = .reply(message)
      at(through + link.state(at: now).roundTrip / 2 + message.path, .step(transfer))
    case .reply(var message):
      let state = link.state(at: now)
      let down = link.down(message.down, at: now)
      let isLost = state.loss > 0 && random.unit() < state.loss
      guard let down, !isLost else { return again(transfer, &message) }
      let half = state.roundTrip / 2
      if message.kind == .tls || message.kind == .oldTLS {
        deliveries.append(
          Delivery(
            start: down.start + half, finish: down.finish + half, bytes: down.taken,
            transfer: transfer))
      }
      transfer.step = .delivered(message)
      at(down.finish + half, .step(transfer))
    case .delivered(let message):
      transfer.heardAt = now
      switch message.kind {
      case .lookup:
        if host.kind == .unknown { return end(transfer, .unresolved(host: "\(transfer.id)")) }
      case .handshake:
        hear()
        controller.observed(.connected(now - transfer.handshakeAt), by: transfer.id, at: now)
      case .tls, .oldTLS: break
      }
      if transfer.messages.isEmpty {
        transfer.step = .request(patience: 1)
      } else {
        transfer.step = .send(transfer.messages.removeFirst())
      }
      advance(transfer)
    case .request(let patience):
      if patience == 1 { controller.observed(.requesting, by: transfer.id, at: now) }
      guard let through = link.up(600, at: now) else {
        transfer.step = .request(patience: patience * 2)
        return at(now + patience, .step(transfer))
      }
      if host.kind == .hangs { return transfer.step = .never }
      transfer.step = .body
      at(
        through + link.state(at: now).roundTrip / 2 + host.path + transfer.feed.think,
        .step(transfer))
    case .body: sendBody(transfer)
    case .received(let taken, let wasLost, let next): receive(transfer, taken, wasLost, next)
    case .never: break
    }
  }

  private func again(_ transfer: Transfer, _ message: inout Transfer.Message) {
    let wait = message.patience
    message.patience *= 2
    transfer.step = .send(message)
    at(now + wait, .step(transfer))
  }

  private func sendBody(_ transfer: Transfer) {
    if transfer.isPaused { return at(now + 0.25, .step(transfer)) }
    let state = link.state(at: now)
    let size = min(transfer.left, transfer.window)
    guard let down = link.down(size, at: now) else {
      at(now + transfer.patience, .step(transfer))
      transfer.patience = min(transfer.patience * 2, 32)
      transfer.window = 2 * Transfer.packet
      transfer.slowStartEnds = 4 * Transfer.packet
      return
    }
    transfer.patience = 1
    let half = state.roundTrip / 2
    deliveries.append(
      Delivery(
        start: down.start + half, finish: down.finish + half, bytes: down.taken,
        transfer: transfer))
    let wasLost =
      down.taken < size
      || (state.loss > 0
        && random.unit() < 1 - power(1 - state.loss, Double(down.taken) / Double(Transfer.packet)))
    let path = transfer.feed.host.path
    let next =
      wasLost
      ? down.finish + state.roundTrip + path
      : down.start + 0.5 * (down.finish - down.start) + state.roundTrip + path
    transfer.step = .received(taken: down.taken, wasLost: wasLost, next: next)
    at(down.finish + half, .step(transfer))
  }

  private func receive(_ transfer: Transfer, _ taken: Int, _ wasLost: Bool, _ next: Double) {
    transfer.left -= taken
    if wasLost {
      transfer.slowStartEnds = max(2 * Transfer.packet, transfer.window / 2)
      transfer.window = transfer.slowStartEnds
    } else {
      let more =
        transfer.window < transfer.slowStartEnds ? transfer.window : Transfer.packet
      transfer.window = min(Transfer.largestWindow, transfer.window + more)
    }
    guard transfer.left > 0 else {
      if transfer.feed.priority > .userInitiated {
        transfer.feed.host.idle.append((now, transfer.window))
      }
      return end(transfer, .answered)
    }
    transfer.step = .body
    if next > now { at(next, .step(transfer)) } else { sendBody(transfer) }
  }

  /// Tells of the bytes that have come off sockets by now.
  private func deliver() {
    while delivered < deliveries.count {
      var delivery = deliveries[delivered]
      guard delivery.start < now || delivery.finish <= now else { break }
      let isWhole = delivery.finish <= now
      let share = isWhole ? 1 : (now - delivery.start) / (delivery.finish - delivery.start)
      // As packets.
      let packets = Int(share * Double(delivery.bytes)) / Transfer.packet * Transfer.packet
      let there = isWhole ? delivery.bytes : packets
      let transfer = delivery.transfer
      if there > delivery.told {
        let more = there - delivery.told
        delivery.told = there
        deliveries[delivered].told = there
        if !transfer.isOver { tell(transfer, more) }
      }
      guard isWhole else { break }
      delivered += 1
    }
    if delivered > 512 {
      deliveries.removeFirst(delivered)
      delivered = 0
    }
  }

  private func tell(_ transfer: Transfer, _ bytes: Int) {
    transfer.received += bytes
    transfer.heardAt = now
    result.bytes += bytes
    hear()
    if case .received = transfer.step, !transfer.hasAnswer {
      transfer.hasAnswer = true
      controller.observed(.firstByte(now - transfer.startedAt), by: transfer.id, at: now)
    }
    controller.observed(.received(bytes), by: transfer.id, at: now)
  }

  private func hear() { result.heard(at: now) }

  private func power(_ base: Double, _ exponent: Double) -> Double {
    var product = 1.0
    for _ in 0..<Int(exponent.rounded(.up)) { product *= base }
    return product
  }
}
