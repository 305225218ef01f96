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
    let salvage: Maintenance.Salvage
    do {
      salvage = try Self.salvage(directory)
    } catch {
      log.error("repair of \(directory): \(error.sentence)")
      throw error
    }
    log.info(
      "repair of \(directory): \(salvage.feeds) feeds, \(salvage.articles) articles, "
        + "\(salvage.gaps) gaps; the damaged file is \(salvage.setAside)")
    try tell(salvage)
  }

  private static func salvage(_ directory: String) throws(CommandFailure) -> Maintenance.Salvage {
    do {
      return try Maintenance.salvage(directory: directory)
    } catch .inUse(let process) {
      throw CommandFailure(
        "Another Weir has the database open (process \(process)). Quit it, then try again.")
    } catch .corrupt(let detail) {
      throw CommandFailure(
        "The database in \(directory) cannot be repaired: \(detail). Nothing was changed. Take a "
          + "backup with weir restore FILE, or move weir.db away and import your subscriptions again.",
        code: .cannotStart)
    } catch {
      throw CommandFailure(opening: directory, error)
    }
  }

  private static func isWell(_ directory: String) throws -> Bool {
    do {
      let store = try FeedStore.open(directory: directory)
      defer { store.close() }
      return try store.maintenance.integrityProblems().isEmpty
    } catch {
      guard case .corrupt = error else { throw CommandFailure(opening: directory, error) }
      return false
    }
  }

  private static func tell(_ salvage: Maintenance.Salvage) throws {
    let articles = AmountWording.count(salvage.articles, "article", "articles")
    let lost = salvage.articlesBefore.map { max(0, $0 - salvage.articles) }
    try Console.print(
      "Saved \(AmountWording.count(salvage.feeds, "feed", "feeds")) and \(articles), "
        + "\(AmountWording.grouped(salvage.starred)) of them starred")
    if let lost {
      try Console.print(
        lost == 0
          ? "Lost no article" : "Lost \(AmountWording.count(lost, "article", "articles"))")
    }
    for (count, what) in [
      (salvage.withoutText, "without text"), (salvage.withoutStatus, "unread again"),
    ] where count > 0 {
      try Console.print("\(AmountWording.count(count, "article", "articles")) \(what)")
    }
    if salvage.nameless > 0 {
      try Console.print(
        "\(AmountWording.count(salvage.nameless, "feed", "feeds")) whose address was lost, kept as "
          + "\u{201C}Salvaged feed\u{201D}")
    }
    if salvage.gaps > 0 {
      try Console.print(
        "\(AmountWording.count(salvage.gaps, "place", "places")) in the file could not be read")
    }
    try Console.print("The damaged file is now \(salvage.setAside)")
  }
}
