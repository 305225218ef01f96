@testable import ReaderUI

@Suite("The list of changes") struct UndoListTests {
  @Test("U lists the changes, and undoes the chosen one with those after it")
  func several() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    let before = try cache.store.reader.journal.lastChanges().count
    await robot.press("Enter", "s", "m", "j", "s", "U")
    robot.sees("Undo back to:", "Why ETags are opaque\u{201D} starred", "undoes 1 change")
    await robot.press("down").sees("undoes 2 changes").press("Enter")
    robot.sees("Undone: \u{201C}Why ETags are opaque\u{201D} marked read and 1 later change")
    let left = try cache.store.reader.journal.lastChanges()
    #expect(left.count == before + 1 && left.first?.kind == .star)
    await robot.press("ctrl-r").sees("Redone: \u{201C}Why ETags are opaque\u{201D} marked read")
  }

  @Test("The list asks before it changes many articles, and Esc changes nothing")
  func question() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    let before = try cache.store.reader.journal.lastChanges().count
    await robot.press("Enter", "A", "s", "U").sees("Undo back to").press("Esc")
    #expect(try cache.store.reader.journal.lastChanges().count == before + 2)
    for (answer, left) in [("n", before + 2), ("y", before)] {
      await robot.press("U").sees("Undo back to").press("down", "Enter")
      robot.sees("marked read and 1 later change?")
      await robot.press(answer)
      #expect(try cache.store.reader.journal.lastChanges().count == left)
    }
  }
}
