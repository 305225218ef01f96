// What a reader can ask for by a key, and how keys become it: commands, keymap, chords. Nothing here
// draws or reads the cache.

/// Everything that a key can do. The raw value is the name in the configuration and the palette.
public nonisolated enum Command: String, CaseIterable, Sendable {
  // Moving.
  case moveDown = "move-down"
  case moveUp = "move-up"
  case goIn = "go-in"
  case goOut = "go-out"
  case open = "open"
  case top = "top"
  case bottom = "bottom"
  case halfPageDown = "half-page-down"
  case halfPageUp = "half-page-up"
  case pageDown = "page-down"
  case pageUp = "page-up"
  case nextPane = "next-pane"
  case previousPane = "previous-pane"
  case zoom = "zoom"
  // Reading.
  case readOn = "read-on"
  case nextUnread = "next-unread"
  case previousUnread = "previous-unread"
  case openInBrowser = "open-in-browser"
  case copyAddress = "copy-address"
  case followLink = "follow-link"
  case fullText = "full-text"
  case alwaysFullText = "always-full-text"
  case download = "download"
  case openWith = "open-with"
  case pipe = "pipe"
  case bookmark = "bookmark"
  // Marking.
  case toggleRead = "toggle-read"
  case toggleStar = "toggle-star"
  case deleteArticles = "delete"
  case markShownRead = "mark-shown-read"
  case undo = "undo"
  case redo = "redo"
  // Lists.
  case search = "search"
  case filter = "filter"
  case nextHit = "next-hit"
  case previousHit = "previous-hit"
  case toggleUnreadFilter = "toggle-unread-filter"
  case showArrivals = "show-arrivals"
  case toggleFolder = "toggle-folder"
  case sort = "sort"
  case select = "select"
  case tag = "tag"
  case saveSearch = "save-search"
  case searchOrder = "search-order"
  // Feeds.
  case refresh = "refresh"
  case refreshAll = "refresh-all"
  case cancelRefresh = "cancel-refresh"
  case addFeed = "add-feed"
  case importFeeds = "import-feeds"
  case takeStarterSet = "take-starter-set"
  case editFeed = "edit-feed"
  case moveToFolder = "move-to-folder"
  case moveFeedDown = "move-feed-down"
  case moveFeedUp = "move-feed-up"
  case unsubscribe = "unsubscribe"
  case useNewAddress = "use-new-address"
  case problems = "problems"
  case editAddress = "edit-address"
  case retryFailed = "retry-failed"
  // Accounts.
  case accounts = "accounts"
  case addAccount = "add-account"
  case changePassword = "change-password"
  case removeAccount = "remove-account"
  case discardChange = "discard-change"
  // The sync.
  case console = "sync-console"
  case pauseSync = "pause-sync"
  case pauseThis = "pause-this"
  case stopThis = "stop-this"
  case stopWaiting = "stop-waiting"
  case boost = "boost"
  // The window.
  case palette = "palette"
  case theme = "theme"
  case help = "help"
  case redraw = "redraw"
  case dismiss = "dismiss"
  case back = "back"
  case quit = "quit"
}

/// Where a command applies: which part of the screen has the focus.
public nonisolated enum CommandContext: String, CaseIterable, Sendable {
  case feeds, articles, reader, problems, console, accounts, help, search
}

/// What a command is, for the keymap, the help and the palette.
public nonisolated struct CommandDescription: Sendable {
  /// The help's chapters, in its order.
  public enum Chapter: String, CaseIterable, Sendable {
    case moving = "Moving"
    case reading = "Reading"
    case marking = "Marking"
    case lists = "Lists"
    case feeds = "Feeds"
    case sync = "The sync"
    case accounts = "Accounts"
    case window = "The window"
  }
  /// Where the help lists it.
  public var chapter: Chapter
  /// A short sentence without a full stop.
  public var title: String
  /// Each a sequence as the configuration spells it: "j", "ctrl-d", "g g".
  public var keys: [String]
  /// Where its keys are in force.
  public var contexts: Set<CommandContext>
  /// What it must be given; nil: nothing.
  public var argument: Argument?

  /// What follows a command's name in the palette and in bindings.
  public struct Argument: Sendable, Equatable {
    /// What to type, for where nothing can be offered: "A program and its arguments".
    public var hint: String
    /// False: only what is offered will do.
    public var isFree: Bool
    static func choice(_ hint: String) -> Argument { Argument(hint: hint, isFree: false) }
    static func free(_ hint: String) -> Argument { Argument(hint: hint, isFree: true) }
  }

  init(
    _ chapter: Chapter, _ title: String, _ keys: [String], in contexts: Set<CommandContext>,
    given argument: Argument? = nil
  ) {
    self.chapter = chapter
    self.title = title
    self.keys = keys
    self.contexts = contexts
    self.argument = argument
  }
}

extension Command {
  private nonisolated static let anywhere = Set(CommandContext.allCases)
  private nonisolated static let panes: Set<CommandContext> = [.feeds, .articles, .reader]
  private nonisolated static let text: Set<CommandContext> = [.articles, .reader]

  /// The one table that keymap, help and palette are made of.
  public nonisolated var description: CommandDescription {
    typealias Entry = CommandDescription
    switch self {
    case .moveDown: return Entry(.moving, "Down", ["j", "down"], in: Self.anywhere)
    case .moveUp: return Entry(.moving, "Up", ["k", "up"], in: Self.anywhere)
    case .goIn:
      return Entry(
        .moving, "In: to the pane at the right", ["l", "right"], in: Self.panes.union([.console]))
    case .goOut:
      return Entry(
        .moving, "Out: to the pane at the left", ["h", "left"], in: Self.panes.union([.console]))
    case .open:
      return Entry(
        .moving, "Open", ["enter"],
        in: [.feeds, .articles, .problems, .console, .accounts, .search])
    case .top: return Entry(.moving, "Top", ["g g", "g", "home"], in: Self.anywhere)
    case .bottom: return Entry(.moving, "Bottom", ["G", "end"], in: Self.anywhere)
    case .halfPageDown: return Entry(.moving, "Half a page down", ["ctrl-d"], in: Self.anywhere)
    case .halfPageUp: return Entry(.moving, "Half a page up", ["ctrl-u"], in: Self.anywhere)
    case .pageDown: return Entry(.moving, "Page down", ["pagedown", "ctrl-f"], in: Self.anywhere)
    case .pageUp: return Entry(.moving, "Page up", ["pageup", "ctrl-b"], in: Self.anywhere)
    case .nextPane: return Entry(.window, "Next pane", ["tab"], in: Self.panes.union([.console]))
    case .previousPane:
      return Entry(.window, "Previous pane", ["backtab"], in: Self.panes.union([.console]))
    case .zoom: return Entry(.window, "Give this pane the whole window", ["z"], in: Self.panes)
    case .readOn:
      return Entry(
        .reading, "Read on: page down, then the next unread, across feeds", ["space"],
        in: Self.panes)
    case .nextUnread:
      return Entry(.reading, "Next unread; while finding, the next place", ["n"], in: Self.panes)
    case .previousUnread:
      return Entry(
        .reading, "Previous unread; while finding, the previous place", ["p"], in: Self.panes)
    case .openInBrowser: return Entry(.reading, "Open in the browser", ["o"], in: Self.panes)
    case .copyAddress: return Entry(.reading, "Copy the address", ["y"], in: Self.panes)
    case .followLink: return Entry(.reading, "Open a link by its number", ["f"], in: [.reader])
    case .fullText:
      return Entry(.reading, "The full text from the web page, and back", ["x"], in: Self.text)
    case .alwaysFullText:
      return Entry(
        .feeds, "Fetch the full text of this feed always, or no more", [], in: Self.panes)
    case .download:
      return Entry(.reading, "Download the files of the article", ["d"], in: Self.text)
    case .openWith:
      return Entry(
        .reading, "Open the address with a program", ["O"], in: Self.text,
        given: .free("A program and its arguments; the address is added"))
    case .pipe:
      return Entry(
        .reading, "Pipe the article to a program", ["|"], in: Self.text,
        given: .free("A program and its arguments; the article is its input"))
    case .bookmark: return Entry(.reading, "Bookmark the address", ["B"], in: Self.text)
    case .toggleRead: return Entry(.marking, "Read or unread", ["m"], in: Self.text)
    case .toggleStar: return Entry(.marking, "Star", ["s"], in: Self.text)
    case .deleteArticles: return Entry(.marking, "Delete", ["delete"], in: Self.text)
    case .markShownRead:
      return Entry(.marking, "Mark what is shown read", ["A"], in: Self.panes)
    case .undo: return Entry(.marking, "Undo", ["u"], in: Self.anywhere)
    case .redo: return Entry(.marking, "Redo", ["ctrl-r"], in: Self.anywhere)
    case .search: return Entry(.lists, "Search everything", ["g /"], in: Self.panes)
    case .filter:
      return Entry(
        .lists, "Filter in place; find in the article", ["/"],
        in: [.feeds, .articles, .reader, .help, .search])
    case .nextHit:
      return Entry(.reading, "Next place of what is looked for", ["ctrl-n"], in: [.reader])
    case .previousHit:
      return Entry(.reading, "Previous place of what is looked for", ["ctrl-p"], in: [.reader])
    case .toggleUnreadFilter:
      return Entry(
        .lists, "Unread, all or starred", ["v"],
        in: [.feeds, .articles, .search])
    case .showArrivals: return Entry(.lists, "Show what has arrived", ["."], in: Self.text)
    case .toggleFolder: return Entry(.lists, "Open or close the folder", ["c"], in: [.feeds])
    case .sort:
      return Entry(
        .lists, "Sort the list", ["g s"], in: [.feeds, .articles], given: .choice("No such order"))
    case .select: return Entry(.lists, "Select several", ["V"], in: [.articles])
    case .tag:
      return Entry(
        .marking, "Tags, parted by blanks", ["t"], in: Self.text,
        given: .free("Tags, parted by blanks; none takes all away"))
    case .editFeed:
      return Entry(.feeds, "Edit the feed, folder or search", ["e"], in: [.feeds, .articles])
    case .moveToFolder:
      return Entry(
        .feeds, "Move to a folder", ["t"], in: [.feeds],
        given: .free("A folder, new or not: \u{201C}Systems/Databases\u{201D}; / is the top"))
    case .moveFeedDown: return Entry(.feeds, "Move the feed or folder down", ["J"], in: [.feeds])
    case .moveFeedUp: return Entry(.feeds, "Move the feed or folder up", ["K"], in: [.feeds])
    case .saveSearch: return Entry(.lists, "Keep the search as a list", ["w"], in: [.search])
    case .searchOrder:
      return Entry(.lists, "The best hits first, or the newest", ["b"], in: [.search])
    case .refresh:
      return Entry(
        .feeds, "Refresh this", ["r"],
        in: [.feeds, .articles, .reader, .problems, .console, .accounts])
    case .refreshAll: return Entry(.feeds, "Refresh all", ["R"], in: Self.panes)
    case .cancelRefresh:
      return Entry(.feeds, "Stop the refresh", ["ctrl-g"], in: Self.anywhere)
    case .addFeed: return Entry(.feeds, "Add a feed", ["a"], in: Self.panes)
    case .importFeeds:
      return Entry(.feeds, "Import OPML or newsboat's urls", ["i"], in: Self.panes)
    case .takeStarterSet: return Entry(.feeds, "Take the starter set", ["T"], in: [.feeds])
    case .unsubscribe:
      return Entry(
        .feeds, "Unsubscribe; delete the folder", ["D"], in: [.feeds, .articles, .problems])
    case .useNewAddress:
      return Entry(
        .feeds, "Use the new address of a feed that moved", ["U"], in: [.feeds, .problems])
    case .problems:
      return Entry(
        .feeds, "What failed, and why", ["!"], in: [.feeds, .articles, .reader, .console])
    case .editAddress:
      return Entry(.feeds, "Correct the address of a feed", ["e"], in: [.problems])
    case .retryFailed:
      return Entry(.sync, "Try all that failed again", ["R"], in: [.problems, .console, .accounts])
    case .accounts:
      return Entry(
        .accounts, "Remote accounts, and what waits to be sent", ["@"],
        in: [.feeds, .articles, .reader, .problems, .console])
    case .addAccount:
      return Entry(.accounts, "Add an account", ["+"], in: Self.panes.union([.accounts]))
    case .changePassword:
      return Entry(.accounts, "Give the account another password", ["P"], in: [.accounts])
    case .removeAccount: return Entry(.accounts, "Remove the account", ["D"], in: [.accounts])
    case .discardChange:
      return Entry(.accounts, "Give a change up that was not sent", ["x"], in: [.accounts])
    case .console:
      return Entry(
        .sync, "What the sync does", ["S"], in: [.feeds, .articles, .reader, .problems])
    case .pauseSync:
      return Entry(.sync, "Pause or resume the sync", ["space"], in: [.console])
    case .pauseThis:
      return Entry(
        .sync, "Pause or resume this feed or host", ["P"], in: [.feeds, .problems, .console])
    case .stopThis: return Entry(.sync, "Stop this refresh", ["x", "d"], in: [.console])
    case .stopWaiting: return Entry(.sync, "Stop all that waits", ["X"], in: [.console])
    case .boost: return Entry(.sync, "This one first", ["b"], in: [.console])
    case .palette: return Entry(.window, "Every command by its name", [":"], in: Self.anywhere)
    case .theme:
      return Entry(
        .window, "Choose how things look", [], in: Self.anywhere, given: .choice("No such theme"))
    case .help: return Entry(.window, "These keys", ["?"], in: Self.anywhere)
    case .redraw: return Entry(.window, "Draw everything again", ["ctrl-l"], in: Self.anywhere)
    case .dismiss:
      return Entry(.window, "Put away: message, filter, pane", ["esc"], in: Self.anywhere)
    case .back: return Entry(.window, "Back; from the first screen, quit", ["q"], in: Self.anywhere)
    case .quit: return Entry(.window, "Quit", ["Q"], in: Self.anywhere)
    }
  }
}
