@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("Keys pressed by habit")
struct SafeKeyTests {
  @Test("x, Space and P change nothing in the sync, the downloads, the accounts and the rules")
  func habitualKeys() {
    let keymap = Keymap()
    let harmless: Set<Command> = [.play]
    for place in [CommandContext.feeds, .problems, .console, .accounts, .downloads, .rules] {
      for name in ["x", "space", "P"] {
        let found = KeySequence(name).flatMap { keymap.match($0.keys, in: place).binding } ?? []
        let commands = found.map(\.command).filter { !harmless.contains($0) }
        #expect(commands.allSatisfy { $0 == .readOn }, "\(name) in \(place.rawValue)")
      }
    }
  }

  @Test("The sync console pauses all with p")
  func pausing() async throws {
    let robot = await Robot(try await .daily(), width: 120, height: 40)
    await robot.press("S", "space")
    #expect(try robot.cache.store.reader.requests.syncPauses().isEmpty)
    await robot.press("p").sees("Paused: running refreshes finish")
    #expect(try robot.cache.store.reader.requests.syncPauses().map(\.scope) == [.everything])
    await robot.press("p").sees("Resumed")
  }

  @Test("q on the first screen quits only if it is pressed twice in a row")
  func quitting() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "q", "q").sees("q again quits; Q quits from everywhere")
    #expect(robot.actions.quits == 0)
    await robot.pass(1).press("j", "q").sees("q again quits")
    #expect(robot.actions.quits == 0)
    await robot.press("q")
    #expect(robot.actions.quits == 1)
  }

  @Test("q pressed again and again on the way out of an article ends at the first screen")
  func leaving() async throws {
    for depth in 1...2 {
      let robot = await Robot(try await .daily())
      for _ in 1...depth { await robot.press("Enter") }
      for _ in 0..<6 { await robot.pass(0.2).press("q") }
      robot.sees("q again quits")
      #expect(robot.actions.quits == 0)
      await robot.pass(0.6).press("q")
      #expect(robot.actions.quits == 1)
    }
    let robot = await Robot(try await .daily())
    await robot.press("S", "Esc", "q", "q")
    #expect(robot.actions.quits == 0)
    let fresh = await Robot(try await .daily())
    await fresh.press("q", "q")
    #expect(fresh.actions.quits == 1)
  }

  @Test("A key that answers no question means no, and has its usual effect")
  func otherKeys() async throws {
    let (cache, feed) = try await TestCache.large(300)
    func unread() throws -> Int {
      try cache.articles.count(ArticleQuery(scope: .feed(feed), filter: .unread))
    }
    let robot = await Robot(cache)
    await robot.press("G", "Enter", "A").sees("Mark 300 articles read?")
    await robot.type(":theme").sees(":theme").doesNotSee("read?").press("Esc")
    await robot.press("A").press("G").doesNotSee("read?").selects("A00299")
    for key in ["n", "N", "Esc", "Enter"] {
      let selected = robot.selection
      await robot.press("A").sees("Mark 300 articles read?").press(key).doesNotSee("read?")
      #expect(robot.selection == selected && robot.application.browser.focus == .articles)
    }
    #expect(try unread() == 300)
    await robot.press("A").press("Y").sees("300 articles marked read")
    #expect(try unread() == 0)
  }

  @Test("More than 200 articles are marked read after a question, from every place")
  func longLists() async throws {
    for (count, asks) in [(200, false), (201, true)] {
      for keys in [["G", "A"], ["G", "Enter", "A"], ["G", "Enter", "V", "G", "A"]] {
        let (cache, feed) = try await TestCache.large(count)
        let robot = await Robot(cache)
        for key in keys { await robot.press(key) }
        let unread = ArticleQuery(scope: .feed(feed), filter: .unread)
        #expect(try cache.articles.count(unread) == (asks ? count : 0), "\(keys)")
        guard asks else { continue }
        await robot.sees("Mark 201 articles read?").press("y")
        #expect(try cache.articles.count(unread) == 0, "\(keys)")
      }
    }
  }

  @Test("Q quits at once")
  func quittingAtOnce() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Q")
    #expect(robot.actions.quits == 1)
  }

  @Test("Typing replaces the last search")
  func searchingAgain() async throws {
    let robot = await Robot(try await .searchable())
    await robot.press("g /").type("nothing").press("Esc", "g /").sees("Search: nothing")
    await robot.type("check").sees("Search: check", "Notes on WAL checkpoints")
    robot.doesNotSee("nothing")
  }

  @Test("Opening an article is not a step that undo reverts")
  func openingIsNoStep() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "s").press("j", "Enter").press("u").sees("starred", "Undone:")
  }

  @Test("Undoing a change of more than ten articles asks first, also in a new session")
  func undoAsks() async throws {
    let (cache, feed) = try await TestCache.large(30)
    let robot = await Robot(cache)
    let unread = ArticleQuery(scope: .feed(feed), filter: .unread)
    await robot.press("G", "Enter", "A", "u").sees("Undo: mark 30 articles unread?")
    #expect(try cache.store.reader.articles.count(unread) == 0)
    await robot.press("n")
    let again = await Robot(cache)
    await again.press("u").sees("Undo: mark 30 articles unread?").press("y").sees("Undone:")
    #expect(try cache.store.reader.articles.count(unread) == 30)
    await again.press("ctrl-r").sees("Redo: 30 articles marked read?").press("y").sees("Redone:")
    #expect(try cache.store.reader.articles.count(unread) == 0)
  }
}
