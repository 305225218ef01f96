// What a user can set, as typed values with their defaults; and how a TOML file becomes them. A new
// setting is one line in `Setting.all` and its comment in Resources/config.toml.

import FeedModel
import FeedStore
import Networking
import ReaderUI
import SyncEngine
import TerminalKit

/// What a user can set, with the defaults.
struct Configuration: Sendable, Equatable {
  struct Sync: Sendable, Equatable {
    /// Refresh feeds by themselves when their time has come.
    var isAutomatic = true
    /// Exchanges at once with one host; nil: 2, or 6 over one connection of HTTP/2.
    var perHost: Int?
    /// Exchanges at once altogether; nil: what the system allows, at most 128.
    var connections: Int?
    /// MiB of a feed after decompression.
    var largestFeed = 15
    /// Seconds.
    var connectTimeout = 10
    /// Seconds.
    var silenceTimeout = 20
    /// What requests are sent with; `feeds` refines it.
    var requests = FeedSettings()
  }
  struct Reader: Sendable, Equatable {
    var theme = Theme.auto
    /// Columns.
    var textWidth = 72
    /// Lines are filled to the width.
    var isJustified = false
    /// Lines of code that are too long are wrapped; else they are scrolled.
    var wrapsCode = true
    var hidesLinkNumbers = false
    /// Seconds; 0: never.
    var markAfter = 0
    /// Articles that the selection passes in a list become read.
    var marksPassed = false
    /// Rows.
    var wheelRows = 3
    /// Of lists of articles; one of `ReaderConfiguration.articleOrders`.
    var articleOrder = "newest"
    /// Rows of lists have a second line.
    var isRoomy = false
    /// Rows of two lines show pictures.
    var hasThumbnails = false
    /// How pictures are shown.
    var pictures = PictureDisplay.auto
  }

  var sync = Sync()
  var reader = Reader()
  /// What is set for single feeds, or all those below an address.
  var feeds = FeedTable()
  /// Programs that know the passwords of remote accounts.
  var accounts = AccountTable()
  /// Time between two automatic pulls of an account.
  var accountInterval = Duration.seconds(15 * 60)
  /// How much of each feed is kept.
  var retention = Retention()
  /// Megabytes of pictures that are kept.
  var pictureLimit = 500
  /// New articles that one answer may add to a feed.
  var maximumNewArticles = 1_000
  /// Command name → key sequences.
  var keys: [String: [String]] = [:]
  /// Those of one place behind those of all places, over which they go.
  var bindings: [KeyBinding] = []
  /// Themes of the user's own.
  var themes: [Theme] = []
  /// The program that opens pages and its arguments; nil: $BROWSER or the system's own.
  var browser: [String]?
  /// Where the files of articles are saved; nil: the user's folder for downloads.
  var downloads: String?
  /// When downloads run, and how much they may receive.
  var downloadLimits = DownloadLimits()
  /// How saved files are named; nil: as at their addresses.
  var downloadName: DownloadNameTemplate?
  /// The program that plays sound and video, and its arguments; nil: mpv, vlc or the system's own.
  var player: [String]?
  /// The program that bookmarks an address, and its arguments.
  var bookmark: [String]?
  /// The program that is run for new articles, and its arguments.
  var notification: [String]?
  /// Seconds between two notifications.
  var notificationPause = 300
  /// Programs by name, for articles.
  var programs: [String: OtherPrograms.Program] = [:]
  /// Nil: no log unless --log.
  var logLevel: Log.Level?
  /// The settings that the file names, as "reader.theme": they go over what is remembered of the
  /// screens.
  var named: Set<String> = []
}

extension Configuration {
  /// - Parameter directory: the data directory, where processes elect their engine.
  func engine(directory: String) -> SyncConfiguration {
    var engine = SyncConfiguration(directory: directory)
    engine.refreshesDueFeeds = sync.isAutomatic
    engine.downloadFolder = Paths.downloads(downloads, otherwise: directory)
    engine.downloads = downloadLimits
    engine.downloadName = downloadName
    if let perHost = sync.perHost {
      engine.perHost = perHost
      engine.perMultiplexingHost = perHost
      engine.measuresHosts = false
    }
    engine.maintenanceInterval = .seconds(600)
    if let connections = sync.connections { engine.ceiling = min(connections, engine.ceiling) }
    engine.limits.decodedBody = sync.largestFeed << 20
    engine.limits.connect = Double(sync.connectTimeout)
    engine.limits.silence = Double(sync.silenceTimeout)
    engine.settings = feedSettings
    engine.accountInterval = accountInterval
    return engine
  }
}

extension Configuration {
  /// What counts from the next start only, of a file that was read again: cache, engine, accounts
  /// and log have the values of this one.
  /// - Parameter start: what the program started with.
  func waitingForRestart(since start: Configuration) -> [String] {
    var names: [String] = []
    if sync != start.sync { names.append("[sync]") }
    if feeds != start.feeds { names.append("[feeds]") }
    if accounts != start.accounts || accountInterval != start.accountInterval {
      names.append("[accounts]")
    }
    if retention != start.retention || maximumNewArticles != start.maximumNewArticles
      || pictureLimit != start.pictureLimit
    {
      names.append("[keep]")
    }
    let isSent = [reader.pictures, start.reader.pictures].contains { $0.isInPixels }
    if reader.pictures != start.reader.pictures, isSent { names.append("reader.images") }
    if downloads != start.downloads { names.append("open.downloads") }
    if downloadLimits != start.downloadLimits || downloadName != start.downloadName {
      names.append("[downloads]")
    }
    if logLevel != start.logLevel { names.append("[log]") }
    return names
  }

  /// "Configuration reloaded; [sync] and [log] take effect at the next start".
  func readAgain(since start: Configuration) -> String {
    let sentence = "Configuration reloaded"
    let names = waitingForRestart(since: start)
    guard let last = names.last else { return sentence }
    guard names.count > 1 else { return "\(sentence); \(last) takes effect at the next start" }
    let others = names.dropLast().joined(separator: ", ")
    return "\(sentence); \(others) and \(last) take effect at the next start"
  }
}

extension Configuration {
  /// - Parameter state: what the reader remembers of its screens; a value that the file names goes
  ///   over it.
  func screens(
    guideURL: String, environment: [String: String], state: ReaderState? = nil
  ) -> ReaderConfiguration {
    func chosen<Value>(
      _ setting: ReaderSetting, _ own: Value, _ read: (String) -> Value?
    ) -> Value {
      guard !named.contains(setting.name) else { return own }
      return state?.value(setting).flatMap(read) ?? own
    }
    func columns(_ text: String) -> Int?? {
      Int(text).flatMap { (1...1_000).contains($0) ? .some($0) : nil }
    }
    let isDark = TerminalProfile.hasDarkGround(environment: environment)
    return ReaderConfiguration(
      keys: keys, bindings: bindings,
      theme: chosen(.theme, reader.theme) { themeNames.contains($0) ? $0 : nil },
      ground: isDark.map { $0 ? .dark : .light },
      textWidth: chosen(.textWidth, reader.textWidth) {
        Int($0).flatMap { (20...1_000).contains($0) ? $0 : nil }
      },
      isJustified: chosen(.justify, reader.isJustified) { Bool($0) },
      wrapsCode: reader.wrapsCode, hidesLinkNumbers: reader.hidesLinkNumbers, guideURL: guideURL,
      markAfter: reader.markAfter > 0 ? reader.markAfter : nil,
      marksPassed: reader.marksPassed, wheelRows: reader.wheelRows,
      noticePause: notification.map { _ in Double(notificationPause) },
      feedOrder: state?.value(.feedOrder),
      articleOrder: chosen(.articleOrder, reader.articleOrder) { $0 },
      isRoomy: chosen(.rows, reader.isRoomy) { $0 == "roomy" },
      hasThumbnails: chosen(.thumbnails, reader.hasThumbnails) { Bool($0) },
      pictures: reader.pictures,
      paneWidths: PaneWidths(
        feeds: chosen(.feedsWidth, nil, columns), articles: chosen(.articlesWidth, nil, columns)),
      saveFormat: state?.value(.saveFormat),
      themes: themes, fixed: Set(ReaderSetting.allCases.filter { named.contains($0.name) }))
  }
}

extension Configuration {
  /// Those of the program and the user's own.
  var themeNames: [String] { Theme.names + themes.map(\.name) }
}
