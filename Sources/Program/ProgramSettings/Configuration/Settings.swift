/// The settings of the program itself, each with its place, type, default, check and comment.
package struct Settings: SettingList {
  package static let all = Settings()

  package let keptArticles = SettingKey.number(
    "keep.articles", 0...10_000_000, 0,
    "The number of newest articles to keep in each feed. With 0 there is no limit.")
  package let keptDays = SettingKey.number(
    "keep.days", 0...36_500, 0,
    "Days to keep articles. With 0 there is no limit.")
  package let unreadDays = SettingKey.number(
    "keep.unread-days", 0...36_500, 0,
    "Days to keep unread articles beyond the limits above. With 0 they are kept until they are read."
  ).forExperts
  package let pictureLimit = SettingKey.number(
    "keep.pictures", 0...1_000_000, 500,
    "The maximum size of stored pictures, in MB. The least recently shown ones are deleted first.")
  package let downloadDays = SettingKey.number(
    "keep.downloads", 0...36_500, 0,
    """
    Days to keep a downloaded file after it was played to the end or its article was read. With 0 it is kept
    forever. Files of starred and tagged articles, and files that you have played in part, are never deleted.
    """)
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
  ) { $0.hasPrefix("/") || $0.hasPrefix("~/") ? $0 : nil }.atStart
  package let player = SettingKey.words(
    "open.player", example: #"["mpv", "--force-window"]"#,
    """
    The program with which "P" plays the audio or video of an article. Its argument is the downloaded file if there is
    one, otherwise the address. Default: mpv, vlc or xdg-open, whichever is found first.
    """)
  package let bookmark = SettingKey.words(
    "open.bookmark", example: #"["buku", "--add"]"#,
    "The program that \"B\" runs with the address of an article, as for open.browser.")
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
