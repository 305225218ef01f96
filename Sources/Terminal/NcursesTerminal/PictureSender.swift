import CNcurses

/// Sends pictures to a terminal with graphics in parts between frames, and assigns numbers, which
/// are reused when all are taken.
final class PictureSender {
  private struct Sent {
    var number: UInt32
    var isComplete: Bool
    var usedAt: Int
  }

  /// Passes sequences through tmux to the outer terminal.
  private let isInTmux: Bool
  /// The highest byte of all numbers, different from other programs' in this terminal.
  private let high: UInt32
  private var sent: [TerminalPicture: Sent] = [:]
  private var queue: ArraySlice<[UInt8]> = []
  private var queued: [TerminalPicture] = []
  private var uses = 0
  private var lends = 0
  private let onReady: () -> Void
  private let onSent: () -> Void

  init(isInTmux: Bool, process: Int32, onReady: @escaping () -> Void, onSent: @escaping () -> Void)
  {
    self.isInTmux = isInTmux
    high = UInt32(process.magnitude % 200) + 1
    self.onReady = onReady
    self.onSent = onSent
  }

  var numbers: ClosedRange<UInt32> {
    (high << 24 | PicturePlaceholder.lowestByte.lowerBound)...(high << 24
      | PicturePlaceholder.lowestByte.upperBound)
  }

  /// Returns the picture's number; `nil` until the whole picture is sent.
  func number(of picture: TerminalPicture) -> UInt32? {
    uses += 1
    if sent[picture] != nil {
      sent[picture]?.usedAt = uses
      return sent[picture].flatMap { $0.isComplete ? $0.number : nil }
    }
    guard let number = freeNumber() else { return nil }
    sent[picture] = Sent(number: number, isComplete: false, usedAt: uses)
    let (lend, isInTmux) = (lends, isInTmux)
    // Encoding a large picture takes some milliseconds.
    Task { [weak self] in
      let sequences = await Self.sequences(picture, number, isInTmux: isInTmux)
      guard let self, self.lends == lend else { return }
      self.queue += sequences
      self.queued.append(picture)
      self.onReady()
    }
    return nil
  }

  @concurrent nonisolated private static func sequences(
    _ picture: TerminalPicture, _ number: UInt32, isInTmux: Bool
  ) async -> [[UInt8]] {
    let all = GraphicsSequence.transmission(of: picture, number: number)
    return isInTmux ? all.map(GraphicsSequence.throughTmux) : all
  }

  private func freeNumber() -> UInt32? {
    let used = Set(sent.values.map(\.number))
    if let free = numbers.first(where: { !used.contains($0) }) { return free }
    let complete = sent.filter(\.value.isComplete)
    guard let oldest = complete.min(by: { $0.value.usedAt < $1.value.usedAt }) else { return nil }
    sent[oldest.key] = nil
    queue.append(wrapped(GraphicsSequence.removal(oldest.value.number)))
    return oldest.value.number
  }

  private func wrapped(_ sequence: [UInt8]) -> [UInt8] {
    isInTmux ? GraphicsSequence.throughTmux(sequence) : sequence
  }

  /// Bytes sent between two frames.
  private static let part = 48 << 10

  /// Removes and returns the next part; empty if there is none.
  func removePart() -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < Self.part, let sequence = queue.popFirst() { bytes += sequence }
    return bytes
  }

  func partWasSent() {
    guard queue.isEmpty else { return }
    let done = queued
    queued = []
    for picture in done { sent[picture]?.isComplete = true }
    if !done.isEmpty { onSent() }
  }

  /// Returns the bytes that remove all pictures, which are sent again when needed.
  func removeAll() -> [UInt8] {
    lends += 1
    let numbers = sent.values.map(\.number).sorted()
    sent = [:]
    queue = []
    queued = []
    return numbers.flatMap { wrapped(GraphicsSequence.removal($0)) }
  }

  var farewell: [UInt8] { wrapped(GraphicsSequence.removal(numbers)) }
}
