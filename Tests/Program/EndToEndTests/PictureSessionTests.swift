import FeedModel

@Suite("Pictures in a terminal", .ownThreads) struct PictureSessionTests {
  let fixture: CommandFixture
  let origin: Origin

  private static let html =
    "<p>Before.</p><img src=\"/hills.png\" alt=\"Hills\" width=\"64\" height=\"60\"><p>After.</p>"

  /// Makes a home with an unread article that has a picture.
  init() throws {
    (fixture, origin) = try CommandFixture.online()
    let html = Self.html.replacing("/hills.png", with: origin.url("/hills.png"))
    origin.on("/feed", .answer(Feeds.rss("Walks", ["Hills"], body: html)))
    origin.on("/hills.png", .answer(SamplePictures.png, type: "image/png"))
    try fixture.weir("remove", "weir:guide")
    #expect(try fixture.weir("add", origin.url("/feed")).code == 0)
    #expect(try fixture.weir("sync", "--all").code == 0)
  }

  private func terminal(
    _ fixture: CommandFixture, _ changes: [String: String], cell: (width: Int, height: Int)? = nil
  ) throws -> PseudoTerminal {
    try PseudoTerminal(
      [CommandFixture.program], columns: 80, rows: 30, cell: cell,
      environment: fixture.environment.merging(changes) { $1 })
  }

  private func open(_ terminal: PseudoTerminal) throws {
    _ = try #require(terminal.wait(for: "Walks", quiet: 0.3))
    terminal.send("gg", quiet: 0.3)
    terminal.send("j\r")
    _ = try #require(terminal.wait(for: "Hills", quiet: 0.3))
    terminal.send("gg\r")
    _ = try #require(terminal.wait(for: "Before."))
  }

  @Test("A terminal that reports graphics gets the pixels once, and they are removed at the end")
  func kitty() throws {
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
    _ = try #require(terminal.quit())
    terminal.waitUntilIdle(quiet: 0.05)
    #expect(KittyReceiver.receive(terminal.output).isEmpty)
    #expect(terminal.isCooked)
    #expect(origin.log.count { $0.path == "/hills.png" } == 1)
  }

  /// Reads until the last picture in sixels has this size.
  private func picture(
    in terminal: PseudoTerminal, _ width: Int, _ height: Int
  ) throws -> SixelReceiver.Received {
    while true {
      if let last = SixelReceiver.receive(terminal.output).last,
        (last.width, last.height) == (width, height)
      {
        return last
      }
      try #require(terminal.read(wait: Patience.seconds), "no picture of \(width)×\(height)")
    }
  }

  @Test("A terminal that reports sixels gets them over the cells of the picture")
  func sixels() throws {
    let terminal = try terminal(fixture, ["COLORFGBG": "15;0"], cell: (10, 20))
    _ = try #require(terminal.wait(for: "\u{1B}[c"))
    terminal.send("\u{1B}[?62;4;22c")
    try open(terminal)
    let picture = try picture(in: terminal, 70, 60)
    #expect(picture.pixel(0, 20).starts(with: [198, 30, 30]))
    #expect(picture.pixel(69, 20).starts(with: [30, 30, 198]))
    #expect(picture.place.count == 2)
    #expect(TerminalStream(terminal.output).faults.isEmpty)
    let count = SixelReceiver.receive(terminal.output).count
    // A change in other rows does not draw it again; one over it does.
    terminal.waitUntilIdle(quiet: 0.3)
    #expect(SixelReceiver.receive(terminal.output).count == count)
    terminal.send("?", quiet: 0.3)
    #expect(SixelReceiver.receive(terminal.output).count == count)
    terminal.send("\u{1B}")
    while SixelReceiver.receive(terminal.output).count == count {
      try #require(terminal.read(wait: Patience.seconds))
    }
    _ = try #require(terminal.quit())
    #expect(terminal.isCooked)
    #expect(!String(decoding: terminal.output, as: UTF8.self).contains("\u{10EEEE}"))
  }

  @Test("Without the pixel size of a cell, a picture is blocks even on a terminal with sixels")
  func unknownCell() throws {
    try fixture.file(".config/weir/config.toml", "[reader]\nimages = \"sixel\"\n")
    let terminal = try terminal(fixture, ["COLORTERM": "truecolor"])
    try open(terminal)
    _ = try #require(terminal.wait(for: "48;2;200;32;32", quiet: 0.3))
    #expect(SixelReceiver.receive(terminal.output).isEmpty)
    _ = try #require(terminal.quit())
  }

  @Test("The terminal is asked for an unknown cell size, and again after a resize")
  func askedCell() throws {
    try fixture.file(".config/weir/config.toml", "[reader]\nimages = \"sixel\"\n")
    let terminal = try terminal(fixture, ["COLORFGBG": "15;0"])
    _ = try #require(terminal.wait(for: "\u{1B}[16t\u{1B}[c"))
    terminal.send("\u{1B}[6;20;10t\u{1B}[?62;4c")
    try open(terminal)
    _ = try picture(in: terminal, 70, 60)
    let before = terminal.output.count
    terminal.resize(columns: 90, rows: 30)
    _ = try #require(terminal.wait(for: "\u{1B}[16t\u{1B}[c", from: before))
    terminal.send("\u{1B}[6;40;20t\u{1B}[?62;4c")
    _ = try picture(in: terminal, 80, 80)
    _ = try #require(terminal.quit())
  }

  @Test("iTerm2 gets a file of the pixels instead of the page's file, and is not queried")
  func files() throws {
    let changes = ["TERM_PROGRAM": "iTerm.app", "COLORFGBG": "15;0"]
    let terminal = try terminal(fixture, changes, cell: (10, 20))
    try open(terminal)
    _ = try #require(terminal.wait(for: "\u{1B}]1337;File=", quiet: 0.3))
    let text = String(decoding: terminal.output, as: UTF8.self)
    #expect(!text.contains("\u{1B}[c") && !text.contains("\u{1B}_G"))
    let sent = try #require(SixelReceiver.files(terminal.output).last)
    #expect(sent.keys["inline"] == "1" && sent.keys["preserveAspectRatio"] == "0")
    #expect(sent.keys["width"] == "7" && sent.keys["height"] == "3")
    #expect(sent.keys["size"] == "\(sent.file.count)")
    #expect(sent.file != SamplePictures.png)
    #expect(sent.file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    #expect(try PictureHeader.read(sent.file).size == PictureSize(width: 64, height: 48))
    _ = try #require(terminal.quit())
    // tmux would drop the sequence.
    try fixture.weir("mark", "unread", "--feed", "Walks")
    try fixture.file(".config/weir/config.toml", "[reader]\nimages = \"iterm\"\n")
    let inside = try self.terminal(
      fixture, ["TERM": "tmux-256color", "TMUX": "/tmp/x,1,0", "COLORTERM": "truecolor"])
    try open(inside)
    _ = try #require(inside.wait(for: "48;2;200;32;32"))
    #expect(SixelReceiver.files(inside.output).isEmpty)
    _ = try #require(inside.quit())
  }

  @Test("A crash without cleanup still removes the pictures") func crash() throws {
    try fixture.file(".config/weir/config.toml", "[reader]\nimages = \"kitty\"\n")
    // Swift's own report of a crash takes minutes for a debug build.
    let terminal = try terminal(fixture, ["SWIFT_BACKTRACE": "enable=no"])
    try open(terminal)
    _ = try #require(terminal.wait(for: "a=p,U=1"))
    kill(terminal.process, SIGSEGV)
    _ = try #require(terminal.waitForExit())
    terminal.waitUntilIdle(quiet: 0.05)
    let end = try #require(terminal.output.lastIndex(of: 0x18))
    let farewell = String(decoding: terminal.output[end...], as: UTF8.self)
    #expect(farewell.contains("\u{1B}_Ga=d,d=R,"))
  }

  @Test("Inside tmux, pictures pass to the outer terminal if the configuration says so")
  func tmux() throws {
    let plain = try terminal(fixture, ["TERM": "tmux-256color", "TMUX": "/tmp/x,1,0"])
    try open(plain)
    _ = try #require(plain.wait(for: "▣", quiet: 0.3))
    #expect(!String(decoding: plain.output, as: UTF8.self).contains("\u{1B}Ptmux;"))
    _ = try #require(plain.quit())
    try fixture.weir("mark", "unread", "--feed", "Walks")
    try fixture.file(".config/weir/config.toml", "[reader]\nimages = \"kitty\"\n")
    let passed = try terminal(fixture, ["TERM": "tmux-256color", "TMUX": "/tmp/x,1,0"])
    try open(passed)
    _ = try #require(passed.wait(for: "\u{1B}Ptmux;\u{1B}\u{1B}_Ga=t,t=d"))
    _ = try #require(passed.wait(for: "\u{1B}Ptmux;\u{1B}\u{1B}_Ga=p,U=1"))
    _ = try #require(passed.wait(for: "\u{10EEEE}"))
    _ = try #require(passed.quit())
    passed.waitUntilIdle(quiet: 0.05)
    #expect(String(decoding: passed.output, as: UTF8.self).contains("_Ga=d,d=I,"))
  }

  @Test("A terminal with another name is not queried and gets colour blocks") func blocks() throws {
    let terminal = try terminal(fixture, ["COLORTERM": "truecolor"])
    try open(terminal)
    _ = try #require(terminal.wait(for: "48;2;200;32;32"))
    let text = String(decoding: terminal.output, as: UTF8.self)
    #expect(!text.contains("\u{1B}_G"))
    #expect(!text.contains("\u{10EEEE}"))
    _ = try #require(terminal.quit())
  }

  @Test("Offline, a fetched picture is shown, and another one waits") func offline() throws {
    let first = try terminal(fixture, ["COLORTERM": "truecolor"])
    try open(first)
    _ = try #require(first.wait(for: "48;2;200;32;32"))
    _ = try #require(first.quit())
    origin.stop()
    let again = try PseudoTerminal(
      [CommandFixture.program, "--offline"], columns: 80, rows: 30,
      environment: fixture.environment.merging(["COLORTERM": "truecolor"]) { $1 })
    _ = try #require(again.wait(for: "Walks", quiet: 0.3))
    again.send("GG\r")
    _ = try #require(again.wait(for: "Hills", quiet: 0.3))
    again.send("\r")
    _ = try #require(again.wait(for: "48;2;200;32;32"))
    _ = try #require(again.quit())
    let doctor = try fixture.weir("doctor")
    #expect(doctor.output.contains("Pictures: 1 picture, "), "\(doctor.output)")
  }
}
