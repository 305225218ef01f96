import CNcurses
import Dispatch

/// A terminal that receives lines of words (`Surface.spoken`) instead of cells: for screen readers,
/// and for terminals that cannot move their cursor. It uses no escape sequences, no colours and no
/// ncurses. One instance only, on the main thread, whose run loop must serve the main queue.
public final class LineTerminal: Terminal {
  /// Wide enough that no row is cut; the rows are those of the window.
  public private(set) var size: Size
  public let supportsUTF8: Bool
  private let onInput: () -> Void
  private let onHangUp: (HangUp) -> Void
  private let output = TerminalOutput {}
  private var transcript: LineTranscript
  private var last: Surface?
  private var scanner = InputScanner()
  private var keys: [Key] = []
  private var inputSource: (any DispatchSourceRead)?
  private var signalSource: (any DispatchSourceRead)?
  private var waitTimer: (any DispatchSourceTimer)?
  private var isLent = false
  private var isClosed = false

  private static let columns = 200
  private static let fewestRows = 8

  /// Sets up the terminal: keys without echo.
  /// - Parameters:
  ///   - onInput: called on the main thread when `readKeys()` has keys.
  ///   - onHangUp: called once, on the main thread, when the reader must end.
  /// - Throws: before anything is written to the terminal.
  public init(
    onInput: @escaping () -> Void, onHangUp: @escaping (HangUp) -> Void
  ) throws(TerminalError) {
    guard weir_is_terminal() else { throw .notATerminal }
    supportsUTF8 = weir_locale()
    let signals = weir_watch_signals()
    guard signals >= 0 else { throw .cannotOpen }
    weir_keep_shell_modes()
    transcript = LineTranscript(supportsUTF8: supportsUTF8)
    size = Self.measure()
    self.onInput = onInput
    self.onHangUp = onHangUp
    weir_watch_crashes(output.descriptor)
    enter()
    inputSource = watch(0) { $0.readInput() }
    signalSource = watch(signals) { $0.readSignals() }
  }

  /// Returns true if the terminal has a type that cannot move its cursor, such as `dumb`.
  public static func isNeeded(_ environment: [String: String]) -> Bool {
    do throws(TerminalError) {
      try NcursesTerminal.type(environment)
    } catch .noCursorAddressing {
      return true
    } catch {}
    return false
  }

  public var colorDepth: ColorDepth { .mono }
  public var cellPixels: Size? { nil }
  public var graphics: PictureProtocol? { nil }
  /// Returns `nil`.
  public func number(of picture: TerminalPicture) -> UInt32? { nil }
  /// Does nothing.
  public func setTitle(_ title: String) {}
  /// Returns false.
  public func copy(_ text: String) -> Bool { false }

  // MARK: Output

  /// Writes the words that are new since the last frame.
  public func present(_ surface: Surface) {
    last = surface
    guard !isLent, !isClosed else { return }
    output.write(Array(transcript.text(of: surface).utf8))
  }

  /// Writes the place, the content and the message again.
  public func redraw() {
    transcript.forget()
    if let last { present(last) }
  }

  // MARK: Input

  /// Returns the keys decoded since the last call.
  public func readKeys() -> [Key] {
    if !keys.isEmpty { transcript.keyPressed() }
    defer { keys = [] }
    return keys
  }

  private func readInput() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBufferPointer { weir_read($0.baseAddress, $0.count) }
    if count < 0 {
      inputSource?.cancel()
      return onHangUp(.terminalGone)
    }
    receive(scanner.scan(buffer[..<count]))
    waitTimer?.cancel()
    waitTimer = nil
    guard let wait = scanner.wait else { return }
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + .milliseconds(wait == .escape ? 25 : 500))
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated { if let self { self.receive(self.scanner.timeOut()) } }
    }
    timer.activate()
    waitTimer = timer
  }

  private func receive(_ units: [InputScanner.Unit]) {
    for key in units.flatMap(Self.keys) {
      if key == .control("z") { stop() } else { keys.append(key) }
    }
    if !keys.isEmpty { onInput() }
  }

  private static func keys(of unit: InputScanner.Unit) -> [Key] {
    switch unit {
    case .paste(let text): return [.paste(text)]
    case .answer: return []
    case .text(let text): return Key.characters(of: text)
    case .sequence(let bytes):
      if bytes.count == 1 { return [Key(controlByte: bytes[0])] }
      let plain = InputSequence.withoutModifiers(bytes) ?? bytes
      if let key = KeyDefinitions.common[bytes] ?? KeyDefinitions.common[plain] { return [key] }
      return Key.alt(of: String(decoding: bytes.dropFirst(), as: UTF8.self)).map { [$0] } ?? []
    }
  }

  private func watch(
    _ descriptor: CInt, _ handle: @escaping (LineTerminal) -> Void
  ) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { if let self, !self.isClosed { handle(self) } }
    }
    source.activate()
    return source
  }

  // MARK: Signals, taking and giving back

  private func readSignals() {
    var caught: Set<Int> = []
    while case let signal = Int(weir_next_signal()), signal >= 0 { caught.insert(signal) }
    func has(_ signal: weir_signal) -> Bool { caught.contains(Int(signal.rawValue)) }
    if has(WEIR_HANG_UP) { return onHangUp(.terminalGone) }
    if has(WEIR_TERMINATE) || has(WEIR_INTERRUPT) { return onHangUp(.terminated) }
    if has(WEIR_STOP) { stop() }
    if has(WEIR_CONTINUED), !isLent { enter() }
    if has(WEIR_RESIZED) {
      size = Self.measure()
      keys.append(.resize(size))
      onInput()
    }
  }

  private static func measure() -> Size {
    var (width, height): (CInt, CInt) = (0, 0)
    weir_size(&width, &height)
    return Size(width: columns, height: max(fewestRows, Int(height)))
  }

  private func stop() { suspended { weir_stop_job() } }

  /// Restores the shell's modes for `body`.
  public func suspended<T>(_ body: () throws -> T) rethrows -> T {
    if isClosed || isLent { return try body() }
    release()
    isLent = true
    defer { enter() }
    return try body()
  }

  /// Further calls do nothing.
  public func close() {
    if isClosed { return }
    if !isLent && !output.isGone { release() }
    isClosed = true
    inputSource?.cancel()
    signalSource?.cancel()
    waitTimer?.cancel()
    weir_unwatch_crashes()
    weir_unwatch_signals()
  }

  private func enter() {
    isLent = false
    weir_set_farewell([0x0A], 1)
    weir_set_line_modes()
  }

  private func release() {
    output.flush()
    weir_set_farewell(nil, 0)
    weir_set_shell_modes()
  }
}
