@testable import ProgramSettings
@testable import weir

@Suite("Opening pages, and progress") struct BrowserTests {
  @Test("The configuration overrides $BROWSER, which overrides the system's browser") func order() {
    #expect(WebBrowser(configured: ["a", "-b"], variable: "c").commands == [["a", "-b"]])
    let named = WebBrowser(configured: nil, variable: "w3m -o x=%s:firefox").commands
    #expect(named.prefix(2) == [["w3m", "-o", "x=%s"], ["firefox"]])
    #expect(WebBrowser(configured: nil, variable: nil).commands.count == 1)
  }

  @Test("An address is a single argument, whatever its position and contents") func arguments() {
    let url = "https://a.example/ $(x) %s; '\""
    #expect(WebBrowser.arguments(["b", "--new"], url) == ["b", "--new", url])
    #expect(
      WebBrowser.arguments(["b", "--url=%s", "-x"], "https://a/") == [
        "b", "--url=https://a/", "-x",
      ])
    #expect(WebBrowser.arguments(["b%s"], url) == ["b%s", url])
  }

  @Test(
    "An address that runs or reads something local is not opened",
    arguments: [
      "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "-x", "", "http:x",
    ])
  @MainActor
  func schemes(url: String) {
    let browser = WebBrowser(configured: ["/bin/false"], variable: nil)
    #expect(throws: CommandFailure.self) { try browser.open(url) { _ in } }
  }

  @Test(
    "A confirmed address is opened, whatever its scheme",
    arguments: ["mailto:a@b.c", "gemini://a/"])
  @MainActor
  func confirmed(url: String) throws {
    try WebBrowser(configured: ["/bin/true"], variable: nil).open(url) { _ in }
  }

  @Test("Progress fits any width") func progress() {
    var request = RefreshRequest(id: 1, scope: .all, requestedAt: Date())
    request.total = 1_000
    request.done = 212
    request.failed = 3
    let status = SyncStatus(quality: .good, isRunning: true, rate: 1_400_000)
    let words = SyncProgressLine.words(request, status, isPaused: false)
    let wide = SyncProgressLine.text(words, share: 0.212, width: 100)
    #expect(wide.hasSuffix("212/1,000 · 1.4 MB/s · good · 3 failed"))
    #expect(wide.filter { $0 == "\u{2588}" }.count == 6)
    for width in 0..<120 {
      let line = SyncProgressLine.text(words, share: 0.212, width: width)
      #expect(line.count <= max(0, width - 1))
    }
    #expect(
      SyncProgressLine.words(request, status, isPaused: true)
        == ["212/1,000", "1.4 MB/s", "paused", "3 failed"])
  }

  @Test("A line of progress is written only when it changes, over all lines that it filled")
  func progressChanges() {
    var line = SyncProgressLine(.bar, cuts: false)
    let wide = String(repeating: "\u{2588}", count: 60)
    #expect(line.change(to: wide, width: 70)?.lines == 0)
    #expect(line.change(to: wide, width: 70) == nil)
    #expect(line.change(to: wide, width: 90) == nil)
    let narrow = line.change(to: "4/5", width: 12)
    #expect(narrow?.text == "4/5")
    #expect(narrow?.lines == 4)
    #expect(line.change(to: "", width: 12)?.lines == 0)
  }

  @Test("Ages are read in hours and days") func ages() {
    #expect(Age(argument: "30d")?.seconds == 2_592_000)
    #expect(Age(argument: "12h")?.seconds == 43_200)
    for text in ["", "d", "30", "-1d", "1.5d", "999999999d", "3m"] {
      #expect(Age(argument: text) == nil, "\(text)")
    }
  }
}
