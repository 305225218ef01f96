import Foundation
import NcursesTerminal
import TerminalKit

/// A program that end-to-end tests run instead of the reader: it shows rows of difficult text and
/// the keys that arrived. `q` quits; other keys are in `Probe.act`.
@main
enum Main {
  static func main() {
    do {
      let probe = Probe()
      try probe.start(environment: ProcessInfo.processInfo.environment)
      RunLoop.main.run()
    } catch {
      FileHandle.standardError.write(Data("terminalprobe: \(error)\n".utf8))
      exit(2)
    }
  }
}

final class Probe {
  private var terminal: NcursesTerminal?
  private var shift = 0
  private var frames = 0
  private var log: [String] = []

  private static let samples = [
    "plain", "漢字かな交じり文の行です", "한국어 \u{1112}\u{1161}\u{11AB}",
    "e\u{301}a\u{308}o\u{302} zalgo\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}!",
    "😀 👩‍👩‍👧‍👦 👍🏽 🏳️‍🌈 🧑🏿‍🚀", "🇫🇷🇩🇪🇯🇵 1️⃣ #️⃣", "❤️ ☝🏽 ⌚︎ ✈️ ©️", "🫩 🪉 🫆 \u{1FA89}", "क्षि कि ज्ञ தமிழ்",
    "العربية עברית", "ไทยกำลัง", "… — “q” ● ★ ▸ ⟳ ▁▂▅▇", "\u{1B}[31mred\u{7}\u{9B}2J\u{202E}x",
  ]

  func start(environment: [String: String]) throws {
    terminal = try NcursesTerminal(
      environment: environment, onInput: { [weak self] in self?.readKeys() },
      onHangUp: { [weak self] reason in
        self?.terminal?.close()
        exit(reason == .terminated ? 143 : 129)
      })
    draw()
  }

  private func readKeys() {
    guard let terminal else { return }
    for key in terminal.readKeys() {
      log.append(name(of: key))
      act(key, terminal)
    }
    draw()
  }

  private func name(of key: Key) -> String {
    if case .mouse(let event) = key { return "\(event.action)@\(event.x),\(event.y)" }
    return key.name ?? "\(key)"
  }

  private func act(_ key: Key, _ terminal: NcursesTerminal) {
    switch key {
    case .character("q"):
      terminal.close()
      print("probe ended after \(frames) frames")
      exit(0)
    case .character("n"): shift += 1
    case .character("C"): log = []
    case .character("t"): terminal.setTitle("probe\u{1B} title \u{7}\u{9C}漢")
    case .character("c"): log.append("copied \(terminal.copy("copied text"))")
    case .control("l"): terminal.redraw()
    case .character("!"):
      terminal.suspended {
        FileHandle.standardOutput.write(Data("outside\n".utf8))
        _ = FileHandle.standardInput.availableData
      }
    case .character("F"): fatalError("asked to fail")
    case .character("S"): log.append("\(deeper(0))")
    case .character("A"): abort()
    case .character("W"):
      // Only the last of these frames needs to reach the screen.
      for _ in 0..<200 {
        shift += 1
        draw()
      }
    default: break
    }
  }

  /// Calls itself until the stack is full.
  private func deeper(_ level: Int) -> Int { level < 0 ? 0 : deeper(level + 1) &+ frames }

  private func draw() {
    guard let terminal else { return }
    frames += 1
    var surface = Surface(size: terminal.size)
    let (width, height) = (surface.size.width, surface.size.height)
    surface.write(
      "probe \(width)x\(height) \(terminal.colorDepth)", x: 0, y: 0,
      style: Style(foreground: .rgb(250, 200, 60), attributes: .bold))
    for y in 1..<max(1, height - 1) {
      surface.write("│", x: 0, y: y)
      let sample = Self.samples[(y - 1 + shift) % Self.samples.count]
      surface.draw(in: Rect(x: 1, y: y, width: width - 2, height: 1)) { row in
        var x = 0
        while x < row.size.width {
          x += max(
            1, row.write(sample, x: x, y: 0, style: style(y), link: "https://example.org/\(y)"))
          x += row.write("|", x: x, y: 0)
        }
      }
      surface.write("│", x: width - 1, y: y, style: Style(foreground: .palette(4)))
    }
    surface.write("keys:", x: 0, y: height - 1, style: Style(attributes: .reverse))
    let keys = " " + log.suffix(12).joined(separator: " ")
    let used = surface.write(keys, x: 5, y: height - 1)
    surface.cursor = (min(5 + used, width - 1), height - 1)
    terminal.present(surface)
  }

  private func style(_ y: Int) -> Style {
    let styles = [
      Style.plain, Style(attributes: .bold), Style(foreground: .palette(9), attributes: .italic),
      Style(foreground: .rgb(80, 160, 240), background: .palette(0)),
      Style(attributes: [.dim, .underline]), Style(foreground: .palette(8)),
      Style(attributes: .strikethrough), Style(background: .rgb(30, 40, 60), attributes: .reverse),
    ]
    return styles[y % styles.count]
  }
}
