import ArgumentParser
import Foundation
import ProgramSettings
import TerminalViews

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show where the configuration is, check it, print the defaults.",
    subcommands: [PathCommand.self, CheckCommand.self, DefaultCommand.self, ThemeCommand.self])

  struct PathCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "path", abstract: "Print the configuration file’s path.")

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() throws { try Console.print(try global.paths().config ?? "") }
  }

  struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract:
        "Report problems of rules.toml, missing programs, hidden keys, and the lines of settings "
        + "without effect.")

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() throws {
      let paths = try global.paths()
      let (path, file) = (paths.config, global.configurationFile(paths))
      for problem in file.problems {
        Console.complain("\(path ?? ""): \(problem.sentence)")
      }
      let rules = RulesFile.load(beside: path)
      for problem in rules?.problems ?? [] { Console.complain("\(rules?.path ?? ""): \(problem)") }
      if !file.problems.isEmpty || rules?.problems.isEmpty == false {
        throw ExitCode(CommandFailure.Code.failed.rawValue)
      }
      guard let path, access(path, F_OK) == 0 else {
        let place = path.map { " at \($0)" } ?? ""
        return try Console.print("There is no configuration\(place); the defaults are used.")
      }
      try Console.print("\(path): OK")
      for note in file.configuration.notes(path: Environment.value("PATH") ?? "") {
        try Console.print(note)
      }
    }
  }

  struct ThemeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "theme",
      abstract: "Print the colours of a theme, to change them in the configuration.",
      discussion: "Without a name, the names of all themes.")

    @Argument(help: "The name of a theme.", completion: .themes)
    var name: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() throws {
      let own = try global.configurationFile(global.paths()).configuration.themes
      let themes = Theme.all + own
      guard let name else { return try Console.print(themes.map(\.name).joined(separator: "\n")) }
      guard let theme = themes.first(where: { $0.name.lowercased() == name.lowercased() }) else {
        let names = themes.map(\.name).joined(separator: ", ")
        throw CommandFailure("There is no theme \u{201C}\(name)\u{201D}; there are \(names).")
      }
      try Console.printLines(theme.configurationText.trimmingSuffix("\n"))
    }
  }

  struct DefaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "default", abstract: "Print a configuration with every default.",
      discussion: """
        To begin with: mkdir -p ~/.config/weir, then weir config default > "$(weir config path)".
        """)

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() throws { try Console.write(Array(Setting.defaultFile.utf8)) }
  }
}
