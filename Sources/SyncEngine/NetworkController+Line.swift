import FeedModel
import FeedStore
import Networking

// Between the operations and the controller of the width: samples in, decisions out.
extension NetworkController {
  static let tick = 0.1
  /// The same while a dead line is waited for.
  static let offlineTick = 0.5
  /// Seconds that a probe's connection may take: longer than the queue of a slow line.
  private static let probePatience = 10.0
  private static let addressesKept = 8

  func regulate(into group: inout DiscardingTaskGroup, _ now: Double) {
    takeSamples()
    guard !flights.isEmpty || !doubtful.isEmpty || queue.waitingCount > 0,
      now - tickedAt >= Self.tick * 0.9
    else { return }
    tickedAt = now
    for action in width.tick(at: now, demand: demand) {
      switch action {
      case .probe: group.addTask { await self.probe() }
      case .requeue(let id): if let key = key(of: id) { flights[key]?.cancel(returns: true) }
      case .pause(let id): if let key = key(of: id) { flights[key]?.valve.close() }
      case .resume(let id): if let key = key(of: id) { flights[key]?.valve.open() }
      }
    }
    tellLine()
  }

  /// The next turn looks at the line whatever time it is.
  func lookAtOnce() {
    tickedAt = -.infinity
    signal.raise(.operations)
  }

  private func key(of id: OperationID) -> WorkKey? {
    flights.first { $0.value.id == id && $0.value.stage == .fetching }?.key
  }

  func tellLine() {
    guard lastLine?.grade != width.grade || lastLine?.width != width.width else { return }
    lastLine = (width.grade, width.width)
    emit.yield(.line(width.grade, width: width.width, reason: width.reason))
  }

  /// Without what may not start as things are: no word of the line is to be expected from that.
  var demand: LineDemand {
    let isTooGood = width.grade.map { $0 < .fair } ?? true
    let mayNotStart =
      isHeld || isTooGood && queue.waiting.values.allSatisfy { $0.served >= .p3 }
    return mayNotStart
      ? LineDemand(waiting: 0, hosts: queue.runningHostCount)
      : LineDemand(
        waiting: queue.waitingCount - queue.waitingCount(on: OwnSourceReader.gateName),
        hosts: queue.hostCount)
  }

  func takeSamples() {
    for sample in samples.take() {
      if case .received(let bytes) = sample.event { liveBytes += Int64(bytes) }
      width.observed(sample.event, by: sample.operation, at: sample.at)
    }
  }

  // MARK: Probing

  /// This address answered: whether the line lives can be asked there.
  func remember(_ url: String) {
    let host = WebAddress(url).hostKey
    goodAddresses.removeAll { WebAddress($0).hostKey == host }
    goodAddresses.append(url)
    if goodAddresses.count > Self.addressesKept { goodAddresses.removeFirst() }
  }

  private func probe() async {
    var isReached = false
    if let url = probeAddress() {
      isReached = await transport.reaches(
        url, through: configuration.settings(url).proxy, within: Self.probePatience)
    }
    guard !Task.isCancelled else { return }
    takeSamples()
    width.probeEnded(reached: isReached, at: clock.uptime())
    tellLine()
    lookAtOnce()
  }

  /// Another one each time, best one that has no connection of ours already; where none has answered yet, that
  /// of work that runs or waits.
  private func probeAddress() -> String? {
    if !goodAddresses.isEmpty {
      let isFree = { (url: String) in
        self.queue.runningCount(on: WebAddress(url).hostKey ?? "") == 0
      }
      let next = goodAddresses.firstIndex(where: isFree) ?? 0
      let url = goodAddresses.remove(at: next)
      goodAddresses.append(url)
      return url
    }
    let running = flights.values.sorted { $0.id < $1.id }.map(\.item)
    let waiting = queue.waiting.values.sorted { $0.order < $1.order }.map(\.item)
    let items = (running + waiting).filter { $0.host != OwnSourceReader.gateName }
    return items.isEmpty ? nil : address(of: items[width.failedProbes % items.count].key)
  }

  /// Where the work goes first, on the web; nil where it goes nowhere, or its row is gone.
  func address(of key: WorkKey) -> String? {
    let url =
      switch key {
      case .refresh(let feed): (try? store.fetchRecord(feed))?.webURL
      case .discovery(let id):
        (try? store.discovery(id)).flatMap { FeedDiscoverer.candidates($0.url).first }
      case .fullText(let article): (try? store.pendingFullText(article))?.url
      case .download(let id): (try? store.pendingDownload(id))?.url
      case .push(let account), .pull(let account): (try? store.account(account))?.url
      }
    return url.flatMap { WebAddress($0).isHTTP ? $0 : nil }
  }
}
