import NcursesTerminal
import TerminalKit

@testable import weir

@Suite("Findings of the doctor about a terminal") struct TerminalCheckTests {
  private func check(
    _ environment: [String: String], colors: Int = 256, supportsUTF8: Bool = true,
    isDark: Bool? = nil, pixels: String? = nil
  ) -> TerminalCheck {
    TerminalCheck(
      environment: environment,
      profile: TerminalProfile(environment: environment, description: .init(colors: colors)),
      supportsUTF8: supportsUTF8, isDark: isDark, pixels: pixels)
  }

  @Test(
    "Colours are named with the variable to change",
    arguments: [
      (["TERM": "vt100"], 0, "none", "Set TERM"),
      (["TERM": "xterm", "NO_COLOR": "1"], 256, "NO_COLOR", "Unset NO_COLOR"),
      (["TERM": "xterm"], 8, "16", "-256color"),
      (["TERM": "xterm-256color"], 256, "256", "COLORTERM=truecolor"),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor"], 256, "16 million", "unset COLORTERM"),
    ])
  func colors(environment: [String: String], count: Int, text: String, advice: String) {
    let finding = check(environment, colors: count).colors
    #expect(finding.text.contains(text) && finding.advice?.contains(advice) == true, "\(finding)")
  }

  @Test("Pictures, background and clipboard depend on the terminal's answers and its name")
  func others() {
    let plain = check(["TERM": "xterm-256color"])
    #expect(
      plain.pictures.text.contains("blocks") && plain.pictures.advice?.contains("kitty") == true)
    #expect(check(["TERM": "xterm-kitty"], pixels: "pixels").pictures.advice == nil)
    #expect(
      plain.background.text == "not known" && plain.background.advice?.contains("theme") == true)
    #expect(check(["TERM": "xterm"], isDark: false).background == .init(text: "light"))
    #expect(check(["TERM": "rxvt", "COLORFGBG": "15;0"]).background == .init(text: "dark"))
    #expect(check(["TERM": "linux"]).clipboard.text.contains("not supported"))
    #expect(check(["TERM": "tmux-256color"]).clipboard.advice?.contains("set-clipboard") == true)
    #expect(check(["TERM": "xterm"], supportsUTF8: false).text.advice?.contains("LANG") == true)
  }

  @Test("A width that differs from Weir's is named with both numbers") func widths() {
    #expect(TerminalCheck.width("漢字", measured: 4) == .init(text: "4 columns"))
    #expect(TerminalCheck.width("漢字", measured: 3).text == "3 columns instead of 4")
    #expect(TerminalCheck.width("漢字", measured: nil).text == "not measured")
    #expect(TerminalCheck.column(Array("x\u{1B}[12;34R".utf8)) == 34)
    #expect(TerminalCheck.column(Array("\u{1B}[12R".utf8)) == nil)
  }

  @Test(
    "Bytes of keys are written out and named",
    arguments: [
      ("j", "j", "j"), ("\u{1B}[A", "ESC [ A", "Up"), ("\u{1B}[1;5C", "ESC [ 1 ; 5 C", "Right"),
      ("\u{4}", "^D", "Ctrl-d"), ("\u{7F}", "DEL", "Backspace"), (" ", "Space", "Space"),
      ("\u{1B}x", "ESC x", "Alt-x"), ("é", "é", "é"), ("\u{1B}[99~", "ESC [ 9 9 ~", nil),
    ] as [(String, String, String?)])
  @MainActor func keys(text: String, shown: String, name: String?) {
    let keys = TerminalFeatures.keys(of: Array(text.utf8))
    #expect(keys.count == 1)
    #expect(TerminalCheck.shown(keys.first?.bytes ?? []) == shown)
    #expect(keys.first?.key?.name == name)
  }
}
