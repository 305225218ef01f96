import Foundation
import TerminalKit
import Testing

@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("Themes of the user's own, and what the terminal writes on") struct OwnThemeTests {
  @Test(
    "A style is read as it is written",
    arguments: [
      "bold #f4f6f8 on #14171c", "underline 6", "default", "dim italic", "#e3a45c",
      "reverse default on 0",
    ])
  func styles(text: String) throws {
    let style = try #require(StyleText.read(text))
    #expect(StyleText.read(StyleText.text(style)) == style)
  }

  @Test("What is no style is refused", arguments: ["bolder", "#12345", "300", "red", "on", "6 7"])
  func noStyles(text: String) {
    #expect(text == "on" || StyleText.read(text) == nil)
  }

  @Test("A theme has what it changes and the rest of its base")
  func base() throws {
    let ink = try #require(StyleText.read("#e3a45c"))
    let theme = Theme(name: "dusk", base: .dark, changes: [.accent: ink])
    #expect(theme.style(.accent).foreground == ink.foreground)
    #expect(theme.style(.accent).background == Theme.dark.style(.text).background)
    #expect(theme.style(.star) == Theme.dark.style(.star))
    let ground = try #require(StyleText.read("#ffffff on #101010"))
    let other = Theme(name: "dusk", base: .dark, changes: [.text: ground])
    #expect(other.style(.star).background == .rgb(0x10, 0x10, 0x10))
  }

  @Test("What a theme with its own text does not set follows from its text and its accent")
  func derived() throws {
    let text = try #require(StyleText.read("#eeeeee on #222222"))
    let accent = try #require(StyleText.read("#88ccff"))
    let theme = Theme(name: "dusk", base: .light, changes: [.text: text, .accent: accent])
    #expect(theme.style(.secondary).foreground == .rgb(0xB1, 0xB1, 0xB1))
    #expect(theme.style(.selection).background == .rgb(0x3C, 0x4D, 0x59))
    #expect(theme.style(.title).foreground == text.foreground)
    #expect(theme.style(.link).foreground == accent.foreground)
    let paper = Theme.light.style(.text).background
    for role in Role.allCases { #expect(theme.style(role).background != paper) }
  }

  @Test("A printed theme is that theme", arguments: Theme.all)
  func printed(theme: Theme) throws {
    var changes: [Role: Style] = [:]
    for line in theme.configurationText.split(separator: "\n").dropFirst(2) {
      let parts = line.split(separator: "=", maxSplits: 1).map { String($0).trimmingWhitespace }
      let role = try #require(Role(rawValue: parts[0]))
      changes[role] = StyleText.read(parts[1].filter { $0 != "\"" })
    }
    let again = Theme(name: theme.name, base: .terminal, changes: changes)
    for role in Role.allCases { #expect(again.style(role) == theme.style(role), "\(role)") }
  }

  @Test("An answer of the terminal turns auto into the theme for its background")
  func background() async throws {
    let robot = await Robot(try await .daily(), colors: .trueColor)
    #expect(robot.application.context.theme.name == "terminal")
    await robot.key(.background(isDark: true))
    #expect(robot.application.context.theme.name == "dark")
    await robot.key(.background(isDark: false))
    #expect(robot.application.context.theme.name == "light")
    robot.application.configure(ReaderConfiguration(timeZone: .gmt))
    #expect(robot.application.context.theme.name == "light")
  }

  @Test("A theme of the user's own can be chosen")
  func chosen() async throws {
    let own = Theme(name: "dusk", base: .dark, changes: [.accent: Style(foreground: .palette(3))])
    let robot = await Robot(
      try await .daily(), colors: .trueColor,
      configuration: ReaderConfiguration(theme: "dusk", timeZone: .gmt, themes: [own]))
    #expect(robot.application.context.theme.style(.accent).foreground == .palette(3))
    await robot.type(":theme dus").press("Enter").sees("for next time?")
  }
}
