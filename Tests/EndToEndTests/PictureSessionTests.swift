import Foundation
import TestSupport
import Testing

/// What goes to a real terminal for the pictures of an article.
@Suite("Pictures in a terminal", .ownThreads) struct PictureSessionTests {
  private static let html =
    "<p>Before.</p><img src=\"/hills.png\" alt=\"Hills\" width=\"64\" height=\"60\"><p>After.</p>"

  /// A home with one unread article that shows a picture.
  private func home() throws -> (CommandFixture, Origin) {
    let (fixture, origin) = (try CommandFixture(), try Origin())
    origin.on("/feed", .answer(Feeds.rss("Walks", ["Hills"], body: Self.html)))
    origin.on("/hills.png", .answer(SamplePictures.png, type: "image/png"))
    try fixture.weir("remove", "weir:guide")
    #expect(try fixture.weir("add", origin.url("/feed")).code == 0)
    #expect(try fixture.weir("sync", "--all").code == 0)
    return (fixture, origin)
  }

  private func terminal(
    _ fixture: CommandFixture, _ changes: [String: String]
  ) throws -> PseudoTerminal {
    try PseudoTerminal(
      [CommandFixture.program], columns: 80, rows: 30,
      environment: fixture.environment.merging(changes) { $1 })
  }

  private func open(_ terminal: PseudoTerminal) throws {
    _ = try #require(terminal.wait(for: "Walks"))
    terminal.settle()
    terminal.send("gg")
    terminal.settle()
    terminal.send("j\r")
    _ = try #require(terminal.wait(for: "Hills"))
    terminal.settle()
    terminal.send("gg\r")
    _ = try #require(terminal.wait(for: "Before."))
  }

  @Test("A terminal that says that it has graphics gets the pixels once, and loses them at the end")
  func kitty() throws {
    let (fixture, origin) = try home()
    let terminal = try terminal(fixture, ["KITTY_WINDOW_ID": "1"])
    _ = try #require(terminal.wait(for: "\u{1B}_Gi=31"))
    terminal.send("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c")
    try open(terminal)
    _ = try #require(terminal.wait(for: "a=p,U=1"))
    _ = try #require(terminal.wait(for: "\u{10EEEE}"))
    let sent = KittyReceiver.receive(terminal.output)
    let picture = try #require(sent.values.first)
    #expect(sent.count == 1)
    #expect((picture.width, picture.height) == (64, 48))
    #expect(picture.pixels.prefix(4).elementsEqual([200, 30, 30, 255]))
    #expect(picture.pixels.suffix(4).elementsEqual([30, 30, 200, 255]))
    terminal.send("Q")
    _ = try #require(terminal.waitForExit())
    terminal.settle(quiet: 0.05)
    #expect(KittyReceiver.receive(terminal.output).isEmpty)
    #expect(terminal.isCooked)
    #expect(origin.log.count { $0.path == "/hills.png" } == 1)
  }

  @Test("What dies without an end removes its pictures all the same")
  func crash() throws {
    let (fixture, origin) = try home()
    try fixture.file(".config/weir/config.toml", "[reader]\nimages = \"kitty\"\n")
    // Swift's own report of a crash takes minutes for a debug build.
    let terminal = try terminal(fixture, ["SWIFT_BACKTRACE": "enable=no"])
    try open(terminal)
    _ = try #require(terminal.wait(for: "a=p,U=1"))
    kill(terminal.process, SIGSEGV)
    _ = try #require(terminal.waitForExit())
    terminal.settle(quiet: 0.05)
    let end = try #require(terminal.output.lastIndex(of: 0x18))
    let farewell = String(decoding: terminal.output[end...], as: UTF8.self)
    #expect(farewell.contains("\u{1B}_Ga=d,d=R,"))
    origin.stop()
  }

  @Test("Inside tmux pictures go through to the terminal around it, if the configuration says so")
  func tmux() throws {
    let (fixture, origin) = try home()
    let plain = try terminal(fixture, ["TERM": "tmux-256color", "TMUX": "/tmp/x,1,0"])
    try open(plain)
    _ = try #require(plain.wait(for: "▣"))
    plain.settle()
    #expect(!String(decoding: plain.output, as: UTF8.self).contains("\u{1B}Ptmux;"))
    plain.send("Q")
    _ = try #require(plain.waitForExit())
    try fixture.weir("mark", "unread", "--feed", "Walks")
    try fixture.file(".config/weir/config.toml", "[reader]\nimages = \"kitty\"\n")
    let passed = try terminal(fixture, ["TERM": "tmux-256color", "TMUX": "/tmp/x,1,0"])
    try open(passed)
    _ = try #require(passed.wait(for: "\u{1B}Ptmux;\u{1B}\u{1B}_Ga=t,t=d"))
    _ = try #require(passed.wait(for: "\u{1B}Ptmux;\u{1B}\u{1B}_Ga=p,U=1"))
    _ = try #require(passed.wait(for: "\u{10EEEE}"))
    passed.send("Q")
    _ = try #require(passed.waitForExit())
    passed.settle(quiet: 0.05)
    #expect(String(decoding: passed.output, as: UTF8.self).contains("_Ga=d,d=I,"))
    origin.stop()
  }

  @Test("A terminal of another name is not asked, and gets blocks of colour")
  func blocks() throws {
    let (fixture, origin) = try home()
    let terminal = try terminal(fixture, ["COLORTERM": "truecolor"])
    try open(terminal)
    _ = try #require(terminal.wait(for: "48;2;200;32;32"))
    let text = String(decoding: terminal.output, as: UTF8.self)
    #expect(!text.contains("\u{1B}_G"))
    #expect(!text.contains("\u{10EEEE}"))
    terminal.send("Q")
    _ = try #require(terminal.waitForExit())
    origin.stop()
  }

  @Test("Offline a picture that was fetched is shown, and another one waits")
  func offline() throws {
    let (fixture, origin) = try home()
    let first = try terminal(fixture, ["COLORTERM": "truecolor"])
    try open(first)
    _ = try #require(first.wait(for: "48;2;200;32;32"))
    first.send("Q")
    _ = try #require(first.waitForExit())
    origin.stop()
    let again = try PseudoTerminal(
      [CommandFixture.program, "--offline"], columns: 80, rows: 30,
      environment: fixture.environment.merging(["COLORTERM": "truecolor"]) { $1 })
    _ = try #require(again.wait(for: "Walks"))
    again.settle()
    again.send("GG\r")
    _ = try #require(again.wait(for: "Hills"))
    again.settle()
    again.send("\r")
    _ = try #require(again.wait(for: "48;2;200;32;32"))
    again.send("Q")
    _ = try #require(again.waitForExit())
    let doctor = try fixture.weir("doctor")
    #expect(doctor.output.contains("Pictures: 1 picture, "), "\(doctor.output)")
  }
}
