import CNcurses
import Dispatch

/// Bytes on their way to the terminal. It never waits: what the terminal does not take now is sent
/// when it does, and `onDrained` says that it is time for another frame.
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

  /// Whether bytes wait for the terminal.
  var isBehind: Bool { !pending.isEmpty }

  func write(_ bytes: [UInt8]) {
    if isGone || bytes.isEmpty { return }
    pending += bytes
    if source == nil { push() }
  }

  /// Sends what waits, for a second at most: before ncurses or another program writes.
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
