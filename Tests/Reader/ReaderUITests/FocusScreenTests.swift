@testable import ReaderServices
@testable import ReaderUI

@Suite("A focus on some folders") struct FocusScreenTests {
  private func cache() async throws -> TestCache {
    let cache = try TestCache()
    try await cache.feed("Office", folder: ["Work"], [.item("Meeting", minutes: 1)])
    try await cache.feed("Planet", folder: ["Tech", "Deep"], [.item("Kernel", minutes: 2)])
    try await cache.feed("Fun", folder: ["Home"], [.item("Cats", minutes: 3)])
    return cache
  }

  private func configuration(_ focus: String? = nil) -> ReaderConfiguration {
    var configuration = ReaderConfiguration.test()
    configuration.remembered[.focus] = focus
    return configuration
  }

  @Test("focus filters the tree and the mixed lists and is remembered; all ends it")
  func command() async throws {
    let robot = await Robot(
      try await cache(), width: 140, height: 30, configuration: configuration())
    robot.sees("Fun", "Cats")
    await robot.type(":focus play").press("Enter")
    robot.sees("There is no folder \u{201C}play\u{201D}", "Fun")
    await robot.type(":focus work, deep").press("Enter").waitUntilIdle()
    #expect(robot.actions.remembered == [.focus: "Work,Tech/Deep"])
    robot.doesNotSee("Fun", "Home", "Cats").sees("Office", "Planet", "Tech", "Meeting", "Kernel")
    #expect(robot.lines.contains { $0.contains("Unread") && $0.contains(" 2 ") })
    await robot.press("A").sees("2 articles marked read")
    await robot.type(":focus all").press("Enter").waitUntilIdle().sees("Fun", "Cats")
    #expect(robot.actions.remembered == [.focus: "all"])
  }

  @Test("focus offers the folders, and several are marked") func choices() async throws {
    let robot = await Robot(
      try await cache(), width: 140, height: 30, configuration: configuration())
    await robot.type(":focus").press("Enter").sees("Show only")
    await robot.type("Deep").press("Tab").press("Ctrl-u").type("Work").press("Tab", "Enter")
    await robot.waitUntilIdle().sees("Office", "Planet").doesNotSee("Fun")
    await robot.type(":focus tech/d").press("Tab").sees("focus Tech/Deep")
    await robot.type(", ho").press("Tab", "Enter").waitUntilIdle()
    robot.sees("Fun", "Planet").doesNotSee("Office")
  }

  @Test("A focus ends when its folders are gone, and survives a new name")
  func gone() async throws {
    let cache = try await cache()
    let robot = await Robot(cache, width: 140, height: 30, configuration: configuration("gone"))
    robot.sees("Fun", "Office")
    await robot.type(":focus Work").press("Enter").waitUntilIdle()
    let folders = cache.store.reader.folders
    let work = try #require(
      try cache.store.reader.feeds.subscriptions().folders.first { $0.title == "Work" }
    ).id
    try await folders.rename(work, to: "Job")
    await robot.waitUntilIdle().sees("Office").doesNotSee("Fun")
    try await folders.delete(work)
    await robot.waitUntilIdle().sees("Office", "Fun")
  }

  @Test("The reader begins with a focus, which arrivals do not end") func start() async throws {
    let cache = try await cache()
    let robot = await Robot(
      cache, width: 140, height: 30, configuration: configuration("Work,Tech/Deep"))
    robot.doesNotSee("Fun", "Cats").sees("Meeting")
    try await cache.feed("Games", folder: ["Home"], [.item("Chess", minutes: 0)])
    await robot.waitUntilIdle().doesNotSee("Games", "Chess").sees("Meeting")
  }
}
