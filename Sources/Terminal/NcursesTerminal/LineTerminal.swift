import CNcurses

/// A terminal that receives lines of words (`Surface.spoken`) instead of cells: for screen readers,
/// and for terminals that cannot move their cursor. It uses no escape sequences, no colours and no
/// ncurses. One instance only, on the main thread, whose run loop must serve the main queue.
public final class LineTerminal: Terminal, SessionTerminal {
  public let supportsUTF8: Bool
  private let session: TerminalSession
  private var transcript: LineTranscript
  private var last: Surface?
  private var scanner = InputScanner()

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
    transcript = LineTranscript(supportsUTF8: supportsUTF8)
    session = try TerminalSession(onInput: onInput, onHangUp: onHangUp)
    session.start(self)
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

  /// Wide enough that no row is cut; the rows are those of the window.
  public var size: Size {
    Size(width: Self.columns, height: max(Self.fewestRows, session.size.height))
  }
  public var colorDepth: ColorDepth { .mono }
  public var cellPixels: Size? { nil }
  public var graphics: PictureProtocol? { nil }
  public func number(of picture: TerminalPicture) -> UInt32? { nil }
  public func setTitle(_ title: String) {}
  public func copy(_ text: String) -> Bool { false }

  /// Writes the words that are new since the last frame.
  public func present(_ surface: Surface) {
    last = surface
    guard !session.isLent, !session.isClosed else { return }
    session.output.write(Array(transcript.text(of: surface).utf8))
  }

  /// Writes the place, the content and the message again.
  public func redraw() {
    transcript.forget()
    if let last { present(last) }
  }

  public func readKeys() -> [Key] {
    let keys = session.readKeys()
    if !keys.isEmpty { transcript.keyPressed() }
    return keys
  }

  var wait: InputScanner.Wait? { scanner.wait }

  func decode(_ bytes: ArraySlice<UInt8>) -> [Key] { scanner.scan(bytes).flatMap(Self.keys) }

  func timeOut() -> [Key] { scanner.timeOut().flatMap(Self.keys) }

  private static func keys(of unit: InputScanner.Unit) -> [Key] {
    switch unit {
    case .paste(let text): [.paste(text)]
    case .answer: []
    case .text(let text): Key.characters(of: text)
    case .sequence(let bytes): KeyDefinitions.key(of: bytes).map { [$0] } ?? []
    }
  }

  public func suspended<T>(_ body: () throws -> T) rethrows -> T { try session.suspended(body) }

  /// Further calls do nothing.
  public func close() { session.close() }

  func resized() {}

  func presentDue() {}

  func enter() {
    weir_set_farewell([0x0A], 1)
    weir_set_line_modes()
  }

  func release() { session.output.flush() }
}
