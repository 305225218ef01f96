import CNcurses
import Dispatch
public import TerminalKit

/// Pictures beside the frames.
extension NcursesTerminal {
  /// From TIOCGWINSZ (tty_ioctl(4)); where that is 0, what the terminal has answered; nil until
  /// then, and where it does not.
  public var cellPixels: Size? { Self.kernelCellPixels ?? reader.cellPixels }

  static var kernelCellPixels: Size? {
    var (width, height): (CInt, CInt) = (0, 0)
    guard weir_cell_pixels(&width, &height) else { return nil }
    return Size(width: Int(width), height: Int(height))
  }

  /// Also nil while the terminal is lent to another program, or closed.
  public func number(of picture: TerminalPicture) -> UInt32? {
    guard graphics != nil, !isLent, !isClosed else { return nil }
    guard graphics?.isOverCells == true else { return pictures.number(of: picture) }
    return overlaid.number(of: picture, as: graphics, cell: cellPixels)
  }

  /// What is known without asking: the user's choice, or the terminal's name.
  func chooseGraphics() {
    guard description.profile.colorDepth >= .ansi256, description.takesUTF8 else { return }
    switch pictureChoice {
    case .use(let choice): use(choice)
    case .ask where description.profile.showsInlineImages: use(.iterm)
    case .ask, .blocks, .none: return
    }
  }

  func use(_ choice: PictureProtocol?) {
    // tmux drops iTerm2's sequences, and knows no place for those that it is to pass on.
    if choice == .iterm, description.profile.isMultiplexer { return }
    graphics = choice
    if choice?.isOverCells == true {
      screen.picture = { [weak self] in self?.overlaid.picture($0) }
    }
    if !isLent && choice == .kitty { prepareFarewell() }
  }

  /// Pixels that wait until pictures have stopped to move are drawn with one more frame.
  func awaitRest() {
    pictureTimer?.cancel()
    pictureTimer = nil
    guard screen.isWaiting else { return }
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + PictureLayer.pause)
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        guard let self, !self.isClosed else { return }
        self.isFrameDue = true
        self.presentDue()
      }
    }
    pictureTimer = timer
    timer.activate()
  }

  /// Sends what waits of pictures, a part at a time, while the terminal keeps up. A frame that is
  /// due goes before it.
  func sendPictures() {
    guard graphics == .kitty, !isLent, !isClosed else { return }
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
