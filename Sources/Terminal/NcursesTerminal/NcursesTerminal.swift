internal import CNcurses
internal import Dispatch

/// The terminal of the process, with ncurses, signals and standard input; one instance only. Runs
/// on the main thread, whose run loop must serve the main queue. Idle between keys, frames and
/// signals.
public final class NcursesTerminal: Terminal {
  public nonisolated static var libraryVersion: String { String(cString: weir_curses_version()) }

  /// Columns and rows, updated by SIGWINCH before `.resize` is read.
  public private(set) var size: Size
  /// The colour depth by terminfo and the environment; see `TerminalProfile`.
  public let colorDepth: ColorDepth
  public var supportsUTF8: Bool { description.supportsUTF8 }

  let description: TerminalDescription
  let onInput: () -> Void
  private let onHangUp: (HangUp) -> Void
  let screen: CursesScreen
  let reader: KeyReader
  private var keys: [Key] = []
  /// The surface to show; `isFrameDue` while it waits for the terminal.
  private var wanted: Surface?
  var isFrameDue = false
  private var title: String?
  var isLent = false
  var isClosed = false
  private var hasHungUp = false
  /// `nil` until the terminal confirms graphics, unless the user chose a protocol.
  public internal(set) var graphics: PictureProtocol?
  let pictureChoice: PictureChoice
  lazy var pictures = PictureSender(
    isInTmux: description.profile.isMultiplexer, process: weir_process(),
    onReady: { [weak self] in self?.presentDue() },
    onSent: { [weak self] in self?.reportGraphics() })
  let overlaid: OverlaidPictures
  var pictureTimer: (any DispatchSourceTimer)?

  lazy var output = TerminalOutput { [weak self] in self?.presentDue() }
  private var inputSource: (any DispatchSourceRead)?
  private var signalSource: (any DispatchSourceRead)?
  private var waitTimer: (any DispatchSourceTimer)?
  var askedAt = 0.0

  /// The time for which a lone Esc may begin a sequence, unless `ESCDELAY` is set.
  private let escapeDelay: DispatchTimeInterval

  /// Sets up the terminal: modes, alternate screen, keys.
  /// - Parameters:
  ///   - environment: `TERM`, `COLORTERM`, `NO_COLOR`, `ESCDELAY` and the terminals' own variables.
  ///   - pictures: the treatment of graphics.
  ///   - png: encodes pixels for iTerm2's protocol.
  ///   - onInput: called on the main thread when `readKeys()` has keys.
  ///   - onHangUp: called once, on the main thread, when the reader must end.
  /// - Throws: before anything is written to the terminal.
  public init(
    environment: [String: String], pictures: PictureChoice = .none,
    png: @escaping @Sendable (PixelImage) -> [UInt8]? = { _ in nil },
    onInput: @escaping () -> Void, onHangUp: @escaping (HangUp) -> Void
  ) throws(TerminalError) {
    let type = try Self.type(environment)
    let supportsUTF8 = weir_locale()
    // Must be first: ncurses keeps existing handlers, and its own would end the process.
    let signals = weir_watch_signals()
    guard signals >= 0 else { throw .cannotOpen }
    weir_keep_shell_modes()
    let profile = TerminalDescription.profile(environment: environment)
    let additions = weir_additions(
      direct_color: profile.colorDepth == .trueColor, private_modes: profile.supportsPrivateModes)
    guard weir_open(type, additions) else {
      weir_unwatch_signals()
      throw .cannotOpen
    }
    description = TerminalDescription(profile: profile, supportsUTF8: supportsUTF8)
    colorDepth = description.colorDepth
    screen = CursesScreen(description)
    reader = KeyReader(terminfoKeys: KeyDefinitions.terminfo)
    let delay = environment["ESCDELAY"].flatMap { Int($0) } ?? 25
    escapeDelay = .milliseconds(min(max(delay, 1), 5000))
    size = Self.measure()
    pictureChoice = pictures
    overlaid = OverlaidPictures(png: png)
    self.onInput = onInput
    self.onHangUp = onHangUp
    overlaid.onReady = { [weak self] in self?.reportGraphics() }
    reader.onSchemeChange = { [weak self] in self?.askForBackground() }
    chooseGraphics()
    weir_watch_crashes(output.descriptor)
    enter()
    ask(environment)
    inputSource = watch(0) { $0.readInput() }
    signalSource = watch(signals) { $0.readSignals() }
  }

  /// Returns the type of the terminal.
  /// - Throws: if the terminal cannot be drawn on.
  @discardableResult
  public static func type(_ environment: [String: String]) throws(TerminalError) -> String {
    guard weir_is_terminal() else { throw .notATerminal }
    let type = environment["TERM"] ?? ""
    if type.isEmpty { throw .noType }
    switch weir_describe(type) {
    case WEIR_UNKNOWN_TYPE: throw type == "dumb" ? .noCursorAddressing(type) : .unknownType(type)
    case WEIR_NO_CURSOR_ADDRESSING: throw .noCursorAddressing(type)
    default: return type
    }
  }

  // MARK: Output

  /// Writes a surface at once, or when the terminal accepts more bytes; keeps only the newest.
  public func present(_ surface: Surface) {
    wanted = surface
    isFrameDue = true
    presentDue()
  }

  /// Writes the whole of the last surface again.
  public func redraw() {
    screen.forget()
    isFrameDue = true
    presentDue()
  }

  /// Sets the title if supported; the previous title is kept on xterm's stack.
  public func setTitle(_ title: String) {
    guard description.profile.supportsTitle, !isClosed, title != self.title else { return }
    let isFirst = self.title == nil
    self.title = title
    if isLent { return }
    if isFirst {
      prepareFarewell()
      output.write(Array("\u{1B}[22;2t".utf8))
    }
    writeTitle(title)
  }

  /// Returns false also for more than 74,994 bytes of UTF-8, and while suspended or closed.
  public func copy(_ text: String) -> Bool {
    // Terminals drop longer sequences; some show their rest.
    guard description.profile.supportsClipboard, !isClosed, !isLent, text.utf8.count <= 74_994
    else {
      return false
    }
    output.write(
      Array("\u{1B}]52;c;".utf8) + Base64.encode(text.utf8) + Array("\u{1B}\\".utf8))
    return true
  }

  /// Writes the newest frame once the terminal has accepted the previous one; frames between are
  /// dropped.
  func presentDue() {
    presentFrame()
    sendPictures()
  }

  private func presentFrame() {
    guard isFrameDue, let wanted, !isLent, !isClosed, !output.isBehind else { return }
    isFrameDue = false
    let surface = wanted.size == size ? wanted : wanted.part(Surface(size: size).bounds)
    let bytes = screen.draw(surface, at: Self.now)
    awaitRest()
    if !bytes.isEmpty { output.write(description.frame.begin + bytes + description.frame.end) }
  }

  private func writeTitle(_ title: String) {
    let line = TitleText.line(title, supportsUTF8: description.supportsUTF8)
    output.write(Array("\u{1B}]2;\(line)\u{1B}\\".utf8))
  }

  // MARK: Input

  /// Returns the keys decoded since the last call.
  public func readKeys() -> [Key] {
    defer { keys = [] }
    return keys
  }

  private func readInput() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var decoded: [Key] = []
    // Bounded, so that frames are drawn during a paste or fast scrolling.
    for _ in 0..<16 {
      let count = buffer.withUnsafeMutableBufferPointer { weir_read($0.baseAddress, $0.count) }
      if count < 0 {
        hangUp(.terminalGone)
        return
      }
      if count == 0 { break }
      decoded += reader.read(buffer[..<count], at: Self.now)
      if count < buffer.count { break }
    }
    schedule()
    deliver(decoded)
  }

  private func deliver(_ decoded: [Key]) {
    if pictureChoice == .ask, graphics == nil, decoded.contains(.graphics) {
      use(reader.graphics)
    }
    for key in decoded {
      if key == .control("z") { stop() } else { append(key) }
    }
    if !keys.isEmpty { onInput() }
  }

  /// Adds a key; keeps only the last of several resizes.
  func append(_ key: Key) {
    if case .resize = key {
      keys.removeAll { if case .resize = $0 { true } else { false } }
    }
    keys.append(key)
  }

  /// Schedules a timer while bytes are pending.
  private func schedule() {
    waitTimer?.cancel()
    waitTimer = nil
    guard let wait = reader.wait else { return }
    let delay: DispatchTimeInterval =
      switch wait {
      case .escape: escapeDelay
      case .sequence: .milliseconds(500)
      case .paste: .seconds(5)
      }
    waitTimer = timer(at: .now() + delay) {
      $0.waitTimer = nil
      $0.deliver($0.reader.timeOut(at: Self.now))
    }
  }

  /// Calls a handler once, unless the terminal is released before.
  func timer(
    at deadline: DispatchTime, _ handle: @escaping (NcursesTerminal) -> Void
  ) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: deadline)
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated { if let self { handle(self) } }
    }
    timer.activate()
    return timer
  }

  static var now: Double {
    Double(DispatchTime.now().uptimeNanoseconds) / 1e9
  }

  private func watch(
    _ descriptor: CInt, _ handle: @escaping (NcursesTerminal) -> Void
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

  // MARK: Signals

  private func readSignals() {
    var caught: Set<Int> = []
    while true {
      let signal = weir_next_signal()
      if signal < 0 { break }
      caught.insert(Int(signal))
    }
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
    let new = Self.measure()
    weir_resize(CInt(new.width), CInt(new.height))
    size = new
    // Terminals rearrange rows on resize.
    screen.forget()
    // The cell size may have changed.
    overlaid.removeAll()
    if !isLent {
      prepareFarewell()
      askForCells()
    }
    append(.resize(new))
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

  /// Leaves the screen, runs `body`, then restores the screen and its size.
  public func suspended<T>(_ body: () throws -> T) rethrows -> T {
    if isClosed || isLent { return try body() }
    release()
    defer {
      enter()
      let now = Self.measure()
      if now != size {
        resize()
        onInput()
      }
    }
    return try body()
  }

  /// Stops the whole job, as the shell expects of Ctrl-Z.
  private func stop() {
    suspended { weir_stop_job() }
  }

  /// Restores the terminal. Further calls do nothing.
  public func close() {
    if isClosed { return }
    if !isLent && !output.isGone { release() }
    isClosed = true
    inputSource?.cancel()
    signalSource?.cancel()
    waitTimer?.cancel()
    pictureTimer?.cancel()
    weir_close()
    weir_unwatch_crashes()
    weir_unwatch_signals()
  }

  private func enter() {
    isLent = false
    prepareFarewell()
    weir_take()
    output.write(CursesScreen.removeDrawn() + description.reportsOn)
    if let title {
      output.write(Array("\u{1B}[22;2t".utf8))
      writeTitle(title)
    }
    if reader.knowsBackground { askForBackground() }
    redraw()
  }

  private func release() {
    output.flush()
    awaitAnswer()
    if graphics == .kitty { output.write(pictures.removeAll()) }
    output.flush()
    weir_give()
    output.write(description.reset(hasTitle: title != nil) + CursesScreen.removeDrawn())
    output.flush()
    isLent = true
    weir_set_shell_modes()
    weir_set_farewell(nil, 0)
  }

  /// Prepares the escape sequences that the crash handler writes.
  func prepareFarewell() {
    var bytes = description.farewell(hasTitle: title != nil, rows: size.height)
    // Must follow the byte that ends a truncated sequence.
    if graphics == .kitty { bytes.insert(contentsOf: pictures.farewell, at: 1) }
    weir_set_farewell(bytes, bytes.count)
  }
}

/// The reason that no terminal can be used. Nothing was written to it.
public enum TerminalError: Error, Sendable, Hashable {
  /// Standard input or output is a file or a pipe.
  case notATerminal
  /// `TERM` is not set, or empty.
  case noType
  /// terminfo does not know the value of `TERM`.
  case unknownType(String)
  /// The terminal cannot move its cursor (`TERM=dumb`, a printer).
  case noCursorAddressing(String)
  /// Not enough memory or descriptors for the terminal or its signals.
  case cannotOpen
}

/// The reason that the reader must end without a command to quit.
public enum HangUp: Sendable, Hashable {
  /// The terminal was closed or disconnected (SIGHUP, end of file, EIO).
  case terminalGone
  /// SIGTERM or SIGINT from outside; the terminal still exists.
  case terminated
}
