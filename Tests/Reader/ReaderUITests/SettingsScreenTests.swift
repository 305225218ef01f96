import Testing

@testable import ReaderServices
@testable import ReaderUI

@Suite("The settings screen") struct SettingsScreenTests {
  private func robot(_ width: Int) async throws -> Robot {
    let robot = await Robot(try await .tiny(), width: width, height: 24)
    let all = ScreenSettings.all
    let settings = [
      (all.theme.setting, nil), (all.textWidth.setting, "80"),
      (all.marksPassed.setting, nil), (all.notification.setting, nil),
    ]
    robot.actions.settings = settings.compactMap { setting, value in
      setting.map {
        SettingValueRow($0, value: value, isInFile: value != nil, choices: $0.choices)
      }
    }
    return robot
  }

  @Test("Every setting is shown with value, default and sentence", arguments: [80, 120])
  func rows(width: Int) async throws {
    let robot = try await robot(width)
    await robot.type(":settings").press("Enter").sees("Settings", "1 of 4 set", "reader.theme")
    robot.sees("80  (72)", "not set", "The maximum width of the lines of an article")
    await robot.press("q").doesNotSee("reader.theme")
  }

  @Test("Enter chooses among words, and asks for other values until they are valid")
  func changes() async throws {
    let robot = try await robot(120)
    await robot.type(":settings").press("Enter", "Enter").sees("default (auto)").type("nord")
    await robot.press("Enter", "j", "Enter").sees("reader.text-width (or default): 80")
    await robot.type("wrong").press("Enter").sees("a whole number expected")
    await robot.press("Enter").type("100").press("Enter").sees("100  (72)")
    await robot.press("j", "Enter").type("true").press("Enter")
    await robot.press("j", "Enter").type("default").press("Enter")
    #expect(
      robot.actions.changedSettings == [
        "reader.theme = nord", "reader.text-width = 100", "reader.mark-passed = true",
        "notify.command = default",
      ])
  }
}
