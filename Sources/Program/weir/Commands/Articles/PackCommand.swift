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
    commandName: "start", abstract: "Begin a pack, or go on with the one that was begun.",
    discussion: """
      A query takes the articles that it finds, newest first. Without one: those kept for later, then \
      starred unread ones, then other unread ones.
      """)

  @OptionGroup var query: QueryArguments

  @Option(
    help: ArgumentHelp(
      "The most to download, everything counted: 20M, 1.5G (100M).", valueName: "size"),
    transform: PackSelection.size)
  var budget: Int64?

  @Flag(help: "Also the articles\u{2019} sound, last, into the folder for downloads.")
  var audio = false

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Then write the articles as a book for an e-reader (EPUB).", valueName: "file"),
    completion: .file())
  var epub: String?

  @Flag(help: "For cron: go on with a pack that is not complete, else begin one.") var daily = false
  @Flag(name: .shortAndLong, help: "Print errors only.") var quiet = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let packs = session.store.reader.packs
    let isNew = !daily && (!query.text.isEmpty || budget != nil || audio)
    var continues = try !isNew && packs.last()?.isOpen == true
    if !isNew, !continues { continues = try await packs.resumePack() }
    if !continues {
      let pack = try await PackSelection.begin(
        query.text, budget: budget ?? 100_000_000, audio: audio, session.store)
      if !quiet { try Console.print(PackWording.plan(pack)) }
    }
    guard let pack = try packs.last() else { return }
    var failure: (any Error)?
    do {
      if pack.isOpen { try await make(session) }
      if !quiet, try packs.last()?.isOpen == false { try session.report("Pack ") }
    } catch {
      failure = error
    }
    // Without a network, a book of the fetched articles is still useful.
    if let epub, !Task.isCancelled {
      let title = "Weir, \(DateWording.current.moment(pack.startedAt))"
      let sentence = try await BookFile(store: session.store).write(
        packs.articles(of: pack.id), title: title, typed: epub)
      if !quiet { try Console.print(sentence) }
    }
    if let failure { throw failure }
  }

  /// Fetches the parts of the open pack, unless another process does.
  private func make(_ session: Session) async throws {
    let packs = session.store.reader.packs
    let progress = Task {
      guard !quiet, Console.errorsAreTerminal else { return }
      defer { Console.showProgress("") }
      while !Task.isCancelled, let pack = try packs.last() {
        Console.showProgress("pack " + PackWording.result(pack))
        try? await Task.sleep(for: .seconds(1))
      }
    }
    let (summary, isCancelled) = await session.run(
      .pack, Network.controller(session) { $0.packsAtOnce = true })
    progress.cancel()
    let shown = await progress.result
    let end = try packs.last()?.end
    if isCancelled {
      throw CommandFailure(
        "Cancelled. Fetched articles are kept; \u{201C}weir pack\u{201D} resumes it.",
        code: .interrupted)
    }
    if end == .diskFull || end == nil && summary.storeFailure == .diskFull {
      throw CommandFailure(
        "The disk is full; the pack stopped. \u{201C}weir pack\u{201D} resumes it when there is room."
      )
    }
    if let error = summary.storeFailure {
      throw CommandFailure("The pack stopped: \(StoreWording.sentence(error)).")
    }
    try shown.get()
    if end == nil, !summary.wasServedElsewhere {
      throw CommandFailure(
        "The pack is not complete: you are offline, or the sync is paused. "
          + "\u{201C}weir pack\u{201D} or an open reader continues it.")
    }
    if end == nil, !quiet {
      Console.note(
        "The Weir that is already open is making this pack; \u{201C}weir pack status\u{201D} shows its progress."
      )
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
    func parts(_ stage: Stage) -> JSONObject {
      [
        "waiting": self[stage, .waiting], "done": self[stage, .done],
        "failed": self[stage, .failed], "leftOut": self[stage, .leftOut],
        "bytes": bytes[stage] ?? 0,
      ]
    }
    return [
      "id": id, "query": query, "started": startedAt, "ended": endedAt, "end": end?.rawValue,
      "share": share, "articles": articles, "readableMinutes": readableMinutes, "budget": budget,
      "received": received, "texts": parts(.text), "pictures": parts(.picture),
      "audio": parts(.audio),
    ]
  }
}
