internal import Foundation
@_exported public import ReaderUI
@_exported public import SyncEngine
package import TerminalViews

/// The values of the configuration file: those of `Settings` under their names, and the tables.
@dynamicMemberLookup
package struct UserConfiguration: Sendable, Equatable {
  /// The paths of the set settings, such as "reader.theme", which override remembered choices.
  package var named: Set<String> { Set(values.keys) }
  package var values: [String: any Sendable & Equatable] = [:]
  package var feeds = FeedTable()
  package var accounts = AccountTable()
  /// The key sequences of each command, by its name.
  package var keys: [String: [String]] = [:]
  /// The bindings. Those of one place follow those of all places and override them.
  package var bindings: [KeyBinding] = []
  package var themes: [Theme] = []
  package var programs: [String: OtherPrograms.Program] = [:]

  package subscript<Value>(dynamicMember setting: KeyPath<Settings, SettingKey<Value>>) -> Value {
    let key = Settings.all[keyPath: setting]
    return values[key.setting.path] as? Value ?? key.usual
  }

  package static func == (a: UserConfiguration, b: UserConfiguration) -> Bool {
    a.feeds == b.feeds && a.accounts == b.accounts && a.keys == b.keys
      && a.bindings == b.bindings && a.themes == b.themes && a.programs == b.programs
      && !Setting.all.contains { $0.differs(a, b) }
  }
}

extension UserConfiguration {
  package var retention: Retention {
    var retention = Retention(articles: self.keptArticles, days: self.keptDays)
    (retention.unreadDays, retention.downloadDays) = (self.unreadDays, self.downloadDays)
    return retention
  }

  var downloadLimits: DownloadLimits {
    var limits = DownloadLimits()
    limits.perDay = Self.bytes(self.megabytesPerDay)
    limits.perMonth = Self.bytes(self.megabytesPerMonth)
    limits.parallel = self.parallelDownloads
    return limits
  }

  private static func bytes(_ megabytes: Int) -> Int64? {
    megabytes > 0 ? Int64(megabytes) * 1_000_000 : nil
  }

  /// The settings of requests that `feeds` refines.
  package var requests: FeedSettings {
    var settings = FeedSettings()
    settings.proxy = self.proxy ?? settings.proxy
    settings.userAgent = self.userAgent ?? settings.userAgent
    return settings
  }
}

extension UserConfiguration {
  package func engine(directory: String) -> SyncConfiguration {
    var engine = SyncConfiguration(directory: directory)
    engine.refreshesDueFeeds = self.isAutomatic
    engine.downloadFolder = Paths.downloads(self.downloads, otherwise: directory)
    engine.downloads = downloadLimits
    if let perHost = self.perHost {
      engine.perHost = perHost
      engine.perMultiplexingHost = perHost
      engine.measuresHosts = false
    }
    engine.maintenanceInterval = .seconds(600)
    engine.folderInterval = .seconds(30)
    if let connections = self.connections { engine.ceiling = min(connections, engine.ceiling) }
    engine.limits.decodedBody = self.largestFeed << 20
    engine.limits.connect = Double(self.connectTimeout)
    engine.limits.silence = Double(self.silenceTimeout)
    engine.settings = feedSettings
    let accounts = accounts
    engine.laterTag = { accounts.laterTag(url: $0.url, user: $0.user) }
    engine.accountInterval = .seconds(60 * self.accountInterval)
    return engine
  }
}

extension UserConfiguration {
  /// Returns the sections whose changes take effect at the next start.
  /// - Parameter start: the configuration at the start of the program.
  func waitingForRestart(since start: UserConfiguration) -> [String] {
    func differs(_ table: String) -> Bool {
      Setting.all.contains { $0.table == table && $0.differs(self, start) }
    }
    let isSent = self.pictures.isInPixels || start.pictures.isInPixels
    return [
      ("[sync]", differs("sync")), ("[feeds]", feeds != start.feeds),
      ("[accounts]", accounts != start.accounts || differs("accounts")),
      ("[keep]", differs("keep")),
      ("reader.images", isSent && self.pictures != start.pictures),
      ("reader.words-per-minute", self.wordsPerMinute != start.wordsPerMinute),
      ("open.downloads", self.downloads != start.downloads),
      ("[downloads]", differs("downloads")), ("[log]", differs("log")),
    ].filter(\.1).map(\.0)
  }

  /// Returns "Configuration reloaded; [sync] and [log] take effect at the next start".
  package func readAgain(since start: UserConfiguration) -> String {
    let names = waitingForRestart(since: start)
    guard !names.isEmpty else { return "Configuration reloaded" }
    let verb = names.count == 1 ? "takes" : "take"
    return "Configuration reloaded; \(AmountWording.list(names)) \(verb) effect at the next start"
  }
}

extension UserConfiguration {
  /// - Parameter state: remembered choices, which the file overrides.
  package func screens(
    guideURL: String, environment: [String: String], state: ReaderState? = nil
  ) -> ReaderConfiguration {
    func chosen<Value>(
      _ setting: ReaderSetting, _ own: Value, _ read: (String) -> Value?
    ) -> Value {
      guard !named.contains(setting.name) else { return own }
      return state?.value(setting).flatMap(read) ?? own
    }
    func columns(_ setting: ReaderSetting) -> Int? {
      guard !named.contains(setting.name) else { return nil }
      return state?.value(setting).flatMap { Int($0) }.flatMap {
        (1...1_000).contains($0) ? $0 : nil
      }
    }
    let isDark = TerminalProfile.hasDarkBackground(environment: environment)
    var screens = ReaderConfiguration.standard
    screens.keys = keys
    screens.bindings = bindings
    screens.theme = chosen(.theme, self.theme) { themeNames.contains($0) ? $0 : nil }
    screens.background = isDark.map { $0 ? .dark : .light }
    screens.textWidth = chosen(.textWidth, self.textWidth) {
      Int($0).flatMap { (20...1_000).contains($0) ? $0 : nil }
    }
    screens.wrapsCode = self.wrapsCode
    screens.hidesLinkNumbers = self.hidesLinkNumbers
    screens.guideURL = guideURL
    let practised = state?.value(.practised as ReaderMemory) ?? ""
    screens.practised = Set(
      practised.split(separator: " ").compactMap { Command(named: String($0)) })
    screens.markAfter = self.markAfter > 0 ? self.markAfter : nil
    screens.marksPassed = self.marksPassed
    screens.wheelRows = self.wheelRows
    screens.noticePause = self.notification.map { _ in Double(self.notificationPause) }
    screens.feedOrder = state?.value(.feedOrder)
    screens.articleOrder = self.articleOrder
    screens.listViews = state?.views ?? [:]
    screens.isRoomy = chosen(.rows, self.isRoomy) { $0 == "roomy" }
    screens.pictures = self.pictures
    screens.paneWidths = PaneWidths(
      feeds: columns(.feedsWidth), articles: columns(.articlesWidth))
    screens.saveFormat = state?.value(.saveFormat)
    screens.snooze = state?.value(.snooze)
    screens.themes = themes
    screens.focus = state?.value(.focus)
    screens.fixed = Set(ReaderSetting.allCases.filter { named.contains($0.name) })
    return screens
  }
}

extension UserConfiguration {
  var themeNames: [String] { Theme.names + themes.map(\.name) }
}

extension UserConfiguration {
  /// Returns notes on valid settings: programs that are not in PATH, and hidden default keys.
  package func notes(path: String) -> [String] { missingPrograms(path) + hiddenKeys }

  private func missingPrograms(_ path: String) -> [String] {
    let single: [(name: String, words: [String]?)] = [
      ("open.browser", self.browser), ("open.player", self.player),
      ("open.bookmark", self.bookmark), ("notify.command", self.notification),
    ]
    let named = programs.sorted { $0.key < $1.key }.map {
      (name: "programs.\($0.key)", words: Optional($0.value.arguments))
    }
    return (single + named).compactMap { name, words in
      guard let first = words?.first else { return nil }
      if first.contains("/") {
        let file = NSString(string: first).expandingTildeInPath
        return FileManager.default.isExecutableFile(atPath: file)
          ? nil : "\(name): there is no program \(first)."
      }
      guard OtherPrograms.first(of: [first], path: path) == nil else { return nil }
      let words = first.split(separator: " ").map { "\"\($0)\"" }
      return words.count > 1
        ? "\(name): there is no program \u{201C}\(first)\u{201D}; write [\(words.joined(separator: ", "))]."
        : "\(name): there is no program \(first) in PATH."
    }
  }

  private var hiddenKeys: [String] {
    let (usual, own) = (Keymap(), Keymap(overrides: keys, bindings: bindings))
    return Command.allCases.filter { keys[$0.name] == nil }.flatMap { command in
      let left = own.sequences(for: command)
      return usual.sequences(for: command).compactMap { key in
        let hidden = CommandContext.allCases.filter {
          usual.sequences(for: command, in: $0).contains(key)
            && !own.sequences(for: command, in: $0).contains(key)
        }
        let places = left.contains(key) ? hidden.map(\.title).joined(separator: ", ") : ""
        let end = places.isEmpty ? left.isEmpty ? ", which has no key" : "" : " in: \(places)"
        return hidden.isEmpty ? nil : "Key \(key) no longer runs \(command.name)\(end)."
      }
    }
  }
}
