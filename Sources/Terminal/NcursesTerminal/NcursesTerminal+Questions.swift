import CNcurses
import Dispatch

/// Asynchronous queries of the terminal.
extension NcursesTerminal {
  /// Queries the background if unknown and relevant, graphics if the terminal's name suggests them,
  /// and the cell size if the kernel does not know it.
  func ask(_ environment: [String: String]) {
    let profile = description.profile
    guard profile.supportsPrivateModes, colorDepth > .ansi16 else { return }
    var question: [UInt8] = []
    // The final answer itself reports sixels.
    let asksForPictures = pictureChoice == .ask && graphics == nil && description.supportsUTF8
    if asksForPictures, profile.mayShowPictures { question += GraphicsSequence.question }
    if TerminalProfile.hasDarkBackground(environment: environment) == nil {
      question += BackgroundAnswer.question
    }
    if asksForCells { question += CellSizeAnswer.question }
    guard asksForPictures || !question.isEmpty else { return }
    ask(question)
  }

  /// Queries the cell size again after a resize.
  func askForCells() {
    if reader.cellPixels != nil, asksForCells { ask(CellSizeAnswer.question) }
  }

  /// Queries the background again, after a report of another colour scheme or a suspension.
  func askForBackground() {
    if !isLent, !isClosed { ask(BackgroundAnswer.question) }
  }

  private var asksForCells: Bool {
    pictureChoice != .none && description.supportsUTF8 && Self.kernelCellPixels == nil
  }

  /// Sends a query and then DA1, whose answer marks the end.
  private func ask(_ question: [UInt8]) {
    reader.awaitsAnswer = true
    askedAt = Self.now
    output.write(question + BackgroundAnswer.fence)
  }

  /// Seconds after a query in which its answer is expected.
  private static let answerTime = 2.0
  private static let longestWait = 0.1

  /// Waits for the answer before the terminal is closed, or a late answer would reach the shell.
  func awaitAnswer() {
    let end = Self.now + Self.longestWait
    var buffer = [UInt8](repeating: 0, count: 4096)
    while reader.awaitsAnswer, Self.now < min(end, askedAt + Self.answerTime) {
      let count = buffer.withUnsafeMutableBufferPointer { weir_read($0.baseAddress, $0.count) }
      guard count >= 0 else { return }
      for key in reader.read(buffer[..<count], at: Self.now) { session.append(key) }
      if count == 0 { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(2)) }
    }
  }
}
