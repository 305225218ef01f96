internal import FeedModel
public import Foundation
import TerminalKit

/// The display of pictures; raw values are those of the configuration.
public nonisolated enum PictureDisplay: String, CaseIterable, Sendable {
  /// Pixels if the terminal supports them, else blocks.
  case auto
  case kitty
  case sixel, iterm
  case blocks
  case off
}

/// Settings of the screens. Values only; the program reads the files.
public nonisolated struct ReaderConfiguration: Sendable {
  /// Command name → key sequences; see `Keymap`.
  public var keys: [String: [String]]
  public var bindings: [KeyBinding]
  public var theme: String
  public var ground: Theme.Ground?
  /// Columns.
  public var textWidth: Int
  public var isJustified: Bool
  /// Wraps lines of code that are too long; otherwise they scroll sideways.
  public var wrapsCode: Bool
  public var hidesLinkNumbers: Bool
  public var timeZone: TimeZone
  /// The feed of the bundled guide: a library without any other feed counts as a first start.
  public var guideURL: String?
  /// Seconds after which an article in the reading pane counts as read though the list has the
  /// focus.
  public var markAfter: Int?
  public var marksPassed: Bool
  public var wheelRows: Int
  /// Seconds between two notifications of new articles.
  public var noticePause: Double?
  /// No engine runs in this process: while no other process syncs, the reader shows offline. Not
  /// stored for other processes.
  public var isOffline: Bool
  public var feedOrder: String?
  public var articleOrder: String?
  public var isRoomy: Bool
  public var hasThumbnails: Bool
  public var pictures: PictureDisplay
  /// Bytes of the files of all pictures of one article.
  var picturesOfArticle = PictureLimits.article
  public var paneWidths: PaneWidths
  public var saveFormat: String?
  public var themes: [Theme]
  /// Settings that the user's file names: a choice in the screens lasts only until the reader ends.
  public var fixed: Set<ReaderSetting>

  public init(
    keys: [String: [String]] = [:], bindings: [KeyBinding] = [], theme: String = Theme.auto,
    ground: Theme.Ground? = nil, textWidth: Int = 72, isJustified: Bool = false,
    wrapsCode: Bool = true, hidesLinkNumbers: Bool = false, timeZone: TimeZone = .current,
    guideURL: String? = nil,
    markAfter: Int? = nil, marksPassed: Bool = false,
    wheelRows: Int = 3,
    noticePause: Double? = nil, isOffline: Bool = false, feedOrder: String? = nil,
    articleOrder: String? = nil, isRoomy: Bool = false, hasThumbnails: Bool = false,
    pictures: PictureDisplay = .off, paneWidths: PaneWidths = PaneWidths(),
    saveFormat: String? = nil,
    themes: [Theme] = [], fixed: Set<ReaderSetting> = []
  ) {
    self.keys = keys
    self.bindings = bindings
    self.theme = theme
    self.ground = ground
    self.textWidth = max(20, textWidth)
    self.isJustified = isJustified
    self.wrapsCode = wrapsCode
    self.hidesLinkNumbers = hidesLinkNumbers
    self.timeZone = timeZone
    self.guideURL = guideURL
    self.markAfter = markAfter
    self.marksPassed = marksPassed
    self.wheelRows = max(1, wheelRows)
    self.noticePause = noticePause
    self.isOffline = isOffline
    self.feedOrder = feedOrder
    self.articleOrder = articleOrder
    self.isRoomy = isRoomy
    self.hasThumbnails = hasThumbnails
    self.pictures = pictures
    self.paneWidths = paneWidths
    self.saveFormat = saveFormat
    self.themes = themes
    self.fixed = fixed
  }

  public static let articleOrders = ArticleOrder.allCases.map(\.rawValue)

  var keymap: Keymap { Keymap(overrides: keys, bindings: bindings) }

  func theme(depth: ColorDepth) -> Theme {
    Theme.named(theme, depth: depth, ground: ground, own: themes)
  }
}
