// What a reader can ask for by a key, and how keys become it: commands, keymap, chords. Nothing
// here draws or reads the cache.

/// Something a reader can ask for: its name, what it does, its default keys, and where it works.
/// Help, palette, key line, manual page and the documentation's table are made of these values.
///
/// To add a command, declare it in CommandTable.swift, name it in `all`, and give a screen a
/// `Binding` for it.
public nonisolated struct Command: Sendable {
  /// The help's chapters, in its order.
  public enum Chapter: String, CaseIterable, Sendable {
    /// Selecting, scrolling, and changing between panes.
    case moving = "Moving"
    /// What is done with an open article.
    case reading = "Reading"
    /// Read, unread, starred, tagged.
    case marking = "Marking"
    /// How lists are sorted, filtered and searched.
    case lists = "Lists"
    /// What is done to articles as they arrive.
    case rules = "Rules"
    /// Subscriptions and folders.
    case feeds = "Feeds"
    /// Refreshing, and the console.
    case sync = "The sync"
    /// Accounts at servers.
    case accounts = "Accounts"
    /// The screen itself: theme, help, quitting.
    case window = "The window"
  }

  /// What a number typed before the key means.
  public enum Count: Sendable {
    /// Nothing: it is ignored.
    case none
    /// How often, or how many rows.
    case times
    /// The number of a row, from 1.
    case row
  }

  /// What follows a command's name in the palette and in bindings.
  public struct Argument: Sendable {
    /// What to type, for where nothing can be offered: "A program and its arguments".
    public var hint: String
    /// See `knownArguments`; nil: anything is accepted.
    var known: (@Sendable (CommandContext?) -> [String])?

    /// Asks for it with a list; nil: it is typed after the name of the command.
    var picker: PickerWords?

    /// False: only what is offered is accepted.
    public var isFree: Bool { known == nil }

    /// What a list that asks for it says.
    struct PickerWords: Sendable {
      var label: String
      /// "New folder"; nil: there can be no new one.
      var new: String?
    }

    static func choice(
      _ hint: String, label: String, _ known: @escaping @Sendable (CommandContext?) -> [String]
    ) -> Argument { Argument(hint: hint, known: known, picker: PickerWords(label: label)) }
    static func free(_ hint: String) -> Argument { Argument(hint: hint, known: nil) }
    /// One of the user's own, or a new one.
    static func own(_ hint: String, label: String, new: String) -> Argument {
      Argument(hint: hint, known: nil, picker: PickerWords(label: label, new: new))
    }
  }

  /// Its name in the configuration and the palette.
  public let name: String
  /// Where the help lists it.
  public let chapter: Chapter
  /// What it does, without a full stop.
  public let title: String
  /// Its default keys, each a sequence as the configuration writes it: "j", "ctrl-d", "g g".
  public let keys: [String]
  /// The screens in which its keys work.
  public let places: Set<CommandContext>
  /// What a number typed before its key means.
  public let count: Count
  /// What it must be given; nil: nothing.
  public let argument: Argument?

  init(
    _ name: String, _ chapter: Chapter, _ title: String, keys: [String],
    in places: Set<CommandContext> = Set(CommandContext.allCases), count: Count = .none,
    argument: Argument? = nil
  ) {
    self.name = name
    self.chapter = chapter
    self.title = title
    self.keys = keys
    self.places = places
    self.count = count
    self.argument = argument
  }

  private static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The command with this name; nil: there is none.
  public init?(named name: String) {
    guard let command = Self.named[name] else { return nil }
    self = command
  }

  /// What can be given in a place, where that is the same for everybody; nil: nothing, or what is
  /// the user's own.
  /// - Parameter place: nil, or one where the command does not work: anywhere.
  public func knownArguments(in place: CommandContext? = nil) -> [String]? {
    argument?.known?(place)
  }
}

nonisolated extension Command: Hashable {
  /// By name, which no two commands share.
  public static func == (a: Command, b: Command) -> Bool { a.name == b.name }
  /// By name, as `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Where a command applies: which part of the screen has the focus.
public nonisolated enum CommandContext: String, CaseIterable, Sendable {
  case feeds, articles, reader, problems, console, accounts, help, search, rules, downloads
  /// The dry run of a rule.
  case dryRun = "dry-run"

  /// The name of the screen as the user reads it.
  var title: String {
    switch self {
    case .feeds: "list of feeds"
    case .articles: "list of articles"
    case .reader: "article"
    case .problems: "problems"
    case .console: "sync"
    case .accounts: "accounts"
    case .help: "help"
    case .search: "search"
    case .rules: "rules"
    case .downloads: "downloads"
    case .dryRun: "dry run of a rule"
    }
  }
}
