import CNcurses

/// Converts input bytes to keys: passes whole characters and sequences to ncurses, which identifies
/// keys and mouse events.
final class KeyReader {
  private var scanner: InputScanner
  private var clicks = ClickCounter()
  /// True if ncurses may have seen a press without a release.
  private var isPressed = true
  /// Keys by the numbers of their definitions.
  private var keys: [Key] = []
  private let readsUTF8 = weir_reads_utf8()
  /// True while a query has no final answer.
  var awaitsAnswer = false
  var onSchemeChange: () -> Void = {}
  private(set) var knowsBackground = false
  /// The graphics protocol that the terminal reported; kitty's is queried before sixels.
  private(set) var graphics: PictureProtocol?
  private(set) var cellPixels: Size?

  init(terminfoKeys: [[UInt8]: Key]) {
    scanner = InputScanner(terminfoKeys: terminfoKeys.keys)
    let definitions = KeyDefinitions.common.merging(terminfoKeys) { $1 }
    for (bytes, key) in definitions {
      weir_define_key(String(decoding: bytes, as: UTF8.self), CInt(keys.count))
      keys.append(key)
    }
  }

  /// The wait for more bytes of a key; `nil` without pending bytes.
  var wait: InputScanner.Wait? { scanner.wait }

  /// - Parameter time: seconds on any steady clock, for double clicks.
  func read(_ bytes: some Sequence<UInt8>, at time: Double) -> [Key] {
    scanner.scan(bytes).flatMap { keys(of: $0, at: time) }
  }

  /// Ends the wait for pending bytes.
  func timeOut(at time: Double) -> [Key] {
    scanner.timeOut().flatMap { keys(of: $0, at: time) }
  }

  private func keys(of unit: InputScanner.Unit, at time: Double) -> [Key] {
    switch unit {
    case .paste(let text): return [.paste(text)]
    case .answer(let bytes) where GraphicsSequence.isYes(bytes):
      graphics = .kitty
      return [.graphics]
    case .answer(let bytes):
      guard let isDark = BackgroundAnswer.isDark(bytes) else { return [] }
      knowsBackground = true
      return [.background(isDark: isDark)]
    case .text(let text): return Key.characters(of: readText(text))
    case .sequence(let bytes):
      if BackgroundAnswer.isEnd(bytes) {
        awaitsAnswer = false
        guard graphics == nil, BackgroundAnswer.hasSixels(bytes) else { return [] }
        graphics = .sixel
        return [.graphics]
      }
      if SchemeReport.isReport(bytes) {
        onSchemeChange()
        return []
      }
      if awaitsAnswer, let size = CellSizeAnswer.size(bytes) {
        cellPixels = size
        return [.graphics]
      }
      if let report = InputSequence.mouseReport(bytes) {
        return report.isEmpty ? [] : mouseKey(of: report, at: time).map { [$0] } ?? []
      }
      if let key = key(of: bytes, at: time) { return [key] }
      let plain = InputSequence.withoutModifiers(bytes)
      return plain.flatMap { key(of: $0, at: time) }.map { [$0] } ?? []
    }
  }

  private func readText(_ text: String) -> String {
    guard readsUTF8 || text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    let inputs = feed(Array(text.utf8))
    // Keys of some old terminals send printable characters.
    guard inputs.allSatisfy({ $0.kind == WEIR_CHARACTER }) else { return text }
    return Self.text(of: inputs[...])
  }

  private func mouseKey(of report: [UInt8], at time: Double) -> Key? {
    // ncurses drops a second press if the release was lost.
    if isPressed, report.last == UInt8(ascii: "M") { _ = feed(Array("\u{1B}[<0;1;1m".utf8)) }
    guard let input = feed(report).first else { return nil }
    let (x, y) = (Int(input.x), Int(input.y))
    isPressed = input.kind == WEIR_PRESS
    switch input.kind {
    case WEIR_PRESS: return .mouse(clicks.press(x: x, y: y, at: time))
    case WEIR_RELEASE: return .mouse(MouseEvent(.release, x: x, y: y))
    case WEIR_WHEEL_UP: return .mouse(MouseEvent(.wheelUp, x: x, y: y))
    case WEIR_WHEEL_DOWN: return .mouse(MouseEvent(.wheelDown, x: x, y: y))
    default: return nil
    }
  }

  private func key(of bytes: [UInt8], at time: Double) -> Key? {
    let inputs = feed(bytes)
    guard let first = inputs.first else { return nil }
    switch first.kind {
    case _ where bytes.count == 1 && (bytes[0] < 0x20 || bytes[0] == 0x7F):
      return Key(controlByte: bytes[0])
    case WEIR_KEY: return inputs.count == 1 ? keys[Int(first.value)] : nil
    case WEIR_CHARACTER where first.value == 0x1B:
      if bytes == [0x1B, 0x7F] { return .alt("\u{7F}") }
      return Key.alt(of: Self.text(of: inputs.dropFirst()))
    case WEIR_CHARACTER: return Key.characters(of: Self.text(of: inputs[...])).first
    default: return nil
    }
  }

  private func feed(_ bytes: [UInt8]) -> [weir_input] {
    guard weir_feed(bytes, bytes.count) else { return [] }
    var inputs: [weir_input] = []
    while true {
      let input = weir_next_input()
      if input.kind == WEIR_NONE { return inputs }
      inputs.append(input)
    }
  }

  private static func text(of inputs: ArraySlice<weir_input>) -> String {
    var scalars = String.UnicodeScalarView()
    for input in inputs where input.kind == WEIR_CHARACTER {
      if let scalar = Unicode.Scalar(input.value) { scalars.append(scalar) }
    }
    return String(scalars)
  }
}
