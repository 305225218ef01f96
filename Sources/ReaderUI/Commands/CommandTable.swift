nonisolated extension Command {
  private static let panes: Set<CommandContext> = [.feeds, .articles, .reader]
  private static let text: Set<CommandContext> = [.articles, .reader]

  // MARK: Moving

  static let moveDown = Self("move-down", .moving, "Move down", ["j", "down"], count: .times)
  static let moveUp = Self("move-up", .moving, "Move up", ["k", "up"], count: .times)
  static let goIn = Self(
    "go-in", .moving, "Go to the pane on the right", ["l", "right"], panes.union([.console]))
  static let goOut = Self(
    "go-out", .moving, "Go to the pane on the left", ["h", "left"], panes.union([.console]))
  static let open = Self(
    "open", .moving, "Open", ["enter"],
    [.feeds, .articles, .problems, .console, .accounts, .search, .rules, .dryRun, .downloads])
  static let top = Self("top", .moving, "Go to the top", ["g g", "g", "home"])
  static let bottom = Self("bottom", .moving, "Go to the bottom", ["G", "end"], count: .row)
  static let halfPageDown = Self(
    "half-page-down", .moving, "Move half a page down", ["ctrl-d"], count: .times)
  static let halfPageUp = Self(
    "half-page-up", .moving, "Move half a page up", ["ctrl-u"], count: .times)
  static let pageDown = Self(
    "page-down", .moving, "Move a page down", ["pagedown", "ctrl-f"], count: .times)
  static let pageUp = Self(
    "page-up", .moving, "Move a page up", ["pageup", "ctrl-b"], count: .times)
  static let nextPane = Self(
    "next-pane", .window, "Go to the next pane", ["tab"], panes.union([.console]))
  static let previousPane = Self(
    "previous-pane", .window, "Go to the previous pane", ["backtab"], panes.union([.console]))
  static let zoom = Self("zoom", .window, "Give this pane the whole window", ["z"], panes)

  // MARK: Reading

  static let readOn = Self(
    "read-on", .reading, "Read on: page down, then the next unread, across feeds", ["space"], panes)
  static let nextUnread = Self(
    "next-unread", .reading, "Go to the next unread (or next match)", ["n"], panes, count: .times)
  static let previousUnread = Self(
    "previous-unread", .reading, "Go to the previous unread (or previous match)", ["p"], panes,
    count: .times)
  static let nextArticle = Self(
    "next-article", .reading, "Go to the next article, read or unread", ["J"], text, count: .times)
  static let previousArticle = Self(
    "previous-article", .reading, "Go to the previous article, read or unread", ["K"], text,
    count: .times)
  static let openInBrowser = Self("open-in-browser", .reading, "Open in the browser", ["o"], panes)
  static let copyAddress = Self("copy-address", .reading, "Copy the address", ["y"], panes)
  static let followLink = Self("follow-link", .reading, "List the links and open one", ["f"], text)
  static let openLink = Self(
    "open-link", .reading, "Open the link of the number typed before", ["enter"], [.reader],
    count: .row)
  static let scrollLeft = Self(
    "scroll-left", .moving, "Scroll code and tables to the left", ["<"], [.reader], count: .times)
  static let scrollRight = Self(
    "scroll-right", .moving, "Scroll code and tables to the right", [">"], [.reader], count: .times)
  static let wrapCode = Self(
    "wrap-code", .reading, "Wrap long lines of code, or scroll them", ["g w"], [.reader])
  static let pictures = Self(
    "pictures", .reading, "Show or hide pictures, or enlarge one", ["I"], [.reader], count: .row)
  static let fullText = Self(
    "full-text", .reading, "Show the full article or the feed’s version", ["x"], text)
  static let changes = Self("changes", .reading, "Show what changed in the article", ["E"], text)
  static let copies = Self(
    "copies", .reading, "Open a copy of the article in another feed", ["g c"], text)
  static let recentlyRead = Self(
    "recently-read", .lists, "List recently read articles", ["g l"], panes)
  static let silentFeeds = Self(
    "silent-feeds", .feeds, "List feeds that have been silent for months", [], panes)
  static let alwaysFullText = Self(
    "always-full-text", .feeds, "Fetch full articles of this feed, or stop", [], panes)
  static let download = Self("download", .reading, "Download the files of the article", ["d"], text)
  static let downloads = Self(
    "downloads", .lists, "Show the downloads", ["g d"], panes.union([.console]))
  static let pauseDownload = Self(
    "pause-download", .sync, "Pause or resume the download", ["g p"], [.downloads])
  static let pauseDownloads = Self(
    "pause-downloads", .sync, "Pause or resume all downloads", ["p"], [.downloads])
  static let moveDownloadDown = Self(
    "move-download-down", .sync, "Move the download down the queue", ["}"], [.downloads],
    count: .times)
  static let moveDownloadUp = Self(
    "move-download-up", .sync, "Move the download up the queue", ["{"], [.downloads], count: .times)
  static let removeDownload = Self(
    "remove-download", .sync, "Remove the download", ["D", "delete"], [.downloads])
  static let openWith = Self(
    "open-with", .reading, "Open the address with a program", ["O"], text,
    argument: .free("A program and its arguments; the address is added"))
  static let pipe = Self(
    "pipe", .reading, "Pipe the article to a program", ["|"], text,
    argument: .free("A program and its arguments, without a shell; the article is its input"))
  static let removeNotes = Self(
    "remove-notes", .reading, "Remove the notes of programs from the article", [], text)
  static let saveArticle = Self(
    "save-article", .reading, "Save the article as a file", ["ctrl-s"], text,
    argument: .choice("No such format", label: "Save as") { _ in ["markdown", "text"] })
  static let play = Self(
    "play", .reading, "Play the sound or video of the article", ["P"], text.union([.downloads]))
  static let openDiscussion = Self(
    "open-discussion", .reading, "Open the discussion of the article", ["C"], text)
  static let pack = Self("pack", .reading, "Download articles for reading offline", [], panes)
  static let bookmark = Self("bookmark", .reading, "Bookmark the address", ["B"], text)

  // MARK: Marking

  static let toggleRead = Self(
    "toggle-read", .marking, "Mark read or unread", ["m"], text, count: .times)
  static let toggleStar = Self(
    "toggle-star", .marking, "Star or unstar", ["s"], text, count: .times)
  static let deleteArticles = Self(
    "delete", .marking, "Delete the article", ["delete"], text, count: .times)
  static let markShownRead = Self(
    "mark-shown-read", .marking, "Mark the whole list read", ["A"], panes)
  static let markAboveRead = Self(
    "mark-above-read", .marking, "Mark everything above read", ["g K"], [.articles])
  static let markBelowRead = Self(
    "mark-below-read", .marking, "Mark everything below read", ["g J"], [.articles])
  static let markOlderRead = Self(
    "mark-older-read", .marking, "Mark everything older than an age read", ["g o"], [.articles],
    argument: .own("An age, such as 3d, 2w, 6m or 1y", label: "Mark read", new: "Other age"))
  static let undo = Self("undo", .marking, "Undo", ["u"])
  static let redo = Self("redo", .marking, "Redo", ["ctrl-r"])

  // MARK: Lists

  static let search = Self("search", .lists, "Search all articles", ["g /"], panes)
  static let openSearch = Self(
    "open-search", .lists, "Open a saved search", ["g f"], panes,
    argument: .own(
      "The name of a saved search, or words to find", label: "Search", new: "New search"))
  static let filter = Self(
    "filter", .lists, "Filter the list, or find in the article", ["/"],
    [.feeds, .articles, .reader, .help, .search])
  static let nextHit = Self(
    "next-hit", .reading, "Go to the next match", ["ctrl-n"], [.reader], count: .times)
  static let previousHit = Self(
    "previous-hit", .reading, "Go to the previous match", ["ctrl-p"], [.reader], count: .times)
  static let toggleUnreadFilter = Self(
    "toggle-unread-filter", .lists, "Show unread, all or starred", ["v"],
    [.feeds, .articles, .search])
  static let showArrivals = Self(
    "show-arrivals", .lists, "Show new articles", ["."], [.feeds, .articles, .reader])
  static let toggleFolder = Self(
    "toggle-folder", .lists, "Open or close the folder", ["c"], [.feeds])
  static let sort = Self(
    "sort", .lists, "Sort the list", ["g s"], [.feeds, .articles],
    argument: .choice("No such order", label: "Sort by", orders))
  static let roomyRows = Self(
    "roomy-rows", .lists, "Show first words in lists, or stop", ["g r"], [.feeds, .articles])
  static let thumbnails = Self(
    "thumbnails", .lists, "Show pictures in lists, or stop", ["g i"], [.feeds, .articles])
  static let select = Self("select", .lists, "Select several articles", ["V"], [.articles])
  static let tag = Self(
    "tag", .marking, "Set tags, separated by spaces", ["t"], text,
    argument: .own(
      "Tags, separated by spaces; none removes all", label: "Tags (Tab marks several)",
      new: "New tag"))
  static let saveSearch = Self(
    "save-search", .lists, "Save the search as a list", ["w"], [.search, .articles])
  static let searchOrder = Self(
    "search-order", .lists, "Sort by best match or by date", ["b"], [.search])

  // MARK: Rules

  static let makeRule = Self(
    "make-rule", .rules, "Add a rule for this list or search", ["W"],
    panes.union([.search, .rules]))
  static let rules = Self(
    "rules", .rules, "Show the rules", ["g W"], panes.union([.search, .problems]))
  static let toggleRule = Self(
    "toggle-rule", .rules, "Pause the rule, or use it again", ["t"], [.rules])
  static let editRule = Self("edit-rule", .rules, "Edit the rule", ["e"], [.rules])
  static let removeRule = Self("remove-rule", .rules, "Remove the rule", ["D"], [.rules])
  static let applyRule = Self(
    "apply-rule", .rules, "Use the rule, for the articles shown too", ["E"], [.dryRun])
  static let keepRule = Self(
    "keep-rule", .rules, "Change the rule without enabling it", ["w"], [.dryRun])
  static let showHidden = Self(
    "show-hidden", .rules, "Show what rules hide in this list, or stop", ["H"], [.articles])
  static let hiddenArticles = Self(
    "hidden-articles", .rules, "List all that rules hide", ["g H"], panes)
  static let why = Self("why", .rules, "Show which rules acted on the article", ["g y"], text)
  static let scoreUp = Self(
    "score-up", .rules, "Give articles like this one a better score", ["+"], text)
  static let scoreDown = Self(
    "score-down", .rules, "Give articles like this one a worse score", ["-"], text)

  // MARK: Feeds

  static let refresh = Self(
    "refresh", .feeds, "Refresh this", ["r"],
    [.feeds, .articles, .reader, .problems, .console, .accounts, .downloads])
  static let refreshAll = Self("refresh-all", .feeds, "Refresh all", ["R"], panes)
  static let cancelRefresh = Self("cancel-refresh", .feeds, "Stop the refresh", ["ctrl-g"])
  static let addFeed = Self("add-feed", .feeds, "Add a feed", ["a"], panes)
  static let importFeeds = Self(
    "import-feeds", .feeds, "Import OPML or newsboat’s urls", ["i"], panes)
  static let exportFeeds = Self("export-feeds", .feeds, "Export the feeds as OPML", [], panes)
  static let saveDatabase = Self("save-database", .feeds, "Save a copy of the database", [], panes)
  static let takeStarterSet = Self("take-starter-set", .feeds, "Add a starter set", ["T"], [.feeds])
  static let editFeed = Self(
    "edit-feed", .feeds, "Edit the feed, folder or search", ["e"], [.feeds, .articles])
  static let moveToFolder = Self(
    "move-to-folder", .feeds, "Move to a folder", ["t"], [.feeds],
    argument: .own(
      "A folder (new or existing), e.g. Systems/Databases; / = no folder", label: "Move to folder",
      new: "New folder"))
  static let moveFeedDown = Self(
    "move-feed-down", .feeds, "Move the feed or folder down", ["}"], [.feeds], count: .times)
  static let moveFeedUp = Self(
    "move-feed-up", .feeds, "Move the feed or folder up", ["{"], [.feeds], count: .times)
  static let unsubscribe = Self(
    "unsubscribe", .feeds, "Unsubscribe, or delete the folder", ["D"],
    [.feeds, .articles, .problems])
  static let useNewAddress = Self(
    "use-new-address", .feeds, "Use the new address of a feed that moved", ["U"],
    [.feeds, .problems])
  static let problems = Self(
    "problems", .feeds, "Show feeds with problems", ["!"], [.feeds, .articles, .reader, .console])
  static let editAddress = Self(
    "edit-address", .feeds, "Correct the address of a feed", ["e"], [.problems])
  static let retryFailed = Self(
    "retry-failed", .sync, "Retry all that failed", ["R"],
    [.problems, .console, .accounts, .downloads])

  // MARK: Accounts

  static let accounts = Self(
    "accounts", .accounts, "Show accounts and unsent changes", ["@"],
    [.feeds, .articles, .reader, .problems, .console])
  static let openAccount = Self(
    "open-account", .accounts, "Go to the feeds of an account", [], panes,
    argument: .own("The name of an account", label: "Account", new: "New account"))
  static let addAccount = Self(
    "add-account", .accounts, "Add an account", ["+"], [.feeds, .accounts])
  static let changePassword = Self(
    "change-password", .accounts, "Change the password of the account", ["P"], [.accounts])
  static let removeAccount = Self(
    "remove-account", .accounts, "Remove the account", ["D"], [.accounts])
  static let discardChange = Self(
    "discard-change", .accounts, "Discard the unsent change", ["d", "delete"], [.accounts])

  // MARK: The sync

  static let console = Self(
    "sync-console", .sync, "Show the sync", ["S"],
    [.feeds, .articles, .reader, .problems, .downloads])
  static let pauseSync = Self("pause-sync", .sync, "Pause or resume the sync", ["p"], [.console])
  static let pauseThis = Self(
    "pause-this", .sync, "Pause or resume this feed or server", ["g p"],
    [.feeds, .problems, .console])
  static let stopThis = Self("stop-this", .sync, "Stop this refresh", ["d"], [.console])
  static let stopWaiting = Self(
    "stop-waiting", .sync, "Stop everything that is waiting", ["X"], [.console])
  static let boost = Self("boost", .sync, "Do this first", ["b"], [.console, .downloads])

  // MARK: The window

  static let palette = Self("palette", .window, "Find a command by name", [":"])
  static let theme = Self(
    "theme", .window, "Choose a theme", [],
    argument: .choice("No such theme", label: "Theme") { _ in Theme.names })
  static let textWidth = Self(
    "text-width", .window, "Choose the width of lines in articles", [],
    argument: .own("Columns, from 20 to 1000", label: "Line width", new: "Other width"))
  static let justify = Self("justify", .window, "Justify lines in articles, or stop", [])
  static let widenPane = Self("widen-pane", .window, "Widen the pane", ["]"], panes, count: .times)
  static let narrowPane = Self(
    "narrow-pane", .window, "Narrow the pane", ["["], panes, count: .times)
  static let resetPanes = Self(
    "reset-panes", .window, "Give the panes their usual widths", ["="], panes)
  static let help = Self("help", .window, "Show these keys", ["?"])
  static let redraw = Self("redraw", .window, "Redraw the screen", ["ctrl-l"])
  static let dismiss = Self("dismiss", .window, "Close message, filter or pane", ["esc"])
  static let back = Self("back", .window, "Go back; twice on the first screen: quit", ["q"])
  static let quit = Self("quit", .window, "Quit", ["Q"])

  // MARK: All

  public static let all: [Command] = [
    .moveDown, .moveUp, .goIn, .goOut, .open, .top, .bottom, .halfPageDown, .halfPageUp, .pageDown,
    .pageUp, .scrollLeft, .scrollRight, .nextPane, .previousPane, .zoom, .readOn, .nextUnread,
    .previousUnread, .nextArticle, .previousArticle, .openInBrowser, .copyAddress, .followLink,
    .openLink, .wrapCode, .pictures, .fullText, .changes, .copies, .alwaysFullText, .download,
    .openWith, .pipe, .removeNotes, .saveArticle, .play, .openDiscussion, .bookmark, .pack,
    .toggleRead, .toggleStar, .deleteArticles, .markShownRead, .markAboveRead, .markBelowRead,
    .markOlderRead, .undo, .redo, .search, .openSearch, .filter, .nextHit, .previousHit,
    .toggleUnreadFilter, .recentlyRead, .downloads, .showArrivals, .toggleFolder, .sort, .roomyRows,
    .thumbnails, .select, .tag, .saveSearch, .searchOrder, .makeRule, .rules, .toggleRule,
    .editRule, .removeRule, .applyRule, .keepRule, .showHidden, .hiddenArticles, .why, .scoreUp,
    .scoreDown, .refresh, .refreshAll, .cancelRefresh, .addFeed, .importFeeds, .exportFeeds,
    .saveDatabase, .takeStarterSet, .editFeed, .moveToFolder, .moveFeedDown, .moveFeedUp,
    .unsubscribe, .useNewAddress, .silentFeeds, .problems, .editAddress, .retryFailed, .accounts,
    .openAccount, .addAccount, .changePassword, .removeAccount, .discardChange, .console,
    .pauseSync, .pauseThis, .stopThis, .stopWaiting, .boost, .pauseDownload, .pauseDownloads,
    .moveDownloadDown, .moveDownloadUp, .removeDownload, .palette, .theme, .textWidth, .justify,
    .widenPane, .narrowPane, .resetPanes, .help, .redraw, .dismiss, .back, .quit,
  ]

  private static func orders(in place: CommandContext?) -> [String] {
    let feeds = FeedTree.Order.allCases.map(\.rawValue)
    let articles = ReaderConfiguration.articleOrders
    switch place {
    case .feeds: return feeds
    case .articles: return articles
    default: return feeds + articles.filter { !feeds.contains($0) }
    }
  }
}
