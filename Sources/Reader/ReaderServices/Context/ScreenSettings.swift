package import TerminalViews

/// The settings of the screens, each with its place, type, default, check and comment. A screen
/// reads a value from its `ReaderConfiguration`.
package nonisolated struct ScreenSettings: SettingList {
  package static let all = ScreenSettings()

  package let theme = SettingKey(
    "reader.theme",
    expected: Theme.names.map { "\"\($0)\"" }.joined(separator: ", ") + " or one of [themes]",
    choices: Theme.names, usual: Theme.auto, example: "\"\(Theme.auto)\"",
    """
    The colours. "dark", "light", "warm", "contrast", "gruvbox", "gruvbox-light", "nord", "catppuccin",
    "catppuccin-latte", "solarized" and "solarized-light" set the background; "terminal" uses the terminal’s
    colours, "mono" uses no colours. "auto" is "dark" or "light" to match the terminal’s background if the terminal
    reports it, otherwise "terminal". The command ":theme" previews them, and remembers your choice unless the
    theme is set here.
    """
  ) { value, values in value.text.flatMap { values.themeNames.contains($0) ? $0 : nil } }
  package let textWidth = SettingKey.number(
    "reader.text-width", 20...1000, 72,
    "The maximum width of the lines of an article, in columns.")
  package let wrapsCode = SettingKey.toggle(
    "reader.wrap-code", true,
    "Wrap long lines of code. If false, < and > scroll them."
  ).forExperts
  package let hidesLinkNumbers = SettingKey.choice(
    "reader.links", ["quiet", "numbers"],
    """
    "quiet" shows the numbers of links only while you type one or choose a link with "f"; "numbers" shows a small
    number after each link.
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
  }.atStart { $0.isInPixels }
  package let markAfter = SettingKey.number(
    "reader.mark-after", 0...3_600, 0,
    """
    Seconds until an article that is shown beside the list is marked read. With 0 it is marked read only when
    you open it.
    """)
  package let marksPassed = SettingKey.toggle(
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
  package let wordsPerMinute = SettingKey.number(
    "reader.words-per-minute", 50...1000, 240,
    """
    Words that you read in a minute, for the minutes in lists and "minutes:" in searches. Chinese, Japanese and
    Korean characters count 0.48 words, code and tables half.
    """
  ).atStart.forExperts
  package let articleOrder = SettingKey.choice(
    "lists.order", ArticleOrder.allCases.map(\.rawValue),
    """
    How lists of articles are sorted: "newest", "oldest", "feed" (with a heading for each), "title", "author",
    "unread" (unread first) or "length" (shortest first). The keys "gs" change the order of one list, which
    remembers it.
    """
  ) { ArticleOrder(rawValue: $0) ?? .newest }
  package let isRoomy = SettingKey.choice(
    "lists.rows", ["compact", "roomy"],
    """
    "compact" shows one line for each article; "roomy" adds a line with its first words. The keys "gr" switch
    between them in one list, which remembers it.
    """
  ) { $0 == "roomy" }
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
    "The minimum time between two notifications, in seconds."
  ).forExperts
  /// The key sequences of each command, by its name.
  package let keys = SettingKey(table: "keys", usual: [String: [String]]())
  /// The bindings. Those of one place follow those of all places and override them.
  package let bindings = SettingKey(table: "bindings", usual: [KeyBinding]())
  package let themes = SettingKey(table: "themes", usual: [Theme]())
}

extension SettingValues {
  /// The themes of the program and those of the user.
  package nonisolated var themeNames: [String] {
    Theme.names + self[ScreenSettings.all.themes].map(\.name)
  }
}
