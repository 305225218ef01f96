// What a reader can ask for by a key, and how keys become it: commands, keymap, chords. Nothing
// here draws or reads the cache.

/// A command of the reader: its name, its effect, its default keys, and where it works. Help,
/// palette, key line, manual page and the documentation's table are made of these values. To add a
/// command, declare it in CommandTable.swift and give a screen a `Binding` for it.
public nonisolated struct Command: Sendable {
  /// The help's chapters, in order.
  public enum Chapter: String, CaseIterable, Sendable {
    case moving = "Moving"
    case reading = "Reading"
    case marking = "Marking"
    case lists = "Lists"
    case rules = "Rules"
    case feeds = "Feeds"
    case sync = "The sync"
    case accounts = "Accounts"
    case window = "The window"
  }

  /// The meaning of a number typed before the key.
  public enum Count: Sendable {
    case none
    case times
    case row
  }

  /// The argument after a command's name in the palette and in bindings.
  public struct Argument: Sendable {
    /// Shown where no value can be offered: "A program and its arguments".
    public var hint: String
    /// See `knownArguments`; `nil` if anything is accepted.
    var known: (@Sendable (CommandContext?) -> [String])?

    /// Asks with a list; `nil` if the argument is typed after the name of the command.
    var picker: PickerWords?

    /// If `false`, only the offered values are accepted.
    public var isFree: Bool { known == nil }

    struct PickerWords: Sendable {
      var label: String
      /// The entry for a new value ("New folder"); `nil` if there can be none.
      var new: String?
    }

    static func choice(
      _ hint: String, label: String, _ known: @escaping @Sendable (CommandContext?) -> [String]
    ) -> Argument { Argument(hint: hint, known: known, picker: PickerWords(label: label)) }
    static func free(_ hint: String) -> Argument { Argument(hint: hint, known: nil) }
    /// One of the user's values, or a new one.
    static func own(_ hint: String, label: String, new: String) -> Argument {
      Argument(hint: hint, known: nil, picker: PickerWords(label: label, new: new))
    }
  }

  public let name: String
  public let chapter: Chapter
  /// Without a full stop.
  public let title: String
  /// Default keys, each a sequence as the configuration writes it: "j", "ctrl-d", "g g".
  public let keys: [String]
  public let places: Set<CommandContext>
  public let count: Count
  public let argument: Argument?

  init(
    _ name: String, _ chapter: Chapter, _ title: String, _ keys: [String],
    _ places: Set<CommandContext> = Set(CommandContext.allCases), count: Count = .none,
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

  public init?(named name: String) {
    guard let command = Self.named[name] else { return nil }
    self = command
  }

  /// The values accepted in a place if they are the same for everybody, else `nil`.
  /// - Parameter place: `nil`, or a place where the command does not work, stands for anywhere.
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

/// The part of the screen that has the focus.
public nonisolated enum CommandContext: String, CaseIterable, Sendable {
  case feeds, articles, reader, problems, console, accounts, help, search, rules, downloads
  case dryRun = "dry-run"

  public var title: String {
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
