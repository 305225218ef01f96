@testable import ReaderServices
@testable import ReaderUI

@Suite("Output of programs") struct PipeOutputTests {
  private func robot() async throws -> Robot {
    let robot = await Robot(try await .daily(), width: 100, height: 40)
    robot.actions.modes = ["summary": .show, "shout": .replace, "bad": .show, "mute": .show]
    robot.actions.outputs = [
      "summary": .success("In short:\nfine <b>\u{1B}[31m"), "shout": .success("LOUD"),
      "bad": .failure(ActionFailure("bad: exit code 3: no model.")), "mute": .success("\n"),
    ]
    await robot.press("Enter", "Enter")
    return robot
  }

  private func pipe(_ robot: Robot, _ line: String) async {
    await robot.press(":send pipe")
    await robot.type(line).press("Enter")
    await robot.waitUntilIdle()
  }

  @Test("A program's output becomes a note below the article, and stays there")
  func show() async throws {
    let robot = try await robot()
    await pipe(robot, "summary")
    robot.sees("its output is below the article")
    await robot.press("G").sees("Note by summary, 10:42", "In short:", "fine <b>")
    await robot.press("q", "Enter", "G").sees("In short:")
    let task = try #require(robot.actions.tasks.last)
    #expect(task.input?.contains("In short") == false)
    await robot.press(":")
    await robot.type("remove-notes").press("Enter").sees("1 note removed").doesNotSee("In short:")
  }

  @Test("A program's output replaces the article until Esc") func replace() async throws {
    let robot = try await robot()
    await pipe(robot, "shout")
    robot.sees("LOUD", "shout; Esc shows the article").doesNotSee("a black box.")
    robot.sees("shout: its output is shown instead of the article").doesNotSee("is running")
    await robot.press("Esc").sees("a black box.").doesNotSee("LOUD")
  }

  @Test("A line that needs a shell is offered to sh -c") func shell() async throws {
    let robot = try await robot()
    await pipe(robot, "grep 'a|b'")
    #expect(robot.actions.tasks.last?.program == .typed("grep 'a|b'"))
    await pipe(robot, "grep it | wc")
    robot.sees("without a shell. Run this with sh -c?")
    await robot.press("y")
    #expect(robot.actions.tasks.count == 2)
    #expect(ShellLine.wrapped("grep 'it' | wc") == #"sh -c 'grep '\''it'\'' | wc'"#)
    #expect(ShellLine.wrapped("sh -c 'a | b'") == nil)
  }

  @Test("A failed program is reported with its reason, and empty output is reported too")
  func failures() async throws {
    let robot = try await robot()
    await pipe(robot, "bad")
    robot.sees("bad: exit code 3: no model.")
    await robot.press("Esc")
    await pipe(robot, "mute")
    robot.sees("mute printed nothing")
  }
}
