@testable import ProgramSettings
@testable import weir

@Suite("Unknown commands and search fields") struct UnknownCommandTests {
  private func sentence(_ words: String...) -> String? { UnknownCommand.failure(words)?.sentence }

  @Test("An unknown command is reported with the most similar one") func unknown() {
    #expect(sentence("feds")?.hasPrefix("There is no command feds; did you mean feeds?") == true)
    #expect(sentence("--data-dir", "x", "zzzzzz")?.hasPrefix("There is no command zzzzzz.") == true)
    #expect(sentence("rule", "lst")?.contains("did you mean list?") == true)
    #expect(sentence("help", "feds")?.contains("did you mean feeds?") == true)
    #expect(sentence("help", "rule", "lst")?.contains("did you mean list?") == true)
  }

  @Test("An option of the reader is reported with a command that does not use it")
  func readerOptions() {
    let failure = UnknownCommand.failure(["--offline", "sync"])
    #expect(failure?.sentence == "--offline is an option of the reader; weir sync does not use it.")
    #expect(failure?.code == .usage)
    #expect(sentence("sync", "--linear")?.hasPrefix("--linear is an option") == true)
    #expect(sentence("sync", "lwn", "--offline")?.hasPrefix("--offline is an option") == true)
    #expect(sentence("--focus", "work", "feeds")?.contains("weir feeds does not") == true)
    #expect(sentence("rule", "list", "--focus=work")?.contains("weir rule list does not") == true)
    #expect(sentence("open", "5", "--linear")?.contains("weir open does not") == true)
    #expect(sentence("open", "--offline", "5") == nil)
    #expect(sentence("--offline", "--linear", "--focus", "sync") == nil)
    #expect(sentence("search", "--", "--offline") == nil)
  }

  @Test("Commands, their arguments and options are left to the parser") func known() {
    #expect(sentence() == nil)
    #expect(sentence("--offline") == nil)
    #expect(sentence("help", "sync") == nil)
    #expect(sentence("help") == nil)
    #expect(sentence("--generate-completion-script", "bash") == nil)
    #expect(sentence("pack", "feed:lwn") == nil)
    #expect(sentence("--config", "feds", "feeds", "--json") == nil)
    #expect(sentence("show", "5") == nil)
  }

  @Test("A mistyped search field is reported, and in quotes it is text")
  func mistypedField() throws {
    #expect(throws: SearchQuery.Problem.unknownField("titel", near: "title")) {
      try SearchQuery("titel:weir")
    }
    #expect(try !SearchQuery("\"titel:weir\" https://example.org/ 10:30 c++:").isEmpty)
  }

  @Test("A check of the configuration names missing programs and hidden keys")
  func configurationNotes() {
    var file = ConfigurationFile()
    file.read(
      """
      [open]
      browser = "firefox %s"
      player = ["nosuchplayer"]
      [keys]
      toggle-star = ["*", "m"]
      """)
    #expect(file.problems.isEmpty)
    let notes = file.configuration.notes(path: "/nowhere")
    #expect(
      notes == [
        "open.browser: there is no program \u{201C}firefox %s\u{201D}; write [\"firefox\", \"%s\"].",
        "open.player: there is no program nosuchplayer in PATH.",
        "Key m no longer runs toggle-read, which has no key.",
      ])
  }

  @Test("A check of the configuration names the places in which a key is hidden")
  func keysHiddenInSomePlaces() {
    var file = ConfigurationFile()
    file.read(
      """
      [bindings.reader]
      J = ["toggle-star"]
      """)
    #expect(
      file.configuration.notes(path: "/nowhere") == [
        "Key J no longer runs next-article in: article."
      ])
  }

  @Test("A single sentence has no full stop on a screen, and several keep theirs")
  func fullStops() {
    #expect(CommandFailure("It failed.").message == "It failed")
    #expect(CommandFailure("It failed. Try again.").message == "It failed. Try again.")
  }
}
