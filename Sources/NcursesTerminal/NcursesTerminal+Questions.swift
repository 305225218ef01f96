import CNcurses
import Dispatch
import TerminalKit

/// What the terminal is asked. Nobody waits for the answers.
extension NcursesTerminal {
  /// Asks whether the background is dark, where that is not known and makes a difference; whether
  /// pictures are shown, where the terminal's name says that it may; and how large a cell is, where
  /// the kernel does not know.
  func ask(_ environment: [String: String]) {
    let profile = description.profile
    guard profile.takesPrivateModes, colorDepth > .ansi16 else { return }
    var question: [UInt8] = []
    // The fence itself says whether there are sixels.
    let asksForPictures = pictureChoice == .ask && graphics == nil && description.takesUTF8
    if asksForPictures, profile.mayShowPictures { question += GraphicsSequence.question }
    if TerminalProfile.hasDarkGround(environment: environment) == nil {
      question += BackgroundAnswer.question
    }
    if asksForCells { question += CellSizeAnswer.question }
    guard asksForPictures || !question.isEmpty else { return }
    ask(question)
  }

  /// Asks again for the size of a cell, which may have changed with that of the window.
  func askForCells() {
    if reader.cellPixels != nil, asksForCells { ask(CellSizeAnswer.question) }
  }

  private var asksForCells: Bool {
    pictureChoice != .none && description.takesUTF8 && Self.kernelCellPixels == nil
  }

  /// Asks, and then for the device attributes: their answer means that no other comes.
  private func ask(_ question: [UInt8]) {
    reader.awaitsAnswer = true
    askedAt = Self.now
    output.write(question + BackgroundAnswer.fence)
  }

  /// Seconds after a question in which an answer may still come, and that the end waits for it.
  private static let answerTime = 2.0
  private static let longestWait = 0.1

  /// An answer that comes after the end would be typed into the shell.
  func awaitAnswer() {
    let end = Self.now + Self.longestWait
    var buffer = [UInt8](repeating: 0, count: 4096)
    while reader.awaitsAnswer, Self.now < min(end, askedAt + Self.answerTime) {
      let count = buffer.withUnsafeMutableBufferPointer { weir_read($0.baseAddress, $0.count) }
      guard count >= 0 else { return }
      for key in reader.read(buffer[..<count], at: Self.now) { append(key) }
      if count == 0 { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(2)) }
    }
  }
}
