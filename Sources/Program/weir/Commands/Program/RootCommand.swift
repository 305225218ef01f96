// Each file has a command or a small group of commands. A command reads its arguments, asks the
// cache or the engine, and prints the result in words.

import ArgumentParser
import ProgramSettings

struct RootCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "weir",
    abstract: "A feed reader for the terminal.",
    discussion: """
      Without a command, weir opens the reader. Exit codes: 0 done; 1 the command failed; 2 cannot start; \
      64 usage; 130 ended by Ctrl-C.
      """,
    version: Program.description,
    subcommands: [
      AddCommand.self, RemoveCommand.self, FeedsCommand.self, FeedCommand.self,
      ArticlesCommand.self, SearchCommand.self, PageCommand.self, ShowCommand.self,
      OpenCommand.self, MarkCommand.self, SnoozeCommand.self, SaveCommand.self, UndoCommand.self,
      RuleCommand.self, SyncCommand.self, PackCommand.self, WatchCommand.self,
      AccountCommand.self, ImportCommand.self, ExportCommand.self, BackupCommand.self,
      RestoreCommand.self, ConfigCommand.self, DoctorCommand.self, VersionCommand.self,
      DiscoverCommand.self, ParseCommand.self, ParseOPMLCommand.self,
    ])

  @OptionGroup(title: "Global options") var global: GlobalOptions
  @Flag(help: "Read without using the network.") var offline = false
  @Flag(help: "Write lines that a screen reader can follow instead of drawing screens.")
  var linear = false
  @Option(
    help: ArgumentHelp(
      "Show only these folders: names or paths, separated by commas.", valueName: "folders"))
  var focus: String?

  func runAsync() async throws {
    let session = try await Opening.showing(canQuit: true, isLinear: linear) { opening in
      let session = try await Session(global, opening)
      try await Guide.prepare(session.store)
      return session
    }
    if let focus,
      case .unknown(let name) = FolderFocus(
        focus, in: try session.store.reader.feeds.subscriptions())
    {
      session.close()
      throw CommandFailure("There is no folder \u{201C}\(name)\u{201D}.", code: .usage)
    }
    let run = await ReaderRun(
      session: session, isOffline: offline, isLinear: linear, focus: focus)
    let code = try await run.run()
    session.close()
    throw ExitCode(code)
  }
}
