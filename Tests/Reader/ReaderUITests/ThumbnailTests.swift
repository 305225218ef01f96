import Foundation
import TerminalKit
import Testing

@testable import ReaderServices
@testable import ReaderUI

@Suite("Pictures in lists") struct ThumbnailTests {
  private static func url(_ number: Int) -> String { "https://pictures.example/\(number).png" }

  /// Returns articles with a picture named by the feed, one in the text after a small one, and
  /// none.
  private func cache() async throws -> TestCache {
    let cache = try TestCache()
    var named = ParsedItem.item("Hills", minutes: 1, body: "<p>We left early.</p>")
    named.imageURL = Self.url(1)
    let face = "<img src=\"https://pictures.example/face.png\" width=\"32\" height=\"32\">"
    try await cache.feed(
      "Walks", url: "https://walks.example/feed",
      [
        named,
        .item("A map", minutes: 2, body: "\(face)<p>By hand.</p><img src=\"\(Self.url(2))\">"),
        .item("Rain", minutes: 3, body: "<p>All day.</p>"),
      ])
    return cache
  }

  private func robot(
    _ cache: TestCache, _ display: PictureDisplay = .blocks, width: Int = 80, height: Int = 14,
    isRoomy: Bool = true, hasThumbnails: Bool = true
  ) async -> Robot {
    await Robot(
      cache, width: width, height: height, colors: .trueColor,
      configuration: ReaderConfiguration(
        timeZone: .gmt, isRoomy: isRoomy, hasThumbnails: hasThumbnails, pictures: display))
  }

  private func asked(_ cache: TestCache) throws -> [String: Bool] {
    Dictionary(
      uniqueKeysWithValues: try cache.store.engine.pictures.pendingPictures().map {
        ($0.url, $0.isVisible)
      })
  }

  private func receive(_ url: String, in cache: TestCache) async throws {
    let task = try #require(
      try cache.store.engine.pictures.pendingPictures().first { $0.url == url })
    try await cache.store.engine.pictures.finishPicture(
      task.id, .received(Array(url.utf8), PictureSize(width: 300, height: 160), PictureValidators())
    )
  }

  @Test("The place of a picture is reserved, and the middle of the picture fills it")
  func blocks() async throws {
    let cache = try await cache()
    let robot = await robot(cache)
    await robot.press("Enter")
    let before = robot.lines
    #expect(robot.lines.contains { $0.hasPrefix("▎●        Hills") }, "\(robot.lines)")
    robot.timers.pass(0.3)
    await robot.waitUntilIdle()
    #expect(try asked(cache) == [Self.url(1): false, Self.url(2): false])
    try await receive(Self.url(1), in: cache)
    await robot.waitUntilIdle()
    // The place has 60 by 40 pixels with the usual cell; the rest of 75 by 40 is cut off.
    #expect(robot.actions.decoded == [Size(width: 75, height: 40)])
    #expect(zip(before, robot.lines).allSatisfy { $0 == $1 || $0.contains("Hills") })
    try Golden.check("thumbnails-blocks-80x14", robot.terminal.styled)
    // A list without room for pictures has none.
    await robot.resize(38, 14)
    #expect(robot.lines.contains { $0.hasPrefix("▎● Hills") }, "\(robot.lines)")
  }

  @Test("A terminal with graphics gets each picture once, even for the selected row")
  func kitty() async throws {
    let cache = try await cache()
    let robot = await robot(cache, .auto)
    robot.terminal.graphics = .kitty
    robot.terminal.cellPixels = Size(width: 10, height: 20)
    await robot.press("Enter")
    robot.timers.pass(0.3)
    await robot.waitUntilIdle()
    try await receive(Self.url(1), in: cache)
    try await receive(Self.url(2), in: cache)
    await robot.waitUntilIdle()
    #expect(robot.terminal.sentPictures.count == 2)
    let sent = try #require(robot.terminal.sentPictures.first)
    #expect((sent.columns, sent.rows, sent.image.width, sent.image.height) == (6, 2, 60, 40))
    try Golden.check("thumbnails-kitty-80x14", robot.terminal.styled)
    await robot.press("j")
    #expect(robot.terminal.sentPictures.count == 2 && robot.actions.decoded.count == 2)
    // Sixel graphics are used for pictures in the text only.
    let other = await self.robot(try await self.cache(), .auto)
    other.terminal.graphics = .sixel
    await other.press("Enter")
    other.timers.pass(0.3)
    await other.waitUntilIdle()
    try await receive(Self.url(1), in: other.cache)
    await other.waitUntilIdle()
    #expect(other.terminal.sentPictures.isEmpty && other.actions.decoded.count == 1)
  }

  @Test("While a key is held no picture is requested, and afterwards those in view are")
  func held() async throws {
    let cache = try TestCache()
    let items = (1...60).map { number in
      var item = ParsedItem.item("Item \(number)", minutes: Double(number))
      item.imageURL = Self.url(number)
      return item
    }
    try await cache.feed("Walks", url: "https://walks.example/feed", items)
    let robot = await robot(cache)
    await robot.press("Enter")
    for _ in 0..<30 {
      robot.timers.pass(0.033)
      await robot.press("j")
    }
    #expect(try asked(cache).isEmpty)
    robot.timers.pass(0.3)
    await robot.waitUntilIdle()
    let asked = try asked(cache)
    #expect(asked[Self.url(31)] == false && (4...6).contains(asked.count), "\(asked)")
    // New and changed articles do not change the view.
    try await receive(Self.url(31), in: cache)
    await robot.waitUntilIdle()
    let before = robot.lines.dropLast(2)
    let surface = try #require(robot.terminal.surface)
    try await cache.feed("Others", url: "https://others.example/feed", [.item("New", minutes: 0)])
    await robot.waitUntilIdle()
    #expect(robot.lines.dropLast(2) == before)
    for y in 0..<surface.size.height - 1 {
      #expect(robot.terminal.surface?.row(y) == surface.row(y))
    }
  }

  @Test("g i shows and hides pictures, and makes rows roomy to show them")
  func key() async throws {
    let robot = await robot(try await cache(), isRoomy: false, hasThumbnails: false)
    await robot.press("Enter", "g i").sees("We left early.")
    #expect(robot.actions.remembered == [.thumbnails: "true"])
    #expect(robot.actions.views == ["unread": "rows=roomy"])
    #expect(robot.lines.contains { $0.hasPrefix("▎●        Hills") }, "\(robot.lines)")
    await robot.press("g r").doesNotSee("We left early.")
    await robot.press("g i").sees("We left early.")
    #expect(robot.lines.contains { $0.hasPrefix("▎●        Hills") }, "\(robot.lines)")
    await robot.press("g i").sees("We left early.")
    #expect(robot.actions.remembered == [.thumbnails: "false"])
    #expect(robot.lines.contains { $0.hasPrefix("▎● Hills") }, "\(robot.lines)")
    let off = await self.robot(try await cache(), .off)
    await off.press("Enter").press("g i").sees("Pictures are off in the configuration")
    #expect(off.lines.contains { $0.hasPrefix("▎● Hills") }, "\(off.lines)")
  }
}
