import Foundation
import ProgramSettings

/// Runs `weir doctor --repair`, which rebuilds a damaged database from its readable parts.
enum Repair {
  static func run(directory: String, log: Log) async throws {
    if try await isWell(directory) {
      log.info("repair of \(directory): no damage found")
      return try Console.print("Database in \(directory): OK, there is nothing to repair")
    }
    let recovery: CacheFile.Recovery
    do {
      recovery = try Self.recover(directory)
    } catch {
      log.error("repair of \(directory): \(error.sentence)")
      throw error
    }
    log.info(
      "repair of \(directory): \(recovery.feeds) feeds, \(recovery.articles) articles, "
        + "\(recovery.gaps) gaps; the damaged file is \(recovery.setAside)")
    try report(recovery)
  }

  private static func recover(_ directory: String) throws(CommandFailure) -> CacheFile.Recovery {
    do {
      return try CacheFile.recover(directory: directory)
    } catch .inUse(let process) {
      throw CommandFailure(
        "Another Weir has the database open (process \(process)). Quit it, then try again.")
    } catch .corrupt(let detail) {
      throw CommandFailure(
        "The database in \(directory) cannot be repaired: \(StoreWording.words(detail)). Nothing was changed. Take a "
          + "backup with weir restore FILE, or move weir.db away and import your subscriptions again.",
        code: .cannotStart)
    } catch {
      throw CommandFailure(opening: directory, error)
    }
  }

  private static func isWell(_ directory: String) async throws -> Bool {
    do {
      let store = try await Opening.showing { opening in
        try await opening.store(in: directory, StoreOptions(onUpgrade: opening.report))
      }
      defer { store.close() }
      return try store.file.integrityProblems().isEmpty
    } catch let error as StoreError {
      switch error {
      case .corrupt, .foreignSchema: return false
      default: throw CommandFailure(opening: directory, error)
      }
    }
  }

  private static func report(_ recovery: CacheFile.Recovery) throws {
    let articles = AmountWording.articles(recovery.articles)
    let lost = recovery.articlesBefore.map { max(0, $0 - recovery.articles) } ?? 0
    try Console.print(
      "Saved \(articles)" + (lost > 0 ? ", lost \(AmountWording.grouped(lost))" : ""))
    for kind in CacheFile.Kind.allCases {
      guard let outcome = recovery.outcomes[kind] else { continue }
      let saved = AmountWording.grouped(outcome.saved)
      let lost =
        switch outcome.lost {
        case 0: "none"
        case nil: "an unknown number"
        case let number?: AmountWording.grouped(number)
        }
      guard outcome.saved > 0 || outcome.lost != 0 else { continue }
      try Console.print("\(name(kind)): saved \(saved), lost \(lost)")
    }
    for (count, what) in [
      (recovery.withoutText, "without text"), (recovery.withoutStatus, "unread again"),
    ] where count > 0 {
      try Console.print("\(AmountWording.articles(count)) \(what)")
    }
    if recovery.nameless > 0 {
      try Console.print(
        "\(AmountWording.feeds(recovery.nameless)) whose address was lost, kept as "
          + "\u{201C}Salvaged feed\u{201D}")
    }
    if recovery.withoutSettings > 0 {
      try Console.print(
        AmountWording.count(
          recovery.withoutSettings, "feed lost the name and settings that you gave it",
          "feeds lost the names and settings that you gave them"))
    }
    if recovery.withoutFolder > 0 {
      try Console.print(
        AmountWording.count(
          recovery.withoutFolder, "feed lost its folder", "feeds lost their folders"))
    }
    for entry in recovery.foreign {
      try Console.print("Left out: \(SafeText.withoutSecrets(entry)) (not Weir\u{2019}s)")
    }
    if recovery.gaps > 0 {
      try Console.print(
        "\(AmountWording.count(recovery.gaps, "place", "places")) in the file could not be read")
    }
    try Console.print("The old file is now \(recovery.setAside)")
  }

  private static func name(_ kind: CacheFile.Kind) -> String {
    switch kind {
    case .subscriptions: "Subscriptions"
    case .folders: "Folders"
    case .stars: "Stars"
    case .readMarks: "Read marks"
    case .tags: "Tags"
    case .notes: "Notes"
    case .rules: "Rules"
    case .searches: "Saved searches"
    case .outbox: "Unsent changes"
    case .positions: "Reading positions"
    case .membership: "Shared folder"
    case .sharedStates: "States of the shared folder"
    }
  }
}
