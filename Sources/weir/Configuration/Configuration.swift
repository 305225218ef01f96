// What a user can set, as typed values with their defaults; and how a TOML file becomes them. A new
// setting is one line in `Setting.all` and its comment in Resources/config.toml.

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
    /// Exchanges at once with one host.
    var perHost = 2
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
    var textWidth = 80
    /// Rows.
    var wheelRows = 3
  }

  var sync = Sync()
  var reader = Reader()
  /// What is set for single feeds, or all those below an address.
  var feeds = FeedTable()
  /// Programs that know the passwords of remote accounts.
  var accounts = AccountTable()
  /// How much of each feed is kept.
  var retention = Retention()
  /// New articles that one answer may add to a feed.
  var maximumNewArticles = 1_000
  /// Command name → key sequences.
  var keys: [String: [String]] = [:]
  /// In the order of the file.
  var bindings: [KeyBinding] = []
  /// The program that opens pages and its arguments; nil: $BROWSER or the system's own.
  var browser: [String]?
  /// Where the files of articles are saved; nil: the user's folder for downloads.
  var downloads: String?
  /// The program that bookmarks an address, and its arguments.
  var bookmark: [String]?
  /// The program that is told of new articles, and its arguments.
  var notification: [String]?
  /// Seconds between two notifications.
  var notificationPause = 300
  /// Programs by name, for articles.
  var programs: [String: OtherPrograms.Program] = [:]
  /// Nil: no log unless --log.
  var logLevel: Log.Level?
}

extension Configuration {
  /// - Parameter directory: the data directory, where processes elect their engine.
  func engine(directory: String) -> SyncConfiguration {
    var engine = SyncConfiguration(directory: directory)
    engine.refreshesDueFeeds = sync.isAutomatic
    engine.downloadFolder = Paths.downloads(downloads, otherwise: directory)
    engine.perHost = sync.perHost
    engine.upkeepInterval = 600
    if let connections = sync.connections { engine.ceiling = min(connections, engine.ceiling) }
    engine.limits.decodedBody = sync.largestFeed << 20
    engine.limits.connect = Double(sync.connectTimeout)
    engine.limits.silence = Double(sync.silenceTimeout)
    engine.settings = feedSettings
    return engine
  }
}

extension Configuration {
  func screens(guideURL: String, environment: [String: String]) -> ReaderConfiguration {
    let isDark = TerminalProfile.hasDarkGround(environment: environment)
    return ReaderConfiguration(
      keys: keys, bindings: bindings, theme: reader.theme,
      ground: isDark.map { $0 ? .dark : .light }, textWidth: reader.textWidth, guideURL: guideURL,
      wheelRows: reader.wheelRows, noticePause: notification.map { _ in Double(notificationPause) })
  }
}
