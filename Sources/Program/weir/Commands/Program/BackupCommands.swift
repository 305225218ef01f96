import ArgumentParser
import Foundation
import ProgramSettings

struct BackupCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the whole database into one file, even while Weir is running.",
    discussion:
      "The copy is checked before it replaces anything. \u{201C}weir restore\u{201D} restores it.")

  @Argument(help: "The file to write.", completion: .file()) var file: String
  @Flag(
    name: [.customShort("f"), .long],
    help: "Replace an existing file, once the new one is complete.")
  var replace = false

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let interrupt = Interrupt { [file] _ in
      StoreFiles.removeRemains(
        of: URL(filePath: file).lastPathComponent, in: FilePath.folder(of: file), isEnding: true)
      Main.exitWithoutHandlers(CommandFailure.Code.interrupted.rawValue)
    }
    defer { interrupt.end() }
    try session.store.file.backup(to: file, replacing: replace)
    let size = (try? FileManager.default.attributesOfItem(atPath: file)[.size]) as? NSNumber
    let bytes = AmountWording.bytes(size?.doubleValue ?? 0)
    session.log.info("backup in \(file), \(bytes)")
    try Console.print("Backup in \(file): \(bytes), checked")
  }
}

struct RestoreCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Replace the database with a backup.",
    discussion: """
      The backup is checked first and does not change. The previous database is kept in the same folder \
      under another name. Quit every other Weir process first.

      A backup that runs programs (feeds with exec: or filter:, rules, password commands), reads files or \
      sets proxies, user agents, headers or cookies needs --with-programs or --without-programs.
      """)

  @Argument(help: "A file that weir backup made.", completion: .file()) var file: String

  @Flag(
    help: ArgumentHelp(
      "Restore programs, files and settings of requests too. Only for a backup that you made yourself: "
        + "Weir runs these programs."))
  var withPrograms = false

  @Flag(help: "Leave programs, files and settings of requests out.") var withoutPrograms = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if withPrograms, withoutPrograms {
      throw ValidationError("Give --with-programs or --without-programs, not both.")
    }
  }

  func runAsync() async throws {
    let paths = try global.paths()
    let log = try global.openLog(paths, global.configurationFile(paths).configuration)
    let done: CacheFile.Restoration
    do {
      done = try CacheFile.restore(
        from: file, directory: paths.data,
        programs: withPrograms ? .accept : withoutPrograms ? .leaveOut : .ask)
    } catch {
      log.error("restore of \(paths.data) from \(file): \(error)")
      throw Self.failure(error, file: file)
    }
    let aside = done.setAside.map { "; the previous database is \($0)" } ?? ""
    log.info(
      "restored \(paths.data) from \(file): \(done.feeds) feeds, \(done.articles) articles\(aside)")
    try Console.print(
      "Restored \(AmountWording.feeds(done.feeds)) and "
        + "\(AmountWording.articles(done.articles)) from \(file)")
    for name in done.foreign.map({ "\($0) (not Weir\u{2019}s)" }) + done.leftOut {
      Console.note("Left out: \(SafeText.withoutSecrets(name))")
    }
    if let aside = done.setAside {
      try Console.print("The database that was there before is in \(aside)")
    }
  }

  private static func failure(_ error: StoreError, file: String) -> CommandFailure {
    switch error {
    case .corrupt(let detail):
      CommandFailure("\(file) is damaged (\(StoreWording.words(detail))). Nothing was changed.")
    case .newerSchema(let found):
      CommandFailure(
        "\(file) was made by a newer Weir (schema \(found)). Nothing was changed; install that version."
      )
    case .inUse(let process):
      CommandFailure(
        "Another Weir has the database open (process \(process)). Quit it, then try again.")
    case .programs(let names): CommandFailure(programs(names, in: file))
    default: CommandFailure(StoreWording.sentence(error) + ".")
    }
  }

  private static func programs(_ names: [String], in file: String) -> String {
    let shown = names.prefix(20).map { SafeText.withoutSecrets($0) }.joined(separator: "; ")
    let more = names.count > 20 ? " and \(AmountWording.grouped(names.count - 20)) more" : ""
    return "\(file) runs programs, reads files or sets requests: \(shown)\(more). "
      + "Nothing was changed. Repeat the command with --with-programs if you made this backup "
      + "yourself, or with --without-programs to leave them out."
  }
}
