internal import FeedModel
public import Foundation
import TerminalKit

/// How pictures are shown; the names in the configuration.
public nonisolated enum PictureDisplay: String, CaseIterable, Sendable {
  /// As pixels where the terminal says that it can, else as blocks.
  case auto
  /// As pixels, by kitty's protocol.
  case kitty
  /// As pixels, by sixels or by iTerm2's protocol.
  case sixel, iterm
  /// As characters.
  case blocks
  case off
}

/// Settings of the screens. Values only; the program reads the files.
public nonisolated struct ReaderConfiguration: Sendable {
  /// Command name → key sequences; see `Keymap`.
  public var keys: [String: [String]]
  /// Keys that stand for several commands, or for one in one place only; see `Keymap`.
  public var bindings: [KeyBinding]
  /// One of `Theme.names`; unknown ones are "auto".
  public var theme: String
  /// The terminal's background; nil: unknown.
  public var ground: Theme.Ground?
  /// The widest line of an article, in columns.
  public var textWidth: Int
  /// Whether the lines of an article are filled to the width, by wider spaces.
  public var isJustified: Bool
  /// Whether lines of code that are too long are wrapped; else they are scrolled sideways.
  public var wrapsCode: Bool
  /// Links show their numbers only while one is typed or chosen.
  public var hidesLinkNumbers: Bool
  /// In which dates and times are shown.
  public var timeZone: TimeZone
  /// The address of the bundled guide's feed: where there is no other feed, it is a first start.
  public var guideURL: String?
  /// Seconds after which an article in the reading pane counts as read though the list has the
  /// focus; nil: never.
  public var markAfter: Int?
  /// Articles become read when the selection passes them on its way down a list.
  public var marksPassed: Bool
  /// Rows for one step of the mouse wheel.
  public var wheelRows: Int
  /// Seconds between two notifications of new articles; nil: there are none.
  public var noticePause: Double?
  /// No engine runs in this process: while no other process syncs, the reader shows offline. Not
  /// stored for other processes.
  public var isOffline: Bool
  /// The order of the feeds at the start, one of `FeedTree.Order`; nil or unknown: the user's own.
  public var feedOrder: String?
  /// The order of lists of articles, one of `ArticleOrder`; nil or unknown: newest first.
  public var articleOrder: String?
  /// Rows of articles have a second line, with the first words of the text.
  public var isRoomy: Bool
  /// Where rows have a second line, the picture of each article is beside it.
  public var hasThumbnails: Bool
  /// How pictures are shown.
  public var pictures: PictureDisplay
  /// Bytes of the files of all pictures of one article.
  var picturesOfArticle = PictureLimits.article
  /// Set by the configuration, and changed in the screens.
  public var paneWidths: PaneWidths
  /// What articles were last saved as; nil: none was.
  public var saveFormat: String?
  /// Themes of the user's own.
  public var themes: [Theme]
  /// Settings that the user's file names; a choice in the screens then lasts until the reader ends.
  public var fixed: Set<ReaderSetting>

  /// The default of every setting, unless something else is given.
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

  /// The names of the orders of articles in the configuration.
  public static let articleOrders = ArticleOrder.allCases.map(\.rawValue)

  var keymap: Keymap { Keymap(overrides: keys, bindings: bindings) }

  func theme(depth: ColorDepth) -> Theme {
    Theme.named(theme, depth: depth, ground: ground, own: themes)
  }
}
