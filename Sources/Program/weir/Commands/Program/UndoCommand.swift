import ArgumentParser
import ProgramSettings

struct UndoCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo the last change to marks, tags, feeds, searches or rules.",
    discussion: "A change of the reader counts like one of a command. Repeat it to go further back."
  )

  @Flag(help: "Redo the change that was undone last.") var redo = false
  @Flag(name: .shortAndLong, help: "Undo a change of more than ten articles or feeds, too.")
  var yes = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let (step, store) = (redo ? JournalStep.redo : .undo, session.store.reader)
    guard let entry = try step.next(store) else { return Console.note(step.nothingLeft + ".") }
    guard yes || entry.count <= JournalStep.mostUnasked else {
      throw CommandFailure("\(step.question([entry])) Nothing was changed; --yes does it.")
    }
    guard let done = try await step.apply(entry, store) else {
      throw CommandFailure("Another change came in between. Try again.")
    }
    try Console.print(step.result([done]))
  }
}

struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Show the versions of Weir and its libraries.")

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run() throws { try Console.printLines(Program.description) }
}
