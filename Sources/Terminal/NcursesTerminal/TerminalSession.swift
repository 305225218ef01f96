import CNcurses
import Dispatch

/// The part of a session that depends on the kind of terminal.
protocol SessionTerminal: AnyObject {
  var size: Size { get }
  /// The wait for more bytes of a key; `nil` without pending bytes.
  var wait: InputScanner.Wait? { get }
  /// Takes the terminal over: at first, and after each `release`.
  func enter()
  /// Writes what the shell needs; the session then sets the shell's modes.
  func release()
  /// Returns the keys that bytes complete.
  func decode(_ bytes: ArraySlice<UInt8>) -> [Key]
  func timeOut() -> [Key]
  /// Called after the size of the session has changed.
  func resized()
  /// Called when the terminal has accepted all bytes.
  func presentDue()
}

/// The hold of the process on its terminal: signals, input, size, stopping and giving back. One
/// instance only, on the main thread, whose run loop must serve the main queue.
final class TerminalSession {
  /// Columns and rows, updated by SIGWINCH before `.resize` is read.
  private(set) var size = Size(width: 80, height: 24)
  private(set) var isLent = false
  private(set) var isClosed = false
  private(set) lazy var output = TerminalOutput { [weak self] in self?.terminal?.presentDue() }
  let onInput: () -> Void
  private let onHangUp: (HangUp) -> Void
  /// The time for which a lone Esc may begin a sequence.
  private let escapeDelay: DispatchTimeInterval
  private weak var terminal: (any SessionTerminal)?
  private var keys: [Key] = []
  private var hasHungUp = false
  private let signals: CInt
  private var inputSource: (any DispatchSourceRead)?
  private var signalSource: (any DispatchSourceRead)?
  private var waitTimer: (any DispatchSourceTimer)?

  /// Catches signals and keeps the shell's modes.
  /// - Parameter escapeDelay: in milliseconds.
  init(
    escapeDelay: Int = 25, onInput: @escaping () -> Void, onHangUp: @escaping (HangUp) -> Void
  ) throws(TerminalError) {
    signals = weir_watch_signals()
    guard signals >= 0 else { throw .cannotOpen }
    weir_keep_shell_modes()
    self.escapeDelay = .milliseconds(escapeDelay)
    self.onInput = onInput
    self.onHangUp = onHangUp
  }

  /// Takes the terminal over and begins to read.
  func start(_ terminal: any SessionTerminal) {
    self.terminal = terminal
    size = Self.measure()
    weir_watch_crashes(output.descriptor)
    enter()
    inputSource = watch(0) { $0.readInput() }
    signalSource = watch(signals) { $0.readSignals() }
  }

  private func watch(
    _ descriptor: CInt, _ handle: @escaping (TerminalSession) -> Void
  ) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        if let self, !self.isClosed { handle(self) }
      }
    }
    source.activate()
    return source
  }

  /// Calls a handler once, unless the timer is released before.
  static func timer(
    at deadline: DispatchTime, _ handle: @escaping () -> Void
  ) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: deadline)
    timer.setEventHandler { MainActor.assumeIsolated(handle) }
    timer.activate()
    return timer
  }

  // MARK: Input

  /// Returns the keys decoded since the last call.
  func readKeys() -> [Key] {
    defer { keys = [] }
    return keys
  }

  /// Adds a key; keeps only the last of several resizes.
  func append(_ key: Key) {
    if case .resize = key {
      keys.removeAll { if case .resize = $0 { true } else { false } }
    }
    keys.append(key)
  }

  private func readInput() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var decoded: [Key] = []
    // Bounded, so that frames are drawn during a paste or fast scrolling.
    for _ in 0..<16 {
      let count = buffer.withUnsafeMutableBufferPointer { weir_read($0.baseAddress, $0.count) }
      if count < 0 { return hangUp(.terminalGone) }
      if count == 0 { break }
      decoded += terminal?.decode(buffer[..<count]) ?? []
      if count < buffer.count { break }
    }
    schedule()
    deliver(decoded)
  }

  private func deliver(_ decoded: [Key]) {
    for key in decoded {
      if key == .control("z") { stop() } else { append(key) }
    }
    if !keys.isEmpty { onInput() }
  }

  /// Schedules a timer while bytes are pending.
  private func schedule() {
    waitTimer?.cancel()
    waitTimer = nil
    guard let wait = terminal?.wait else { return }
    let delay: DispatchTimeInterval =
      switch wait {
      case .escape: escapeDelay
      case .sequence: .milliseconds(500)
      case .paste: .seconds(5)
      }
    waitTimer = Self.timer(at: .now() + delay) { [weak self] in
      self?.waitTimer = nil
      self?.deliver(self?.terminal?.timeOut() ?? [])
    }
  }

  // MARK: Signals

  private func readSignals() {
    var caught: Set<Int> = []
    while case let signal = Int(weir_next_signal()), signal >= 0 { caught.insert(signal) }
    func has(_ signal: weir_signal) -> Bool { caught.contains(Int(signal.rawValue)) }
    if has(WEIR_HANG_UP) { return hangUp(.terminalGone) }
    if has(WEIR_TERMINATE) || has(WEIR_INTERRUPT) { return hangUp(.terminated) }
    if has(WEIR_STOP) { stop() }
    // Other programs may have changed the screen while stopped.
    if has(WEIR_CONTINUED), !isLent {
      release()
      enter()
    }
    if has(WEIR_RESIZED) { resize() }
    if !keys.isEmpty { onInput() }
  }

  private static func measure() -> Size {
    var (width, height): (CInt, CInt) = (0, 0)
    weir_size(&width, &height)
    return Size(width: Int(width), height: Int(height))
  }

  private func resize() {
    size = Self.measure()
    terminal?.resized()
    if let terminal { append(.resize(terminal.size)) }
  }

  private func hangUp(_ reason: HangUp) {
    guard !hasHungUp, !isClosed else { return }
    hasHungUp = true
    if reason == .terminalGone {
      // The end of the input stays readable, so that the source would fire endlessly.
      inputSource?.cancel()
      inputSource = nil
    }
    onHangUp(reason)
  }

  // MARK: Taking and giving back

  /// Releases the terminal, runs `body`, then takes the terminal over again with its size.
  func suspended<T>(_ body: () throws -> T) rethrows -> T {
    if isClosed || isLent { return try body() }
    release()
    defer {
      enter()
      if Self.measure() != size {
        resize()
        onInput()
      }
    }
    return try body()
  }

  /// Stops the whole job, as the shell expects of Ctrl-Z.
  private func stop() { suspended { weir_stop_job() } }

  /// Restores the terminal, and runs `body` before signals have their former actions. Further calls
  /// do nothing.
  func close(_ body: () -> Void = {}) {
    if isClosed { return }
    if !isLent && !output.isGone { release() }
    isClosed = true
    inputSource?.cancel()
    signalSource?.cancel()
    waitTimer?.cancel()
    body()
    weir_unwatch_signals()
    weir_unwatch_crashes()
  }

  private func enter() {
    isLent = false
    terminal?.enter()
  }

  private func release() {
    terminal?.release()
    isLent = true
    weir_set_shell_modes()
    weir_set_farewell(nil, 0)
  }
}
