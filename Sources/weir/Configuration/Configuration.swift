// Settings as typed values with their defaults. A new setting is one line in `Setting.all` and its
// comment in Resources/config.toml.

import FeedModel
import FeedStore
import Networking
import ReaderUI
import SyncEngine
import TerminalKit

struct Configuration: Sendable, Equatable {
  struct Sync: Sendable, Equatable {
    var isAutomatic = true
    /// Concurrent requests to a host; `nil` for 2, or 6 over one HTTP/2 connection.
    var perHost: Int?
    /// Concurrent requests in total; `nil` for the system's limit, at most 128.
    var connections: Int?
    /// MiB after decompression.
    var largestFeed = 15
    var connectTimeout = 10
    var silenceTimeout = 20
    var requests = FeedSettings()
  }
  struct Reader: Sendable, Equatable {
    var theme = Theme.auto
    var textWidth = 72
    var isJustified = false
    var wrapsCode = true
    var hidesLinkNumbers = false
    /// Seconds; 0: never.
    var markAfter = 0
    var marksPassed = false
    var wheelRows = 3
    var articleOrder = "newest"
    var isRoomy = false
    var hasThumbnails = false
    var pictures = PictureDisplay.auto
  }

  var sync = Sync()
  var reader = Reader()
  var feeds = FeedTable()
  var accounts = AccountTable()
  var accountInterval = Duration.seconds(15 * 60)
  var retention = Retention()
  var pictureLimit = 500
  var maximumNewArticles = 1_000
  var keys: [String: [String]] = [:]
  /// Bindings of one place come after bindings of all places, which they override.
  var bindings: [KeyBinding] = []
  var themes: [Theme] = []
  var browser: [String]?
  /// `nil` for the user's folder for downloads.
  var downloads: String?
  var downloadLimits = DownloadLimits()
  /// `nil` for the names at their addresses.
  var downloadName: DownloadNameTemplate?
  var player: [String]?
  var bookmark: [String]?
  var notification: [String]?
  var notificationPause = 300
  var programs: [String: OtherPrograms.Program] = [:]
  /// `nil` for no log unless --log.
  var logLevel: Log.Level?
  /// Settings in the file, such as "reader.theme": they override the remembered choices.
  var named: Set<String> = []
}

extension Configuration {
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
  /// The sections that take effect at the next start.
  /// - Parameter start: the configuration at the start of the program.
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
  /// - Parameter state: remembered choices; the file overrides them.
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
  var themeNames: [String] { Theme.names + themes.map(\.name) }
}
