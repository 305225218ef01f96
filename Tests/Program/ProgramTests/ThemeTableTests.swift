import Testing

@testable import ProgramSettings
@testable import ReaderServices
@testable import TerminalViews
@testable import weir

@Suite("Focuses in the configuration") struct FocusTableTests {
  @Test("A focus names folders, and everything else is reported")
  func focuses() {
    var file = ConfigurationFile(path: nil)
    file.read(
      """
      [focus.work]
      folders = ["Work", "Tech/Deep"]
      [focus.one]
      folders = "Home"
      [focus.empty]
      folders = []
      [focus.wrong]
      folder = ["x"]
      [focus]
      short = 1
      """)
    #expect(file.configuration.focuses == ["work": ["Work", "Tech/Deep"], "one": ["Home"]])
    let texts = file.problems.map(\.text)
    #expect(texts.contains { $0.hasPrefix("focus.empty.folders: a list of folders") }, "\(texts)")
    #expect(texts.contains("focus.wrong.folder: unknown setting"), "\(texts)")
    #expect(texts.contains("focus.short: a table expected"), "\(texts)")
    let screens = file.configuration.screens(guideURL: "", environment: [:])
    #expect(screens.focuses == file.configuration.focuses)
  }
}

@Suite("Themes in the configuration") struct ThemeTableTests {
  @Test("The user's own theme changes its base and can be selected")
  func themes() throws {
    var file = ConfigurationFile(path: nil)
    file.read(
      """
      [reader]
      theme = "dusk"
      [themes.dusk]
      base = "dark"
      accent = "bold #e3a45c"
      acent = "1"
      star = "sparkling"
      """)
    #expect(
      file.problems.map(\.message) == [
        "themes.dusk.acent: unknown role; did you mean accent?",
        "themes.dusk.star: a style such as \"bold #f4f6f8 on #14171c\" expected",
      ])
    #expect(file.configuration.theme == "dusk")
    #expect(file.configuration.themes.map(\.name) == ["dusk"])
    let screens = file.configuration.screens(guideURL: "", environment: [:])
    #expect(screens.fixed == [.theme] && screens.themes == file.configuration.themes)
  }
}
