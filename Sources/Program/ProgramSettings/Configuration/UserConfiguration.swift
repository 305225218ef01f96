internal import Foundation
@_exported public import ReaderUI
@_exported public import SyncEngine
import TerminalViews

/// The values of the configuration file, by the names in `EngineSettings`, `ScreenSettings` and
/// `Settings`, and the tables.
@dynamicMemberLookup
package struct UserConfiguration: Sendable, Equatable {
  package var values = SettingValues()
  package var feeds = FeedTable()
  package var accounts = AccountTable()
  package var programs: [String: OtherPrograms.Program] = [:]
  /// The values of the file as a user types them, by the paths of their settings.
  package var typed: [String: String] = [:]

  package subscript<Value>(
    dynamicMember setting: KeyPath<EngineSettings, SettingKey<Value>>
  ) -> Value { values[EngineSettings.all[keyPath: setting]] }

  package subscript<Value>(
    dynamicMember setting: KeyPath<ScreenSettings, SettingKey<Value>>
  ) -> Value {
    get { values[ScreenSettings.all[keyPath: setting]] }
    set { values[ScreenSettings.all[keyPath: setting]] = newValue }
  }

  package subscript<Value>(dynamicMember setting: KeyPath<Settings, SettingKey<Value>>) -> Value {
    values[Settings.all[keyPath: setting]]
  }
}

extension UserConfiguration {
  package var retention: Retention {
    var retention = Retention(articles: self.keptArticles, days: self.keptDays)
    (retention.unreadDays, retention.downloadDays) = (self.unreadDays, self.downloadDays)
    return retention
  }

  package func engine(directory: String) -> SyncConfiguration {
    var engine = SyncConfiguration(directory: directory)
    engine.values = values
    engine.downloadFolder = Paths.downloads(self.downloads, otherwise: directory)
    engine.maintenanceInterval = .seconds(600)
    engine.folderInterval = .seconds(30)
    engine.settings = feedSettings
    let accounts = accounts
    engine.laterTag = { accounts.laterTag(url: $0.url, user: $0.user) }
    return engine
  }

  /// - Parameter state: remembered choices, which the file overrides.
  package func screens(
    guideURL: String, environment: [String: String], state: ReaderState? = nil
  ) -> ReaderConfiguration {
    var screens = ReaderConfiguration()
    screens.settings = values
    screens.fixed = values.names
    screens.remembered = state?.choices ?? [:]
    for (choice, text) in screens.remembered where !values.names.contains(choice.name) {
      guard let setting = Setting.all.first(where: { $0.path == choice.name }),
        !setting.apply(.text(text), &screens.settings), let number = Int(text)
      else { continue }
      _ = setting.apply(.number(number), &screens.settings)
    }
    let isDark = TerminalProfile.hasDarkBackground(environment: environment)
    screens.background = isDark.map { $0 ? .dark : .light }
    screens.guideURL = guideURL
    return screens
  }
}

extension UserConfiguration {
  /// - Parameter remembered: choices made in the reader, which the file overrides.
  package func rows(_ remembered: [ReaderSetting: String]) -> [SettingValueRow] {
    let chosen = Dictionary(remembered.map { ($0.key.name, $0.value) }) { first, _ in first }
    let settings = Setting.all.filter { !$0.isExpert } + Setting.all.filter(\.isExpert)
    return settings.map { setting in
      let isTheme = setting.path == ScreenSettings.all.theme.path
      return SettingValueRow(
        setting, value: typed[setting.path] ?? chosen[setting.path],
        isInFile: typed[setting.path] != nil,
        choices: isTheme ? values.themeNames : setting.choices)
    }
  }
}

extension UserConfiguration {
  /// Returns the sections whose changes take effect at the next start, and single settings of
  /// sections of which others take effect at once.
  /// - Parameter start: the configuration at the start of the program.
  func waitingForRestart(since start: UserConfiguration) -> [String] {
    let (first, last) = (["sync", "feeds", "accounts", "keep"], ["downloads", "log"])
    func changed(_ tables: [String]) -> [String] {
      tables.filter { table in
        Setting.all.contains { $0.table == table && $0.differs(start.values, values) }
          || table == "feeds" && feeds != start.feeds
          || table == "accounts" && accounts != start.accounts
      }.map { "[\($0)]" }
    }
    let single = Setting.all.filter {
      !(first + last).contains($0.table) && $0.waits?(start.values, values) ?? false
    }
    return changed(first) + single.map(\.path) + changed(last)
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
  /// Returns notes on valid settings: programs that are not in PATH, hidden default keys, and
  /// former names of commands.
  package func notes(path: String) -> [String] {
    missingPrograms(path) + hiddenKeys + formerNames
  }

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

  private var formerNames: [String] {
    let bound = self.bindings.flatMap(\.commands).map { String($0.prefix { $0 != " " }) }
    return Set(self.keys.keys + bound).sorted().compactMap { name in
      Command.replacement(for: name).map { "The command \(name) is now \u{201C}\($0)\u{201D}." }
    }
  }

  private var hiddenKeys: [String] {
    let (usual, own) = (Keymap(), Keymap(overrides: self.keys, bindings: self.bindings))
    return Command.allCases.filter { self.keys[$0.name] == nil }.flatMap { command in
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
