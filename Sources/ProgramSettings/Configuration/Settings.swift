package import FeedModel
package import Networking
package import ReaderServices
import ReaderUI
import SyncEngine
import TOMLKit

/// The settings of the configuration file, each with its place, type, default, check and comment.
/// `Configuration` has their values under these names; `weir config default` prints them in this
/// order.
package struct Settings: Sendable {
  package static let all = Settings()

  package let isAutomatic = SettingKey.toggle(
    "sync.automatic", true,
    "Refresh feeds automatically when they are due, while the reader is open.")
  package let perHost = SettingKey.optional(
    "sync.per-host", 1...16, example: 2,
    """
    Concurrent requests to one server. Default: 2, up to 6 while its answers stay fast, 1 after a refusal;
    6 over one HTTP/2 connection.
    """)
  package let connections = SettingKey.optional(
    "sync.connections", 1...128, example: 128,
    """
    Concurrent requests in total. Weir measures the network and stays below this number and below the system’s
    limit.
    """)
  let largestFeed = SettingKey.number(
    "sync.largest-feed", 1...1024, 15,
    "The largest feed that is accepted, after decompression, in MiB.")
  let connectTimeout = SettingKey.number(
    "sync.connect-timeout", 1...600, 10,
    "Seconds that a server has to accept the connection.")
  let silenceTimeout = SettingKey.number(
    "sync.silence-timeout", 1...600, 20,
    "Seconds that a server may be silent.")
  package let proxy = SettingKey.text(
    "sync.proxy", expected: FeedTable.proxyForm, example: "socks5h://127.0.0.1:9050",
    """
    The proxy for all requests: "http://host:3128", "https://…", "socks5://…", "socks5h://host:9050" (which
    also resolves names); "": none. Without the setting: the environment’s (https_proxy, all_proxy, no_proxy).
    """, FeedTable.proxy)
  package let userAgent = SettingKey.text(
    "sync.user-agent", expected: FeedTable.textForm, example: "Weir/0.1.0 (+https://…)",
    "The User-Agent header. Without the setting: Weir, its version and its page."
  ) { FeedTable.isPlain($0) && !$0.isEmpty ? $0 : nil }
  package let theme = SettingKey.theme(
    "reader.theme",
    """
    The colours: "dark", "light", "warm", "contrast", "gruvbox", "gruvbox-light", "nord", "catppuccin",
    "catppuccin-latte", "solarized" and "solarized-light" set their own background; "terminal" uses the
    terminal’s colours, "mono" none. "auto" is "dark" or "light" to match the terminal’s background if the terminal
    reports it, else "terminal". ":theme" tries them; your choice there is remembered unless it is set here.
    """)
  let textWidth = SettingKey.number(
    "reader.text-width", 20...1000, 72,
    "The widest line of an article, in columns.")
  package let isJustified = SettingKey.toggle(
    "reader.justify", false,
    "Justify the lines of an article, where that leaves no gaps.")
  package let wrapsCode = SettingKey.toggle(
    "reader.wrap-code", true,
    "Wrap lines of code that are too long; if false, < and > scroll them.")
  let hidesLinkNumbers = SettingKey.choice(
    "reader.links", ["numbers", "quiet"],
    """
    Links have small numbers behind them; "quiet" shows these only while you type one, and while "f" is open.
    """
  ) { $0 == "quiet" }
  package let pictures = SettingKey.choice(
    "reader.images", PictureDisplay.allCases.map(\.rawValue),
    """
    Pictures in the text: "auto" shows them as pixels if the terminal can (kitty, Ghostty, iTerm2, WezTerm, terminals that
    say that they have sixels), else as blocks of colour; "kitty", "sixel" or "iterm" as pixels without asking; "blocks" or
    "off". Inside tmux kitty and Ghostty need "set -g allow-passthrough on". "I" hides and shows them.
    """
  ) {
    PictureDisplay(rawValue: $0) ?? .auto
  }
  let markAfter = SettingKey.number(
    "reader.mark-after", 0...3_600, 0,
    """
    Seconds after which an article shown beside the list counts as read; 0: only when you open it.
    """)
  let marksPassed = SettingKey.toggle(
    "reader.mark-passed", false,
    """
    Mark articles read when the selection passes them on its way down a list, by rows or pages. "u" undoes one
    run down the list.
    """)
  let wheelRows = SettingKey.number(
    "reader.wheel-rows", 1...100, 3,
    "Rows that one step of the mouse wheel moves.")
  let articleOrder = SettingKey.choice(
    "lists.order", ReaderConfiguration.articleOrders,
    """
    How lists of articles are sorted: "newest", "oldest", "feed" (with a heading for each), "title", "author",
    "unread" (unread first) or "length" (shortest first). What you choose with "gs" is remembered unless it is
    set here.
    """
  ) { $0 }
  let isRoomy = SettingKey.choice(
    "lists.rows", ["compact", "roomy"],
    """
    "compact", or "roomy": a second line with the first words of each article. "gr" changes it.
    """
  ) { $0 == "roomy" }
  let hasThumbnails = SettingKey.toggle(
    "lists.thumbnails", false,
    "Whether roomy rows show a picture of each article. \"gi\" changes it.")
  let keptArticles = SettingKey.number(
    "keep.articles", 0...10_000_000, 0,
    "This many of a feed’s newest articles.")
  let keptDays = SettingKey.number(
    "keep.days", 0...36_500, 0,
    "Articles for this many days.")
  let unreadDays = SettingKey.number(
    "keep.unread-days", 0...36_500, 0,
    "Unread articles for this many days, beyond that; 0: until they are read.")
  package let pictureLimit = SettingKey.number(
    "keep.pictures", 0...1_000_000, 500,
    "Megabytes of pictures; those that were shown longest ago are deleted first.")
  package let downloadDays = SettingKey.number(
    "keep.downloads", 0...36_500, 0,
    """
    Days to keep a downloaded file after it was played to the end or its article was read; 0: forever.
    Files of starred and tagged articles and files that you have played in part are never deleted.
    """)
  package let maximumNewArticles = SettingKey.number(
    "keep.new-articles", 1...50_000, 1000,
    "The most new articles that one refresh adds to a feed; the newest are taken.")
  package let browser = SettingKey.words(
    "open.browser", example: #"["firefox", "--new-tab"]"#,
    """
    The program that opens web pages, and its arguments. The address replaces %s, else it is added at the
    end; no shell is involved. Without the setting: $BROWSER, else the system’s own.
    Browsers that run in the terminal (w3m, lynx, links, elinks) get the terminal.
    """)
  package let downloads = SettingKey.text(
    "open.downloads", expected: "an absolute path, or one that begins with ~/",
    example: "~/Podcasts",
    """
    Where "d" saves the files of articles: a path from / or ~/. Without the setting:
    $XDG_DOWNLOAD_DIR, else ~/Downloads.
    """
  ) { $0.hasPrefix("/") || $0.hasPrefix("~/") ? $0 : nil }
  package let player = SettingKey.words(
    "open.player", example: #"["mpv", "--force-window"]"#,
    """
    The program that "P" gives the sound or video of an article: the downloaded file if there is one, else its
    address. Without the setting: mpv, else vlc, else xdg-open.
    """)
  package let bookmark = SettingKey.words(
    "open.bookmark", example: #"["buku", "--add"]"#,
    "The program that \"B\" runs with the address of an article, in the same way.")
  let downloadHours = SettingKey.text(
    "downloads.hours", expected: "two times such as \"22:00-07:00\"", example: "22:00-07:00",
    """
    The hours in which files are downloaded; files requested at other times wait. Default: all day.
    """, DownloadLimits.Hours.init)
  let megabytesPerDay = SettingKey.number(
    "downloads.per-day", 0...10_000_000, 0,
    """
    Megabytes of downloads in one day, and in one month; 0: any amount. The rest waits for the next day or month.
    """)
  let megabytesPerMonth = SettingKey.number(
    "downloads.per-month", 0...10_000_000, 0,
    "")
  let parallelDownloads = SettingKey.number(
    "downloads.parallel", 1...16, 3,
    "Downloads at once.")
  package let downloadName = SettingKey.text(
    "downloads.name", expected: Settings.downloadNameForm, example: "{feed}/{date} {title}.{ext}",
    """
    How files are named in the folder for downloads, with folders before "/": {feed}, {title}, {author}, {date} (of the
    article, 2026-11-22), {name} (of the file at its address) and {ext}. Without the setting: as at its address.
    """, DownloadNameTemplate.init)
  package let notification = SettingKey.words(
    "notify.command", example: "[\"sh\", \"-c\", \"notify-send Weir \\\"$WEIR_SUMMARY\\\"\"]",
    """
    The program to run after a sync that brought new articles while the window isn’t focused, and for rules that
    notify (their names are in WEIR_RULE). Default: none. WEIR_NEW, WEIR_FEEDS, WEIR_SUMMARY, WEIR_TITLE and
    WEIR_URL describe the new articles, and the titles are its input. A shell started like this reads the variable as text.
    """)
  package let notificationPause = SettingKey.number(
    "notify.pause", 0...86_400, 300,
    "At least this many seconds between two notifications.")
  let accountInterval = SettingKey.number(
    "accounts.interval", 1...1_440, 15,
    """
    Minutes between two syncs with the servers of remote accounts while the reader is open. It also syncs when it
    is opened and when the network is back. Your changes are sent within seconds.
    """)
  package let logLevel = SettingKey.choice(
    "log.level", ["off"] + Log.Level.allCases.map(\.name),
    """
    "off", "error", "warning", "info" or "debug". The file is $XDG_STATE_HOME/weir/weir.log, or the one
    that --log names; "--log" alone means "info".
    """
  ) { name in
    Log.Level.allCases.first { $0.name == name }
  }

  static let downloadNameForm =
    "a name with "
    + DownloadNameTemplate.Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
    + " and folders before /"
}
