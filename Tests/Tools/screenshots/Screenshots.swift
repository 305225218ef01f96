import Foundation
import TestSupport

/// Makes the screenshots of the README and the documentation: runs the program in a terminal with
/// invented feeds (`DemonstrationWeb`), and draws its screen. Run by `make screenshots`.
///
///     screenshots WEIR FOLDER
///     screenshots WEIR FOLDER --all     every screen in three sizes and two themes, for review
@main
struct Screenshots {
  struct Scene {
    var name: String
    var columns: Int
    var rows: Int
    var theme: String
    var act: @Sendable (TmuxRobot) throws -> Void
  }

  private let weir: String
  private let home: URL
  private let web: DemonstrationWeb

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let weir = arguments.first, let folder = arguments.dropFirst().first,
      TmuxRobot.isAvailable
    else {
      print("usage: screenshots WEIR FOLDER [--all]; tmux must be installed")
      exit(64)
    }
    let shots = try Screenshots(weir: weir)
    defer { try? FileManager.default.removeItem(at: shots.home) }
    try shots.prepare()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for scene in arguments.contains("--all") ? shots.everything : shots.chosen {
      let capture: String
      do {
        capture = try shots.capture(scene)
      } catch {
        print("\(scene.name): \(error)")
        continue
      }
      let isLight = scene.theme == "light"
      let picture = TerminalPicture(
        capture, columns: scene.columns, ground: isLight ? "#fbfaf7" : "#14171c",
        ink: isLight ? "#2b2f36" : "#cfd4dc")
      try Data(picture.svg.utf8).write(to: URL(filePath: "\(folder)/\(scene.name).svg"))
      if arguments.contains("--all") {
        try Data(capture.utf8).write(to: URL(filePath: "\(folder)/\(scene.name).ansi"))
      }
      print("\(folder)/\(scene.name).svg")
    }
  }

  init(weir: String) throws {
    self.weir = weir
    web = try DemonstrationWeb()
    home = FileManager.default.temporaryDirectory.appending(path: "weir-shots-\(getpid())")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
  }

  // MARK: Setup

  private var environment: [String: String] {
    [
      "HOME": home.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "xterm-256color", "COLORTERM": "truecolor",
    ].merging(web.environment) { $1 }
  }

  private func run(_ arguments: String...) throws -> String {
    let output = home.appending(path: "output").path
    let process = try Spawn.start(
      [weir] + arguments, environment: environment, terminal: nil, output: output)
    let code = Spawn.wait(for: process)?.exitCode
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    // Some of the feeds fail on purpose.
    guard code == 0 || arguments.first == "sync" else {
      print("weir \(arguments.joined(separator: " ")): \(text)")
      exit(1)
    }
    return text
  }

  /// Imports and syncs the feeds, and marks some of the articles.
  private func prepare() throws {
    let list = home.appending(path: "feeds.opml").path
    try web.opml.write(toFile: list, atomically: true, encoding: .utf8)
    _ = try run("import", list)
    _ = try run("sync", "--all")
    let rows = try run("articles", "--limit", "100").split(separator: "\n")
    func numbers(_ titles: [String]) -> [String] {
      rows.filter { row in titles.contains { row.contains($0) } }
        .compactMap { $0.split(separator: "\t").first.map(String.init) }
    }
    for number in numbers(["Notes on WAL", "Weeknotes 4", "Slow start", "Sixteen", "87 期"]) {
      _ = try run("mark", "read", number)
    }
    for number in numbers(["The BDP and you", "A hedge"]) { _ = try run("mark", "starred", number) }
    _ = try run("search", "checkpoint")
  }

  private func capture(_ scene: Scene) throws -> String {
    let config = home.appending(path: "\(scene.theme).toml").path
    try "[reader]\ntheme = \"\(scene.theme)\"\n"
      .write(toFile: config, atomically: true, encoding: .utf8)
    // Each scene has its own copy of the cache, so that it does not affect the next one.
    let data = home.appending(path: "scene")
    try? FileManager.default.removeItem(at: data)
    try FileManager.default.copyItem(at: home.appending(path: ".local/share/weir"), to: data)
    let words = [weir, "--config", config, "--data-dir", data.path]
    let robot = try TmuxRobot(columns: scene.columns, rows: scene.rows)
    var environment: [String: String?] = environment
    for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "NO_COLOR"] { environment[name] = .some(nil) }
    environment["TERM"] = "tmux-256color"
    try robot.start(words, environment: environment).waitFor("Unread")
    try scene.act(robot)
    let capture = try robot.colours()
    try robot.keys("C-g", "Q")
    _ = try? robot.waitForExit()
    return capture
  }

  // MARK: Scenes

  private typealias Act = @Sendable (TmuxRobot) throws -> Void

  private static let panes: Act = { robot in
    try robot.type("gg").keys("j", "Enter").waitFor("Why ETags").keys("Enter")
      .waitFor("A validator is")
  }
  private static let feeds: Act = { try $0.type("gg").keys("j").waitFor("Systems") }
  private static let articles: Act = { robot in
    try robot.type("gg").keys("j", "Enter").waitFor("Why ETags").keys("j", "j")
  }
  private static let reader: Act = { robot in
    try robot.type("gg").keys("j", "Enter").waitFor("Why ETags").keys("Enter")
      .waitFor("A validator is").type("z")
  }
  private static let console: Act = { robot in
    try robot.type("RS").waitUntil("several run") {
      try robot.screen().contains { $0.contains(/Run(ning)? [4-9]/) }
    }
    usleep(1_500_000)
  }
  private static let idleConsole: Act = { try $0.type("S").waitFor("Next") }
  private static let problems: Act = { try $0.type("!").waitFor("503") }
  private static let search: Act = { robot in
    try robot.type("g/").waitFor("earch").type("checkpoint").waitFor("WAL").keys("Tab", "j")
  }
  private static let palette: Act = { try $0.type(":re").waitFor("refresh-all") }
  private static let help: Act = { try $0.type("?").waitFor("Moving") }
  private static let add: Act = { try $0.type("a").waitFor("Address").type("pagecache.example") }
  private static let edit: Act = { try $0.type("G").keys("e").waitFor("Name") }

  private var chosen: [Scene] {
    [
      Scene(name: "panes", columns: 150, rows: 36, theme: "dark", act: Self.panes),
      Scene(name: "reader", columns: 88, rows: 36, theme: "light", act: Self.reader),
      Scene(name: "console", columns: 120, rows: 34, theme: "dark", act: Self.console),
      Scene(name: "search", columns: 110, rows: 26, theme: "warm", act: Self.search),
      Scene(name: "palette", columns: 110, rows: 26, theme: "dark", act: Self.palette),
    ]
  }

  private var everything: [Scene] {
    let acts: [(String, Act)] = [
      ("feeds", Self.feeds), ("articles", Self.articles),
      ("reader", Self.reader), ("panes", Self.panes),
      ("console", Self.console), ("problems", Self.problems),
      ("search", Self.search), ("palette", Self.palette), ("help", Self.help),
      ("add", Self.add), ("edit", Self.edit), ("idle", Self.idleConsole),
    ]
    return [(80, 24), (120, 40), (200, 50)].flatMap { columns, rows in
      ["dark", "light"].flatMap { theme in
        acts.map { name, act in
          Scene(
            name: "\(name)-\(columns)x\(rows)-\(theme)", columns: columns, rows: rows, theme: theme,
            act: act)
        }
      }
    }
  }
}
