public import Foundation
public import TerminalViews

/// The display of pictures. Raw values are those of the configuration.
public nonisolated enum PictureDisplay: String, CaseIterable, Sendable {
  /// Pixels if the terminal supports them, otherwise blocks.
  case auto
  case kitty
  case sixel, iterm
  case blocks
  case off

  /// True if the terminal may receive pixels, which is decided at the start.
  package var isInPixels: Bool { self != .blocks && self != .off }
}

/// Settings of the screens, as values; the program reads the files.
public nonisolated struct ReaderConfiguration: Sendable {
  /// Key sequences by command name; see `Keymap`.
  public var keys: [String: [String]] = [:]
  public var bindings: [KeyBinding] = []
  public var theme = Theme.auto
  public var background: Theme.Background?
  /// Width in columns, at least 20.
  public var textWidth = 72
  /// True if long lines of code are wrapped; otherwise they scroll sideways.
  public var wrapsCode = true
  public var hidesLinkNumbers = false
  public var timeZone = TimeZone.current
  /// True for one pane whose focus and messages are written as lines (`Surface.spoken`).
  public var isLinear = false
  /// The feed of the bundled guide. Without other feeds, the library counts as a first start.
  public var guideURL: String?
  /// The commands that the user has performed, which the guide marks.
  public var practised: Set<Command> = []
  /// Seconds until an article in the reading pane counts as read while the list has the focus.
  public var markAfter: Int?
  public var marksPassed = false
  /// Rows per step of the wheel, at least 1.
  public var wheelRows = 3
  /// Seconds between two notifications of new articles.
  public var noticePause: Double?
  /// True if this process runs no engine. The reader then shows the state as offline, unless
  /// another process syncs. Other processes do not see this.
  public var isOffline = false
  public var feedOrder: String?
  public var articleOrder: String?
  public var isRoomy = false
  /// The folders that are shown alone at the start, separated by commas; `nil` for all feeds.
  public var focus: String?
  /// The views of single lists that the user has chosen, as texts by the name of the list.
  public var listViews: [String: String] = [:]
  public var pictures = PictureDisplay.off
  /// The most bytes of all picture files of one article.
  package var picturesOfArticle = PictureLimits.article
  public var paneWidths = PaneWidths()
  public var saveFormat: String?
  public var snooze: String?
  public var themes: [Theme] = []
  /// Settings in the user's file; choices on screen override them only until the reader ends.
  public var fixed: Set<ReaderSetting> = []

  /// Settings of an empty file.
  public static let standard = ReaderConfiguration()

  public static let articleOrders = ArticleOrder.allCases.map(\.rawValue)

  var keymap: Keymap { Keymap(overrides: keys, bindings: bindings) }

  func theme(depth: ColorDepth) -> Theme {
    Theme.named(theme, depth: depth, background: background, own: themes)
  }
}

/// Pane widths set by the user, in columns; `nil` if the width depends on the window.
public nonisolated struct PaneWidths: Equatable, Sendable {
  public var feeds: Int?
  public var articles: Int?

  public init(feeds: Int? = nil, articles: Int? = nil) {
    self.feeds = feeds
    self.articles = articles
  }
}

/// The order of feeds in a folder. Folders are ordered by name or by the user.
package nonisolated enum FeedOrder: String, CaseIterable {
  case own, name, unread, latest
}
