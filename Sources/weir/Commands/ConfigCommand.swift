import ArgumentParser
import Foundation

/// `weir config`: where the configuration is, whether it is right, what it could hold.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show where the configuration is, check it, print the defaults.",
    subcommands: [PathCommand.self, CheckCommand.self, DefaultCommand.self])

  struct PathCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "path", abstract: "Print the configuration file's path.")

    @OptionGroup(title: "Global options")
    var global: GlobalOptions

    func run() throws { try Console.print(try global.paths().config ?? "") }
  }

  struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Report what in the configuration has no effect, and where.")

    @OptionGroup(title: "Global options")
    var global: GlobalOptions

    func run() throws {
      let paths = try global.paths()
      let (path, file) = (paths.config, global.configurationFile(paths))
      for problem in file.problems {
        Console.complain("\(path ?? ""), \(problem.sentence)")
      }
      if !file.problems.isEmpty { throw ExitCode(CommandFailure.Code.failed.rawValue) }
      guard let path, access(path, F_OK) == 0 else {
        let place = path.map { " at \($0)" } ?? ""
        return try Console.print("There is no configuration\(place); the defaults are used.")
      }
      try Console.print("\(path): all is well")
    }
  }

  struct DefaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "default", abstract: "Print a configuration that holds every default.",
      discussion: """
        A start: mkdir -p ~/.config/weir, then weir config default > "$(weir config path)".
        """)

    @OptionGroup(title: "Global options")
    var global: GlobalOptions

    func run() throws { try Console.write(PackageResources.config_toml) }
  }
}
