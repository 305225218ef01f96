import ArgumentParser
import ProgramSettings

struct AccountAdoptCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "adopt",
    abstract: "Subscribe to local feeds, or the feeds of an OPML file, at an account’s server.",
    discussion: """
      Local feeds keep their articles. Read marks and stars are sent to the server once it has fetched the \
      articles. Feeds the account already has do not change. Without --yes the command only reports what \
      it would do.
      """)

  @Argument(help: "The account: number, title, or part of the address.", completion: .accounts)
  var account: String

  @Argument(
    help: "Only these local feeds: number, address, or part of the name.", completion: .feeds)
  var feeds: [String] = []

  @Option(
    help: ArgumentHelp("A file of subscriptions in place of the local feeds.", valueName: "file"),
    completion: .file())
  var opml: String?

  @Flag(name: .shortAndLong, help: "Do it.") var yes = false
  @Flag(help: "One JSON document for each feed.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if opml != nil, !feeds.isEmpty {
      throw ValidationError("Name feeds or a file, not both.")
    }
  }

  func run(in session: Session) async throws {
    let account = try AccountArgument.find(account, in: session.store)
    guard account.kind != .fever else {
      throw CommandFailure(
        "\(account.title) speaks Fever, which cannot subscribe. Subscribe on the server\u{2019}s web site."
      )
    }
    let migrated = try await migrate(account, session.store)
    if json {
      for feed in migrated {
        try JSONOutput.print(
          [
            "feed": feed.feed?.rawValue, "name": SafeText.withoutSecrets(feed.name),
            "url": SafeText.withoutSecrets(feed.url), "outcome": feed.outcome.rawValue,
          ] as JSONObject)
      }
    } else {
      try say(migrated, account)
    }
    if yes {
      session.log.info("account \(account.id.rawValue) adopted \(Self.count(migrated)) feeds")
    }
  }

  private func migrate(_ account: Account, _ store: FeedStore) async throws -> [MigratedFeed] {
    if let opml {
      let list = try SubscriptionList.read(opml)
      list.printSkipped()
      return try await store.accounts.migrate(list.entries, to: account.id, isDryRun: !yes)
    }
    let local =
      try feeds.isEmpty
      ? store.reader.feeds.subscriptions().feeds : FeedArgument.find(feeds, in: store)
    return try await store.accounts.migrate(
      local.filter { $0.account == nil }.map(\.id), to: account.id, isDryRun: !yes)
  }

  private func say(_ migrated: [MigratedFeed], _ account: Account) throws {
    guard !migrated.isEmpty else { return Console.note("There are no local feeds.") }
    for feed in migrated {
      let name = SafeText.withoutSecrets(feed.name)
      switch feed.outcome {
      case .migrated, .added:
        try Console.print("\(yes ? "Subscribing" : "Would subscribe") to \(name)")
      case .known: try Console.print("Already at \(account.title): \(name)")
      case .notOnline: try Console.print("Only Weir can read it, stays here: \(name)")
      }
    }
    let count = AmountWording.feeds(Self.count(migrated))
    if yes {
      Console.note("\(count) will be subscribed to at \(account.title) with the next sync.")
    } else if Self.count(migrated) > 0 {
      Console.note("Nothing was changed. With --yes, \(count) will be moved to \(account.title).")
    }
  }

  private static func count(_ migrated: [MigratedFeed]) -> Int {
    migrated.count { $0.outcome == .migrated || $0.outcome == .added }
  }
}
