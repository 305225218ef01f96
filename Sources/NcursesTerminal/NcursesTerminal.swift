// The real terminal, and nothing else: ncurses, descriptors, signals. What can be decided without a
// terminal (widths, where sequences end, profiles) is in TerminalKit.
import CNcurses
import Dispatch
public import TerminalKit

/// The terminal that the program was started in. One per process: ncurses, signals and standard
/// input are the process's own. Lives on the main thread, whose run loop must serve the main queue;
/// between keys, frames and signals nothing wakes up.
public final class NcursesTerminal: Terminal {
  /// The version of ncurses in use, with its name.
  public nonisolated static var libraryVersion: String { String(cString: weir_curses_version()) }

  /// Columns and rows, changed by SIGWINCH before `.resize` is read.
  public private(set) var size: Size
  /// From terminfo and the environment; see `TerminalProfile`.
  public let colorDepth: ColorDepth
  public var takesUTF8: Bool { description.takesUTF8 }

  let description: TerminalDescription
  let onInput: () -> Void
  private let onHangUp: (HangUp) -> Void
  let screen: CursesScreen
  let reader: KeyReader
  private var keys: [Key] = []
  /// The surface that shall be shown, and whether it waits for the terminal to take more bytes.
  private var wanted: Surface?
  var isFrameDue = false
  private var title: String?
  var isLent = false
  var isClosed = false
  private var hasHungUp = false
  /// Nil until the terminal answers that it shows pictures; set at once where the choice names one.
  public internal(set) var graphics: PictureProtocol?
  let pictureChoice: PictureChoice
  lazy var pictures = PictureSender(
    isInTmux: description.profile.isMultiplexer, process: weir_process(),
    onReady: { [weak self] in self?.presentDue() },
    onSent: { [weak self] in self?.tellOfGraphics() })
  let overlaid: OverlaidPictures
  var pictureTimer: (any DispatchSourceTimer)?

  lazy var output = TerminalOutput { [weak self] in self?.presentDue() }
  private var inputSource: (any DispatchSourceRead)?
  private var signalSource: (any DispatchSourceRead)?
  private var waitTimer: (any DispatchSourceTimer)?
  /// When the background was asked for.
  var askedAt = 0.0

  /// How long a lone Esc may be the beginning of a sequence, unless `ESCDELAY` says otherwise.
  private let escapeDelay: DispatchTimeInterval

  /// Takes the terminal: its modes, the alternate screen, the keys.
  /// - Parameters:
  ///   - environment: the process's; `TERM`, `COLORTERM`, `NO_COLOR`, `ESCDELAY` and the names by
  ///     which terminals say what they are.
  ///   - pictures: whether the terminal is asked for its graphics.
  ///   - png: makes a file of pixels, for iTerm2's protocol.
  ///   - onInput: called on the main thread when `readKeys()` has something to give.
  ///   - onHangUp: called once, on the main thread, when the reader must end by itself.
  /// - Throws: before anything is written to the terminal.
  public init(
    environment: [String: String], pictures: PictureChoice = .none,
    png: @escaping @Sendable (PixelImage) -> [UInt8]? = { _ in nil },
    onInput: @escaping () -> Void, onHangUp: @escaping (HangUp) -> Void
  ) throws(TerminalError) {
    guard weir_is_terminal() else { throw .notATerminal }
    let type = environment["TERM"] ?? ""
    if type.isEmpty { throw .noType }
    switch weir_describe(type) {
    case WEIR_UNKNOWN_TYPE: throw type == "dumb" ? .noCursorAddressing(type) : .unknownType(type)
    case WEIR_NO_CURSOR_ADDRESSING: throw .noCursorAddressing(type)
    default: break
    }
    let takesUTF8 = weir_locale()
    // Signals first: ncurses leaves alone what is caught already, and would else end the process.
    let signals = weir_watch_signals()
    guard signals >= 0 else { throw .cannotOpen }
    weir_keep_shell_modes()
    let profile = TerminalDescription.profile(environment: environment)
    let additions = weir_additions(
      direct_color: profile.colorDepth == .trueColor, private_modes: profile.takesPrivateModes)
    guard weir_open(type, additions) else {
      weir_unwatch_signals()
      throw .cannotOpen
    }
    description = TerminalDescription(profile: profile, takesUTF8: takesUTF8)
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
    overlaid.onReady = { [weak self] in self?.tellOfGraphics() }
    chooseGraphics()
    weir_watch_crashes(output.descriptor)
    enter()
    ask(environment)
    inputSource = watch(0) { $0.readInput() }
    signalSource = watch(signals) { $0.readSignals() }
  }

  // MARK: Output

  /// Written at once, or as soon as the terminal takes more bytes; only the newest is kept.
  public func present(_ surface: Surface) {
    wanted = surface
    isFrameDue = true
    presentDue()
  }

  /// Forgets what is on the screen, and writes the last surface again whole.
  public func redraw() {
    screen.forget()
    isFrameDue = true
    presentDue()
  }

  /// Only where the terminal takes titles; the one before is kept on xterm's stack of titles.
  public func setTitle(_ title: String) {
    guard description.profile.takesTitle, !isClosed, title != self.title else { return }
    let isFirst = self.title == nil
    self.title = title
    if isLent { return }
    if isFirst {
      prepareFarewell()
      output.write(Array("\u{1B}[22;2t".utf8))
    }
    writeTitle(title)
  }

  /// Also false beyond 74,994 bytes of UTF-8, or while the terminal is lent or closed.
  public func copy(_ text: String) -> Bool {
    // Terminals drop longer sequences; some show their rest.
    guard description.profile.takesClipboard, !isClosed, !isLent, text.utf8.count <= 74_994 else {
      return false
    }
    output.write(
      Array("\u{1B}]52;c;".utf8) + Base64.encode(text.utf8) + Array("\u{1B}\\".utf8))
    return true
  }

  /// Writes the newest frame, unless the terminal has not yet taken the one before: then that is
  /// done when it has, and what came between is never drawn.
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
    let line = TitleText.line(title, takesUTF8: description.takesUTF8)
    output.write(Array("\u{1B}]2;\(line)\u{1B}\\".utf8))
  }

  // MARK: Input

  /// Decoded since the last call.
  public func readKeys() -> [Key] {
    defer { keys = [] }
    return keys
  }

  private func readInput() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var decoded: [Key] = []
    // A paste or a wheel spun may fill the buffer often; the screen wants its turn too.
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

  /// Of several new sizes not yet read only the last is true.
  func append(_ key: Key) {
    if case .resize = key {
      keys.removeAll { if case .resize = $0 { true } else { false } }
    }
    keys.append(key)
  }

  /// One timer for what is left over, and none when nothing is.
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
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + delay)
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        guard let self else { return }
        self.waitTimer = nil
        self.deliver(self.reader.timeOut(at: Self.now))
      }
    }
    waitTimer = timer
    timer.activate()
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
    // Whoever had the terminal while we were stopped may have left anything in it.
    if has(WEIR_CONTINUED), !isLent {
      leave()
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
    // What the terminal made of the old rows is its own affair.
    screen.forget()
    // A cell may have other pixels.
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
      // End of file is readable for ever.
      inputSource?.cancel()
      inputSource = nil
    }
    onHangUp(reason)
  }

  // MARK: Taking and giving back

  /// Leaves the screen, runs `body`, then takes the screen again and measures its size.
  public func suspended<T>(_ body: () throws -> T) rethrows -> T {
    if isClosed || isLent { return try body() }
    leave()
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

  /// Ctrl-Z: the whole job stops, as the shell expects.
  private func stop() {
    suspended { weir_stop_job() }
  }

  /// A second call does nothing.
  public func close() {
    if isClosed { return }
    if !isLent && !output.isGone { leave() }
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
    output.write(CursesScreen.takeDrawn() + description.reportsOn)
    if let title {
      output.write(Array("\u{1B}[22;2t".utf8))
      writeTitle(title)
    }
    redraw()
  }

  private func leave() {
    output.flush()
    awaitAnswer()
    if graphics == .kitty { output.write(pictures.removeAll()) }
    output.flush()
    weir_give()
    output.write(description.reset(hasTitle: title != nil) + CursesScreen.takeDrawn())
    output.flush()
    isLent = true
    weir_set_shell_modes()
    weir_set_farewell(nil, 0)
  }

  /// What is sent in our name should we die before we can.
  func prepareFarewell() {
    var bytes = description.farewell(hasTitle: title != nil, rows: size.height)
    // After the byte that ends a sequence that was cut off.
    if graphics == .kitty { bytes.insert(contentsOf: pictures.farewell, at: 1) }
    weir_set_farewell(bytes, bytes.count)
  }
}
