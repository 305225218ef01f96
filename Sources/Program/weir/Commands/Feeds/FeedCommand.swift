import ArgumentParser
import ProgramSettings

struct FeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed", abstract: "Rename or move feeds, and set how one is fetched and kept.",
    discussion: "weir undo takes each change back.",
    subcommands: [FeedRenameCommand.self, FeedMoveCommand.self, FeedSetCommand.self])
}

struct FeedRenameCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give a feed a name of your own.")

  @Argument(help: "The feed: number, address, or part of its name.", completion: .feeds)
  var feed: String

  @Argument(help: "The new name; empty for the feed\u{2019}s own.") var name: String
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let feeds = session.store.reader.feeds
    let id = try FeedArgument.find(feed, in: session.store).id
    try await feeds.edit(id) { $0.title = name }
    let renamed = SafeText.withoutSecrets(try feeds.feed(id)?.name ?? name)
    try Console.print("Feed \(id.rawValue) is \u{201C}\(renamed)\u{201D}")
  }
}

struct FeedMoveCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move feeds into a folder.",
    usage: "weir feed move FEED... FOLDER",
    discussion: "The folder is made if it is missing; a/b is folder b in a, and / is no folder.")

  @Argument(
    help: ArgumentHelp("Feeds, then the path of a folder.", valueName: "feed"),
    completion: .feedsAndFolders)
  var words: [String]

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if words.count < 2 { throw ValidationError("Give feeds, then the folder; / is no folder.") }
  }

  func run(in session: Session) async throws {
    let feeds = session.store.reader.feeds
    let path = FolderArgument.find(words[words.count - 1], in: try feeds.subscriptions()).path
    for feed in try FeedArgument.find(Array(words.dropLast()), in: session.store) {
      try await feeds.move(feed.id, toFolder: path)
      let place = path.isEmpty ? "no folder" : path.joined(separator: "/")
      try Console.print("\u{201C}\(SafeText.withoutSecrets(feed.name))\u{201D} is in \(place)")
    }
  }
}

struct FeedSetCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Show or change the settings of a feed.",
    discussion: """
      weir feed set lwn interval=60 keep-articles=500 priority=high

      The settings are those of [feeds] in the configuration, which they override, and paused (true or \
      false) and priority (normal, high or quiet). Without a value (interval=) the general setting \
      applies again; keep-articles and keep-days go together.
      """)

  @Argument(help: "The feed: number, address, or part of its name.", completion: .feeds)
  var feed: String

  @Argument(
    help: ArgumentHelp("Settings to change.", valueName: "name=value"),
    completion: .list(all))
  var settings: [String] = []

  @OptionGroup(title: "Global options") var global: GlobalOptions

  private static let names = FeedOption.allCases.map { $0.rawValue + "=" }
  private static let all = names + others.keys.sorted()
  private static let others: [String: @Sendable (inout FeedEdit) -> Void] = [
    "paused=true": { $0.isPaused = true }, "paused=false": { $0.isPaused = false },
    "paused=": { $0.isPaused = false }, "priority=": { $0.priority = .normal },
    "priority=normal": { $0.priority = .normal }, "priority=high": { $0.priority = .high },
    "priority=quiet": { $0.priority = .quiet },
  ]

  func validate() throws {
    var edit = FeedEdit(title: nil, url: "", folder: [], isPaused: false)
    try apply(to: &edit)
  }

  func run(in session: Session) async throws {
    let feeds = session.store.reader.feeds
    let id = try FeedArgument.find(feed, in: session.store).id
    var edit = try feeds.settings(of: id)
    try apply(to: &edit)
    if !settings.isEmpty { try await feeds.edit(id, edit) }
    guard let edited = try feeds.feed(id) else { throw StoreError.notFound }
    let changes = FeedChanges(edited, try feeds.options(of: id)).changes
    if changes.isEmpty { Console.note("Feed \(id.rawValue) has no settings of its own.") }
    for change in changes { try Console.print(change.text) }
    let isLimited = changes.contains { $0.name.hasPrefix("keep-") && $0.value != "0" }
    if isLimited, settings.contains(where: { $0.hasPrefix("keep-") }) {
      Console.note("The oldest read articles go first; starred, tagged and later ones stay.")
    }
  }

  private func apply(to edit: inout FeedEdit) throws {
    for setting in settings {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if let change = Self.others[setting] {
        change(&edit)
      } else if parts.count == 2, let option = FeedOption(rawValue: String(parts[0])) {
        let limits = [FeedOption.keepArticles, .keepDays]
        let value = option == .proxy && parts[1] == "none" ? "" : String(parts[1])
        if parts[1].isEmpty {
          edit.options = edit.options.taking(
            limits.contains(option) ? limits : [option], from: FeedOptions())
        } else if !edit.options.set(option, to: value) {
          throw ValidationError("\(option.rawValue): \(FeedTable.form(option)) expected.")
        }
      } else {
        let near = Suggestion.nearest(to: "\(parts[0])=", among: Self.names)
        let hint =
          near.map { "did you mean \($0)?" } ?? "there are \(Self.all.joined(separator: ", "))."
        throw ValidationError("There is no setting \(setting); \(hint)")
      }
    }
  }
}
