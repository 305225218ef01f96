import TerminalViews

nonisolated extension Command {
  var declared: Facts {
    let panes: Set<CommandContext> = [.feeds, .articles, .reader]
    let text: Set<CommandContext> = [.articles, .reader]
    let sheets: Set<CommandContext> = [.problems, .console, .accounts, .rules, .downloads]
    return switch self {
    case .moveDown: Facts(.moving, "Move down", ["j", "down"], count: .times)
    case .moveUp: Facts(.moving, "Move up", ["k", "up"], count: .times)
    case .goIn:
      Facts(
        .moving, "Go to the right: a pane, a wide table", ["l", "right"], panes.union([.console]))
    case .goOut:
      Facts(
        .moving, "Go to the left: a pane, a wide table", ["h", "left"], panes.union([.console]))
    case .open:
      Facts(
        .moving, "Open; in an article, the link of the number typed before", ["enter"], count: .row)
    case .top: Facts(.moving, "Go to the top", ["g g"])
    case .bottom: Facts(.moving, "Go to the bottom", ["G"], count: .row)
    case .halfPageDown: Facts(.moving, "Move half a page down", ["ctrl-d"], count: .times)
    case .halfPageUp: Facts(.moving, "Move half a page up", ["ctrl-u"], count: .times)
    case .pageDown: Facts(.moving, "Move a page down", ["pagedown"], count: .times)
    case .pageUp: Facts(.moving, "Move a page up", ["pageup"], count: .times)
    case .nextPane: Facts(.window, "Go to the next pane", ["tab"], panes.union([.console]))
    case .zoom: Facts(.window, "Give this pane the whole window", ["z"], panes)
    case .readOn:
      Facts(
        .reading, "Read on: page down, then the next unread, across feeds", ["space"],
        panes.union([.help]))
    // The panes, where `p` goes back, have this command without a key.
    case .pause:
      Facts(
        .sync, "Pause or resume the feed, server, download, rule or sync", ["p"],
        sheets.subtracting([.accounts]).union([.feeds]))
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
    case .followLink: Facts(.reading, "List the links and open one", ["f"], text)
    case .pictures:
      Facts(.reading, "Show or hide pictures, or enlarge one", ["I"], [.reader], count: .row)
    case .fullText: Facts(.reading, "Show the full article", ["x"], text)
    case .download: Facts(.reading, "Download the files of the article", ["d"], text)
    case .play:
      Facts(.reading, "Play the sound or video of the article", ["P"], text.union([.downloads]))
    case .send:
      Facts(
        .reading, "Send to a program, a file or the clipboard", ["g x"], panes,
        argument: .offered("Send to"))
    case .about:
      Facts(
        .reading, "Show what is known about the article", ["g a"], text,
        argument: .offered("About this article"))
    case .pack:
      Facts(
        .reading, "Download articles for reading offline", [], panes,
        argument: .own("A size, such as 200M; then a search", label: "At most", new: "Other size"))
    case .toggleRead: Facts(.marking, "Mark read or unread", ["m"], text, count: .times)
    case .toggleStar: Facts(.marking, "Star or unstar", ["s"], text, count: .times)
    case .toggleLater:
      Facts(
        .marking, "Keep for later, or no longer; with a number, save that link", ["L"], text,
        count: .times)
    case .snooze:
      Facts(
        .marking, "Snooze until a time", [], panes,
        argument: .own(
          "A time: 2h, 3d, tomorrow 18:00, mon, 20:00, 2030-12-24 9:30", label: "Snooze until",
          new: "Other time"))
    case .delete:
      Facts(
        .marking, "Delete what is selected; a feed: unsubscribe", ["D"], panes.union(sheets),
        count: .times)
    case .markShownRead: Facts(.marking, "Mark the whole list read", ["A"], panes)
    case .markPart:
      Facts(
        .marking, "Mark a part of the list read", ["g A"], [.articles],
        argument: .own(
          "above, below, or an age such as 3d, 2w, 6m or 1y", label: "Mark read", new: "Other age"))
    case .undo: Facts(.marking, "Undo", ["u"])
    case .undoSeveral: Facts(.marking, "List the changes, and undo several", ["U"])
    case .redo: Facts(.marking, "Redo", ["ctrl-r"])
    case .search: Facts(.lists, "Search all articles", ["g /"], panes)
    case .filter:
      Facts(
        .lists, "Filter the list, or find in the article", ["/"],
        [.feeds, .articles, .reader, .help, .search])
    case .toggleUnreadFilter:
      Facts(.lists, "Show unread, all or starred", ["v"], [.feeds, .articles, .search])
    case .lists:
      Facts(
        .lists, "Show another list of articles", ["g l"], panes,
        argument: .own("The name of a list, or words to find", label: "List", new: "New search"))
    case .showArrivals: Facts(.lists, "Show new articles", ["."], panes)
    case .focus:
      Facts(
        .lists, "Show only some folders", [], panes,
        argument: .own(
          "Folders, separated by commas, or all", label: "Show only (Tab marks several)",
          new: "Other folders"))
    case .sort:
      Facts(
        .lists, "Sort the list", [], [.feeds, .articles, .search],
        argument: .choice("No such order", label: "Sort by", Self.orders))
    case .select: Facts(.lists, "Select several articles", ["V"], [.articles])
    case .tag:
      Facts(
        .marking, "Set tags, separated by spaces", ["t"], text,
        argument: .own(
          "Tags, separated by spaces; none removes all", label: "Tags (Tab marks several)",
          new: "New tag"))
    case .saveSearch: Facts(.lists, "Save the search as a list", ["s"], [.search])
    case .rules:
      Facts(.rules, "Show the rules, or add one", [], panes.union([.search, .problems]))
    case .refresh:
      Facts(.feeds, "Refresh this", ["r"], panes.union(sheets).subtracting([.rules]))
    case .refreshAll:
      Facts(
        .feeds, "Refresh all, or retry all that failed", ["R"],
        panes.union(sheets).subtracting([.rules]))
    case .stop: Facts(.feeds, "Stop the refresh", [])
    case .add:
      Facts(
        .feeds, "Add a feed, a list of feeds, an account or a rule", ["a"],
        panes.union([.accounts, .rules]))
    case .takeStarterSet: Facts(.feeds, "Add a starter set", [], [.feeds])
    case .edit:
      Facts(
        .feeds, "Edit the feed, folder, search, rule or password", ["e"],
        panes.union([.problems, .accounts, .rules]))
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
      Facts(.feeds, "Move the feed or folder down", ["J"], [.feeds], count: .times)
    case .moveFeedUp: Facts(.feeds, "Move the feed or folder up", ["K"], [.feeds], count: .times)
    case .unsubscribe: Facts(.feeds, "Unsubscribe from the feed", [], panes.union([.problems]))
    case .problems: Facts(.feeds, "Show feeds with problems", ["!"], panes.union([.console]))
    case .accounts:
      Facts(
        .accounts, "Show accounts and unsent changes", [], panes.union([.problems, .console]))
    case .syncConsole: Facts(.sync, "Show the sync", ["S"], panes.union([.problems, .downloads]))
    case .palette: Facts(.window, "Find a command by name", [":"])
    case .settings: Facts(.window, "Change the settings", [], panes)
    case .theme:
      Facts(
        .window, "Choose a theme", [],
        argument: .choice("No such theme", label: "Theme") { _ in Theme.names })
    case .layout:
      Facts(.window, "Change panes, rows and widths", [], panes, argument: .offered("Layout"))
    case .help: Facts(.window, "Show the keys; again: all of them", ["?"])
    case .redraw: Facts(.window, "Redraw the screen", ["ctrl-l"])
    case .dismiss: Facts(.window, "Close message, filter or pane", ["esc"])
    case .back: Facts(.window, "Go back; twice on the first screen: quit", ["q"])
    case .quit: Facts(.window, "Quit", ["Q"])
    }
  }

  private static func orders(in place: CommandContext?) -> [String] {
    let feeds = FeedOrder.allCases.map(\.rawValue) + FolderPlace.allCases.map(\.rawValue)
    let articles = ArticleOrder.allCases.map(\.rawValue)
    switch place {
    case .feeds: return feeds
    case .articles: return articles
    case .search: return ["best", "newest"]
    default: return feeds + articles.filter { !feeds.contains($0) } + ["best"]
    }
  }
}
