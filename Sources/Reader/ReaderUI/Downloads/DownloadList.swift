import Foundation

/// Rows of the downloads screen: the downloads in the cache, and the engine's state of running and
/// waiting ones.
final class DownloadList {
  private let store: ReaderCache
  private(set) var entries: [DownloadEntry] = []
  /// The engine's states, by the downloads' keys.
  private(set) var operations: [Int64: OperationStatus.State] = [:]
  /// The reason why no download starts; `nil` if there is none.
  private(set) var pause: DownloadPause?
  private(set) var failure: StoreError?
  private var rates: [Int64: DownloadRate] = [:]

  init(store: ReaderCache) {
    self.store = store
    read(.everything)
  }

  /// Reloads the data; returns `false` if nothing visible has changed.
  func modelUpdated(_ change: StoreChange) -> Bool {
    let isShown: StoreChange = [.requests, .telemetry, .playback, .articles, .subscriptions]
    guard !change.isDisjoint(with: isShown) else { return false }
    read(change)
    return true
  }

  private func read(_ change: StoreChange) {
    do throws(StoreError) {
      if change != .telemetry { entries = try store.downloads.allDownloads() }
      pause = try store.downloads.downloadPause()
      try readTelemetry()
      failure = nil
    } catch {
      failure = error
    }
  }

  private func readTelemetry() throws(StoreError) {
    let telemetry = try store.requests.telemetry()
    var found: [Int64: OperationStatus.State] = [:]
    for operation in telemetry.operations {
      guard operation.key.kind == .download else { continue }
      let id = operation.key.row
      found[id] = operation.state
      guard operation.isRunning, let at = telemetry.at else { continue }
      rates[id, default: DownloadRate()].add(operation.bytes, at: at)
    }
    operations = found
    rates = rates.filter { found[$0.key] != nil }
  }

  func isRunning(_ id: Int64) -> Bool {
    if case .running = operations[id] { true } else { false }
  }

  /// Returns bytes per second; `nil` if nothing is received, or not for long enough.
  func rate(_ id: Int64, at now: Date) -> Double? {
    operations[id] == .running(.receiving) ? rates[id]?.rate(at: now) : nil
  }

  struct Counts {
    var running = 0
    var waiting = 0
    var paused = 0
    var failed = 0
    var saved = 0
  }

  var counts: Counts {
    var counts = Counts()
    for entry in entries {
      switch entry.download.state {
      case .waiting where isRunning(entry.id): counts.running += 1
      case .waiting: counts.waiting += 1
      case .paused: counts.paused += 1
      case .failed: counts.failed += 1
      case .saved: counts.saved += 1
      }
    }
    return counts
  }
}

/// The speed of one download over the last seconds.
nonisolated struct DownloadRate {
  /// Seconds of the measurement.
  private static let window = 10.0
  /// Seconds without data after which the rate is 0.
  private static let silence = 5.0
  private var samples: [(at: Date, bytes: Int64)] = []

  mutating func add(_ bytes: Int64, at date: Date) {
    if let last = samples.last {
      guard date > last.at else { return }
      // A new attempt counts from the beginning.
      if bytes < last.bytes { samples = [] }
    }
    samples.append((date, bytes))
    let begin = date - Self.window
    while samples.count > 2, samples[1].at < begin { samples.removeFirst() }
  }

  func rate(at now: Date) -> Double? {
    guard let first = samples.first, let last = samples.last, last.at > first.at else { return nil }
    if now.timeIntervalSince(last.at) > Self.silence { return 0 }
    return Double(last.bytes - first.bytes) / last.at.timeIntervalSince(first.at)
  }
}
