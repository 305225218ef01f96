import CCurl
import Foundation

/// The sockets of libcurl and a pipe by which other threads wake the transport's thread. Decision 3
/// explains why libcurl does not wait itself.
final class CurlSockets {
  private let multi: UnsafeMutableRawPointer
  /// The polled descriptors; the pipe is first.
  private var polled: [pollfd]
  private var places: [curl_socket_t: Int] = [:]
  /// The pipe's end to which another thread writes a byte to wake this one.
  let wakingEnd: Int32

  /// Returns `nil` if the process has no descriptors left.
  init?(_ multi: UnsafeMutableRawPointer) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    self.multi = multi
    wakingEnd = ends[1]
    polled = [pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)]
    weir_curl_multi_set_pointer(
      multi, CURLMOPT_SOCKETDATA, Unmanaged.passUnretained(self).toOpaque())
    weir_curl_multi_set_socket(multi) { _, socket, interest, me, _ in
      guard let me else { return 0 }
      Unmanaged<CurlSockets>.fromOpaque(me).takeUnretainedValue().watch(socket, interest)
      return 0
    }
  }

  deinit {
    close(polled[0].fd)
    close(wakingEnd)
  }

  /// Called by libcurl when its interest in the socket changes.
  private func watch(_ socket: curl_socket_t, _ interest: Int32) {
    guard interest != CURL_POLL_REMOVE else {
      guard let place = places.removeValue(forKey: socket) else { return }
      let last = polled.removeLast()
      guard last.fd != socket else { return }
      polled[place] = last
      places[last.fd] = place
      return
    }
    var events: Int32 = 0
    if interest & CURL_POLL_IN != 0 { events |= Int32(POLLIN) }
    if interest & CURL_POLL_OUT != 0 { events |= Int32(POLLOUT) }
    let entry = pollfd(fd: socket, events: Int16(events), revents: 0)
    if let place = places[socket] {
      polled[place] = entry
    } else {
      places[socket] = polled.count
      polled.append(entry)
    }
  }

  /// Runs libcurl's timers, which start new transfers.
  func runTimers() {
    guard timeout == 0 else { return }
    var running: Int32 = 0
    weir_curl_multi_run_timers(multi, &running)
  }

  /// Runs every transfer and queries its sockets again, in case libcurl missed a change.
  func runAll() {
    var running: Int32 = 0
    weir_curl_multi_run_all(multi, &running)
  }

  /// The milliseconds until libcurl's next timer; `nil` without one.
  private var timeout: Int? {
    var milliseconds = -1
    curl_multi_timeout(multi, &milliseconds)
    return milliseconds < 0 ? nil : milliseconds
  }

  /// The number of descriptors from which a wait begins with a pause, in microseconds.
  private static let (crowd, pause): (Int, UInt32) = (8, 2_000)

  /// Waits for a socket, a wake-up or the time limit, then lets libcurl use the ready sockets.
  /// - Parameter limit: milliseconds.
  func wait(_ limit: Int32) {
    let wait = min(Int(limit), timeout ?? .max)
    // A call visits every socket, so that with many of them it should find several ready.
    if wait > 0, polled.count >= Self.crowd { usleep(Self.pause) }
    guard poll(&polled, nfds_t(polled.count), Int32(wait)) > 0 else { return }
    if polled[0].revents != 0 { drain(polled[0].fd) }
    // Iterates over a copy, because libcurl changes the sockets in the loop.
    for ready in polled[1...].filter({ $0.revents != 0 }) where places[ready.fd] != nil {
      var running: Int32 = 0
      curl_multi_socket_action(multi, ready.fd, Self.readiness(ready), &running)
    }
  }

  /// Maps the result of `poll` as libcurl does.
  private static func readiness(_ entry: pollfd) -> Int32 {
    let (events, found) = (Int32(entry.events), Int32(entry.revents))
    let (failed, invalid) = (Int32(POLLERR) | Int32(POLLHUP), Int32(POLLNVAL))
    var bits: Int32 = 0
    if events & Int32(POLLIN) != 0, found & (Int32(POLLIN) | failed) != 0 {
      bits |= CURL_CSELECT_IN
    }
    if found & Int32(POLLOUT) != 0 { bits |= CURL_CSELECT_OUT }
    if found & invalid != 0 || (events & Int32(POLLOUT) != 0 && found & failed != 0) {
      bits |= CURL_CSELECT_ERR
    }
    return bits
  }

  private func drain(_ end: Int32) {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(end, &bytes, bytes.count) == bytes.count {}
  }
}

/// Queries the kernel's data on a connection.
enum SocketFacts {
  /// Returns TCP's recent and least round-trip time in seconds, from Linux's TCP_INFO. The C
  /// library lacks the header, so the two fields are read by offset.
  static func roundTrip(_ descriptor: Int32) -> (seconds: Double, least: Double)? {
    #if os(Linux)
      guard descriptor >= 0 else { return nil }
      let (trip, least, size) = (68, 148, 152)
      return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
        var length = socklen_t(size)
        guard
          getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, buffer.baseAddress, &length) == 0,
          Int(length) >= size
        else { return nil }
        let microseconds = { Double(buffer.load(fromByteOffset: $0, as: UInt32.self)) }
        guard microseconds(trip) > 0, microseconds(least) < Double(UInt32.max) else { return nil }
        return (microseconds(trip) / 1e6, microseconds(least) / 1e6)
      }
    #else
      return nil
    #endif
  }

  static func setReceiveBuffer(_ descriptor: Int32, _ bytes: Int) {
    var value = Int32(clamping: bytes)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVBUF, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}
