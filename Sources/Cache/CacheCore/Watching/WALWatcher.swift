import Foundation
import GRDB
import Synchronization

#if !canImport(Darwin)
  // A source is only made, activated and cancelled under the lock.
  @preconcurrency import Dispatch
#endif

/// Notices the commits of other processes by the writes to the write-ahead log: inotify on Linux,
/// kqueue elsewhere. Sleeps while nothing is written, and handles at most 50 events a second during
/// a merge of this process, which writes thousands of pages.
///
/// The write to the log precedes the moment at which a commit becomes visible in the shared index.
/// With `synchronous = FULL`, a flush lies between the two, and no event reports its end. The
/// watcher therefore checks a few more times after the last event.
final class WALWatcher: Sendable {
  /// Time after an event in which events are ignored.
  private static let pause = DispatchTimeInterval.milliseconds(20)
  private static let lateChecks: [DispatchTimeInterval] = [
    .milliseconds(5), .milliseconds(30), .milliseconds(100), .milliseconds(500), .seconds(2),
    // A flush on a busy disk can take long.
    .seconds(10), .seconds(60),
  ]

  private struct State {
    var source: (any DispatchSourceProtocol)?
    var isSuspended = false
    /// Number of events; late checks end when a newer event comes.
    var events = 0
    /// True if a check is queued on the writer, so that a long merge does not queue thousands.
    var isChecking = false
  }

  private let hub: ChangeHub
  private let pool: DatabasePool
  private let queue = DispatchQueue(label: "FeedStore.log", qos: .userInitiated)
  private let state = Mutex(State())

  init(path: String, hub: ChangeHub, pool: DatabasePool) {
    self.hub = hub
    self.pool = pool
    state.withLock { state in
      state.source = makeSource(path: path)
      state.source?.activate()
    }
  }

  func cancel() {
    state.withLock { state in
      state.events += 1
      state.source?.cancel()
      // A source must not be released while it is suspended.
      if state.isSuspended { state.source?.resume() }
      state.isSuspended = false
      state.source = nil
    }
  }

  private func makeSource(path: String) -> sending any DispatchSourceProtocol {
    #if os(Linux)
      let descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
      guard descriptor >= 0 else { return makeTimer() }
      guard inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) >= 0 else {
        _ = close(descriptor)
        return makeTimer()
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler { [weak self] in
        Self.drain(descriptor)
        self?.noticed()
      }
    #else
      let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return makeTimer() }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend], queue: queue)
      source.setEventHandler { [weak self] in self?.noticed() }
    #endif
    source.setCancelHandler { _ = close(descriptor) }
    return source
  }

  /// Linux allows a user 128 inotify instances in all programs together (inotify(7)). If none is
  /// left, the log is checked five times a second.
  private func makeTimer() -> sending any DispatchSourceProtocol {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + .milliseconds(200), repeating: .milliseconds(200),
      leeway: .milliseconds(50))
    timer.setEventHandler { [weak self] in self?.check() }
    return timer
  }

  #if os(Linux)
    private static func drain(_ descriptor: CInt) {
      withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
        while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
      }
    }
  #endif

  private func noticed() {
    let event = state.withLock { state in
      state.events += 1
      if let source = state.source, !state.isSuspended {
        source.suspend()
        state.isSuspended = true
      }
      return state.events
    }
    check()
    queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in self?.listen() }
    checkLater(0, after: event)
  }

  private func listen() {
    state.withLock { state in
      guard state.isSuspended else { return }
      state.isSuspended = false
      state.source?.resume()
    }
  }

  private func checkLater(_ number: Int, after event: Int) {
    guard number < Self.lateChecks.count else { return }
    queue.asyncAfter(deadline: .now() + Self.lateChecks[number]) { [weak self] in
      guard let self, state.withLock({ $0.events == event }) else { return }
      check()
      checkLater(number + 1, after: event)
    }
  }

  private func check() {
    let isFirst = state.withLock { state in
      defer { state.isChecking = true }
      return !state.isChecking
    }
    guard isFirst else { return }
    pool.asyncWriteWithoutTransaction { [weak self] db in
      guard let self else { return }
      state.withLock { $0.isChecking = false }
      // Versions that cannot be read now are read at the next event.
      try? hub.check(db)
    }
  }
}
