import TOMLKit

/// The table [feeds]: settings of a feed, or of all feeds below an address.
///
///     [feeds."https://example.org/private/"]
///     username = "me"
///     password-command = ["pass", "show", "example.org"]
package struct FeedTable: Sendable, Equatable {
  private static let user = SettingKey.text("feeds.username", expected: Setting.textForm) {
    Setting.isPlain($0) && !$0.isEmpty ? $0 : nil
  }
  private static let password = SettingKey.text("feeds.password", expected: Setting.textForm) {
    Setting.isPlain($0) ? FeedSettings.Password.text($0) : nil
  }
  private static let command = SettingKey.words("feeds.password-command")
  /// The options in the form of OPML's attributes.
  private static let options = FeedOption.allCases.map { option in
    SettingKey<String?>("feeds.\(option.rawValue)", expected: form(option), usual: nil) {
      value, _ in
      var options = FeedOptions()
      return written(option, value).flatMap { options.set(option, to: $0) ? .some($0) : nil }
    }
  }
  static let settings =
    ([user.setting, password.setting, command.setting] + options.map(\.setting)).compactMap(\.self)

  /// Returns the form of an option's value, like "a path that begins with / or ~/".
  package static func form(_ option: FeedOption) -> String {
    func choice(_ names: [String]) -> String {
      names.map { "\"\($0)\"" }.joined(separator: ", ")
    }
    switch option {
    case .interval:
      return "a number of minutes from \(FeedOptions.intervals.lowerBound) to "
        + "\(FeedOptions.intervals.upperBound)"
    case .userAgent: return Setting.textForm
    case .proxy: return Setting.proxyForm
    case .headers: return "a list of texts such as \"Name: value\""
    case .cookies: return "a path that begins with / or ~/"
    case .keepArticles, .keepDays: return "a whole number from 0 to \(FeedOptions.mostKept)"
    case .fullText: return Setting.toggleForm
    case .sort: return "one of \(choice(ArticleOrder.allCases.map(\.rawValue)))"
    case .download:
      return "\"latest N\" with a number up to \(FeedOptions.downloads.upperBound)"
    case .markRead: return "one of \(choice(MarkPolicy.allCases.map(\.rawValue)))"
    }
  }

  /// Returns a value in the form of OPML's attributes; `nil` for a value of another type.
  private static func written(_ option: FeedOption, _ value: SettingValue) -> String? {
    switch option {
    case .interval, .keepArticles, .keepDays: value.number.map(String.init)
    case .fullText: value.isOn.map { $0 ? "true" : "false" }
    case .headers: value.words?.joined(separator: "\n")
    case .userAgent, .proxy, .cookies, .sort, .markRead, .download: value.text
    }
  }

  /// The settings of each address, in the order of the file.
  private var entries: [FeedSettings] = []

  /// Returns the settings of a feed: `base`, overridden by the longest matching entry. The origins
  /// must be equal, so that a secret goes to one server only.
  func settings(for url: String, base: FeedSettings) -> FeedSettings {
    guard var settings = entry(for: url) else { return base }
    let options = settings.options
    settings.userAgent = options.userAgent ?? base.userAgent
    settings.proxy = options.proxy.map { ProxyChoice($0, hasExceptions: false) } ?? base.proxy
    return settings
  }

  func options(for url: String) -> FeedOptions { entry(for: url)?.options ?? FeedOptions() }

  private func entry(for url: String) -> FeedSettings? {
    guard !entries.isEmpty else { return nil }
    let address = LocalSource.webAddress(of: url)
    func length(_ entry: FeedSettings) -> Int { entry.address?.path.count ?? 0 }
    return entries.filter { $0.address.map(address.isBelow) ?? false }
      .max { length($0) < length($1) }
  }

  /// Adds the table of one address and reports its problems.
  mutating func add(_ entry: inout TableEntry, address: String) {
    var settings = FeedSettings(user: entry.values[Self.user])
    settings.address = WebAddress(address).withoutUserInfo
    settings.password =
      entry.values[Self.command].map { .command($0) } ?? entry.values[Self.password]
    for (option, key) in zip(FeedOption.allCases, Self.options) {
      if let text = entry.values[key] { settings.options.set(option, to: text) }
    }
    if settings.password != nil, settings.user == nil {
      entry.problems.append(TableProblem(text: "a username expected with the password"))
    }
    entries.append(settings)
  }
}

extension UserConfiguration {
  package var feedOptions: @Sendable (String) -> FeedOptions {
    let feeds = feeds
    return { feeds.options(for: $0) }
  }

  package var feedSettings: @Sendable (String) -> FeedSettings {
    let (feeds, accounts) = (feeds, accounts)
    let base = FeedSettings(userAgent: self.userAgent, proxy: self.proxy ?? .environment)
    return { url in
      var settings = feeds.settings(for: url, base: base)
      settings.accountHeaders = accounts.headers(url: url)
      return settings
    }
  }
}
