/// An empty home in which the program built with these tests is run.
final class CommandFixture {
  /// The result of a command.
  struct Outcome {
    var code: Int32
    var output: String
    var errors: String

    /// The lines of the output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// Returns the output as JSON.
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

  /// The server of this home, which runs as long as it.
  private var origin: Origin?

  /// Returns a new home and a server for it.
  static func online(address: String = "127.0.0.1") throws -> (CommandFixture, Origin) {
    let (fixture, origin) = (try CommandFixture(), try Origin(address: address))
    fixture.origin = origin
    return (fixture, origin)
  }

  deinit {
    chmod(dataDirectory.path, 0o700)
    try? FileManager.default.removeItem(at: home)
  }

  var dataDirectory: URL { home.appending(path: ".local/share/weir") }
  var configuration: URL { home.appending(path: ".config/weir/config.toml") }

  /// The debug build of `weir` beside the test bundle.
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

  /// The environment of this fixture's programs, without the session and the keyring of the user
  /// who runs the tests.
  var environment: [String: String] {
    [
      "HOME": home.path, "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC",
      "TERM": "xterm-256color", "no_proxy": "*", "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    ].merging(Self.sanitizerOptions) { $1 }
  }

  /// The sanitiser options of `make tsan` and `make asan`, which apply to the program too.
  private static let sanitizerOptions: [String: String] = {
    let names = ["TSAN_OPTIONS", "ASAN_OPTIONS"]
    let all = ProcessInfo.processInfo.environment
    guard names.contains(where: { all[$0] != nil }) else { return [:] }
    return all.filter { names.contains($0.key) || $0.key == "SWIFT_BACKTRACE" }
  }()

  /// True if the program has a sanitiser, so that its memory and time mean nothing.
  static var isInstrumented: Bool { !sanitizerOptions.isEmpty }

  /// The environment for a window in tmux, which inherits the rest of its environment.
  var windowEnvironment: [String: String?] {
    var all: [String: String?] = environment
    for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "NO_COLOR", "BROWSER"] {
      all[name] = .some(nil)
    }
    all["TERM"] = "tmux-256color"
    return all
  }

  /// Runs a command to its end.
  @discardableResult func weir(
    _ arguments: String..., input: String = "", environment changes: [String: String?] = [:]
  ) throws -> Outcome {
    let process = try start(arguments, input: input, environment: changes)
    return try process.outcome()
  }

  /// A running command.
  final class Running {
    let process: pid_t
    private let command: String
    private let folder: URL

    fileprivate init(_ process: pid_t, _ command: String, _ folder: URL) {
      self.process = process
      self.command = command
      self.folder = folder
    }

    /// Waits for the end; a command that takes two minutes hangs, even under a sanitiser.
    func outcome(within seconds: Double = Patience.seconds) throws -> Outcome {
      defer { try? FileManager.default.removeItem(at: folder) }
      if let usage = Spawn.wait(for: process, within: seconds) {
        return Outcome(code: usage.exitCode, output: try text("output"), errors: try text("errors"))
      }
      kill(process, SIGKILL)
      _ = Spawn.wait(for: process)
      throw Failure(description: "weir \(command) did not end in \(seconds) s")
    }

    /// Returns the output so far.
    func outputSoFar() throws -> String { try text("output") }

    private func text(_ name: String) throws -> String {
      try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
  }

  /// Runs a line of a shell, in which `$WEIR` is the program.
  func shell(_ line: String) throws -> Outcome {
    try start(["/bin/sh", "-c", line], environment: ["WEIR": Self.program], isProgram: false)
      .outcome()
  }

  /// Removes every file from the data directory.
  func emptyDataDirectory() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: dataDirectory.path) {
      try FileManager.default.removeItem(at: dataDirectory.appending(path: name))
    }
  }

  func start(
    _ arguments: [String], input: String = "", environment changes: [String: String?] = [:],
    isProgram: Bool = true
  ) throws -> Running {
    let folder = home.appending(path: ".run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func file(_ name: String, _ text: String) throws -> String {
      let url = folder.appending(path: name)
      try Data(text.utf8).write(to: url)
      return url.path
    }
    var environment: [String: String?] = environment
    environment.merge(changes) { $1 }
    let process = try Spawn.start(
      (isProgram ? [Self.program] : []) + arguments,
      environment: environment.compactMapValues { $0 }, terminal: nil,
      output: try file("output", ""), input: try file("input", input),
      errors: try file("errors", ""))
    return Running(process, arguments.joined(separator: " "), folder)
  }

  /// Writes a file into the home.
  @discardableResult func file(_ path: String, _ text: String) throws -> String {
    let url = home.appending(path: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  /// Writes a shell script into the home as a program.
  @discardableResult func program(_ path: String, _ script: String) throws -> String {
    try Spawn.program(at: file(path, ""), script)
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

/// A suite whose tests have a home.
class CommandSuite {
  let fixture: CommandFixture
  init() throws { fixture = try CommandFixture() }
}

/// A suite whose tests have a home and an origin.
class OnlineSuite {
  let fixture: CommandFixture
  let origin: Origin
  init() throws { (fixture, origin) = try CommandFixture.online() }
}
