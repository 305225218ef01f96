import CNcurses
public import TerminalKit

/// Pictures beside the frames.
extension NcursesTerminal {
  /// From TIOCGWINSZ (tty_ioctl(4)); nil where the terminal leaves it 0.
  public var cellPixels: Size? {
    var (width, height): (CInt, CInt) = (0, 0)
    guard weir_cell_pixels(&width, &height) else { return nil }
    return Size(width: Int(width), height: Int(height))
  }

  /// Also nil while the terminal is lent to another program, or closed.
  public func number(of picture: TerminalPicture) -> UInt32? {
    guard graphics != nil, !isLent, !isClosed else { return nil }
    return pictures.number(of: picture)
  }

  /// Sends what waits of pictures, a part at a time, while the terminal keeps up. A frame that is
  /// due goes before it.
  func sendPictures() {
    guard graphics != nil, !isLent, !isClosed else { return }
    while !output.isBehind {
      let part = pictures.takePart()
      if !part.isEmpty { output.write(part) }
      if output.isBehind { return }
      pictures.partWasSent()
      if part.isEmpty { return }
    }
  }

  func tellOfGraphics() {
    append(.graphics)
    onInput()
  }
}
