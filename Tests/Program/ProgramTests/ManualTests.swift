/// The installed manual page is made from the program's definitions by `make golden`.
@Suite("The manual page") struct ManualTests {
  @Test("The manual page is that of these commands and keys")
  func manualPageTheseCommands() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Resources/weir.1")
    let page = try Manual().text
    if ProcessInfo.processInfo.environment["WEIR_RECORD_GOLDEN"] != nil {
      try Data(page.utf8).write(to: file)
      return
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == page, "run make golden")
  }
}
