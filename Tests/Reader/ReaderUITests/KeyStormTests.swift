import SoakSupport

@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

/// Random keys, clicks, pastes, arrivals and sizes, the same in every run.
@Suite("Random input") struct KeyStormTests {
  @Test(
    "After random input, the screen equals a fresh drawing, and the panes are aligned",
    arguments: 1...UInt64(Soak.length(short: 2, long: 40)))
  func nothingBreaksInAStorm(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let (cache, robot) = try await Robot.reading(.daily(), width: 100, height: 30)
    var letters = Command.allCases.flatMap(\.keys).compactMap {
      KeySequence($0)?.keys
    }
    .flatMap { $0 }
    // `Q` would end the test; the test continues after `q` has requested to quit.
    letters.removeAll { $0 == .character("Q") }
    for step in 0..<1_000 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        let size = Size(
          width: Int.random(in: 1...200, using: &random),
          height: Int.random(in: 1...60, using: &random))
        robot.terminal.resize(to: size)
        robot.turn(robot.terminal.readKeys())
      case 1:
        let size = robot.terminal.size
        let action: MouseEvent.Action =
          [.press, .doubleClick, .wheelUp, .wheelDown, .release].randomElement(using: &random)
          ?? .press
        robot.turn([
          .mouse(
            MouseEvent(
              action, x: Int.random(in: 0...size.width, using: &random),
              y: Int.random(in: 0...size.height, using: &random)))
        ])
      case 2: robot.turn([.paste("日本 \u{1B}[31mfeed👩‍🚀\r\n")])
      case 3:
        robot.turn([
          .character(Character(UnicodeScalar(UInt8.random(in: 33...126, using: &random))))
        ])
      case 4: robot.timers.pass(Double.random(in: 0...10, using: &random))
      default: if let key = letters.randomElement(using: &random) { robot.turn([key]) }
      }
      if step % 50 == 0 {
        if let feed = try cache.store.reader.feeds.subscriptions().feeds.randomElement(
          using: &random)
        {
          try await cache.merge(
            feed.id, feed.name, [.item("Storm \(seed) \(step) 嵐", minutes: Double(-step))])
        }
        await robot.waitUntilIdle()
      }
      if step % 10 == 0 { checkBorders(robot, step) }
    }
    await robot.waitUntilIdle()
    // A fresh drawing shows the same screen.
    let shown = robot.terminal.text
    robot.application.context.invalidate()
    robot.application.frame()
    #expect(robot.terminal.text == shown)
  }

  /// Checks that rows are as wide as the window, and each rule between panes in one column.
  private func checkBorders(_ robot: Robot, _ step: Int) {
    robot.application.context.invalidate()
    robot.application.frame()
    guard let surface = robot.terminal.surface, robot.application.browser.sheet == nil,
      // A list of the keys that may follow covers the panes, as a prompt does.
      !robot.terminal.text.contains("Go to the top"),
      !(robot.application.browser.prompt is any ListPrompt), robot.actions.quits == 0
    else { return }
    let layout = robot.application.browser.layout
    guard !layout.isTooSmall else { return }
    for y in layout.body.y..<(layout.body.y + layout.body.height) {
      let width = surface.row(y).reduce(0) { $0 + GraphemeWidth.width(of: $1.text) }
      #expect(width == surface.size.width, "row \(y) at step \(step)")
      for (_, frame) in layout.panes.dropLast() {
        #expect(surface[frame.x + frame.width, y].text == "│", "row \(y) at step \(step)")
      }
    }
  }

  @Test("Every size of window is drawn") func everySizeIsDrawn() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "Enter")
    for sheet in ["", "?", "!", "a"] {
      if !sheet.isEmpty { await robot.press("Esc", "Esc", "Esc", sheet) }
      for width in [1, 2, 5, 19, 20, 21, 27, 28, 39, 59, 60, 89, 90, 139, 140, 200, 500] {
        for height in [1, 2, 3, 4, 5, 7, 8, 9, 24, 60] {
          robot.terminal.resize(to: Size(width: width, height: height))
          robot.turn(robot.terminal.readKeys())
          #expect(robot.terminal.surface?.size == Size(width: width, height: height))
        }
      }
    }
  }
}
