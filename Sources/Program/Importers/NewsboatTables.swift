// Files of other readers and their equivalents in Weir. Weir's configuration is not changed:
// settings become a proposal in a separate file.

/// The place of a key binding, as the configuration names it.
enum BindingContext: String, CaseIterable {
  case feeds, articles, reader, help
}

/// A role of a theme, as the configuration names it.
enum ThemeRole: String, CaseIterable {
  case text, secondary, unread, title, selection, key, rule
}

enum NewsboatTables {
  static let places: [String: [BindingContext]] = [
    "feedlist": [.feeds], "articlelist": [.articles], "searchresultslist": [.articles],
    "article": [.reader], "urlview": [.reader], "help": [.help],
  ]

  static let operationsByContext: [String: [BindingContext: [String]]] = [
    "next": [.feeds: ["move-down"], .articles: ["move-down"], .reader: ["next-article"]],
    "prev": [.feeds: ["move-up"], .articles: ["move-up"], .reader: ["previous-article"]],
    "next-feed": [.feeds: ["move-down"], .articles: ["go-out", "move-down", "open"]],
    "prev-feed": [.feeds: ["move-up"], .articles: ["go-out", "move-up", "open"]],
    "next-unread-feed": [.feeds: ["next-unread"]],
    "prev-unread-feed": [.feeds: ["previous-unread"]],
  ]

  static let operations: [String: [String]] = [
    "open": ["open"], "quit": ["back"], "hard-quit": ["quit"],
    "reload": ["refresh"], "reload-all": ["refresh-all"],
    "mark-feed-read": ["mark-shown-read"],
    "mark-all-above-as-read": ["mark-part above"],
    "save": ["send text"], "next-unread": ["next-unread"], "prev-unread": ["previous-unread"],
    "open-in-browser": ["open-in-browser"], "help": ["help"],
    "toggle-article-read": ["toggle-read"],
    "toggle-show-read-feeds": ["toggle-unread-filter"],
    "toggle-show-read-articles": ["toggle-unread-filter"],
    "show-urls": ["follow-link"], "goto-url": ["follow-link"],
    "open-search": ["search"], "search": ["search"], "enqueue": ["download"],
    "redraw": ["redraw"], "cmdline": ["palette"],
    "set-filter": ["filter"], "clear-filter": ["dismiss"], "select-filter": ["lists"],
    "bookmark": ["send bookmark"], "edit-flags": ["tag"], "delete-article": ["delete"],
    "pipe-to": ["send pipe"], "sort": ["sort"], "rev-sort": ["sort"],
    "up": ["move-up"], "down": ["move-down"], "home": ["top"], "end": ["bottom"],
    "pageup": ["page-up"], "pagedown": ["page-down"],
    "halfpageup": ["half-page-up"], "halfpagedown": ["half-page-down"],
    "view-urls": ["follow-link"], "edit-urls": ["edit"],
    "open-in-browser-and-mark-read": ["open-in-browser"],
    "open-in-browser-noninteractively": ["open-in-browser"],
    "next": ["move-down"], "prev": ["move-up"],
    "next-unread-feed": ["next-unread"], "prev-unread-feed": ["previous-unread"],
    "next-feed": ["move-down"], "prev-feed": ["move-up"],
    "goto-title": ["filter"],
  ]

  /// Operations without an equivalent command, with an alternative.
  static let refusals: [String: String] = [
    "mark-all-feeds-read": "A in the list of unread articles marks all of them",
    "open-all-unread-in-browser": "V selects several articles; o opens one",
    "open-all-unread-in-browser-and-mark-read": "V selects several articles; o opens one",
    "random-unread": "n goes to the next unread article",
    "save-all": "articles are saved one at a time",
    "select-tag": "newsboat\u{2019}s tags are folders here: Enter opens one, h folds it",
    "set-tag": "newsboat\u{2019}s tags are folders here: Enter opens one, h folds it",
    "clear-tag": "newsboat\u{2019}s tags are folders here: Enter opens one, h folds it",
    "toggle-source-view": "x shows the full text; gx sends the article to a program",
    "purge-deleted": "deleted articles disappear at once; u restores them",
    "delete-all-articles": "V selects several articles; D deletes them",
    "reload-urls": "feeds are added and edited in the reader",
    "switch-focus": "Tab goes to the next pane",
    "view-dialogs": "Weir has no dialogs",
  ]

  static let keys: [String: String] = [
    "ENTER": "enter", "BACKSPACE": "backspace", "LEFT": "left", "RIGHT": "right", "UP": "up",
    "DOWN": "down", "PPAGE": "pageup", "NPAGE": "pagedown", "HOME": "home", "END": "end",
    "ESC": "esc", "TAB": "tab", "SPACE": "space", "DELETE": "delete", "DC": "delete",
    "SPACEBAR": "space",
  ]

  /// The roles of a theme for each part of newsboat's screen.
  static let roles: [String: [ThemeRole]] = [
    "listnormal": [.text], "listnormal_unread": [.unread],
    "listfocus": [.selection], "listfocus_unread": [], "article": [], "background": [],
    "info": [.title], "title": [.title], "hint-key": [.key], "hint-keys-delimiter": [],
    "hint-separator": [.rule], "hint-description": [.secondary], "end-of-text-marker": [.rule],
  ]

  static let colors: [String: Int] = [
    "black": 0, "red": 1, "green": 2, "yellow": 3, "blue": 4, "magenta": 5, "cyan": 6, "white": 7,
  ]

  static let attributes: [String: String] = [
    "bold": "bold", "dim": "dim", "underline": "underline", "reverse": "reverse",
    "standout": "reverse", "italic": "italic",
  ]

  /// The prefixes of settings for servers, with the kind for `weir account add`.
  static let servers: [String: String] = [
    "miniflux": "greader", "freshrss": "greader", "oldreader": "greader", "feedhq": "greader",
    "newsblur": "greader", "inoreader": "greader", "ttrss": "fever", "feedbin": "", "ocnews": "",
  ]

  static func refusal(of setting: String) -> String {
    if let text = settings[setting] { return text }
    guard let kind = servers[String(setting.prefix { $0 != "-" })] else {
      return "no equivalent"
    }
    return kind.isEmpty
      ? "Weir does not support this server"
      : "\u{201C}weir account add \(kind) ADDRESS --user NAME\u{201D} signs in to the server"
  }

  /// Settings with another meaning or none, with an alternative.
  static let settings: [String: String] = [
    "reload-time":
      "Weir learns an interval for each feed; \u{201C}e\u{201D} or [feeds] sets one",
    "refresh-on-startup": "feeds that are due are refreshed when the reader opens",
    "goto-first-unread": "Space goes to the first unread article",
    "goto-next-feed": "Space goes on to the next feed",
    "show-read-feeds": "v shows only unread feeds",
    "show-read-articles": "v shows only unread articles",
    "confirm-exit": "not needed: quitting loses nothing", "confirm-mark-feed-read": "u undoes it",
    "confirm-mark-all-feeds-read": "u undoes it", "confirm-delete-all-articles": "u undoes it",
    "save-path": "Weir asks for the path",
    "cookie-cache": "cookies are set for each feed, in [feeds]",
    "urls-source": "\u{201C}weir account add\u{201D} signs in to a server",
    "download-timeout": "not needed: on a slow network Weir waits longer",
    "notify-format": "notify.command gets a summary of new articles in WEIR_SUMMARY",
    "feedlist-format":
      "rows have a fixed form; \u{201C}g r\u{201D} adds the first words of each article",
    "articlelist-format":
      "rows have a fixed form; \u{201C}g r\u{201D} adds the first words of each article",
    "reset-unread-on-update": "an article that changes stays read; its changes are kept",
    "delete-read-articles-on-quit": "keep.days says how long articles stay",
    "html-renderer": "Weir renders articles itself",
    "pager": "Weir shows articles itself; | pipes one to a program",
    "include": "the file cannot be read",
    "ignore-mode": "rules hide articles; H shows them in place",
    "feed-sort-order": "\u{201C}g s\u{201D} sorts the feeds",
    "prepopulate-query-feeds": "saved searches are always up to date",
    "bookmark-interactive": "open.bookmark does not ask for input",
  ]
}
