@testable import ProgramSettings
@testable import ReaderServices
@testable import weir

@Suite("Remembered choices of the reader") struct ReaderStateTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "weir-state-\(UUID().uuidString)")
  private var path: String { folder.appending(path: "weir/state.json").path }

  private func state() -> ReaderState { ReaderState(path: path, log: .off) }

  @Test("A choice survives a restart, and choices of other versions are kept")
  func restart() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = state()
    #expect(first.value(.feedOrder) == nil)
    first.set(.feedOrder, to: "name")
    first.finish()
    #expect(state().value(.feedOrder) == "name")
    let other = Data(#"{"feed-order": "unread", "pane-width": "40"}"#.utf8)
    try other.write(to: URL(filePath: path))
    first.set(.theme, to: "dark")
    first.finish()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("pane-width"))
    #expect(state().value(.feedOrder) == "unread")
    #expect(state().value(.theme) == "dark")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/weir")
    #expect(files == ["state.json"])
  }

  @Test("Views of lists survive a restart beside other choices") func views() {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = state()
    first.set(.feedOrder, to: "name")
    first.set(.view(of: "unread"), to: "order=oldest")
    first.set(.view(of: "tag a b"), to: "filter=unread")
    first.finish()
    let screens = UserConfiguration().screens(guideURL: "", environment: [:], state: state())
    #expect(screens.remembered[.view(of: "unread")] == "order=oldest")
    #expect(screens.remembered[.view(of: "tag a b")] == "filter=unread")
    #expect(screens.remembered[.feedOrder] == "name")
  }

  @Test(
    "A file that cannot be read counts as missing and is replaced by the next choice",
    arguments: ["", "{", "[1]", "{\"theme\": 3}", "\u{0}\u{FFFF}"])
  func damaged(text: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      atPath: folder.path + "/weir", withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
    let state = state()
    #expect(state.value(.theme) == nil)
    state.set(.theme, to: "mono")
    state.finish()
    #expect(self.state().value(.theme) == "mono")
  }

  @Test("If nothing can be written, a choice applies until the reader ends")
  func unwritable() throws {
    for path in ["/proc/weir/state.json", nil] {
      let state = ReaderState(path: path, log: .off)
      state.set(.theme, to: "mono")
      state.finish()
      #expect(state.value(.theme) == "mono")
    }
  }

  @Test("A value in the configuration overrides a remembered choice") func configuration() {
    defer { try? FileManager.default.removeItem(at: folder) }
    let state = state()
    state.set(.theme, to: "dark")
    state.set(.feedOrder, to: "unread")
    state.set(.sending, to: "send text")
    var file = ConfigurationFile()
    let remembered = file.configuration.screens(guideURL: "", environment: [:], state: state)
    #expect(remembered.theme == "dark" && remembered.remembered[.feedOrder] == "unread")
    #expect(remembered.remembered[.sending] == "send text")
    file.read("[reader]\ntheme = \"auto\"\n")
    #expect(
      file.configuration.screens(guideURL: "", environment: [:], state: state).theme == "auto")
    state.set(.theme, to: "no such theme")
    let usual = UserConfiguration().screens(guideURL: "", environment: [:], state: state)
    #expect(usual.theme == "auto")
  }
}
