import FeedModel
public import Foundation
import TerminalKit
public import TerminalViews

/// The display of pictures; raw values are those of the configuration.
public nonisolated enum PictureDisplay: String, CaseIterable, Sendable {
  /// Pixels if the terminal supports them, else blocks.
  case auto
  case kitty
  case sixel, iterm
  case blocks
  case off

  /// The terminal may get pixels, which is decided at the start.
  package var isInPixels: Bool { self != .blocks && self != .off }
}

/// Settings of the screens. Values only; the program reads the files.
public nonisolated struct ReaderConfiguration: Sendable {
  /// Command name → key sequences; see `Keymap`.
  public var keys: [String: [String]] = [:]
  public var bindings: [KeyBinding] = []
  public var theme = Theme.auto
  public var ground: Theme.Ground?
  /// Columns, from 20 on.
  public var textWidth = 72
  public var isJustified = false
  /// Wraps lines of code that are too long; otherwise they scroll sideways.
  public var wrapsCode = true
  public var hidesLinkNumbers = false
  public var timeZone = TimeZone.current
  /// The feed of the bundled guide: a library without any other feed counts as a first start.
  public var guideURL: String?
  /// Seconds after which an article in the reading pane counts as read though the list has the
  /// focus.
  public var markAfter: Int?
  public var marksPassed = false
  /// At least 1.
  public var wheelRows = 3
  /// Seconds between two notifications of new articles.
  public var noticePause: Double?
  /// No engine runs in this process: while no other process syncs, the reader shows offline. Not
  /// stored for other processes.
  public var isOffline = false
  public var feedOrder: String?
  public var articleOrder: String?
  public var isRoomy = false
  public var hasThumbnails = false
  public var pictures = PictureDisplay.off
  /// Bytes of the files of all pictures of one article.
  package var picturesOfArticle = PictureLimits.article
  public var paneWidths = PaneWidths()
  public var saveFormat: String?
  public var themes: [Theme] = []
  /// Settings that the user's file names: a choice in the screens lasts only until the reader ends.
  public var fixed: Set<ReaderSetting> = []

  /// The settings of a file that sets nothing.
  public static let standard = ReaderConfiguration()

  public static let articleOrders = ArticleOrder.allCases.map(\.rawValue)

  var keymap: Keymap { Keymap(overrides: keys, bindings: bindings) }

  func theme(depth: ColorDepth) -> Theme {
    Theme.named(theme, depth: depth, ground: ground, own: themes)
  }
}
