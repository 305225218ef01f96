internal import CNcurses
internal import Dispatch
@_exported public import TerminalKit

/// The terminal of the process, with ncurses, signals and standard input; one instance only. Runs
/// on the main thread, whose run loop must serve the main queue. Idle between keys, frames and
/// signals.
public final class NcursesTerminal: Terminal, SessionTerminal {
  public nonisolated static var libraryVersion: String { String(cString: weir_curses_version()) }

  /// Columns and rows, updated by SIGWINCH before `.resize` is read.
  public var size: Size { session.size }
  /// The colour depth by terminfo and the environment; see `TerminalProfile`.
  public let colorDepth: ColorDepth
  public var supportsUTF8: Bool { description.supportsUTF8 }

  let description: TerminalDescription
  let session: TerminalSession
  let screen: CursesScreen
  let reader: KeyReader
  /// The surface to show; `isFrameDue` while it waits for the terminal.
  private var wanted: Surface?
  var isFrameDue = false
  private var title: String?
  var isLent: Bool { session.isLent }
  var isClosed: Bool { session.isClosed }
  /// `nil` until the terminal confirms graphics, unless the user chose a protocol.
  public internal(set) var graphics: PictureProtocol?
  let pictureChoice: PictureChoice
  lazy var pictures = PictureSender(
    isInTmux: description.profile.isMultiplexer, process: weir_process(),
    onReady: { [weak self] in self?.presentDue() },
    onSent: { [weak self] in self?.reportGraphics() })
  let overlaid: OverlaidPictures
  var pictureTimer: (any DispatchSourceTimer)?

  var output: TerminalOutput { session.output }
  var askedAt = 0.0

  /// Sets up the terminal: modes, alternate screen, keys.
  /// - Parameters:
  ///   - environment: `TERM`, `COLORTERM`, `NO_COLOR`, `ESCDELAY` and the terminals' own variables.
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
    let delay = environment["ESCDELAY"].flatMap { Int($0) } ?? 25
    // Must be first: ncurses keeps existing handlers, and its own would end the process.
    session = try TerminalSession(
      escapeDelay: min(max(delay, 1), 5000), onInput: onInput, onHangUp: onHangUp)
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
    pictureChoice = pictures
    overlaid = OverlaidPictures(png: png)
    overlaid.onReady = { [weak self] in self?.reportGraphics() }
    reader.onSchemeChange = { [weak self] in self?.askForBackground() }
    chooseGraphics()
    session.start(self)
    ask(environment)
  }

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
    output.write(Array("\u{1B}]52;c;".utf8) + Base64.encode(text.utf8) + Array("\u{1B}\\".utf8))
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

  public func readKeys() -> [Key] { session.readKeys() }

  var wait: InputScanner.Wait? { reader.wait }

  func decode(_ bytes: ArraySlice<UInt8>) -> [Key] { noted(reader.read(bytes, at: Self.now)) }

  func timeOut() -> [Key] { noted(reader.timeOut(at: Self.now)) }

  /// Returns the keys; uses the graphics that the terminal has confirmed.
  private func noted(_ keys: [Key]) -> [Key] {
    if pictureChoice == .ask, graphics == nil, keys.contains(.graphics) { use(reader.graphics) }
    return keys
  }

  static var now: Double {
    Double(DispatchTime.now().uptimeNanoseconds) / 1e9
  }

  // MARK: Taking and giving back

  func resized() {
    weir_resize(CInt(size.width), CInt(size.height))
    // Terminals rearrange rows on resize.
    screen.forget()
    // The cell size may have changed.
    overlaid.removeAll()
    if !isLent {
      prepareFarewell()
      askForCells()
    }
  }

  public func suspended<T>(_ body: () throws -> T) rethrows -> T { try session.suspended(body) }

  /// Further calls do nothing.
  public func close() {
    session.close {
      pictureTimer?.cancel()
      weir_close()
    }
  }

  func enter() {
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

  func release() {
    output.flush()
    awaitAnswer()
    if graphics == .kitty { output.write(pictures.removeAll()) }
    output.flush()
    weir_give()
    output.write(description.reset(hasTitle: title != nil) + CursesScreen.removeDrawn())
    output.flush()
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
