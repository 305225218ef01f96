import Foundation
import NcursesTerminal
import ProgramSettings
import TerminalKit

/// The facts about a terminal for `weir doctor --terminal`, each with what to change.
struct TerminalCheck {
  var environment: [String: String]
  var profile: TerminalProfile
  var supportsUTF8: Bool
  /// The terminal's answers about its background and its pictures; `nil` if it gave none.
  var isDark: Bool?
  var pixels: String?

  struct Finding: Equatable {
    var text: String
    /// A sentence; `nil` if there is nothing to change.
    var advice: String?
  }

  private var type: String { environment["TERM"] ?? "" }

  var text: Finding {
    Finding(
      text: "\(type), \(supportsUTF8 ? "UTF-8" : "ASCII only")",
      advice: supportsUTF8 ? nil : "Set LANG to a locale of UTF-8, such as C.UTF-8.")
  }

  var colors: Finding {
    switch profile.colorDepth {
    case .mono where environment["NO_COLOR"]?.isEmpty == false:
      Finding(text: "none, since NO_COLOR is set", advice: "Unset NO_COLOR to see colours.")
    case .mono:
      Finding(
        text: "none for terminals of type \(type)",
        advice: "Set TERM to the type that the manual of your terminal names.")
    case .ansi16:
      Finding(
        text: "16",
        advice: "If the second band has more colours, set TERM to a type that ends in -256color.")
    case .ansi256:
      Finding(text: "256", advice: "If the third band is smooth, set COLORTERM=truecolor.")
    case .trueColor:
      Finding(text: "16 million", advice: "If the third band is not smooth, unset COLORTERM.")
    }
  }

  var background: Finding {
    let known = isDark ?? TerminalProfile.hasDarkBackground(environment: environment)
    return Finding(
      text: known.map { $0 ? "dark" : "light" } ?? "not known",
      advice: known == nil
        ? "Set theme = \"dark\" or \"light\" under [reader]; \u{201C}auto\u{201D} assumes dark."
        : nil)
  }

  var pictures: Finding {
    if let pixels { return Finding(text: pixels) }
    if profile.showsInlineImages { return Finding(text: "pixels, by the protocol of iTerm2") }
    return Finding(
      text: "blocks of half a cell",
      advice: profile.isMultiplexer
        ? "In tmux, pixels need images = \"kitty\" under [reader], and allow-passthrough."
        : "kitty, Ghostty, WezTerm, foot, iTerm2 and others show pixels.")
  }

  var clipboard: Finding {
    guard profile.supportsClipboard else {
      return Finding(
        text: "not supported by this terminal",
        advice: "y shows addresses in the status line; bind a program such as wl-copy to a key.")
    }
    return Finding(
      text: "by OSC 52; Ctrl-y copies the word \u{201C}Weir\u{201D} to try it",
      advice: profile.isMultiplexer
        ? "If nothing arrives: tmux needs \u{201C}set -g set-clipboard on\u{201D}."
        : "If nothing arrives, allow programs to set the clipboard in the terminal\u{2019}s settings."
    )
  }

  /// Texts whose widths terminals disagree about.
  static let samples = [
    ("wide", "漢字かな한글"), ("combining", "e\u{301}o\u{308}n\u{303}"), ("emoji", "😀👩‍👩‍👧🇫🇷"),
    ("right to left", "שלום"), ("lines", "─│▎●▸"),
  ]

  /// - Parameter measured: the columns by which the cursor moved; `nil` without an answer.
  static func width(_ sample: String, measured: Int?) -> Finding {
    let expected = GraphemeWidth.width(of: sample)
    guard let measured, measured != expected else {
      return Finding(text: measured == nil ? "not measured" : "\(expected) columns")
    }
    return Finding(
      text: "\(measured) columns instead of \(expected)",
      advice: "Weir keeps its borders straight anyway; a newer version of the terminal, or its "
        + "setting for Unicode widths, may correct the text.")
  }

  /// Returns the column of an answer to a query for the cursor (CPR, `CSI row ; column R`).
  static func column(_ answer: [UInt8]) -> Int? {
    let text = String(decoding: answer, as: UTF8.self)
    return text.firstMatch(of: /\u{1B}\[\d+;(\d+)R/).flatMap { Int($0.1) }
  }

  /// Returns the bytes of a key for reading: `ESC [ 1 ; 5 C`.
  static func shown(_ bytes: [UInt8]) -> String {
    guard bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return bytes.map { byte in
      switch byte {
      case 0x1B: "ESC"
      case 0x20: "Space"
      case 0x7F: "DEL"
      case 0..<0x20: "^\(Character(Unicode.Scalar(byte | 0x40)))"
      default: String(Character(Unicode.Scalar(byte)))
      }
    }.joined(separator: " ")
  }
}

// MARK: The conversation with the terminal

extension TerminalCheck {
  /// Prints the findings with samples, then the keys that are pressed until `q`.
  @MainActor static func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let features: (profile: TerminalProfile, supportsUTF8: Bool)
    do throws(TerminalError) {
      features = try TerminalFeatures.read(environment)
    } catch {
      throw CommandFailure(error)
    }
    var check = TerminalCheck(
      environment: environment, profile: features.profile, supportsUTF8: features.supportsUTF8)
    let raw = try RawTerminal()
    defer { raw.restore() }
    if check.profile.supportsPrivateModes { try check.ask(raw) }
    try check.print("Terminal", check.text)
    try check.print("Colours", check.colors)
    try check.printBands()
    try check.print("Background", check.background)
    try check.print("Pictures", check.pictures)
    if check.supportsUTF8 { try Console.write(Array("  \u{1B}[36m▀\u{1B}[34m▄\u{1B}[0m\n".utf8)) }
    try check.printWidths(raw)
    try check.print("Clipboard", check.clipboard)
    try Console.print("Keys: press some to see what arrives; q ends")
    try check.printKeys(raw)
  }

  private mutating func ask(_ raw: RawTerminal) throws {
    let query = GraphicsSequence.question + BackgroundAnswer.question + BackgroundAnswer.fence
    let bytes = try raw.answer(to: query) { bytes in
      String(decoding: bytes, as: UTF8.self).contains(/\u{1B}\[\?[\d;]*c/)
    }
    var scanner = InputScanner()
    for unit in scanner.scan(bytes) {
      switch unit {
      case .answer(let answer) where GraphicsSequence.isYes(answer):
        pixels = "pixels, by the protocol of kitty"
      case .answer(let answer): isDark = BackgroundAnswer.isDark(answer) ?? isDark
      case .sequence(let answer) where pixels == nil && BackgroundAnswer.hasSixels(answer):
        pixels = "pixels, as sixels"
      case .sequence, .text, .paste: break
      }
    }
  }

  private func print(_ title: String, _ finding: Finding) throws {
    try Console.print("\(title): \(finding.text)")
    if let advice = finding.advice { try Console.print("  \(advice)") }
  }

  /// Prints bands of 16, 256 and 16 million colours, as far as the terminal reads them.
  private func printBands() throws {
    guard profile.colorDepth > .mono else { return }
    var bands = [(0..<16).map { $0 < 8 ? "\(40 + $0)" : "\(92 + $0)" }]
    if profile.supportsPrivateModes {
      bands.append((0..<36).map { "48;5;\(16 + 36 * ($0 / 6) + $0 % 6)" })
      bands.append((0..<36).map { "48;2;\($0 * 7);\(255 - $0 * 7);128" })
    }
    for band in bands {
      let cells = band.map { "\u{1B}[\($0)m " }.joined()
      try Console.write(Array("  \(cells)\u{1B}[0m\n".utf8))
    }
  }

  private func printWidths(_ raw: RawTerminal) throws {
    guard supportsUTF8 else { return }
    try Console.print("Widths:")
    for (name, sample) in Self.samples {
      try Console.write(Array("\r\(sample)".utf8))
      let answer = try raw.answer(to: Array("\u{1B}[6n".utf8)) { Self.column($0) != nil }
      let finding = Self.width(sample, measured: Self.column(answer).map { $0 - 1 })
      try Console.write(Array("\r\u{1B}[K".utf8))
      try Console.write(Array("  \(sample)  ".utf8))
      try Console.print("\(name): \(finding.text)")
      if let advice = finding.advice { try Console.print("    \(advice)") }
    }
  }

  @MainActor private func printKeys(_ raw: RawTerminal) throws {
    while let bytes = raw.read(wait: -1) {
      for (bytes, key) in TerminalFeatures.keys(of: bytes) {
        if key == .character("q") || key == .control("c") { return }
        if key == .control("y"), profile.supportsClipboard {
          let text = Array("\u{1B}]52;c;".utf8) + Base64.encode("Weir".utf8)
          try Console.write(text + Array("\u{1B}\\".utf8))
        }
        let name = key.map { $0.name ?? "" } ?? "unknown; Weir ignores it"
        try Console.print("  \(Self.shown(bytes))   \(name)")
      }
    }
  }
}

extension CommandFailure {
  init(_ error: TerminalError) {
    let commands = "weir help lists the commands that need no terminal"
    let sentence =
      switch error {
      case .notATerminal:
        "The reader needs a terminal, and standard input or output isn\u{2019}t one; \(commands)."
      case .noType:
        "TERM is not set, so Weir does not know your terminal. Try: TERM=xterm-256color weir"
      case .unknownType(let type):
        "The terminal type \u{201C}\(type)\u{201D} is not known on this machine. Install its "
          + "description (ncurses-term), or try: TERM=xterm-256color weir"
      case .noCursorAddressing(let type):
        "A terminal of type \u{201C}\(type)\u{201D} cannot move its cursor, which the reader needs; "
          + "\(commands)."
      case .cannotOpen:
        "The terminal cannot be opened: too little memory, or too many open files. Close some programs "
          + "and try again."
      }
    self.init(sentence, code: .cannotStart)
  }
}

/// The terminal without line editing, echo and keys that send signals, until `restore`.
struct RawTerminal {
  private let before: termios

  init() throws(CommandFailure) {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else {
      throw CommandFailure("The terminal\u{2019}s modes cannot be read.", code: .cannotStart)
    }
    before = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    settings.c_iflag &= ~tcflag_t(ICRNL | IXON)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
  }

  func restore() {
    var settings = before
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
  }

  /// Returns the bytes that have arrived; `nil` at the end of the input.
  /// - Parameter wait: the longest wait for the first byte, in milliseconds; -1 for no limit.
  func read(wait: Int32) -> [UInt8]? {
    var poll = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard Foundation.poll(&poll, 1, wait) > 0 else { return [] }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  /// The longest wait for an answer of the terminal, in seconds.
  private static let timeout = 1.0

  /// Sends a query, and reads until the answer is complete or the time is over.
  func answer(to query: [UInt8], isComplete: ([UInt8]) -> Bool) throws -> [UInt8] {
    try Console.write(query)
    var bytes: [UInt8] = []
    let end = Date() + Self.timeout
    while !isComplete(bytes), Date() < end {
      guard let new = read(wait: 50) else { break }
      bytes += new
    }
    return bytes
  }
}
