import FeedStore
import Foundation
import ReaderUI
import Wording

/// `weir doctor --repair`: a damaged database rebuilt from what can be read of it.
enum Repair {
  /// Does nothing but say so where the database is well.
  static func run(directory: String, log: Log) throws {
    if try isWell(directory) {
      log.info("repair of \(directory): it is well")
      return try Console.print("Database in \(directory): OK, there is nothing to repair")
    }
    let recovery: Maintenance.Recovery
    do {
      recovery = try Self.recover(directory)
    } catch {
      log.error("repair of \(directory): \(error.sentence)")
      throw error
    }
    log.info(
      "repair of \(directory): \(recovery.feeds) feeds, \(recovery.articles) articles, "
        + "\(recovery.gaps) gaps; the damaged file is \(recovery.setAside)")
    try tell(recovery)
  }

  private static func recover(_ directory: String) throws(CommandFailure) -> Maintenance.Recovery {
    do {
      return try Maintenance.recover(directory: directory)
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

  private static func isWell(_ directory: String) throws -> Bool {
    do {
      let progress = UpgradeProgress()
      let store = try FeedStore.open(
        directory: directory, options: StoreOptions(onUpgrade: progress.show))
      defer { store.close() }
      return try store.maintenance.integrityProblems().isEmpty
    } catch {
      guard case .corrupt = error else { throw CommandFailure(opening: directory, error) }
      return false
    }
  }

  private static func tell(_ recovery: Maintenance.Recovery) throws {
    let articles = AmountWording.count(recovery.articles, "article", "articles")
    let lost = recovery.articlesBefore.map { max(0, $0 - recovery.articles) }
    try Console.print(
      "Saved \(AmountWording.count(recovery.feeds, "feed", "feeds")) and \(articles), "
        + "\(AmountWording.grouped(recovery.starred)) of them starred")
    if let lost {
      try Console.print(
        lost == 0
          ? "Lost no article" : "Lost \(AmountWording.count(lost, "article", "articles"))")
    }
    for (count, what) in [
      (recovery.withoutText, "without text"), (recovery.withoutStatus, "unread again"),
    ] where count > 0 {
      try Console.print("\(AmountWording.count(count, "article", "articles")) \(what)")
    }
    if recovery.nameless > 0 {
      try Console.print(
        "\(AmountWording.count(recovery.nameless, "feed", "feeds")) whose address was lost, kept as "
          + "\u{201C}Salvaged feed\u{201D}")
    }
    if recovery.gaps > 0 {
      try Console.print(
        "\(AmountWording.count(recovery.gaps, "place", "places")) in the file could not be read")
    }
    try Console.print("The damaged file is now \(recovery.setAside)")
  }
}
