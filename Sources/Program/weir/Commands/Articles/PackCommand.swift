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
    subcommands: [PackStartCommand.self, PackStatusCommand.self, PackStopCommand.self],
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

  @Option(
    help: ArgumentHelp(
      "The most to download, everything counted: 20M, 1.5G (100M).", valueName: "size"),
    transform: PackArguments.size)
  var budget: Int64?

  @Flag(help: "Also the articles\u{2019} sound, last, into the folder for downloads.")
  var audio = false

  @Option(
    help: ArgumentHelp(
      "Then write the articles as a book for an e-reader (EPUB).", valueName: "file"))
  var epub: String?

  @Flag(help: "For cron: go on with a pack that is not complete, else begin one.") var daily = false
  @Flag(name: .shortAndLong, help: "Print errors only.") var quiet = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let packs = session.store.reader.packs
    let isNew = !daily && (!words.isEmpty || budget != nil || audio)
    var continues = try !isNew && packs.last()?.isOpen == true
    if !isNew, !continues { continues = try await packs.resumePack() }
    if !continues {
      let pack = try await PackSelection.begin(
        words.joined(separator: " "), budget: budget ?? 100_000_000, audio: audio, session.store)
      if !quiet { try Console.print(PackWording.plan(pack)) }
    }
    guard let pack = try packs.last() else { return }
    var failure: (any Error)?
    do {
      let isMade = try await pack.isOpen ? make(session) : true
      if isMade, !quiet { try session.report("Pack ") }
    } catch {
      failure = error
    }
    // Without a network, a book of the fetched articles is still useful.
    if let epub, !Task.isCancelled {
      let count = try await BookFile(store: session.store).write(
        packs.articles(of: pack.id), title: "Weir, \(DateWording.current.moment(pack.startedAt))",
        to: Paths.expandingHome(epub))
      let articles = AmountWording.articles(count)
      if !quiet { try Console.print("Wrote \(articles) to \(SafeText.line(epub))") }
    }
    if let failure { throw failure }
  }

  /// Fetches the parts of the open pack. Returns `false` if another process does.
  private func make(_ session: Session) async throws -> Bool {
    let progress = Task { try await follow(session) }
    let (summary, isCancelled) = await session.run(
      .pack, Network.controller(session) { $0.packsAtOnce = true })
    progress.cancel()
    let followed = await progress.result
    let now = try session.store.reader.packs.last()
    let isOpen = now?.isOpen == true
    if isCancelled {
      throw CommandFailure(
        "Cancelled. Fetched articles are kept; \u{201C}weir pack\u{201D} resumes it.",
        code: .interrupted)
    }
    if now?.end == .diskFull || isOpen && summary.storeFailure == .diskFull {
      throw CommandFailure(
        "The disk is full; the pack stopped. \u{201C}weir pack\u{201D} resumes it when there is room."
      )
    }
    if let error = summary.storeFailure {
      throw CommandFailure("The pack stopped: \(StoreWording.sentence(error)).")
    }
    try followed.get()
    guard isOpen else { return true }
    guard summary.wasServedElsewhere else {
      throw CommandFailure(
        "The pack is not complete: you are offline, or the sync is paused. "
          + "\u{201C}weir pack\u{201D} or an open reader continues it.")
    }
    if !quiet {
      Console.note(
        "Another Weir is open and makes the pack; \u{201C}weir pack status\u{201D} shows its progress."
      )
    }
    return false
  }

  private func follow(_ session: Session) async throws {
    guard !quiet, Console.errorsAreTerminal else { return }
    defer { Console.showProgress("") }
    while !Task.isCancelled {
      if let pack = try session.store.reader.packs.last(), pack.isOpen {
        Console.showProgress("pack " + PackWording.result(pack))
      }
      try? await Task.sleep(for: .seconds(1))
    }
  }
}

struct PackStatusCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show how far the pack is.")

  @Flag(help: "As JSON.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    guard let pack = try session.store.reader.packs.last() else {
      if json { return try JSONOutput.print([JSONObject]()) }
      return Console.note("There is no pack yet. \u{201C}weir pack\u{201D} begins one.")
    }
    if json { try JSONOutput.print(pack.json) } else { try session.report("pack ") }
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

extension Session {
  /// Prints the state of the last pack, and what is missing in it and why.
  fileprivate func report(_ head: String) throws {
    guard let pack = try store.reader.packs.last() else { return }
    try Console.print(head + PackWording.result(pack))
    for failed in try store.reader.packs.failedPackItems(pack.id) {
      let url = Confusables.shown(WebAddress.withoutUserInfo(failed.url))
      let reason = PackWording.reason(failed, .current)
      try Console.print(SafeText.withoutSecrets("  failed: \(failed.title): \(reason): \(url)"))
    }
  }
}

extension Pack {
  fileprivate var json: JSONObject {
    func stage(_ stage: Stage) -> JSONObject {
      [
        "waiting": self[stage, .waiting], "done": self[stage, .done],
        "failed": self[stage, .failed], "leftOut": self[stage, .leftOut],
        "bytes": bytes[stage] ?? 0,
      ]
    }
    return [
      "id": id, "query": query, "started": startedAt, "ended": endedAt, "end": end?.rawValue,
      "share": share, "articles": articles, "readableMinutes": readableMinutes, "budget": budget,
      "received": received, "texts": stage(.text), "pictures": stage(.picture),
      "audio": stage(.audio),
    ]
  }
}
