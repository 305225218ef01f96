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
    var textWidth = 80
    /// Lines are filled to the width.
    var isJustified = true
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
  /// Those of one place behind those of all places, over which they go.
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
    if let perHost = sync.perHost {
      engine.perHost = perHost
      engine.perMultiplexingHost = perHost
    }
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
  /// What counts from the next start only, of a file that was read again: cache, engine, accounts and log
  /// have what was in force at this one.
  /// - Parameter start: what the program started with.
  func waitingForRestart(since start: Configuration) -> [String] {
    var names: [String] = []
    if sync != start.sync { names.append("[sync]") }
    if feeds != start.feeds { names.append("[feeds]") }
    if accounts != start.accounts { names.append("[accounts]") }
    if retention != start.retention || maximumNewArticles != start.maximumNewArticles {
      names.append("[keep]")
    }
    if downloads != start.downloads { names.append("open.downloads") }
    if logLevel != start.logLevel { names.append("[log]") }
    return names
  }

  /// "The configuration was read again; [sync] and [log] count from the next start".
  func readAgain(since start: Configuration) -> String {
    let sentence = "The configuration was read again"
    let names = waitingForRestart(since: start)
    guard let last = names.last else { return sentence }
    guard names.count > 1 else { return "\(sentence); \(last) counts from the next start" }
    let others = names.dropLast().joined(separator: ", ")
    return "\(sentence); \(others) and \(last) count from the next start"
  }
}

extension Configuration {
  func screens(guideURL: String, environment: [String: String]) -> ReaderConfiguration {
    let isDark = TerminalProfile.hasDarkGround(environment: environment)
    return ReaderConfiguration(
      keys: keys, bindings: bindings, theme: reader.theme,
      ground: isDark.map { $0 ? .dark : .light }, textWidth: reader.textWidth,
      isJustified: reader.isJustified, guideURL: guideURL, wheelRows: reader.wheelRows,
      noticePause: notification.map { _ in Double(notificationPause) })
  }
}
