import Synchronization

/// The reasons why the controller's loop wakes.
struct Wake: OptionSet, Sendable {
  let rawValue: Int
  static let requests = Wake(rawValue: 1 << 0)
  static let feedSettings = Wake(rawValue: 1 << 1)
  static let visibleFeeds = Wake(rawValue: 1 << 2)
  static let operations = Wake(rawValue: 1 << 3)
  static let alarm = Wake(rawValue: 1 << 4)
  static let steering = Wake(rawValue: 1 << 5)
  static let accounts = Wake(rawValue: 1 << 6)
  static let everything: Wake = [
    .requests, .feedSettings, .visibleFeeds, .operations, .alarm, .steering, .accounts,
  ]

  static let interest: StoreChange = [
    .requests, .feedSettings, .visibleFeeds, .steering, .accounts,
  ]

  init(rawValue: Int) { self.rawValue = rawValue }

  init(_ change: StoreChange) {
    let wakes: [(StoreChange, Wake)] = [
      (.requests, .requests), (.feedSettings, .feedSettings), (.visibleFeeds, .visibleFeeds),
      (.steering, .steering), (.accounts, .accounts),
    ]
    self = wakes.filter { change.contains($0.0) }.reduce(into: []) { $0.formUnion($1.1) }
  }
}

/// Collects reasons to wake, so that a thousand commits cause one turn of the loop.
final class WakeSignal: Sendable {
  let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let pending = Mutex(Wake())

  init() {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func raise(_ wake: Wake) {
    let isFirst = pending.withLock { pending in
      let isFirst = pending.isEmpty
      pending.formUnion(wake)
      return isFirst
    }
    if isFirst { continuation.yield() }
  }

  func drain() -> Wake {
    pending.withLock { pending in
      defer { pending = [] }
      return pending
    }
  }
}
