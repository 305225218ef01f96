public import TerminalViews

// Commands of the reader and their facts. This file neither draws nor reads the cache.

/// A command of the reader. Help, palette, key line, manual page and the table in the documentation
/// are generated from these cases and their `Facts`. To add a command, add a case, its facts in
/// CommandTable.swift, and a `Binding` in a screen.
@dynamicMemberLookup
public nonisolated enum Command: String, CaseIterable, Sendable {
  case moveDown, moveUp, goIn, goOut, open, top, bottom, halfPageDown, halfPageUp, pageDown,
    pageUp, nextPane, zoom, readOn, pause, nextUnread, previousUnread, nextArticle,
    previousArticle, openInBrowser, copyAddress, followLink, pictures, fullText, download, play,
    send, about, pack, toggleRead, toggleStar, toggleLater, snooze, delete, markShownRead, markPart,
    undo, undoSeveral, redo, search, filter, toggleUnreadFilter, lists, showArrivals, focus, sort,
    select, tag, saveSearch, rules, refresh, refreshAll, stop, add, takeStarterSet, edit, priority,
    moveToFolder, moveFeedDown, moveFeedUp, unsubscribe, problems, accounts, syncConsole, palette,
    settings, theme, layout, help, redraw, dismiss, back, quit

  /// Chapters of the help, in order.
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
    /// Text that is shown if no values can be offered: "A program and its arguments".
    public var hint: String
    /// Returns the values of `knownArguments`; `nil` if anything is accepted.
    var known: (@Sendable (CommandContext?) -> [String])?

    /// Labels of the list to choose from.
    package var picker: PickerWords

    public var isFree: Bool { known == nil }

    package struct PickerWords: Sendable {
      package var label: String
      /// The entry for a new value ("New folder"); `nil` if new values are not accepted.
      package var new: String?
    }

    static func choice(
      _ hint: String, label: String, _ known: @escaping @Sendable (CommandContext?) -> [String]
    ) -> Argument { Argument(hint: hint, known: known, picker: PickerWords(label: label)) }
    /// Returns an argument that is one of the actions offered when the command is performed.
    static func offered(_ label: String) -> Argument {
      Argument(hint: "No such choice here", known: nil, picker: PickerWords(label: label))
    }
    /// Returns an argument that is one of the user's values, or a new one.
    static func own(_ hint: String, label: String, new: String) -> Argument {
      Argument(hint: hint, known: nil, picker: PickerWords(label: label, new: new))
    }
  }

  /// The effect of a command, its default keys and the places where it works.
  public struct Facts: Sendable {
    public let chapter: Chapter
    /// The title, without a full stop.
    public let title: String
    /// Default keys, each a sequence as in the configuration: "j", "ctrl-d", "g g".
    public let keys: [String]
    public let places: Set<CommandContext>
    public let count: Count
    public let argument: Argument?

    init(
      _ chapter: Chapter, _ title: String, _ keys: [String],
      _ places: Set<CommandContext> = Set(CommandContext.allCases), count: Count = .none,
      argument: Argument? = nil
    ) {
      (self.chapter, self.title, self.keys, self.places) = (chapter, title, keys, places)
      (self.count, self.argument) = (count, argument)
    }
  }

  private static let facts = allCases.reduce(into: [:]) { $0[$1] = $1.declared }
  private static let named = allCases.reduce(into: [:]) { $0[$1.name] = $1 }

  public subscript<Value>(dynamicMember path: KeyPath<Facts, Value>) -> Value {
    (Self.facts[self] ?? declared)[keyPath: path]
  }

  /// The name in the configuration and the palette: "move-down".
  public var name: String {
    rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
  }

  /// True if the command removes something. The palette finds it only by its first letters, since
  /// other letters may be meant for another command: "subscribe" is in "unsubscribe".
  package var isDestructive: Bool { self == .delete || self == .unsubscribe }

  public init?(named name: String) {
    guard let command = Self.named[name] else { return nil }
    self = command
  }

  /// Returns the values accepted in a place; `nil` if they depend on the user's data.
  /// - Parameter place: `nil`, or a place where the command does not work, means any place.
  public func knownArguments(in place: CommandContext? = nil) -> [String]? {
    self.argument?.known?(place)
  }
}

nonisolated extension Command: CommandSet {
  public var keys: [String] { self[dynamicMember: \.keys] }
  public var places: Set<CommandContext> { self[dynamicMember: \.places] }
  public var acceptsArgument: Bool { self.argument != nil }
  public static func replacement(for name: String) -> String? { former[name] }
}

/// The part of the screen that has the focus.
public nonisolated enum CommandContext: String, CaseIterable, Sendable {
  case feeds, articles, reader, problems, console, accounts, help, search, rules, downloads,
    settings

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
    case .settings: "settings"
    }
  }
}
