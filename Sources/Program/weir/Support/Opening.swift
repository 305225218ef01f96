import Dispatch
import Foundation
import NcursesTerminal
import Programs
import TerminalKit
import Wording

/// Decides what a terminal shows while the cache is opened: nothing at first, then the reason.
struct OpeningProgress {
  /// The time during which nothing is shown.
  static let delay = Duration.milliseconds(200)

  private let canQuit: Bool
  /// True if what is written stays: then a line needs more of a reason than a slow machine.
  private let isLinear: Bool
  private var step = UpgradeStep.ended
  private var isLate = false
  private var shown = ""

  init(canQuit: Bool, isLinear: Bool = false) {
    (self.canQuit, self.isLinear) = (canQuit, isLinear)
  }

  /// Returns the new line; `nil` if it does not change.
  mutating func report(_ step: UpgradeStep) -> String? {
    self.step = step
    guard isLate, !isLinear || step != .ended else { return nil }
    return show(StoreWording.opening(step, canQuit: canQuit))
  }

  mutating func becomeLate() -> String? {
    isLate = true
    return report(step)
  }

  mutating func end() -> String? {
    isLate = false
    return show("")
  }

  private mutating func show(_ line: String) -> String? {
    defer { shown = line }
    return line == shown ? nil : line
  }
}

/// Shows the reason why opening the cache takes time. For the reader, `q` and Ctrl-C quit.
@MainActor
final class Opening {
  private var form = SyncProgressLine.Form.ofTerminal
  private let canQuit: Bool
  private var progress: OpeningProgress
  private var timer: Task<Void, any Error>?
  private var hasNoted = false
  private var hasEnded = false
  private var directory: String?
  private var modes = termios()
  private var keys: (any DispatchSourceRead)?
  private var interrupt: Interrupt?

  private init(canQuit: Bool, isLinear: Bool) {
    self.canQuit = canQuit
    progress = OpeningProgress(canQuit: canQuit, isLinear: form == .lines)
    if isLinear { writeLines() }
  }

  /// Writes lines that stay instead of one that changes, and none without a reason.
  func writeLines() {
    guard form != nil else { return }
    form = .lines
    progress = OpeningProgress(canQuit: canQuit, isLinear: true)
  }

  /// Runs `body`, which opens the cache.
  static func showing<Value: Sendable>(
    canQuit: Bool = false, isLinear: Bool = false,
    _ body: @Sendable (Opening) async throws -> Value
  ) async throws -> Value {
    let opening = Opening(canQuit: canQuit, isLinear: isLinear)
    defer { opening.end() }
    return try await body(opening)
  }

  func store(in directory: String, _ options: StoreOptions) async throws(StoreError) -> FeedStore {
    self.directory = directory
    timer = Task {
      try await Task.sleep(for: OpeningProgress.delay)
      becomeLate()
    }
    return try await OwnThread.run { _ in
      Result { try FeedStore.open(directory: directory, options: options) }
    }.mapError { StoreError($0) }.get()
  }

  nonisolated func report(_ step: UpgradeStep) {
    DispatchQueue.main.async { MainActor.assumeIsolated { self.show(step) } }
  }

  private func show(_ step: UpgradeStep) {
    guard !hasEnded else { return }
    // This warning is shown even if the upgrade is fast.
    if case .withoutCopy = step, form != nil { Console.note(StoreWording.sentence(step) ?? "") }
    show(progress.report(step))
  }

  private func show(_ line: String?) {
    guard let line, let form else { return }
    if form == .bar {
      Console.showProgress(line.fitted(to: (Console.columns(of: STDERR_FILENO) ?? 80) - 1))
    } else if !hasNoted {
      hasNoted = true
      Console.note(line)
    }
  }

  private func becomeLate() {
    guard !hasEnded else { return }
    if canQuit {
      // A terminal that cannot show screens gets only the error.
      let type = try? NcursesTerminal.type(ProcessInfo.processInfo.environment)
      guard type != nil else { return }
      readKeys()
    }
    show(progress.becomeLate())
  }

  private func end() {
    timer?.cancel()
    show(progress.end())
    hasEnded = true
    guard let keys else { return }
    keys.cancel()
    interrupt?.end()
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
  }

  private func quit(_ code: Int32) {
    guard !hasEnded else { return }
    directory.map { StoreFiles.removeRemains(of: "", in: $0, isEnding: true) }
    end()
    Main.exitWithoutHandlers(code)
  }

  private func readKeys() {
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &modes) == 0 else { return }
    interrupt = Interrupt { number in Task { @MainActor in self.quit(128 + number) } }
    var unbuffered = modes
    unbuffered.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    tcsetattr(STDIN_FILENO, TCSANOW, &unbuffered)
    keys = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    keys?.setEventHandler { MainActor.assumeIsolated { self.handleKeys() } }
    keys?.resume()
  }

  private func handleKeys() {
    guard !hasEnded else { return }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    if count == 0 { keys?.cancel() }
    // U+0003 is Ctrl-C.
    if bytes.prefix(max(0, count)).contains(where: "qQ\u{3}".utf8.contains) { quit(0) }
  }
}
