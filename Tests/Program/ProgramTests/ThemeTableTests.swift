@testable import ProgramSettings
@testable import ReaderServices
@testable import TerminalViews
@testable import weir

@Suite("Themes in the configuration") struct ThemeTableTests {
  @Test("The user's own theme changes its base and can be selected") func themes() throws {
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
    #expect(
      screens.fixed == ["reader.theme", "themes"] && screens.themes == file.configuration.themes)
  }
}
