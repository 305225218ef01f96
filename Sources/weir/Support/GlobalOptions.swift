import ArgumentParser
import Dispatch
import FeedModel
import FeedStore
import Foundation
import HTMLContent
import Wording

/// What every command takes, before or after its name.
struct GlobalOptions: ParsableArguments {
  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp("Directory of the database.", valueName: "dir"),
    completion: .directory)
  var dataDir: String?

  @Option(
    help: ArgumentHelp("The configuration file.", valueName: "file"), completion: .file())
  var config: String?

  @Option(
    help: ArgumentHelp(
      "Write a log to this file, of level info if the configuration has none.", valueName: "file"),
    completion: .file())
  var log: String?

  func paths() throws -> Paths { try Paths(dataDir: dataDir, config: config) }

  func configurationFile(_ paths: Paths) -> ConfigurationFile {
    ConfigurationFile.load(paths.config, isRequired: config != nil)
  }

  /// As the option says, else the configuration.
  func openLog(_ paths: Paths, _ configuration: Configuration) throws(CommandFailure) -> Log {
    let level = configuration.logLevel ?? (log == nil ? nil : .info)
    return try Log.open(path: log ?? paths.log, level: level)
  }

  /// Beside the log.
  func tracePath(_ paths: Paths) -> String {
    FilePath.folder(of: log ?? paths.log) + "/trace.log"
  }
}

/// A command that needs the cache, the configuration or the log.
protocol SessionCommand: AsyncCommand {
  func run(in session: Session) async throws
}

/// A command that runs in a task beside the main run loop.
protocol AsyncCommand: ParsableCommand, Sendable {
  var global: GlobalOptions { get }
  func runAsync() async throws
}

extension SessionCommand {
  func runAsync() async throws { try await runInSession() }

  /// Opens the session, runs the command in it, and words what the cache refuses.
  func runInSession() async throws {
    let session = try Session(global)
    defer { session.close() }
    do {
      try await run(in: session)
    } catch let error as StoreError {
      session.log.error("store: \(error)")
      throw CommandFailure(error)
    }
  }
}

/// What a command works with.
struct Session {
  let paths: Paths
  let configuration: Configuration
  /// What in the configuration has no effect, as a sentence.
  let warning: String?
  let log: Log
  /// Nil: nothing is traced.
  let trace: Trace?
  let store: FeedStore

  /// A sentence about a data directory in which other users can replace files.
  static func exposure(of directory: String) -> String? {
    FeedStore.modeOpenToOthers(of: directory).map { mode in
      "Other users can write to \(directory) (mode \(String(mode, radix: 8))) and replace your database. "
        + "Close it with chmod go-w \(directory)"
    }
  }

  init(_ global: GlobalOptions) throws {
    paths = try global.paths()
    let file = global.configurationFile(paths)
    configuration = file.configuration
    warning = file.problems.first?.warning(of: file)
    if let warning { Console.complain(warning) }
    if let exposure = Self.exposure(of: paths.data) { Console.complain(exposure) }
    log = try global.openLog(paths, configuration)
    trace = try Trace.open(
      Environment.value("WEIR_TRACE"), path: global.tracePath(paths))
    let log = log
    let progress = UpgradeProgress()
    do {
      store = try FeedStore.open(
        directory: paths.data,
        options: StoreOptions(
          maximumNewArticles: configuration.maximumNewArticles,
          retention: configuration.retention, plainText: HTMLContent.plainTextBytes,
          pictureLimit: configuration.pictureLimit * 1_000_000,
          feedOptions: configuration.feedOptions, listNotice: ListWording.notice,
          onUpgrade: { step in
            progress.show(step)
            log.info("upgrade: \(step)")
          },
          trace: trace?.writer(.sql)))
    } catch {
      log.error("open \(paths.data): \(error)")
      throw CommandFailure(opening: paths.data, error)
    }
  }

  /// Seconds that truncating the cache's write-ahead log may take. On a slow disk it is left to the
  /// next process to open the cache: nothing is lost, and the shell is back.
  private static let patience = 0.1

  func close() {
    let ended = DispatchSemaphore(value: 0)
    let store = store
    Thread.detachNewThread {
      store.close()
      ended.signal()
    }
    _ = ended.wait(timeout: .now() + Self.patience)
  }
}
