nonisolated extension Command {
  private static let panes: Set<CommandContext> = [.feeds, .articles, .reader]
  private static let text: Set<CommandContext> = [.articles, .reader]

  // MARK: Moving

  static let moveDown = Command(
    "move-down", .moving, "Move down", keys: ["j", "down"], count: .times)
  static let moveUp = Command("move-up", .moving, "Move up", keys: ["k", "up"], count: .times)
  static let goIn = Command(
    "go-in", .moving, "Go to the pane on the right", keys: ["l", "right"],
    in: panes.union([.console]))
  static let goOut = Command(
    "go-out", .moving, "Go to the pane on the left", keys: ["h", "left"],
    in: panes.union([.console]))
  static let open = Command(
    "open", .moving, "Open", keys: ["enter"],
    in: [.feeds, .articles, .problems, .console, .accounts, .search, .rules, .dryRun, .downloads])
  static let top = Command("top", .moving, "Go to the top", keys: ["g g", "g", "home"])
  static let bottom = Command(
    "bottom", .moving, "Go to the bottom", keys: ["G", "end"], count: .row)
  static let halfPageDown = Command(
    "half-page-down", .moving, "Move half a page down", keys: ["ctrl-d"], count: .times)
  static let halfPageUp = Command(
    "half-page-up", .moving, "Move half a page up", keys: ["ctrl-u"], count: .times)
  static let pageDown = Command(
    "page-down", .moving, "Move a page down", keys: ["pagedown", "ctrl-f"], count: .times)
  static let pageUp = Command(
    "page-up", .moving, "Move a page up", keys: ["pageup", "ctrl-b"], count: .times)
  static let nextPane = Command(
    "next-pane", .window, "Go to the next pane", keys: ["tab"], in: panes.union([.console]))
  static let previousPane = Command(
    "previous-pane", .window, "Go to the previous pane", keys: ["backtab"],
    in: panes.union([.console]))
  static let zoom = Command(
    "zoom", .window, "Give this pane the whole window", keys: ["z"], in: panes)

  // MARK: Reading

  static let readOn = Command(
    "read-on", .reading, "Read on: page down, then the next unread, across feeds", keys: ["space"],
    in: panes)
  static let nextUnread = Command(
    "next-unread", .reading, "Go to the next unread (or next match)", keys: ["n"], in: panes,
    count: .times)
  static let previousUnread = Command(
    "previous-unread", .reading, "Go to the previous unread (or previous match)", keys: ["p"],
    in: panes, count: .times)
  static let nextArticle = Command(
    "next-article", .reading, "Go to the next article, read or unread", keys: ["J"], in: text,
    count: .times)
  static let previousArticle = Command(
    "previous-article", .reading, "Go to the previous article, read or unread", keys: ["K"],
    in: text, count: .times)
  static let openInBrowser = Command(
    "open-in-browser", .reading, "Open in the browser", keys: ["o"], in: panes)
  static let copyAddress = Command(
    "copy-address", .reading, "Copy the address", keys: ["y"], in: panes)
  static let followLink = Command(
    "follow-link", .reading, "List the links and open one", keys: ["f"], in: text)
  static let openLink = Command(
    "open-link", .reading, "Open the link of the number typed before", keys: ["enter"],
    in: [.reader], count: .row)
  static let scrollLeft = Command(
    "scroll-left", .moving, "Scroll code and tables to the left", keys: ["<"], in: [.reader],
    count: .times)
  static let scrollRight = Command(
    "scroll-right", .moving, "Scroll code and tables to the right", keys: [">"], in: [.reader],
    count: .times)
  static let wrapCode = Command(
    "wrap-code", .reading, "Wrap long lines of code, or scroll them", keys: ["g w"], in: [.reader])
  static let pictures = Command(
    "pictures", .reading, "Show or hide pictures, or enlarge one", keys: ["I"], in: [.reader],
    count: .row)
  static let fullText = Command(
    "full-text", .reading, "Show the full article or the feed’s version", keys: ["x"], in: text)
  static let changes = Command(
    "changes", .reading, "Show what changed in the article", keys: ["E"], in: text)
  static let copies = Command(
    "copies", .reading, "Open a copy of the article in another feed", keys: ["g c"], in: text)
  static let recentlyRead = Command(
    "recently-read", .lists, "List recently read articles", keys: ["g l"], in: panes)
  static let silentFeeds = Command(
    "silent-feeds", .feeds, "List feeds that have been silent for months", keys: [], in: panes)
  static let alwaysFullText = Command(
    "always-full-text", .feeds, "Fetch full articles of this feed, or stop", keys: [],
    in: panes)
  static let download = Command(
    "download", .reading, "Download the files of the article", keys: ["d"], in: text)
  static let downloads = Command(
    "downloads", .lists, "Show the downloads", keys: ["g d"], in: panes.union([.console]))
  static let pauseDownload = Command(
    "pause-download", .sync, "Pause or resume the download", keys: ["g p"], in: [.downloads])
  static let pauseDownloads = Command(
    "pause-downloads", .sync, "Pause or resume all downloads", keys: ["p"], in: [.downloads])
  static let moveDownloadDown = Command(
    "move-download-down", .sync, "Move the download down the queue", keys: ["}"],
    in: [.downloads], count: .times)
  static let moveDownloadUp = Command(
    "move-download-up", .sync, "Move the download up the queue", keys: ["{"], in: [.downloads],
    count: .times)
  static let removeDownload = Command(
    "remove-download", .sync, "Remove the download", keys: ["D", "delete"],
    in: [.downloads])
  static let openWith = Command(
    "open-with", .reading, "Open the address with a program", keys: ["O"], in: text,
    argument: .free("A program and its arguments; the address is added"))
  static let pipe = Command(
    "pipe", .reading, "Pipe the article to a program", keys: ["|"], in: text,
    argument: .free("A program and its arguments, without a shell; the article is its input"))
  static let removeNotes = Command(
    "remove-notes", .reading, "Remove the notes of programs from the article", keys: [], in: text)
  static let saveArticle = Command(
    "save-article", .reading, "Save the article as a file", keys: ["ctrl-s"], in: text,
    argument: .choice("No such format", label: "Save as") { _ in ["markdown", "text"] })
  static let play = Command(
    "play", .reading, "Play the sound or video of the article", keys: ["P"],
    in: text.union([.downloads]))
  static let openDiscussion = Command(
    "open-discussion", .reading, "Open the discussion of the article", keys: ["C"], in: text)
  static let pack = Command(
    "pack", .reading, "Download articles for reading offline", keys: [], in: panes)
  static let bookmark = Command("bookmark", .reading, "Bookmark the address", keys: ["B"], in: text)

  // MARK: Marking

  static let toggleRead = Command(
    "toggle-read", .marking, "Mark read or unread", keys: ["m"], in: text, count: .times)
  static let toggleStar = Command(
    "toggle-star", .marking, "Star or unstar", keys: ["s"], in: text, count: .times)
  static let deleteArticles = Command(
    "delete", .marking, "Delete the article", keys: ["delete"], in: text, count: .times)
  static let markShownRead = Command(
    "mark-shown-read", .marking, "Mark what is shown read", keys: ["A"], in: panes)
  static let markAboveRead = Command(
    "mark-above-read", .marking, "Mark what is above read", keys: ["g K"], in: [.articles])
  static let markBelowRead = Command(
    "mark-below-read", .marking, "Mark what is below read", keys: ["g J"], in: [.articles])
  static let markOlderRead = Command(
    "mark-older-read", .marking, "Mark what is older than an age read", keys: ["g o"],
    in: [.articles],
    argument: .own("An age, such as 3d, 2w, 6m or 1y", label: "Mark read", new: "Other age"))
  static let undo = Command("undo", .marking, "Undo", keys: ["u"])
  static let redo = Command("redo", .marking, "Redo", keys: ["ctrl-r"])

  // MARK: Lists

  static let search = Command("search", .lists, "Search all articles", keys: ["g /"], in: panes)
  static let openSearch = Command(
    "open-search", .lists, "Open a saved search", keys: ["g f"], in: panes,
    argument: .own(
      "The name of a saved search, or words to find", label: "Search",
      new: "New search"))
  static let filter = Command(
    "filter", .lists, "Filter the list, or find in the article", keys: ["/"],
    in: [.feeds, .articles, .reader, .help, .search])
  static let nextHit = Command(
    "next-hit", .reading, "Go to the next match", keys: ["ctrl-n"], in: [.reader],
    count: .times)
  static let previousHit = Command(
    "previous-hit", .reading, "Go to the previous match", keys: ["ctrl-p"],
    in: [.reader], count: .times)
  static let toggleUnreadFilter = Command(
    "toggle-unread-filter", .lists, "Show unread, all or starred", keys: ["v"],
    in: [.feeds, .articles, .search])
  static let showArrivals = Command(
    "show-arrivals", .lists, "Show new articles", keys: ["."], in: [.feeds, .articles, .reader])
  static let toggleFolder = Command(
    "toggle-folder", .lists, "Open or close the folder", keys: ["c"], in: [.feeds])
  static let sort = Command(
    "sort", .lists, "Sort the list", keys: ["g s"], in: [.feeds, .articles],
    argument: .choice("No such order", label: "Sort by", orders))
  static let roomyRows = Command(
    "roomy-rows", .lists, "Show first words in lists, or stop", keys: ["g r"],
    in: [.feeds, .articles])
  static let thumbnails = Command(
    "thumbnails", .lists, "Show pictures in lists, or stop", keys: ["g i"],
    in: [.feeds, .articles])
  static let select = Command(
    "select", .lists, "Select several articles", keys: ["V"], in: [.articles])
  static let tag = Command(
    "tag", .marking, "Set tags, separated by spaces", keys: ["t"], in: text,
    argument: .own(
      "Tags, separated by spaces; none removes all", label: "Tags (Tab marks several)",
      new: "New tag"))
  static let saveSearch = Command(
    "save-search", .lists, "Save the search as a list", keys: ["w"], in: [.search, .articles])
  static let searchOrder = Command(
    "search-order", .lists, "Sort by best match or by date", keys: ["b"], in: [.search])

  // MARK: Rules

  static let makeRule = Command(
    "make-rule", .rules, "Add a rule for this list or search", keys: ["W"],
    in: panes.union([.search, .rules]))
  static let rules = Command(
    "rules", .rules, "Show the rules", keys: ["g W"], in: panes.union([.search, .problems]))
  static let toggleRule = Command(
    "toggle-rule", .rules, "Pause the rule, or use it again", keys: ["t"], in: [.rules])
  static let editRule = Command("edit-rule", .rules, "Edit the rule", keys: ["e"], in: [.rules])
  static let removeRule = Command(
    "remove-rule", .rules, "Remove the rule", keys: ["D"], in: [.rules])
  static let applyRule = Command(
    "apply-rule", .rules, "Use the rule, for the articles shown too", keys: ["E"],
    in: [.dryRun])
  static let keepRule = Command(
    "keep-rule", .rules, "Change the rule without enabling it", keys: ["w"], in: [.dryRun])
  static let showHidden = Command(
    "show-hidden", .rules, "Show what rules hide in this list, or stop", keys: ["H"],
    in: [.articles])
  static let hiddenArticles = Command(
    "hidden-articles", .rules, "List all that rules hide", keys: ["g H"], in: panes)
  static let why = Command(
    "why", .rules, "Show which rules acted on the article", keys: ["g y"], in: text)
  static let scoreUp = Command(
    "score-up", .rules, "Give articles like this one a better score", keys: ["+"], in: text)
  static let scoreDown = Command(
    "score-down", .rules, "Give articles like this one a worse score", keys: ["-"], in: text)

  // MARK: Feeds

  static let refresh = Command(
    "refresh", .feeds, "Refresh this", keys: ["r"],
    in: [.feeds, .articles, .reader, .problems, .console, .accounts, .downloads])
  static let refreshAll = Command("refresh-all", .feeds, "Refresh all", keys: ["R"], in: panes)
  static let cancelRefresh = Command("cancel-refresh", .feeds, "Stop the refresh", keys: ["ctrl-g"])
  static let addFeed = Command("add-feed", .feeds, "Add a feed", keys: ["a"], in: panes)
  static let importFeeds = Command(
    "import-feeds", .feeds, "Import OPML or newsboat’s urls", keys: ["i"], in: panes)
  static let exportFeeds = Command(
    "export-feeds", .feeds, "Export the feeds as OPML", keys: [], in: panes)
  static let saveDatabase = Command(
    "save-database", .feeds, "Save a copy of the database", keys: [], in: panes)
  static let takeStarterSet = Command(
    "take-starter-set", .feeds, "Add a starter set", keys: ["T"], in: [.feeds])
  static let editFeed = Command(
    "edit-feed", .feeds, "Edit the feed, folder or search", keys: ["e"], in: [.feeds, .articles])
  static let moveToFolder = Command(
    "move-to-folder", .feeds, "Move to a folder", keys: ["t"], in: [.feeds],
    argument: .own(
      "A folder (new or existing), e.g. Systems/Databases; / = no folder", label: "Move to folder",
      new: "New folder"))
  static let moveFeedDown = Command(
    "move-feed-down", .feeds, "Move the feed or folder down", keys: ["}"], in: [.feeds],
    count: .times)
  static let moveFeedUp = Command(
    "move-feed-up", .feeds, "Move the feed or folder up", keys: ["{"], in: [.feeds], count: .times)
  static let unsubscribe = Command(
    "unsubscribe", .feeds, "Unsubscribe, or delete the folder", keys: ["D"],
    in: [.feeds, .articles, .problems])
  static let useNewAddress = Command(
    "use-new-address", .feeds, "Use the new address of a feed that moved", keys: ["U"],
    in: [.feeds, .problems])
  static let problems = Command(
    "problems", .feeds, "Show feeds with problems", keys: ["!"],
    in: [.feeds, .articles, .reader, .console])
  static let editAddress = Command(
    "edit-address", .feeds, "Correct the address of a feed", keys: ["e"], in: [.problems])
  static let retryFailed = Command(
    "retry-failed", .sync, "Retry all that failed", keys: ["R"],
    in: [.problems, .console, .accounts, .downloads])

  // MARK: Accounts

  static let accounts = Command(
    "accounts", .accounts, "Show accounts and unsent changes", keys: ["@"],
    in: [.feeds, .articles, .reader, .problems, .console])
  static let openAccount = Command(
    "open-account", .accounts, "Go to the feeds of an account", keys: [], in: panes,
    argument: .own("The name of an account", label: "Account", new: "New account"))
  static let addAccount = Command(
    "add-account", .accounts, "Add an account", keys: ["+"], in: [.feeds, .accounts])
  static let changePassword = Command(
    "change-password", .accounts, "Change the password of the account", keys: ["P"], in: [.accounts]
  )
  static let removeAccount = Command(
    "remove-account", .accounts, "Remove the account", keys: ["D"], in: [.accounts])
  static let discardChange = Command(
    "discard-change", .accounts, "Discard the unsent change", keys: ["d", "delete"],
    in: [.accounts])

  // MARK: The sync

  static let console = Command(
    "sync-console", .sync, "Show the sync", keys: ["S"],
    in: [.feeds, .articles, .reader, .problems, .downloads])
  static let pauseSync = Command(
    "pause-sync", .sync, "Pause or resume the sync", keys: ["p"], in: [.console])
  static let pauseThis = Command(
    "pause-this", .sync, "Pause or resume this feed or server", keys: ["g p"],
    in: [.feeds, .problems, .console])
  static let stopThis = Command(
    "stop-this", .sync, "Stop this refresh", keys: ["d"], in: [.console])
  static let stopWaiting = Command(
    "stop-waiting", .sync, "Stop everything that is waiting", keys: ["X"], in: [.console])
  static let boost = Command(
    "boost", .sync, "Do this first", keys: ["b"], in: [.console, .downloads])

  // MARK: The window

  static let palette = Command("palette", .window, "Find a command by name", keys: [":"])
  static let theme = Command(
    "theme", .window, "Choose a theme", keys: [],
    argument: .choice("No such theme", label: "Theme") { _ in Theme.names })
  static let textWidth = Command(
    "text-width", .window, "Choose the width of lines in articles", keys: [],
    argument: .own("Columns, from 20 to 1000", label: "Line width", new: "Other width"))
  static let justify = Command(
    "justify", .window, "Justify lines in articles, or stop", keys: [])
  static let widenPane = Command(
    "widen-pane", .window, "Widen the pane", keys: ["]"], in: panes, count: .times)
  static let narrowPane = Command(
    "narrow-pane", .window, "Narrow the pane", keys: ["["], in: panes, count: .times)
  static let resetPanes = Command(
    "reset-panes", .window, "Give the panes their usual widths", keys: ["="], in: panes)
  static let help = Command("help", .window, "Show these keys", keys: ["?"])
  static let redraw = Command("redraw", .window, "Redraw the screen", keys: ["ctrl-l"])
  static let dismiss = Command("dismiss", .window, "Close message, filter or pane", keys: ["esc"])
  static let back = Command(
    "back", .window, "Go back; twice on the first screen: quit", keys: ["q"])
  static let quit = Command("quit", .window, "Quit", keys: ["Q"])

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
