import CNcurses
import Dispatch

extension NcursesTerminal {
  /// The size of a cell in pixels, from TIOCGWINSZ (tty_ioctl(4)), or else as the terminal reports
  /// it; `nil` if unknown.
  public var cellPixels: Size? { Self.kernelCellPixels ?? reader.cellPixels }

  static var kernelCellPixels: Size? {
    var (width, height): (CInt, CInt) = (0, 0)
    guard weir_cell_pixels(&width, &height) else { return nil }
    return Size(width: Int(width), height: Int(height))
  }

  /// Returns the number of a picture that was sent; `nil` also while suspended or closed.
  public func number(of picture: TerminalPicture) -> UInt32? {
    guard graphics != nil, !isLent, !isClosed else { return nil }
    guard graphics?.isOverCells == true else { return pictures.number(of: picture) }
    return overlaid.number(of: picture, as: graphics, cell: cellPixels)
  }

  /// Chooses graphics by the user's setting or the terminal's name.
  func chooseGraphics() {
    guard description.profile.colorDepth >= .ansi256, description.supportsUTF8 else { return }
    switch pictureChoice {
    case .use(let choice): use(choice)
    case .ask where description.profile.showsInlineImages: use(.iterm)
    case .ask, .blocks, .none: return
    }
  }

  func use(_ choice: PictureProtocol?) {
    // tmux drops the sequences of iTerm2, and pictures in passed-through sequences end up in the
    // wrong place.
    if choice == .iterm, description.profile.isMultiplexer { return }
    graphics = choice
    if choice?.isOverCells == true {
      screen.picture = { [weak self] in self?.overlaid.picture($0) }
    }
    if !isLent && choice == .kitty { prepareFarewell() }
  }

  /// Draws another frame with the postponed pixels as soon as pictures stop moving.
  func awaitRest() {
    pictureTimer?.cancel()
    pictureTimer = nil
    guard screen.isWaiting else { return }
    pictureTimer = TerminalSession.timer(at: .now() + PictureLayer.pause) { [weak self] in
      guard let self, !isClosed else { return }
      isFrameDue = true
      presentDue()
    }
  }

  /// Sends pictures in parts, until the terminal lags behind. Frames that are due precede the
  /// parts.
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
    session.append(.graphics)
    session.onInput()
  }
}
