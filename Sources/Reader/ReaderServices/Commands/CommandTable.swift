import TerminalViews

nonisolated extension Command {
  var declared: Facts {
    let panes: Set<CommandContext> = [.feeds, .articles, .reader]
    let text: Set<CommandContext> = [.articles, .reader]
    return switch self {
    case .moveDown: Facts(.moving, "Move down", ["j", "down"], count: .times)
    case .moveUp: Facts(.moving, "Move up", ["k", "up"], count: .times)
    case .goIn:
      Facts(.moving, "Go to the pane on the right", ["l", "right"], panes.union([.console]))
    case .goOut:
      Facts(.moving, "Go to the pane on the left", ["h", "left"], panes.union([.console]))
    case .open:
      Facts(
        .moving, "Open", ["enter"],
        [
          .feeds, .articles, .problems, .console, .accounts, .search, .rules, .dryRun, .downloads,
          .help, .snoozed,
        ])
    case .top: Facts(.moving, "Go to the top", ["g g", "home"])
    case .bottom: Facts(.moving, "Go to the bottom", ["G", "end"], count: .row)
    case .halfPageDown: Facts(.moving, "Move half a page down", ["ctrl-d"], count: .times)
    case .halfPageUp: Facts(.moving, "Move half a page up", ["ctrl-u"], count: .times)
    case .pageDown: Facts(.moving, "Move a page down", ["pagedown", "ctrl-f"], count: .times)
    case .pageUp: Facts(.moving, "Move a page up", ["pageup", "ctrl-b"], count: .times)
    case .scrollLeft:
      Facts(.moving, "Scroll code and tables to the left", ["<"], [.reader], count: .times)
    case .scrollRight:
      Facts(.moving, "Scroll code and tables to the right", [">"], [.reader], count: .times)
    case .nextPane: Facts(.window, "Go to the next pane", ["tab"], panes.union([.console]))
    case .previousPane:
      Facts(.window, "Go to the previous pane", ["backtab"], panes.union([.console]))
    case .zoom: Facts(.window, "Give this pane the whole window", ["z"], panes)
    case .jump: Facts(.moving, "Go to a row, pane or link by its letter", ["'"])
    case .readOn:
      Facts(.reading, "Read on: page down, then the next unread, across feeds", ["space"], panes)
    case .nextUnread:
      Facts(.reading, "Go to the next unread (or next match)", ["n"], panes, count: .times)
    case .previousUnread:
      Facts(.reading, "Go to the previous unread (or previous match)", ["p"], panes, count: .times)
    case .nextArticle:
      Facts(.reading, "Go to the next article, read or unread", ["J"], text, count: .times)
    case .previousArticle:
      Facts(.reading, "Go to the previous article, read or unread", ["K"], text, count: .times)
    case .openInBrowser: Facts(.reading, "Open in the browser", ["o"], panes)
    case .copyAddress: Facts(.reading, "Copy the address", ["y"], panes)
    case .copyMarkdown: Facts(.reading, "Copy a Markdown link to the article", [], text)
    case .copyCommand: Facts(.lists, "Copy the command that prints this list", [], panes)
    case .followLink: Facts(.reading, "List the links and open one", ["f"], text)
    case .openLink:
      Facts(.reading, "Open the link of the number typed before", ["enter"], [.reader], count: .row)
    case .wrapCode: Facts(.reading, "Wrap long lines of code, or scroll them", ["g w"], [.reader])
    case .pictures:
      Facts(.reading, "Show or hide pictures, or enlarge one", ["I"], [.reader], count: .row)
    case .fullText: Facts(.reading, "Show the full article or the feed’s version", ["x"], text)
    case .changes: Facts(.reading, "Show what changed in the article", ["E"], text)
    case .duplicates: Facts(.reading, "Open a copy of the article in another feed", ["g c"], text)
    case .alwaysFullText: Facts(.feeds, "Fetch full articles of this feed, or stop", [], panes)
    case .download: Facts(.reading, "Download the files of the article", ["d"], text)
    case .openWith:
      Facts(
        .reading, "Open the address with a program", ["O"], text,
        argument: .free("A program and its arguments; the address is added"))
    case .pipe:
      Facts(
        .reading, "Pipe the article to a program", ["|"], text,
        argument: .free("A program and its arguments, without a shell; the article is its input"))
    case .removeNotes: Facts(.reading, "Remove the notes of programs from the article", [], text)
    case .saveArticle:
      Facts(
        .reading, "Save the article as a file", ["ctrl-s"], text,
        argument: .choice("No such format", label: "Save as") { _ in ["markdown", "text"] })
    case .saveList:
      Facts(.reading, "Save the list as a book for an e-reader", [], [.articles])
    case .play:
      Facts(.reading, "Play the sound or video of the article", ["P"], text.union([.downloads]))
    case .openDiscussion: Facts(.reading, "Open the discussion of the article", ["C"], text)
    case .bookmark: Facts(.reading, "Bookmark the address", ["B"], text)
    case .pack: Facts(.reading, "Download articles for reading offline", [], panes)
    case .today:
      Facts(
        .reading, "List articles for some minutes of reading today", [], panes,
        argument: .own("Minutes, such as 20", label: "Minutes", new: "Other number"))
    case .continueArticle:
      Facts(.reading, "Open the article that you began last", ["N"], panes)
    case .toggleRead: Facts(.marking, "Mark read or unread", ["m"], text, count: .times)
    case .toggleStar: Facts(.marking, "Star or unstar", ["s"], text, count: .times)
    case .toggleLater:
      Facts(
        .marking, "Keep for later, or no longer; with a number, save that link", ["L"], text,
        count: .times)
    case .snooze:
      Facts(
        .marking, "Snooze until a time", ["Z"], panes.union([.snoozed]),
        argument: .own(
          "A time: 2h, 3d, tomorrow 18:00, mon, 20:00, 2030-12-24 9:30", label: "Snooze until",
          new: "Other time"))
    case .wake: Facts(.marking, "Wake now", ["D", "delete"], [.snoozed])
    case .delete: Facts(.marking, "Delete the article", ["delete"], text, count: .times)
    case .markShownRead: Facts(.marking, "Mark the whole list read", ["A"], panes)
    case .markAboveRead: Facts(.marking, "Mark everything above read", ["g K"], [.articles])
    case .markBelowRead: Facts(.marking, "Mark everything below read", ["g J"], [.articles])
    case .markOlderRead:
      Facts(
        .marking, "Mark everything older than an age read", ["g o"], [.articles],
        argument: .own("An age, such as 3d, 2w, 6m or 1y", label: "Mark read", new: "Other age"))
    case .undo: Facts(.marking, "Undo", ["u"])
    case .redo: Facts(.marking, "Redo", ["ctrl-r"])
    case .search: Facts(.lists, "Search all articles", ["g /"], panes)
    case .openSearch:
      Facts(
        .lists, "Open a saved search", ["g f"], panes,
        argument: .own(
          "The name of a saved search, or words to find", label: "Search", new: "New search"))
    case .filter:
      Facts(
        .lists, "Filter the list, or find in the article", ["/"],
        [.feeds, .articles, .reader, .help, .search])
    case .nextHit: Facts(.reading, "Go to the next match", ["ctrl-n"], [.reader], count: .times)
    case .previousHit:
      Facts(.reading, "Go to the previous match", ["ctrl-p"], [.reader], count: .times)
    case .toggleUnreadFilter:
      Facts(.lists, "Show unread, all or starred", ["v"], [.feeds, .articles, .search])
    case .recentlyRead: Facts(.lists, "List recently read articles", ["g l"], panes)
    case .snoozed: Facts(.lists, "List what is asleep", ["g Z"], panes)
    case .downloads: Facts(.lists, "Show the downloads", ["g d"], panes.union([.console]))
    case .showArrivals: Facts(.lists, "Show new articles", ["."], [.feeds, .articles, .reader])
    case .oldArrivals:
      Facts(.lists, "Show old articles that came as new, or mark them read", ["g e"], panes)
    case .focus:
      Facts(
        .lists, "Show only some folders", [], panes,
        argument: .own(
          "Folders, separated by commas, or all", label: "Show only (Tab marks several)",
          new: "Other folders"))
    case .toggleFolder: Facts(.lists, "Open or close the folder", ["c"], [.feeds])
    case .sort:
      Facts(
        .lists, "Sort the list", ["g s"], [.feeds, .articles],
        argument: .choice("No such order", label: "Sort by", Self.orders))
    case .roomyRows:
      Facts(.lists, "Show first words in lists, or stop", ["g r"], [.feeds, .articles])
    case .select: Facts(.lists, "Select several articles", ["V"], [.articles])
    case .tag:
      Facts(
        .marking, "Set tags, separated by spaces", ["t"], text,
        argument: .own(
          "Tags, separated by spaces; none removes all", label: "Tags (Tab marks several)",
          new: "New tag"))
    case .saveSearch: Facts(.lists, "Save the search as a list", ["w"], [.search, .articles])
    case .searchOrder: Facts(.lists, "Sort by best match or by date", ["b"], [.search])
    case .makeRule:
      Facts(.rules, "Add a rule for this list or search", ["W"], panes.union([.search, .rules]))
    case .rules: Facts(.rules, "Show the rules", ["g W"], panes.union([.search, .problems]))
    case .toggleRule: Facts(.rules, "Pause the rule, or use it again", ["t"], [.rules])
    case .editRule: Facts(.rules, "Edit the rule", ["e"], [.rules])
    case .removeRule: Facts(.rules, "Remove the rule", ["D"], [.rules])
    case .applyRule: Facts(.rules, "Use the rule, for the articles shown too", ["E"], [.dryRun])
    case .keepRule: Facts(.rules, "Change the rule without enabling it", ["w"], [.dryRun])
    case .showHidden:
      Facts(.rules, "Show what rules hide in this list, or stop", ["H"], [.articles])
    case .hiddenArticles: Facts(.rules, "List all that rules hide", ["g H"], panes)
    case .why: Facts(.rules, "Show which rules acted on the article", ["g y"], text)
    case .refresh:
      Facts(
        .feeds, "Refresh this", ["r"],
        [.feeds, .articles, .reader, .problems, .console, .accounts, .downloads])
    case .refreshAll: Facts(.feeds, "Refresh all", ["R"], panes)
    case .cancelRefresh: Facts(.feeds, "Stop the refresh", ["ctrl-g"])
    case .older:
      Facts(.feeds, "Fetch a page of older posts of the feed", ["g b"], panes, count: .times)
    case .addFeed: Facts(.feeds, "Add a feed", ["a"], panes)
    case .importFeeds: Facts(.feeds, "Import OPML or newsboat’s urls", ["i"], panes)
    case .exportFeeds: Facts(.feeds, "Export the feeds as OPML", [], panes)
    case .saveDatabase: Facts(.feeds, "Save a copy of the database", [], panes)
    case .takeStarterSet: Facts(.feeds, "Add a starter set", ["T"], [.feeds])
    case .editFeed: Facts(.feeds, "Edit the feed, folder or search", ["e"], [.feeds, .articles])
    case .priority:
      Facts(
        .feeds, "Set the priority: high, normal or quiet", [], [.feeds],
        argument: .choice("No such priority", label: "Priority") { _ in
          FeedPriority.allCases.map(\.name)
        })
    case .moveToFolder:
      Facts(
        .feeds, "Move to a folder", ["t"], [.feeds],
        argument: .own(
          "A folder (new or existing), e.g. Systems/Databases; / = no folder",
          label: "Move to folder", new: "New folder"))
    case .moveFeedDown:
      Facts(.feeds, "Move the feed or folder down", ["}"], [.feeds], count: .times)
    case .moveFeedUp: Facts(.feeds, "Move the feed or folder up", ["{"], [.feeds], count: .times)
    case .unsubscribe:
      Facts(.feeds, "Unsubscribe, or delete the folder", ["D"], [.feeds, .articles, .problems])
    case .useNewAddress:
      Facts(.feeds, "Use the new address of a feed that moved", ["U"], [.feeds, .problems])
    case .silentFeeds: Facts(.feeds, "List feeds that have been silent for months", [], panes)
    case .problems:
      Facts(.feeds, "Show feeds with problems", ["!"], [.feeds, .articles, .reader, .console])
    case .editAddress: Facts(.feeds, "Correct the address of a feed", ["e"], [.problems])
    case .retryFailed:
      Facts(.sync, "Retry all that failed", ["R"], [.problems, .console, .accounts, .downloads])
    case .accounts:
      Facts(
        .accounts, "Show accounts and unsent changes", ["@"],
        [.feeds, .articles, .reader, .problems, .console])
    case .openAccount:
      Facts(
        .accounts, "Go to the feeds of an account", [], panes,
        argument: .own("The name of an account", label: "Account", new: "New account"))
    case .addAccount: Facts(.accounts, "Add an account", ["+"], [.feeds, .accounts])
    case .changePassword: Facts(.accounts, "Change the password of the account", ["P"], [.accounts])
    case .removeAccount: Facts(.accounts, "Remove the account", ["D"], [.accounts])
    case .discardChange:
      Facts(.accounts, "Discard the unsent change", ["d", "delete"], [.accounts])
    case .syncConsole:
      Facts(.sync, "Show the sync", ["S"], [.feeds, .articles, .reader, .problems, .downloads])
    case .pauseSync: Facts(.sync, "Pause or resume the sync", ["p"], [.console])
    case .pauseThis:
      Facts(.sync, "Pause or resume this feed or server", ["g p"], [.feeds, .problems, .console])
    case .stopThis: Facts(.sync, "Stop this refresh", ["d"], [.console])
    case .stopWaiting: Facts(.sync, "Stop everything that is waiting", ["X"], [.console])
    case .prioritise: Facts(.sync, "Do this first", ["b"], [.console, .downloads])
    case .pauseDownload: Facts(.sync, "Pause or resume the download", ["g p"], [.downloads])
    case .pauseDownloads: Facts(.sync, "Pause or resume all downloads", ["p"], [.downloads])
    case .removeDownload: Facts(.sync, "Remove the download", ["D", "delete"], [.downloads])
    case .palette: Facts(.window, "Find a command by name", [":"])
    case .settings: Facts(.window, "Change the settings", [], panes)
    case .theme:
      Facts(
        .window, "Choose a theme", [],
        argument: .choice("No such theme", label: "Theme") { _ in Theme.names })
    case .textWidth:
      Facts(
        .window, "Choose the width of lines in articles", [],
        argument: .own("Columns, from 20 to 1000", label: "Line width", new: "Other width"))
    case .widenPane: Facts(.window, "Widen the pane", ["]"], panes, count: .times)
    case .narrowPane: Facts(.window, "Narrow the pane", ["["], panes, count: .times)
    case .resetPanes: Facts(.window, "Give the panes their usual widths", ["="], panes)
    case .help: Facts(.window, "Show these keys", ["?"])
    case .redraw: Facts(.window, "Redraw the screen", ["ctrl-l"])
    case .dismiss: Facts(.window, "Close message, filter or pane", ["esc"])
    case .back: Facts(.window, "Go back; twice on the first screen: quit", ["q"])
    case .quit: Facts(.window, "Quit", ["Q"])
    }
  }

  private static func orders(in place: CommandContext?) -> [String] {
    let feeds = FeedOrder.allCases.map(\.rawValue)
    let articles = ArticleOrder.allCases.map(\.rawValue)
    switch place {
    case .feeds: return feeds
    case .articles: return articles
    default: return feeds + articles.filter { !feeds.contains($0) }
    }
  }
}
