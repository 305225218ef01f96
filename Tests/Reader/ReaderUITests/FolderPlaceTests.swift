@testable import ReaderServices
@testable import ReaderUI

@Suite("The place of folders") struct FolderPlaceTests {
  @Test("Folders follow the feeds of their folder if wanted, also after a restart")
  func last() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    func names(_ robot: Robot) -> [String] {
      robot.application.browser.feeds.model.rows.map(\.name)
    }
    let before = names(robot)
    let (folder, feed) = (before.firstIndex(of: "Systems"), before.firstIndex(of: "Rachel"))
    #expect(try #require(folder) < #require(feed))
    await robot.press(":sort folders-last").press("Enter")
    let after = names(robot)
    #expect(
      try #require(after.firstIndex(of: "Rachel")) < #require(after.firstIndex(of: "Systems")))
    #expect(try #require(after.firstIndex(of: "LWN")) < #require(after.firstIndex(of: "Databases")))
    #expect(Set(after) == Set(before) && after.count == before.count)
    let model = robot.application.browser.feeds.model
    let shown = model.rows.compactMap { row in
      if case .list(.feed(let id)) = row.item { id } else { nil }
    }
    #expect(model.feedOrder == shown)
    #expect(robot.actions.remembered == [.folders: "folders-last"])
    let next = await Robot(
      cache, configuration: .test { $0.remembered[.folders] = "folders-last" })
    #expect(names(next) == after)
    await next.press(":sort folders-first").press("Enter")
    #expect(names(next) == before)
  }
}
