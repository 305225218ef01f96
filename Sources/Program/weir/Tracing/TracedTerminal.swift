import TerminalKit

/// Traces each frame: the time of its output, and the number of changed cells.
final class TracedTerminal: Terminal {
  private let terminal: any Terminal
  private let write: @Sendable (String) -> Void
  private var last: Surface?

  init(_ terminal: any Terminal, _ write: @escaping @Sendable (String) -> Void) {
    (self.terminal, self.write) = (terminal, write)
  }

  var supportsUTF8: Bool { terminal.supportsUTF8 }

  func present(_ surface: Surface) {
    let start = ContinuousClock.now
    terminal.present(surface)
    let time = Trace.milliseconds(ContinuousClock.now - start)
    write("\(time)  \(changes(to: surface)) cells of \(surface.size.width)×\(surface.size.height)")
    last = surface
  }

  private func changes(to surface: Surface) -> Int {
    let size = surface.size
    guard let last, last.size == size else { return size.width * size.height }
    var count = 0
    for y in 0..<size.height {
      for x in 0..<size.width where last[x, y] != surface[x, y] { count += 1 }
    }
    return count
  }

  var size: Size { terminal.size }
  var colorDepth: ColorDepth { terminal.colorDepth }
  func redraw() { terminal.redraw() }
  func readKeys() -> [Key] { terminal.readKeys() }
  func setTitle(_ title: String) { terminal.setTitle(title) }
  var cellPixels: Size? { terminal.cellPixels }
  var graphics: PictureProtocol? { terminal.graphics }
  func number(of picture: TerminalPicture) -> UInt32? { terminal.number(of: picture) }
  func copy(_ text: String) -> Bool { terminal.copy(text) }
  func suspended<T>(_ body: () throws -> T) rethrows -> T { try terminal.suspended(body) }
  func close() { terminal.close() }
}
