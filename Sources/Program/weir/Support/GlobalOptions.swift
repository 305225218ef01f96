import ArgumentParser
import Dispatch
import Foundation
import HTMLContent
import ProgramSettings

struct GlobalOptions: ParsableArguments {
  /// Options before a command that take a value.
  static let withValues: Set<String> = [
    "--data-dir", "--config", "--log", "--focus", "--generate-completion-script",
  ]

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

  func openLog(_ paths: Paths, _ configuration: UserConfiguration) throws(CommandFailure) -> Log {
    let level = configuration.logLevel ?? (log == nil ? nil : .info)
    return try Log.open(path: log ?? paths.log, level: level)
  }

  func tracePath(_ paths: Paths) -> String {
    FilePath.folder(of: log ?? paths.log) + "/trace.log"
  }
}

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

  func runInSession() async throws {
    let session = try await Opening.showing { try await Session(global, $0) }
    defer { session.close() }
    do {
      try await run(in: session)
    } catch let error as StoreError {
      session.log.error("store: \(error)")
      throw CommandFailure(error)
    }
  }
}

struct Session {
  let paths: Paths
  let configuration: UserConfiguration
  let warning: String?
  let log: Log
  let trace: Trace?
  let store: FeedStore

  /// Returns a warning if other users can replace files in the data directory.
  static func exposure(of directory: String) -> String? {
    StoreFiles.modeOpenToOthers(of: directory).map { mode in
      "Other users can write to \(directory) (mode \(String(mode, radix: 8))) and replace your database. "
        + "Close it with chmod go-w \(directory)"
    }
  }

  init(_ global: GlobalOptions, _ opening: Opening) async throws {
    paths = try global.paths()
    let file = global.configurationFile(paths)
    configuration = file.configuration
    if configuration.isLinear { await opening.writeLines() }
    warning = file.problems.first?.warning(of: file)
    if let warning { Console.complain(warning) }
    if let exposure = Self.exposure(of: paths.data) { Console.complain(exposure) }
    log = try global.openLog(paths, configuration)
    trace = try Trace.open(
      Environment.value("WEIR_TRACE"), path: global.tracePath(paths))
    let log = log
    do {
      var options = StoreOptions(
        retention: configuration.retention, plainText: HTMLContent.plainTextBytes,
        pictureLimit: configuration.pictureLimit * 1_000_000,
        feedOptions: configuration.feedOptions, listNotice: ListWording.notice,
        onUpgrade: { step in
          opening.report(step)
          log.info("upgrade: \(step)")
        },
        trace: trace?.writer(.sql))
      options.wordsPerMinute = configuration.wordsPerMinute
      store = try await opening.store(in: paths.data, options)
    } catch {
      log.error("open \(paths.data): \(error)")
      throw CommandFailure(opening: paths.data, error)
    }
  }

  /// Seconds for truncating the write-ahead log; on a slow disk the next process truncates it.
  private static let timeout = 0.1

  func close() {
    let ended = DispatchSemaphore(value: 0)
    let store = store
    Thread.detachNewThread {
      store.close()
      ended.signal()
    }
    _ = ended.wait(timeout: .now() + Self.timeout)
  }
}
