import CNcurses
import Dispatch

/// Non-blocking output to the terminal. Sends pending bytes when the terminal accepts them, and
/// calls `onDrained` when another frame can be written.
final class TerminalOutput {
  let descriptor: CInt
  private var pending: ArraySlice<UInt8> = []
  private var source: (any DispatchSourceWrite)?
  private let onDrained: () -> Void
  private(set) var isGone = false

  init(onDrained: @escaping () -> Void) {
    descriptor = weir_output()
    self.onDrained = onDrained
  }

  var isBehind: Bool { !pending.isEmpty }

  func write(_ bytes: [UInt8]) {
    if isGone || bytes.isEmpty { return }
    pending += bytes
    if source == nil { push() }
  }

  /// Sends pending bytes for up to a second, before ncurses or another program writes.
  func flush() {
    while !pending.isEmpty, !isGone, weir_wait_writable(descriptor, 1000) {
      if writeSome() == 0 { break }
    }
    pending = []
    stopWaiting()
  }

  private func push() {
    while !pending.isEmpty, !isGone {
      if writeSome() == 0 {
        waitForRoom()
        return
      }
    }
  }

  private func writeSome() -> Int {
    let count = pending.withUnsafeBufferPointer {
      weir_write(descriptor, $0.baseAddress, $0.count)
    }
    if count < 0 {
      isGone = true
      pending = []
    } else {
      pending.removeFirst(count)
      if pending.isEmpty { pending = [] }
    }
    return max(0, count)
  }

  private func waitForRoom() {
    let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        guard let self else { return }
        self.stopWaiting()
        self.push()
        if self.pending.isEmpty && !self.isGone { self.onDrained() }
      }
    }
    self.source = source
    source.activate()
  }

  private func stopWaiting() {
    source?.cancel()
    source = nil
  }
}
