@testable import ReaderServices
@testable import ReaderUI

@Suite("Snoozing on screen") struct SnoozeScreenTests {
  @Test("Snooze asks for a time, offers the last one first, and u undoes it")
  func asks() async throws {
    let robot = await Robot(try await .daily(), width: 100)
    await robot.press("Enter", ":snooze").sees("Snooze until:", "2h \u{B7} 12:42")
      .sees("tomorrow 08:00").sees("Mon 08:00").sees("3d \u{B7} Tue 08:00")
    await robot.type("fri").press("Enter").sees("1 article asleep until Fri 08:00")
      .doesNotSee("Why ETags are opaque")
    #expect(robot.actions.remembered == [.snooze: "fri"])
    await robot.press("u").sees("Why ETags are opaque")
    await robot.press(":snooze", "Enter").sees("1 article asleep until Fri 08:00")
  }

  @Test("A text that is no time says what is accepted, stays in the prompt, and changes nothing")
  func invalid() async throws {
    let robot = await Robot(try await .daily(), width: 100)
    await robot.press("Enter", ":snooze").type("yesterday").press("Enter")
      .sees("Write a time in the future: 2h, 3d, tomorrow 18:00").sees("Why ETags are opaque")
    robot.sees("Snooze until: yesterday")
    await robot.key(.control("u")).type("2h").doesNotSee("Write a time")
    await robot.press("Enter").sees("1 article asleep until 12:42")
  }

  @Test("Snooze in an article and on a selection snoozes them")
  func readerAndSelection() async throws {
    let robot = await Robot(try await .daily(), width: 100)
    await robot.press("Enter", "Enter", ":snooze").type("2h").press("Enter")
      .sees("1 article asleep until 12:42").doesNotSee("Why ETags are opaque")
    await robot.press("V", "j", ":snooze").type("2h").press("Enter").sees("2 articles asleep")
  }

  @Test("Sleepers wake at their minute while the reader is open")
  func wakes() async throws {
    let (cache, robot) = try await Robot.reading(.daily(), width: 100)
    await robot.press("Enter", ":snooze").type("10:50").press("Enter").doesNotSee("Why ETags")
    for _ in 0..<9 {
      cache.clock.now += 60
      await robot.pass(60).waitUntilIdle()
    }
    robot.sees("Why ETags are opaque")
    #expect(try cache.store.reader.plan.nextDueDate() == nil)
  }

  @Test("Sleepers that are due wake at the start")
  func start() async throws {
    let cache = try await TestCache.daily()
    let row = try #require(try cache.articles.page(.all, .top, limit: 1).first)
    try await cache.store.reader.plan.snooze([row.id], until: cache.clock.now + 60)
    cache.clock.now += 86_400
    let robot = await Robot(cache, width: 100)
    await robot.pass(1).waitUntilIdle()
    #expect(try cache.store.reader.plan.nextDueDate() == nil)
  }

  @Test("A list shows articles and feeds that sleep; Enter opens one, and ga wakes it")
  func snoozedItems() async throws {
    let robot = try await Robot(.daily(), width: 100)
    await robot.press(":lists asleep").sees("Nothing is asleep")
    await robot.press("Enter", ":snooze").type("3d").press("Enter", "j", ":snooze").type("2h")
    await robot.press("Enter", "q", "G", ":snooze").type("tomorrow").press("Enter")
    robot.sees("is asleep until tomorrow")
    await robot.press(":asleep").sees("until 12:42", "until Tue 08:00", "until tomorrow 08:00")
    await robot.type("why").press("Enter").sees("a black box.").press("g a").sees("asleep until")
    await robot.type("wake").press("Enter").sees("Awake; u undoes it")
  }

  @Test("A sleeping feed is dimmed with its time, and “now” wakes it")
  func feed() async throws {
    let robot = try await Robot(.daily(), width: 100)
    await robot.press("G", ":snooze").sees("Mon 08:00").doesNotSee("wake it")
    await robot.type("mon").press("Enter").sees("is asleep until Mon 08:00", "z ")
    try robot.matches("asleep-feed")
    await robot.press(":snooze").sees("wake it").type("now").press("Enter").sees("is awake")
    await robot.press("u").sees("Mon 08:00")
  }
}
