import Foundation
import GRDB
import Synchronization

#if !canImport(Darwin)
  // A source is only made, activated and cancelled under the lock.
  @preconcurrency import Dispatch
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Notices the commits of other processes by the writes to the write-ahead log: inotify on Linux,
/// kqueue elsewhere. Sleeps while nobody writes.
///
/// The log is written before a commit becomes visible in the shared index, and with FULL there is a
/// flush in between, for which no event comes. So each event is followed by a few late looks.
final class WALWatcher: Sendable {
  private static let looks: [DispatchTimeInterval] = [
    .milliseconds(0), .milliseconds(5), .milliseconds(40), .milliseconds(150),
    .milliseconds(600), .milliseconds(2_500),
  ]

  private let hub: ChangeHub
  private let pool: DatabasePool
  private let queue = DispatchQueue(label: "FeedStore.log", qos: .userInitiated)
  private let source = Mutex<(any DispatchSourceProtocol)?>(nil)
  /// Counts events: a series of looks ends when a newer one begins.
  private let series = Mutex(0)
  /// True while a look is queued on the writer: a long merge must not gather a thousand of them.
  private let isLooking = Mutex(false)

  init?(path: String, hub: ChangeHub, pool: DatabasePool) {
    self.hub = hub
    self.pool = pool
    let isWatching = source.withLock { source in
      source = makeSource(path: path)
      source?.activate()
      return source != nil
    }
    guard isWatching else { return nil }
  }

  func cancel() {
    series.withLock { $0 += 1 }
    source.withLock { source in
      source?.cancel()
      source = nil
    }
  }

  private func makeSource(path: String) -> sending (any DispatchSourceProtocol)? {
    #if os(Linux)
      let descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
      guard descriptor >= 0 else { return nil }
      guard inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) >= 0 else {
        Glibc.close(descriptor)
        return nil
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler { [weak self] in
        Self.drain(descriptor)
        self?.noticed()
      }
    #else
      let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend], queue: queue)
      source.setEventHandler { [weak self] in self?.noticed() }
    #endif
    source.setCancelHandler { _ = close(descriptor) }
    return source
  }

  #if os(Linux)
    private static func drain(_ descriptor: CInt) {
      withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
        while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
      }
    }
  #endif

  private func noticed() {
    let number = series.withLock { number in
      number += 1
      return number
    }
    for delay in Self.looks {
      queue.asyncAfter(deadline: .now() + delay) { [weak self] in
        guard let self, series.withLock({ $0 == number }) else { return }
        look()
      }
    }
  }

  private func look() {
    let isFirst = isLooking.withLock { isLooking in
      defer { isLooking = true }
      return !isLooking
    }
    guard isFirst else { return }
    pool.asyncWriteWithoutTransaction { [weak self] db in
      guard let self else { return }
      isLooking.withLock { $0 = false }
      // What cannot be read now is read at the next event.
      try? hub.look(db)
    }
  }
}
