import Testing

@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("Everyday words in the palette") struct EverydayWordTests {
  nonisolated static let words: [(word: String, name: String)] = [
    ("colour", "theme"), ("color", "theme"), ("dark", "theme"), ("light", "theme"),
    ("mark all", "mark-shown-read"), ("catch up", "mark-shown-read"), ("star", "toggle-star"),
    ("favourite", "toggle-star"), ("read later", "toggle-later"), ("later", "toggle-later"),
    ("unread", "toggle-unread-filter"), ("mute", "priority"), ("font", "layout"),
    ("width", "layout width"), ("wrap", "layout wrap"), ("panes", "layout"), ("share", "send"),
    ("save", "send"), ("clipboard", "copy-address"), ("rename", "edit"), ("reload", "refresh"),
    ("update", "refresh"), ("podcast", "play"), ("video", "play"), ("images", "pictures"),
    ("shortcuts", "help"), ("keys", "help"), ("subscribe", "add"), ("new", "add"),
    ("unsubscribe", "unsubscribe"), ("folder", "move-to-folder"), ("label", "tag"),
    ("import", "add"), ("export", "send opml"), ("opml", "send opml"), ("sync", "sync-console"),
    ("account", "accounts"), ("login", "accounts"), ("password", "accounts"), ("quit", "quit"),
    ("exit", "quit"), ("history", "lists read"), ("downloads", "lists downloads"),
    ("find", "search"), ("errors", "problems"), ("block", "rules"), ("remind", "snooze"),
    ("add", "add"), ("delete", "delete"), ("mark", "toggle-read"),
    ("read", "toggle-read"), ("bookmark", "toggle-star"), ("search", "search"),
    ("settings", "settings"), ("theme", "theme"), ("refresh", "refresh"),
    ("download", "download"), ("help", "help"), ("undo", "undo"), ("sort", "sort"),
    ("filter", "filter"), ("open", "open"), ("browser", "open-in-browser"),
    ("copy", "copy-address"), ("tag", "tag"), ("snooze", "snooze"),
    ("revert", "undo"), ("order", "sort"), ("offline", "pack"), ("fullscreen", "zoom"),
  ]

  @Test("A word finds its command first, where that command can act")
  func first() async throws {
    for place in [CommandContext.feeds, .articles, .reader] {
      let robot = try await CommandTableTests.robot(in: place)
      if place != .feeds { await robot.press("m", "u") }
      for (word, name) in Self.words {
        let command = try #require(Invocation(name)?.command)
        let binding = robot.application.binding(for: command)
        guard command.places.contains(place), let binding, binding.reason() == nil else { continue }
        await robot.type(":" + word)
        let rows = robot.lines.dropLast(2)
        let selected = try #require(rows.last { $0.contains("▎") || $0.contains("▌") })
        #expect(selected.contains(command.title.prefix(20)), "\(word) in \(place): \(selected)")
        await robot.press("Esc")
      }
    }
  }

  @Test("A former name runs what replaces it, in the palette and in the configuration")
  func former() async throws {
    let configuration = ReaderConfiguration.test {
      $0.keys = ["copy-markdown": ["Y"], "open-discussion": ["C"], "toggle-star": ["*"]]
      $0.bindings = [KeyBinding(keys: "X", commands: ["text-width 66"])]
    }
    let robot = await Robot(try await .daily(), configuration: configuration)
    await robot.press("Enter", "Y").sees("Copied [Why ETags are opaque]")
    await robot.press("X")
    #expect(robot.application.context.configuration.textWidth == 66)
    await robot.press(":text-width 70")
    #expect(robot.application.context.configuration.textWidth == 70)
    #expect(Keymap(overrides: ["pipe": ["|"]]).problems.isEmpty)
    #expect(Keymap(overrides: ["pipes": ["|"]]).problems == [.unknownCommand("pipes")])
  }
}
