import ArgumentParser
import ProgramSettings

struct RemoveCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Unsubscribe from feeds.",
    discussion: """
      Starred, tagged, annotated and downloaded articles stay, in the list Kept of the reader. u in \
      the reader undoes the command and brings the other articles back.
      """)

  @Argument(
    help: ArgumentHelp("A feed’s number, address, or part of its name.", valueName: "feed"),
    completion: .feeds)
  var feeds: [String]

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    // All feeds are found before any is removed, so that a typing error changes nothing.
    let found = try FeedArgument.find(feeds, in: session.store)
    let archived = MarkWording.archived(
      try session.store.reader.states.archived(of: found.map(\.id)))
    // The command ends now, so the change is sent without a delay for undo.
    try await session.store.reader.feeds.unsubscribe(found.map(\.id), holdsBack: false)
    for feed in found {
      session.log.info("unsubscribed from \(feed.url)")
      let account = try feed.account.flatMap {
        try session.store.reader.accounts.account($0)?.title
      }
      let server = account.map { "; the next sync unsubscribes from it at \($0)" } ?? ""
      let name = SafeText.withoutSecrets(feed.name)
      try Console.print("Removed \u{201C}\(name)\u{201D} (feed \(feed.id.rawValue))\(server)")
    }
    if let archived { try Console.print(archived) }
  }
}
