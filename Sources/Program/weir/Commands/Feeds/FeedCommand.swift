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
    let id = try FeedArgument.find(feed, in: session.store).id
    let renamed = try await session.edit(id) { $0.title = name }
    try Console.print(
      "Feed \(id.rawValue) is \u{201C}\(SafeText.withoutSecrets(renamed.name))\u{201D}")
  }
}

struct FeedMoveCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move feeds into a folder.",
    usage: "weir feed move FEED... FOLDER",
    discussion: "The folder is made if it is missing; a/b is folder b in a, and / is no folder.")

  @Argument(
    help: ArgumentHelp("Feeds, then the path of a folder.", valueName: "feed"), completion: .feeds)
  var words: [String]

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if words.count < 2 { throw ValidationError("Give feeds, then the folder; / is no folder.") }
  }

  func run(in session: Session) async throws {
    let feeds = session.store.reader.feeds
    let path = FolderArgument.path(words[words.count - 1], in: try feeds.subscriptions())
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
    completion: .list(names.map { $0 + "=" }))
  var settings: [String] = []

  @OptionGroup(title: "Global options") var global: GlobalOptions

  private static let names = FeedOption.allCases.map(\.rawValue) + ["paused", "priority"]

  func validate() throws {
    var edit = FeedEdit(title: nil, url: "", folder: [], isPaused: false)
    for setting in settings { try apply(setting, to: &edit) }
  }

  func run(in session: Session) async throws {
    let id = try FeedArgument.find(feed, in: session.store).id
    let edited = try await session.edit(id) { edit in
      for setting in settings { try apply(setting, to: &edit) }
    }
    let changes = FeedChanges(edited, try session.store.reader.feeds.options(of: id)).changes
    if changes.isEmpty { Console.note("Feed \(id.rawValue) has no settings of its own.") }
    for change in changes {
      let source = change.isConfigured ? " (configuration)" : ""
      try Console.print("\(change.name)=\(SafeText.withoutSecrets(change.value))\(source)")
    }
  }

  private func apply(_ setting: String, to edit: inout FeedEdit) throws {
    guard let sign = setting.firstIndex(of: "=") else {
      throw ValidationError("Write \(setting)=VALUE.")
    }
    let (name, value) = (String(setting[..<sign]), String(setting[sign...].dropFirst()))
    if name == "paused", ["true", "false", ""].contains(value) {
      edit.isPaused = value == "true"
    } else if name == "priority",
      let priority = FeedPriority(name: value.isEmpty ? "normal" : value)
    {
      edit.priority = priority
    } else if let option = FeedOption(rawValue: name) {
      if value.isEmpty {
        edit.options.remove(option)
      } else if !edit.options.set(option, to: option == .proxy && value == "none" ? "" : value) {
        throw ValidationError("\(name): \(FeedTable.form(option)) expected.")
      }
    } else if Self.names.contains(name) {
      throw ValidationError("\u{201C}\(value)\u{201D} is no value of \(name).")
    } else {
      let near = Suggestion.nearest(to: name, among: Self.names).map { "; did you mean \($0)?" }
      throw ValidationError(
        "There is no setting \(name)"
          + (near ?? "; there are \(Self.names.joined(separator: ", "))."))
    }
  }
}

extension FeedOptions {
  /// Removes a setting; one limit of retention with the other.
  fileprivate mutating func remove(_ removed: FeedOption) {
    let limits = [FeedOption.keepArticles, .keepDays]
    let all = limits.contains(removed) ? limits : [removed]
    var rest = FeedOptions()
    for option in FeedOption.allCases where !all.contains(option) {
      if let text = text(of: option) { rest.set(option, to: text) }
    }
    self = rest
  }
}

extension Session {
  /// Changes the settings of a feed in one step, which undo takes back, and returns the feed.
  fileprivate func edit(
    _ id: FeedID, _ change: (inout FeedEdit) throws -> Void
  ) async throws -> Feed {
    let feeds = store.reader.feeds
    guard let feed = try feeds.feed(id) else { throw StoreError.notFound }
    var edit = FeedEdit(
      title: feed.userTitle, url: feed.url, folder: try feeds.subscriptions().path(of: feed.folder),
      isPaused: feed.isPaused, options: try feeds.options(of: id).own)
    edit.priority = feed.priority
    let before = edit
    try change(&edit)
    guard edit != before else { return feed }
    let options = edit.options
    if options.keepArticles ?? options.keepDays != nil {
      edit.retention = Retention(
        articles: options.keepArticles ?? 0, days: options.keepDays ?? 0)
    }
    try await feeds.edit(id, edit)
    return try feeds.feed(id) ?? feed
  }
}
