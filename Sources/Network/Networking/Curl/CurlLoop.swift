import CCurl
import Foundation

/// Runs libcurl on the transport's thread: receives commands and returns results. This object and
/// its contents are confined to that thread.
final class CurlLoop {
  private let mailbox: CurlMailbox
  private var byID: [UInt64: CurlTransfer] = [:]
  private var byHandle: [UnsafeMutableRawPointer: CurlTransfer] = [:]
  /// The times of the last and the next check for stalls.
  private var checked = (at: -Double.infinity, next: 0.0)
  /// The minimum interval of checks for stalls, each of which visits every transfer.
  private static let checkInterval = 0.05
  /// The interval of `CurlSockets.runAll`.
  private static let runAllInterval = 1.0
  private var ranAllAt = -Double.infinity

  private static let isReady = weir_curl_global_init() == CURLE_OK

  init(_ mailbox: CurlMailbox) { self.mailbox = mailbox }

  func run() {
    guard Self.isReady, let multi = curl_multi_init(), let sockets = CurlSockets(multi) else {
      while let commands = mailbox.removeCommands() {
        refuse(commands, TransportError(.other, detail: "libcurl did not start"))
        // Polls, because the pipe that wakes this thread could not be created: the machine has no
        // memory left, or the process has no descriptors left.
        sleep(1)
      }
      refuse(mailbox.removeLeftovers(), TransportError(.cancelled))
      return
    }
    weir_curl_multi_set_long(
      multi, CURLMOPT_MAXCONNECTS, mailbox.settings.connectionCache)
    mailbox.publish(CurlMailbox.Waker(end: sockets.wakingEnd))
    while let commands = mailbox.removeCommands() {
      for command in commands { obey(command, multi) }
      sockets.runTimers()
      if !byID.isEmpty, Self.now >= ranAllAt + Self.runAllInterval {
        sockets.runAll()
        ranAllAt = Self.now
      }
      reap(multi)
      let timeout = endStalled(multi)
      // If a command has been posted since `removeCommands`, the pipe is readable and the call
      // returns at once.
      sockets.wait(timeout)
    }
    mailbox.publish(nil)
    for transfer in byID.values {
      curl_multi_remove_handle(multi, transfer.easy.handle)
      transfer.finish(.failure(TransportError(.cancelled)))
    }
    byID = [:]
    byHandle = [:]
    refuse(mailbox.removeLeftovers(), TransportError(.cancelled))
    // The cleanup closes connections and removes their sockets.
    withExtendedLifetime(sockets) { _ = curl_multi_cleanup(multi) }
  }

  private func refuse(_ commands: [CurlCommand], _ error: TransportError) {
    for case .start(let job) in commands { job.continuation.resume(returning: .failure(error)) }
  }

  private func obey(_ command: CurlCommand, _ multi: UnsafeMutableRawPointer) {
    switch command {
    case .start(let job):
      do throws(TransportError) {
        let transfer = try CurlTransfer(job, settings: mailbox.settings, now: Self.now)
        let handle = transfer.easy.handle
        guard curl_multi_add_handle(multi, handle) == CURLM_OK else {
          throw TransportError(.other, detail: "the transfer could not be added")
        }
        byID[job.id] = transfer
        byHandle[handle] = transfer
        // The token may have been paused before the transfer began; the command to pause could
        // arrive only after megabytes of data.
        if job.request.pauseToken?.isPaused == true { transfer.setPaused(true, now: Self.now) }
      } catch {
        job.continuation.resume(returning: .failure(error))
      }
    case .cancel(let id):
      guard let transfer = byID[id] else { return }
      end(transfer, multi, .failure(TransportError(.cancelled)))
    case .pause(let id, let isPaused): byID[id]?.setPaused(isPaused, now: Self.now)
    }
  }

  private func end(
    _ transfer: CurlTransfer, _ multi: UnsafeMutableRawPointer,
    _ result: Result<HTTPResponse, TransportError>
  ) {
    byID[transfer.id] = nil
    byHandle[transfer.easy.handle] = nil
    curl_multi_remove_handle(multi, transfer.easy.handle)
    transfer.finish(result)
  }

  private func reap(_ multi: UnsafeMutableRawPointer) {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
        let transfer = byHandle[handle]
      else { continue }
      // Reads the code first, because removing the handle frees the message.
      let code = weir_curl_result(message)
      end(transfer, multi, transfer.result(code))
    }
  }

  /// Ends stalled transfers. Returns the milliseconds until the next check.
  private func endStalled(_ multi: UnsafeMutableRawPointer) -> Int32 {
    // There is nothing to check, so the thread sleeps until a command arrives.
    guard !byID.isEmpty else { return 3_600_000 }
    let now = Self.now
    if now >= checked.at + Self.checkInterval {
      checked = (now, now + 1)
      var stalled: [CurlTransfer] = []
      for transfer in byID.values {
        if transfer.isStalled(now: now) {
          stalled.append(transfer)
        } else {
          checked.next = min(checked.next, transfer.nextCheck)
        }
      }
      for transfer in stalled { end(transfer, multi, .failure(transfer.stallError)) }
    }
    let next = max(checked.next, checked.at + Self.checkInterval)
    return Int32(max(1, ((next - now) * 1_000).rounded(.up)))
  }

  /// Seconds on a clock that stops while the machine sleeps.
  static var now: Double {
    var time = timespec()
    #if canImport(Darwin)
      clock_gettime(CLOCK_UPTIME_RAW, &time)
    #else
      clock_gettime(CLOCK_MONOTONIC, &time)
    #endif
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
