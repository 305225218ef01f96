import ArgumentParser
import Foundation
import ProgramSettings

struct DoctorCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check database, configuration, accounts and feeds, or the terminal.",
    discussion:
      """
      Exit 1 if the database, the configuration, rules.toml, an account or the shared folder has a \
      problem, 2 if the database cannot be opened. Problems of feeds do not count: they come and go.
      """)

  @Flag(help: "As JSON.") var json = false

  @Flag(help: "Rebuild a damaged database from its readable parts; the damaged file is kept.")
  var repair = false

  @Flag(
    help: "Show what the terminal supports, with samples and advice, and what each key sends.")
  var terminal = false

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if [json, repair, terminal].count(where: \.self) > 1 {
      throw ValidationError("Give only one of --json, --repair and --terminal.")
    }
  }

  func runAsync() async throws {
    if terminal { return try await TerminalCheck.run() }
    guard repair else { return try await runInSession() }
    let paths = try global.paths()
    let log = try global.openLog(paths, global.configurationFile(paths).configuration)
    try await Repair.run(directory: paths.data, log: log)
  }

  func run(in session: Session) async throws {
    let file = global.configurationFile(session.paths)
    let report = Report(
      database: session.paths.data,
      integrity: try session.store.file.integrityProblems().map(StoreWording.words),
      configuration: session.paths.config,
      configurationProblems: file.problems.map {
        Report.ConfigurationProblem(line: $0.line, message: $0.message)
      },
      ruleProblems: RulesFile.load(beside: session.paths.config)?.problems ?? [],
      accounts: try Self.accountProblems(session.store),
      feeds: Self.examine(
        try session.store.reader.feeds.subscriptions(),
        costs: try session.store.reader.feeds.fetchCosts()),
      pictures: try await session.store.maintenance.checkPictures(),
      downloads: Report.Downloads(
        try session.store.reader.downloads.savedDownloads(),
        folder: Paths.downloads(session.configuration.downloads, otherwise: session.paths.data)))
    if json { try JSONOutput.print(report) } else { try report.print() }
    if !report.integrity.isEmpty || !report.configurationProblems.isEmpty
      || !report.ruleProblems.isEmpty || !report.accounts.isEmpty
    {
      throw ExitCode(CommandFailure.Code.failed.rawValue)
    }
  }

  /// Returns sentences about accounts and the shared folder.
  private static func accountProblems(_ store: FeedStore) throws -> [String] {
    let folder = try store.reader.sharedFolder.folder().flatMap { row in
      row.problem.map { problem in
        "\(FolderWording.happened(problem, path: row.path)). \(FolderWording.remedy(problem))"
      }
    }
    return try AccountsReport.problems(store.reader.accounts.all(), store)
      + [folder].compactMap(\.self)
  }

  /// The seconds of one refresh above which a feed counts as slow.
  private static let slowFrom = 10.0
  /// The bytes per day above which a feed counts as costly.
  private static let costlyFrom = 20e6

  private static func examine(
    _ subscriptions: Subscriptions, costs: [FeedID: FetchCost]
  ) -> [Report.FeedProblem] {
    let wording = FailureWording.now
    let pauses = HostPause.all(subscriptions.feeds)
    return subscriptions.feeds.compactMap { feed in
      guard feed.url != Guide.url else { return nil }
      func problem(_ condition: Report.Condition, _ message: String, _ remedy: String)
        -> Report.FeedProblem
      {
        Report.FeedProblem(
          id: feed.id.rawValue, name: SafeText.withoutSecrets(feed.name), condition: condition,
          message: SafeText.withoutSecrets(message), remedy: remedy)
      }
      let remedy = Remedy(feed, at: wording.dates.now)?.command(feed.id.rawValue) ?? ""
      if let failure = feed.state.failure {
        if failure.kind == .rateLimited {
          let pause = pauses.first { $0.host == FailureWording.subject(feed.url) }
          return problem(.waiting, pause?.sentence(wording.dates) ?? "", remedy)
        }
        let message = wording.sentence(for: feed) ?? ""
        if failure.kind == .gone { return problem(.gone, message, remedy) }
        let condition: Report.Condition =
          if Remedy.isDead(failure, at: wording.dates.now) {
            .dead
          } else if [.stalled, .connectTimedOut].contains(failure.kind) { .slow } else { .failing }
        return problem(condition, "\(message) (\(wording.since(failure)))", remedy)
      }
      if let target = feed.state.movedTo {
        return problem(
          .moved, "moved to \(Confusables.shown(HiddenSecrets.name(of: target)))", remedy)
      }
      if feed.awaitsFirstCheck {
        return problem(.neverFetched, "not fetched yet", "weir sync \(feed.id.rawValue)")
      }
      return costs[feed.id].flatMap { cost in
        guard cost.bytesPerDay >= costlyFrom || cost.duration >= slowFrom else { return nil }
        let each = AmountWording.bytes(Double(cost.bytes))
        return cost.bytesPerDay >= costlyFrom
          ? problem(
            .costly, "\(each) at a time, about \(AmountWording.bytes(cost.bytesPerDay)) a day",
            "weir remove \(feed.id.rawValue)")
          : problem(.slow, slowness(cost.duration), "none needed")
      }
    }
  }

  static func slowness(_ duration: Double) -> String {
    "the last refresh took \(SyncWording.time(duration))"
  }

  struct Report: Encodable {
    enum Condition: String, Encodable, CaseIterable {
      case dead, gone, failing, waiting, slow, costly, moved
      case neverFetched = "never-fetched"

      var heading: String {
        switch self {
        case .dead: "Dead for weeks"
        case .gone: "Gone for good"
        case .neverFetched: "Not fetched yet"
        default: rawValue.capitalized
        }
      }
    }
    struct Downloads: Encodable {
      var count = 0
      var bytes: Int64 = 0
      /// The number of files that were moved or deleted by hand.
      var missing = 0
      var folder: String

      init(_ paths: [String], folder: String) {
        self.folder = folder
        for path in paths {
          var status = stat()
          if lstat(path, &status) == 0 {
            count += 1
            bytes += Int64(status.st_size)
          } else {
            missing += 1
          }
        }
      }

      var sentence: String {
        guard count + missing > 0 else { return "none" }
        let files = AmountWording.count(count, "file", "files")
        let here = "\(files), \(AmountWording.bytes(Double(bytes))), in \(folder)"
        guard missing > 0 else { return here }
        return "\(here); \(AmountWording.count(missing, "file", "files")) moved or deleted"
      }
    }
    struct ConfigurationProblem: Encodable {
      var line: Int?
      var message: String
    }
    struct FeedProblem: Encodable {
      var id: Int64
      var name: String
      var condition: Condition
      var message: String
      var remedy: String
    }

    var database: String
    var integrity: [String]
    var configuration: String?
    var configurationProblems: [ConfigurationProblem]
    var ruleProblems: [String]
    /// Sentences about accounts and the shared folder.
    var accounts: [String]
    var feeds: [FeedProblem]
    var pictures: PictureReport
    var downloads: Downloads

    func print() throws {
      try Console.print("Database in \(database): \(integrity.isEmpty ? "OK" : "damaged")")
      let advice =
        "weir doctor --repair saves what can be read and keeps the damaged file; weir restore FILE "
        + "restores a backup instead."
      try list(integrity.isEmpty ? [] : integrity + [advice])
      try Console.print("Pictures: \(pictures.sentence)")
      try Console.print("Downloads: \(downloads.sentence)")
      let count = configurationProblems.count
      try Console.print(
        "Configuration \(configuration ?? "(none)"): \(count == 0 ? "OK" : "\(count) without effect")"
      )
      try list(configurationProblems.map { $0.message + ($0.line.map { " (line \($0))" } ?? "") })
      if !ruleProblems.isEmpty {
        try Console.print(
          "rules.toml: \(AmountWording.count(ruleProblems.count, "problem", "problems"))")
        try list(ruleProblems)
      }
      if !accounts.isEmpty {
        try Console.print(
          "Accounts: \(AmountWording.count(accounts.count, "problem", "problems"))")
        for problem in accounts { try Console.print("  " + problem) }
      }
      for condition in Condition.allCases {
        let group = feeds.filter { $0.condition == condition }
        guard !group.isEmpty else { continue }
        try Console.print("\(condition.heading): \(AmountWording.feeds(group.count))")
        // Each host has only one line.
        try list(
          condition == .waiting
            ? Set(group.map(\.message)).sorted()
            : group.map { "\($0.id) \($0.name): \($0.message). Remedy: \($0.remedy)" })
      }
      if feeds.isEmpty { try Console.print("Feeds: OK") }
    }

    private func list(_ lines: [String]) throws {
      for line in lines { try Console.print("  " + line) }
    }
  }
}

extension PictureReport {
  fileprivate var sentence: String {
    guard count + damaged + strays > 0 else { return "none" }
    var parts = [
      "\(AmountWording.count(count, "picture", "pictures")), \(AmountWording.bytes(Double(bytes)))"
    ]
    if damaged > 0 {
      parts.append("\(damaged) damaged, which are fetched again when an article shows them")
    }
    if strays > 0 {
      parts.append("removed \(AmountWording.count(strays, "file", "files")) without a picture")
    }
    return parts.joined(separator: "; ")
  }
}
