import ArgumentParser
import Foundation
import ProgramSettings

struct PackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack", abstract: "Make articles ready for reading offline: texts, then pictures.",
    discussion: """
      A pack survives quits and crashes: an open reader continues it, and so does "weir pack" without \
      options. Its articles are kept until they are read, for 14 days at most.
      """,
    subcommands: [
      PackStartCommand.self, PackStatusCommand.self, PackStopCommand.self, PackListCommand.self,
    ],
    defaultSubcommand: PackStartCommand.self)
}

struct PackStartCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Begin a pack, or go on with the one that was begun.")

  @Argument(
    help: ArgumentHelp(
      "Take the articles that this search finds, newest first. Default: those kept for later, then starred unread ones, then other unread ones.",
      valueName: "query"))
  var words: [String] = []

  @Option(help: ArgumentHelp("Hours of reading to pack (3).", valueName: "n")) var hours: Double?

  @Option(
    help: ArgumentHelp(
      "The most to download, everything counted: 20M, 1.5G (100M).", valueName: "size"),
    transform: PackArguments.size)
  var budget: Int64?

  @Option(
    help: ArgumentHelp(
      "When it is to be ready, such as 07:40: an open reader then does not wait for a good network.",
      valueName: "time"),
    transform: PackArguments.time)
  var by: PackArguments.Clock?

  @Option(
    help: ArgumentHelp(
      "The network to plan for: edge, 3g, dsl or fibre; without it, the measured one.",
      valueName: "kind"),
    transform: PackArguments.network)
  var line: PackNetwork?

  @Flag(help: "Also the pages on which the articles are discussed, last; C opens them offline.")
  var discussions = false

  @Flag(help: "Also the articles\u{2019} sound, last, into the folder for downloads.")
  var audio = false

  @Option(
    help: ArgumentHelp(
      "Then write the articles as a book for an e-reader (EPUB).", valueName: "file"))
  var epub: String?

  @Flag(help: "Take the articles of \u{201C}weir today\u{201D} instead of a search.") var today =
    false
  @Flag(help: "For cron: go on with a pack that is not complete, else begin one.") var daily = false
  @Flag(name: .shortAndLong, help: "Print errors only.") var quiet = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if let hours, hours <= 0 || hours > 1_000 {
      throw ValidationError("--hours must be above 0 and at most 1000.")
    }
    if today, !words.isEmpty { throw ValidationError("Give a search or --today, not both.") }
  }

  func run(in session: Session) async throws {
    let open = try session.store.reader.packs.recent(limit: 1).first.flatMap {
      $0.isOpen ? $0 : nil
    }
    let hasOptions =
      !words.isEmpty || hours != nil || budget != nil || by != nil || line != nil || discussions
      || audio || today
    if hasOptions && !daily {
      try await begin(session)
    } else if open == nil, try await !session.store.reader.packs.resumePack() {
      try await begin(session)
    }
    guard let pack = try session.store.reader.packs.recent(limit: 1).first else { return }
    var failure: (any Error)?
    do {
      if pack.isOpen { try await make(pack, session) } else { try report(session) }
    } catch {
      failure = error
    }
    // Without a network, a book of the fetched articles is still useful.
    if let epub, !Task.isCancelled { try await writeBook(of: pack, to: epub, session) }
    if let failure { throw failure }
  }

  private func writeBook(of pack: Pack, to path: String, _ session: Session) async throws {
    let articles = try session.store.reader.packs.articles(of: pack.id)
    let dates = DateWording.current
    let count = try await BookFile(store: session.store).write(
      articles, title: "Weir, \(dates.moment(pack.startedAt))", to: Paths.expandingHome(path))
    guard !quiet else { return }
    try Console.print(
      "Wrote \(AmountWording.count(count, "article", "articles")) to \(SafeText.line(path))")
  }

  private func begin(_ session: Session) async throws {
    let network = try line ?? PackNetwork(session.store.reader.requests.syncStatus().quality)
    let (now, allowed) = (Date(), budget ?? 100_000_000)
    let dueAt = by?.next(after: now)
    let plan = PackPlan(
      query: words.joined(separator: " "), minutes: Int(((hours ?? 3) * 60).rounded(.up)),
      budget: network?.fits(allowed, until: dueAt, from: now) ?? allowed, dueAt: dueAt,
      extras: PackArguments.extras(discussions: discussions, audio: audio))
    let page = today ? try await session.store.reader.plan.dailyPage().articles : nil
    let selection = try await PackSelection(plan, session.store, on: network, among: page)
    guard !selection.articles.isEmpty else {
      throw CommandFailure("There is nothing to pack: no article is unread or found.")
    }
    let pack = try await session.store.reader.packs.startPack(
      plan, selection.articles, reserve: selection.reserve)
    guard !quiet else { return }
    try Console.print(PackWording.plan(pack, minutes: selection.minutes))
    let wording = PackWording(dates: DateWording(now: now, timeZone: .current))
    if let limits = wording.limits(pack, budget: allowed, on: network) {
      try Console.print(limits)
    }
    if selection.rest > 0 {
      try Console.print(PackWording.rest(selection.rest, isEnough: selection.isEnough))
    }
  }

  private func make(_ pack: Pack, _ session: Session) async throws {
    let progress = Task { try await follow(session) }
    let (summary, isCancelled) = await session.run(
      .pack, Network.controller(session) { $0.packsAtOnce = true })
    progress.cancel()
    let followed = await progress.result
    let now = try session.store.reader.packs.recent(limit: 1).first
    if isCancelled {
      throw CommandFailure(
        "Cancelled. Fetched articles are kept; \u{201C}weir pack\u{201D} resumes it.",
        code: .interrupted)
    }
    let isFull = summary.storeFailure == .diskFull && now?.isOpen == true
    if isFull || now?.end == .diskFull {
      throw CommandFailure(
        "The disk is full; the pack stopped. \u{201C}weir pack\u{201D} resumes it when there is room."
      )
    }
    if let error = summary.storeFailure {
      throw CommandFailure("The pack stopped: \(StoreWording.sentence(error)).")
    }
    try followed.get()
    if summary.wasServedElsewhere, now?.isOpen == true {
      if !quiet {
        Console.note(
          "Another Weir is open and makes the pack; \u{201C}weir pack status\u{201D} shows its progress."
        )
      }
      return
    }
    if now?.isOpen == true {
      throw CommandFailure(
        "The pack is not complete: you are offline, or the sync is paused. "
          + "\u{201C}weir pack\u{201D} or an open reader continues it.")
    }
    try report(session)
  }

  private func follow(_ session: Session) async throws {
    guard !quiet, Console.errorsAreTerminal else { return }
    defer { Console.showProgress("") }
    while !Task.isCancelled {
      if let pack = try session.store.reader.packs.recent(limit: 1).first, pack.isOpen {
        let dates = DateWording.current
        Console.showProgress("pack " + PackWording(dates: dates).progress(pack))
      }
      try? await Task.sleep(for: .seconds(1))
    }
  }

  private func report(_ session: Session) throws {
    guard !quiet, let pack = try session.store.reader.packs.recent(limit: 1).first else { return }
    try Console.print("Pack " + PackWording(dates: .current).result(pack))
    try PackFailures.print(pack, session)
  }
}

private enum PackFailures {
  static func print(_ pack: Pack, _ session: Session) throws {
    for failed in try session.store.reader.packs.failedPackItems(pack.id) {
      let url = Confusables.shown(WebAddress.withoutUserInfo(failed.url))
      let reason = PackWording(dates: .current).reason(failed)
      try Console.print(SafeText.withoutSecrets("  failed: \(failed.title): \(reason): \(url)"))
    }
  }
}

struct PackStatusCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show how far the pack is.")

  @Flag(help: "As JSON.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    guard let pack = try session.store.reader.packs.recent(limit: 1).first else {
      if json { return try JSONOutput.print([JSONObject]()) }
      return Console.note("There is no pack yet. \u{201C}weir pack\u{201D} begins one.")
    }
    if json { return try JSONOutput.print(pack.json) }
    try Console.print("pack " + PackWording(dates: .current).result(pack))
    try PackFailures.print(pack, session)
  }
}

struct PackStopCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "Stop the pack; fetched articles are kept.")

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let wasOpen = try await session.store.reader.packs.stopPack()
    try Console.print(wasOpen ? "Stopped the pack" : "No pack is being made")
  }
}

struct PackListCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the last packs.")

  @Flag(help: "As JSON.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let packs = try session.store.reader.packs.recent(limit: 20)
    if json { return try JSONOutput.print(packs.map(\.json)) }
    let dates = DateWording.current
    for pack in packs {
      try Console.print(
        "\(dates.moment(pack.startedAt))  \(PackWording(dates: dates).result(pack))")
    }
  }
}

extension Pack {
  fileprivate var json: JSONObject {
    func stage(_ stage: Stage) -> JSONObject {
      let found = self[stage]
      return [
        "waiting": found.waiting, "done": found.done, "failed": found.failed,
        "leftOut": found.leftOut, "bytes": found.bytes,
      ]
    }
    return [
      "id": id, "query": query, "started": startedAt, "ended": endedAt, "end": end?.rawValue,
      "share": share, "articles": articles, "readableMinutes": readableMinutes, "budget": budget,
      "received": received, "secondsLeft": timeLeft.map { $0 / .seconds(1) },
      "texts": stage(.text), "pictures": stage(.picture), "discussions": stage(.discussion),
      "audio": stage(.audio),
    ]
  }
}
