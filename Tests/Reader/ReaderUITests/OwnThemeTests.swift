@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("The user's own themes") struct OwnThemeTests {
  @Test(
    "A style is read back from its own text",
    arguments: [
      "bold #f4f6f8 on #14171c", "underline 6", "default", "dim italic", "#e3a45c",
      "reverse default on 0",
    ])
  func styles(text: String) throws {
    let style = try #require(StyleText.style(from: text))
    #expect(StyleText.style(from: StyleText.text(of: style)) == style)
  }

  @Test(
    "An invalid style is rejected",
    arguments: ["bolder", "#12345", "300", "red", "on", "6 on", "6 7", "6 on 7 8"])
  func noStyles(text: String) {
    #expect(StyleText.style(from: text) == nil)
  }

  @Test("A theme has its own changes and the rest of its base") func base() throws {
    let ink = try #require(StyleText.style(from: "#e3a45c"))
    let theme = Theme(name: "dusk", base: .dark, changes: [.accent: ink])
    #expect(theme.style(.accent).foreground == ink.foreground)
    #expect(theme.style(.accent).background == Theme.dark.style(.text).background)
    #expect(theme.style(.star) == Theme.dark.style(.star))
    let ground = try #require(StyleText.style(from: "#ffffff on #101010"))
    let other = Theme(name: "dusk", base: .dark, changes: [.text: ground])
    #expect(other.style(.star).background == .rgb(0x10, 0x10, 0x10))
  }

  @Test("Roles that a theme does not set are derived from its text and accent")
  func derived() throws {
    let text = try #require(StyleText.style(from: "#eeeeee on #222222"))
    let accent = try #require(StyleText.style(from: "#88ccff"))
    let theme = Theme(name: "dusk", base: .light, changes: [.text: text, .accent: accent])
    #expect(theme.style(.secondary).foreground == .rgb(0xB1, 0xB1, 0xB1))
    #expect(theme.style(.selection).background == .rgb(0x3C, 0x4D, 0x59))
    #expect(theme.style(.title).foreground == text.foreground)
    #expect(theme.style(.link).foreground == accent.foreground)
    let paper = Theme.light.style(.text).background
    for role in Role.allCases { #expect(theme.style(role).background != paper) }
  }

  @Test("A theme read back from its printed text is the same", arguments: Theme.all)
  func printed(theme: Theme) throws {
    var changes: [Role: Style] = [:]
    for line in theme.configurationText.split(separator: "\n").dropFirst(2) {
      let parts = line.split(separator: "=", maxSplits: 1).map { String($0).trimmingWhitespace }
      let role = try #require(Role(rawValue: parts[0]))
      changes[role] = StyleText.style(from: parts[1].filter { $0 != "\"" })
    }
    let again = Theme(name: theme.name, base: .terminal, changes: changes)
    for role in Role.allCases { #expect(again.style(role) == theme.style(role), "\(role)") }
  }

  @Test("The terminal's background colour decides the theme for auto")
  func background() async throws {
    let robot = await Robot(try await .daily(), colors: .trueColor)
    #expect(robot.application.context.theme.name == "terminal")
    await robot.key(.background(isDark: true))
    #expect(robot.application.context.theme.name == "dark")
    await robot.key(.background(isDark: false))
    #expect(robot.application.context.theme.name == "light")
    robot.application.configure(.test())
    #expect(robot.application.context.theme.name == "light")
  }

  @Test("A theme of the user's own can be chosen") func chosen() async throws {
    let own = Theme(name: "dusk", base: .dark, changes: [.accent: Style(foreground: .palette(3))])
    let robot = await Robot(
      try await .daily(), colors: .trueColor,
      configuration: .test { ($0.theme, $0.themes) = ("dusk", [own]) })
    #expect(robot.application.context.theme.style(.accent).foreground == .palette(3))
    await robot.type(":theme dus").press("Enter")
    #expect(robot.actions.remembered[.theme] == "dusk")
  }

  @Test("Another background changes the colours and moves neither the page nor the selection")
  func nothingMoves() async throws {
    let robot = await Robot(try await .daily(), width: 140, height: 12, colors: .trueColor)
    await robot.key(.background(isDark: true)).press("Enter", "j", "Enter", "Ctrl-d")
    let (before, styles) = (robot.lines, robot.terminal.styled)
    await robot.key(.background(isDark: false))
    #expect(robot.lines == before && robot.terminal.styled != styles)
  }
}
