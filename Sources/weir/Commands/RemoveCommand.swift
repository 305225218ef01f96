import ArgumentParser
import FeedModel
import FeedStore

/// `weir remove`: unsubscribes.
struct RemoveCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Unsubscribe from feeds.",
    discussion: "In the reader u undoes it, articles included.")

  @Argument(help: ArgumentHelp("A feed's number, address, or part of its name.", valueName: "feed"))
  var feeds: [String]

  @OptionGroup(title: "Global options")
  var global: GlobalOptions

  func run(in session: Session) async throws {
    // All are found before any is removed: a mistyped one leaves everything as it was.
    let found = try FeedArgument.find(feeds, in: session.store)
    try await session.store.unsubscribe(found.map(\.id))
    for feed in found {
      session.log.info("unsubscribed from \(feed.url)")
      try Console.print("Removed \(feed.id.rawValue) \(SafeText.withoutSecrets(feed.name))")
    }
  }
}
