import Foundation
import TestSupport

/// Measures holding `j` in a list of all unread articles beside the reading pane: the latency of
/// each key's frame, and the time until the pane shows the final selection.
extension Bench {
  /// Keys per second, as a keyboard repeats them.
  private static let rate = 30.0
  private static let keys = 90
  /// Seconds without output after which the frame of a key is complete.
  private static let quiet = 0.004

  /// - Parameter reader: a newly started reader, wide enough for the pane.
  func measureHeldKey(_ reader: PseudoTerminal) {
    reader.send("ggj\r", quiet: 0.5)
    var frames: [Double?] = []
    var panes: [Double?] = []
    for _ in 0..<max(5, runs) {
      let start = ContinuousClock.now
      var last = start
      for key in 0..<Self.keys {
        while (ContinuousClock.now - start).seconds < Double(key) / Self.rate { usleep(200) }
        last = .now
        reader.send("j")
        frames.append(frame(reader, since: last))
      }
      // Later output belongs to the pane.
      var end: ContinuousClock.Instant?
      while reader.read(wait: 0.5) { end = .now }
      panes.append(end.map { ($0 - last).seconds * 1e3 })
    }
    table("`j` held at \(Int(Self.rate)) a second: each key", frames)
    table("the pane after the last of them", panes)
    quit(reader)
  }

  /// Milliseconds from a key to the last byte of its frame, or between two keys if no frame comes
  /// before the next key.
  private func frame(_ reader: PseudoTerminal, since key: ContinuousClock.Instant) -> Double {
    let period = 1 / Self.rate
    guard reader.read(wait: period) else { return period * 1e3 }
    var end = ContinuousClock.now
    while (end - key).seconds + Self.quiet < period, reader.read(wait: Self.quiet) { end = .now }
    return (end - key).seconds * 1e3
  }
}
