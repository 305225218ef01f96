import CNcurses
import Dispatch
public import TerminalKit

extension NcursesTerminal {
  /// From TIOCGWINSZ (tty_ioctl(4)); where that is 0, the terminal's answer, or `nil`.
  public var cellPixels: Size? { Self.kernelCellPixels ?? reader.cellPixels }

  static var kernelCellPixels: Size? {
    var (width, height): (CInt, CInt) = (0, 0)
    guard weir_cell_pixels(&width, &height) else { return nil }
    return Size(width: Int(width), height: Int(height))
  }

  /// Returns `nil` also while the terminal is suspended or closed.
  public func number(of picture: TerminalPicture) -> UInt32? {
    guard graphics != nil, !isLent, !isClosed else { return nil }
    guard graphics?.isOverCells == true else { return pictures.number(of: picture) }
    return overlaid.number(of: picture, as: graphics, cell: cellPixels)
  }

  /// Applies the user's choice or the terminal's name.
  func chooseGraphics() {
    guard description.profile.colorDepth >= .ansi256, description.supportsUTF8 else { return }
    switch pictureChoice {
    case .use(let choice): use(choice)
    case .ask where description.profile.showsInlineImages: use(.iterm)
    case .ask, .blocks, .none: return
    }
  }

  func use(_ choice: PictureProtocol?) {
    // tmux drops iTerm2's sequences, and cannot place passed-on ones.
    if choice == .iterm, description.profile.isMultiplexer { return }
    graphics = choice
    if choice?.isOverCells == true {
      screen.picture = { [weak self] in self?.overlaid.picture($0) }
    }
    if !isLent && choice == .kitty { prepareFarewell() }
  }

  /// Draws waiting pixels with another frame, once pictures stop moving.
  func awaitRest() {
    pictureTimer?.cancel()
    pictureTimer = nil
    guard screen.isWaiting else { return }
    pictureTimer = timer(at: .now() + PictureLayer.pause) {
      guard !$0.isClosed else { return }
      $0.isFrameDue = true
      $0.presentDue()
    }
  }

  /// Sends parts of pictures while the terminal keeps up. Due frames go first.
  func sendPictures() {
    guard graphics == .kitty, !isLent, !isClosed else { return }
    while !output.isBehind {
      let part = pictures.removePart()
      if !part.isEmpty { output.write(part) }
      if output.isBehind { return }
      pictures.partWasSent()
      if part.isEmpty { return }
    }
  }

  func reportGraphics() {
    append(.graphics)
    onInput()
  }
}
