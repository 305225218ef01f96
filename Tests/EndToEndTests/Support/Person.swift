import Foundation
import TestSupport

/// Somebody with an empty home who runs the program that was built beside these tests.
final class Person {
  /// What a command came to.
  struct Outcome {
    var code: Int32
    var output: String
    var errors: String

    /// The lines of the output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The output as JSON.
    func json() throws -> Any {
      try JSONSerialization.jsonObject(with: Data(output.utf8), options: .fragmentsAllowed)
    }
    func objects() throws -> [[String: Any]] { try json() as? [[String: Any]] ?? [] }
  }

  struct Failure: Error, CustomStringConvertible { let description: String }

  let home: URL

  init() throws {
    home = FileManager.default.temporaryDirectory.appending(path: "weir-home-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
  }

  deinit {
    chmod(dataDirectory.path, 0o700)
    try? FileManager.default.removeItem(at: home)
  }

  var dataDirectory: URL { home.appending(path: ".local/share/weir") }
  var configuration: URL { home.appending(path: ".config/weir/config.toml") }

  /// The debug build of `weir`: beside the test bundle, wherever that was built.
  static let program: String = {
    let start = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    let candidates = [start, Bundle.main.bundleURL, URL(filePath: CommandLine.arguments[0])]
    for candidate in candidates {
      var folder = candidate.deletingLastPathComponent()
      for _ in 0..<4 {
        let program = folder.appending(path: "weir").path
        if FileManager.default.isExecutableFile(atPath: program), !isFolder(program) {
          return program
        }
        folder.deleteLastPathComponent()
      }
    }
    return "weir"
  }()

  private static func isFolder(_ path: String) -> Bool {
    var isFolder = ObjCBool(false)
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// What a program of this person sees; the session of whoever runs the tests does not reach it.
  var environment: [String: String] {
    [
      "HOME": home.path, "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC",
      "TERM": "xterm-256color", "no_proxy": "*",
    ]
  }

  /// The same for a window in tmux, where the rest of the environment is inherited.
  var windowEnvironment: [String: String?] {
    var all: [String: String?] = environment
    for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "NO_COLOR", "BROWSER"] {
      all[name] = .some(nil)
    }
    all["TERM"] = "tmux-256color"
    return all
  }

  /// Runs a command to its end.
  @discardableResult
  func weir(
    _ arguments: String..., input: String = "", environment changes: [String: String?] = [:]
  ) throws -> Outcome {
    let process = try start(arguments, input: input, environment: changes)
    return try process.outcome()
  }

  /// A command that runs.
  final class Running {
    let process: Process
    private let folder: URL

    fileprivate init(_ process: Process, _ folder: URL) {
      self.process = process
      self.folder = folder
    }

    /// Waits for its end; a command that takes a minute hangs.
    func outcome(within seconds: Double = 60) throws -> Outcome {
      let deadline = ContinuousClock.now + .seconds(seconds)
      while process.isRunning {
        guard ContinuousClock.now < deadline else {
          process.terminate()
          throw Failure(description: "\(process.arguments ?? []) did not end in \(seconds) s")
        }
        usleep(2_000)
      }
      defer { try? FileManager.default.removeItem(at: folder) }
      let isSignal = process.terminationReason == .uncaughtSignal
      return Outcome(
        code: isSignal ? 128 + process.terminationStatus : process.terminationStatus,
        output: try String(contentsOf: folder.appending(path: "output"), encoding: .utf8),
        errors: try String(contentsOf: folder.appending(path: "errors"), encoding: .utf8))
    }
  }

  func start(
    _ arguments: [String], input: String = "", environment changes: [String: String?] = [:]
  ) throws -> Running {
    let folder = home.appending(path: ".run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func file(_ name: String, _ text: String) throws -> URL {
      let url = folder.appending(path: name)
      try Data(text.utf8).write(to: url)
      return url
    }
    let process = Process()
    process.executableURL = URL(filePath: Self.program)
    process.arguments = arguments
    process.environment = environment.merging(changes.compactMapValues { $0 }) { $1 }
      .filter { changes[$0.key] != .some(nil) }
    process.standardInput = try FileHandle(forReadingFrom: try file("input", input))
    process.standardOutput = try FileHandle(forWritingTo: try file("output", ""))
    process.standardError = try FileHandle(forWritingTo: try file("errors", ""))
    try process.run()
    return Running(process, folder)
  }

  /// Writes a file into the home.
  @discardableResult
  func file(_ path: String, _ text: String) throws -> String {
    let url = home.appending(path: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  /// Opens the reader in a window.
  func reader(
    _ arguments: String..., columns: Int = 100, rows: Int = 30,
    environment changes: [String: String?] = [:]
  ) throws -> TmuxRobot {
    let robot = try TmuxRobot(columns: columns, rows: rows)
    return try robot.start(
      [Self.program] + arguments, environment: windowEnvironment.merging(changes) { $1 })
  }
}
