import TOMLKit

/// The settings of the configuration file, each with its place, type, default, check and comment.
/// `UserConfiguration` has their values by these names; `weir config default` has this order.
package struct Settings: Sendable {
  package static let all = Settings()

  package let isAutomatic = SettingKey.toggle(
    "sync.automatic", true,
    "Refresh feeds automatically when they are due, while the reader is open.")
  package let perHost = SettingKey.optional(
    "sync.per-host", 1...16, example: 2,
    """
    Concurrent requests to one server. Default: 2; up to 6 while its answers stay fast, 1 after a refusal, and
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
    "The maximum size of a feed after decompression, in MiB.")
  let connectTimeout = SettingKey.number(
    "sync.connect-timeout", 1...600, 10,
    "Seconds to wait for a server to accept the connection.")
  let silenceTimeout = SettingKey.number(
    "sync.silence-timeout", 1...600, 20,
    "Seconds to wait while a server sends nothing.")
  package let proxy = SettingKey.text(
    "sync.proxy", expected: FeedTable.proxyForm, example: "socks5h://127.0.0.1:9050",
    """
    The proxy for all requests: "http://host:3128", "https://…", "socks5://…", "socks5h://host:9050" (which
    also resolves names), or "" for no proxy. Default: the proxy of the environment (https_proxy, all_proxy, no_proxy).
    """, FeedTable.proxy)
  package let userAgent = SettingKey.text(
    "sync.user-agent", expected: FeedTable.textForm, example: "Weir/0.1.0 (+https://…)",
    "The User-Agent header. Default: the name, version and web page of Weir."
  ) { FeedTable.isPlain($0) && !$0.isEmpty ? $0 : nil }
  package let theme = SettingKey.theme(
    "reader.theme",
    """
    The colours: "dark", "light", "warm", "contrast", "gruvbox", "gruvbox-light", "nord", "catppuccin",
    "catppuccin-latte", "solarized" and "solarized-light" set the background; "terminal" uses the terminal’s
    colours, "mono" uses no colours. "auto" is "dark" or "light" to match the terminal’s background if the terminal
    reports it, otherwise "terminal". The command ":theme" previews them, and remembers your choice unless the
    theme is set here.
    """)
  let textWidth = SettingKey.number(
    "reader.text-width", 20...1000, 72,
    "The maximum width of the lines of an article, in columns.")
  package let wrapsCode = SettingKey.toggle(
    "reader.wrap-code", true,
    "Wrap long lines of code. If false, < and > scroll them.")
  let hidesLinkNumbers = SettingKey.choice(
    "reader.links", ["numbers", "quiet"],
    """
    "numbers" shows a small number after each link; "quiet" shows them only while you type a number or choose a
    link with "f".
    """
  ) { $0 == "quiet" }
  package let pictures = SettingKey.choice(
    "reader.images", PictureDisplay.allCases.map(\.rawValue),
    """
    How pictures are shown in the text. "auto" uses pixels if the terminal supports them (kitty, Ghostty, iTerm2, WezTerm
    and terminals that report sixels), otherwise coloured blocks. "kitty", "sixel" and "iterm" use pixels without asking
    the terminal, "blocks" uses coloured blocks, and "off" shows no pictures. In tmux, kitty and Ghostty need
    "set -g allow-passthrough on". The key "I" hides and shows pictures.
    """
  ) {
    PictureDisplay(rawValue: $0) ?? .auto
  }
  let markAfter = SettingKey.number(
    "reader.mark-after", 0...3_600, 0,
    """
    Seconds until an article that is shown beside the list is marked read. With 0 it is marked read only when
    you open it.
    """)
  let marksPassed = SettingKey.toggle(
    "reader.mark-passed", false,
    """
    Mark articles read when the selection moves down past them, by rows or pages. "u" undoes all marks of one
    pass.
    """)
  package let isLinear = SettingKey.toggle(
    "reader.screen-reader", false,
    """
    Write the selected row, messages and the text of articles as lines, for screen readers, instead of drawing
    screens. "weir --linear" does the same once, and so does a terminal that cannot move its cursor.
    """)
  let wheelRows = SettingKey.number(
    "reader.wheel-rows", 1...100, 3,
    "Rows to scroll for each step of the mouse wheel.")
  package let wordsPerMinute = SettingKey.number(
    "reader.words-per-minute", 50...1000, 240,
    """
    Words that you read in a minute, for the minutes in lists and "minutes:" in searches. Chinese, Japanese and
    Korean characters count 0.48 words, code and tables half.
    """)
  let articleOrder = SettingKey.choice(
    "lists.order", ReaderConfiguration.articleOrders,
    """
    How lists of articles are sorted: "newest", "oldest", "feed" (with a heading for each), "title", "author",
    "unread" (unread first) or "length" (shortest first). The keys "gs" change the order of one list, which
    remembers it.
    """
  ) { $0 }
  let isRoomy = SettingKey.choice(
    "lists.rows", ["compact", "roomy"],
    """
    "compact" shows one line for each article; "roomy" adds a line with its first words. The keys "gr" switch
    between them in one list, which remembers it.
    """
  ) { $0 == "roomy" }
  let keptArticles = SettingKey.number(
    "keep.articles", 0...10_000_000, 0,
    "The number of newest articles to keep in each feed. With 0 there is no limit.")
  let keptDays = SettingKey.number(
    "keep.days", 0...36_500, 0,
    "Days to keep articles. With 0 there is no limit.")
  let unreadDays = SettingKey.number(
    "keep.unread-days", 0...36_500, 0,
    "Days to keep unread articles beyond the limits above. With 0 they are kept until they are read."
  )
  package let pictureLimit = SettingKey.number(
    "keep.pictures", 0...1_000_000, 500,
    "The maximum size of stored pictures, in MB. The least recently shown ones are deleted first.")
  package let downloadDays = SettingKey.number(
    "keep.downloads", 0...36_500, 0,
    """
    Days to keep a downloaded file after it was played to the end or its article was read. With 0 it is kept
    forever. Files of starred and tagged articles, and files that you have played in part, are never deleted.
    """)
  package let maximumNewArticles = SettingKey.number(
    "keep.new-articles", 1...50_000, 1000,
    "The maximum number of new articles that one refresh adds to a feed. The newest are added.")
  package let browser = SettingKey.words(
    "open.browser", example: #"["firefox", "--new-tab"]"#,
    """
    The program that opens web pages, and its arguments. The address replaces %s, or is added at the end if there is
    no %s. No shell is involved. Default: $BROWSER, otherwise the system’s browser.
    Browsers that run in the terminal (w3m, lynx, links, elinks) use Weir’s terminal.
    """)
  package let downloads = SettingKey.text(
    "open.downloads", expected: "a path that begins with / or ~/",
    example: "~/Podcasts",
    """
    The folder in which "d" saves the files of articles: a path that begins with / or ~/. Default:
    $XDG_DOWNLOAD_DIR, otherwise ~/Downloads.
    """
  ) { $0.hasPrefix("/") || $0.hasPrefix("~/") ? $0 : nil }
  package let player = SettingKey.words(
    "open.player", example: #"["mpv", "--force-window"]"#,
    """
    The program with which "P" plays the audio or video of an article. Its argument is the downloaded file if there is
    one, otherwise the address. Default: mpv, vlc or xdg-open, whichever is found first.
    """)
  package let bookmark = SettingKey.words(
    "open.bookmark", example: #"["buku", "--add"]"#,
    "The program that \"B\" runs with the address of an article, as for open.browser.")
  let megabytesPerDay = SettingKey.number(
    "downloads.per-day", 0...10_000_000, 0,
    """
    The maximum amount of downloads in one day and in one month, in MB. The rest waits for the next day or month.
    With 0 there is no limit.
    """)
  let megabytesPerMonth = SettingKey.number(
    "downloads.per-month", 0...10_000_000, 0,
    "")
  let parallelDownloads = SettingKey.number(
    "downloads.parallel", 1...16, 3,
    "Concurrent downloads.")
  package let notification = SettingKey.words(
    "notify.command", example: "[\"sh\", \"-c\", \"notify-send Weir \\\"$WEIR_SUMMARY\\\"\"]",
    """
    The program to run after a sync that brought new articles while the window isn’t focused, and for rules that
    notify (WEIR_RULE has their names). Default: no program. WEIR_NEW, WEIR_FEEDS, WEIR_SUMMARY, WEIR_TITLE and
    WEIR_URL describe the new articles, and standard input has their titles. In the example, the shell reads the
    variable as text and does not run it.
    """)
  package let notificationPause = SettingKey.number(
    "notify.pause", 0...86_400, 300,
    "The minimum time between two notifications, in seconds.")
  let accountInterval = SettingKey.number(
    "accounts.interval", 1...1_440, 15,
    """
    Minutes between two syncs with the servers of accounts while the reader is open. The reader also syncs when it
    is opened and when the network returns. Your changes are sent within seconds.
    """)
  package let logLevel = SettingKey.choice(
    "log.level", ["off"] + Log.Level.allCases.map(\.name),
    """
    The least severe messages in the log: "error", "warning", "info", "debug", or "off" for no log. The file is
    $XDG_STATE_HOME/weir/weir.log, or the file that --log names; "--log" alone means "info".
    """
  ) { name in
    Log.Level.allCases.first { $0.name == name }
  }
}
