package import TOMLKit

/// The table [feeds]: settings of a feed, or of all feeds below an address.
///
///     [feeds."https://example.org/private/"]
///     username = "me"
///     password-command = ["pass", "show", "example.org"]
package struct FeedTable: Sendable, Equatable {
  // Parts of messages before "expected".
  static let textForm = "a text without control characters"
  package static let proxyForm =
    "\"\" for none, or an address that begins with http://, https://, socks5:// or socks5h://"

  static let addressForm = "an address that begins with https:// or http://"
  package static let forms = [
    "username": textForm, "password": textForm, "password-command": Setting.programForm,
  ].merging(FeedOption.allCases.map { ($0.rawValue, form($0)) }) { a, _ in a }

  private static func form(_ option: FeedOption) -> String {
    func choice(_ names: [String]) -> String {
      names.map { "\"\($0)\"" }.joined(separator: ", ")
    }
    switch option {
    case .interval:
      return "a number of minutes from \(FeedOptions.intervals.lowerBound) to "
        + "\(FeedOptions.intervals.upperBound)"
    case .userAgent: return textForm
    case .proxy: return proxyForm
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

  package struct Entry: Sendable, Equatable {
    package var address: WebAddress
    package var options = FeedOptions()
    package var user: String?
    package var password: FeedSettings.Password?
  }
  package private(set) var entries: [Entry] = []

  /// Returns the settings of a feed: `base`, overridden by the longest matching entry. The origins
  /// must be equal, so that a secret goes to one server only.
  package func settings(for url: String, base: FeedSettings) -> FeedSettings {
    var settings = base
    guard let entry = entry(for: url) else { return settings }
    settings.userAgent = entry.options.userAgent ?? settings.userAgent
    settings.proxy =
      entry.options.proxy.map { ProxyChoice($0, hasExceptions: false) } ?? settings.proxy
    settings.user = entry.user
    settings.password = entry.password
    settings.options = entry.options
    settings.address = entry.address
    return settings
  }

  package func options(for url: String) -> FeedOptions { entry(for: url)?.options ?? FeedOptions() }

  private func entry(for url: String) -> Entry? {
    guard !entries.isEmpty else { return nil }
    let address = LocalSource.webAddress(of: url)
    let matching = entries.filter { address.isBelow($0.address) }
    return matching.max { $0.address.path.count < $1.address.path.count }
  }

  /// Reads the table of one address and returns its problems.
  package mutating func read(_ value: any TOMLValueConvertible, address: String) -> [TableProblem] {
    guard WebAddress(address).isHTTP else {
      return [TableProblem(text: "\(Self.addressForm) expected")]
    }
    guard let table = value.table else { return [TableProblem(text: "a table expected")] }
    var entry = Entry(address: WebAddress(address).withoutUserInfo)
    var problems: [TableProblem] = []
    for key in table.keys.sorted() {
      guard let value = table[key] else { continue }
      if let problem = TableProblem(unknown: key, among: Self.forms) {
        problems.append(problem)
      } else if !Self.set(key, value, &entry) {
        problems.append(TableProblem(key: key, text: "\(Self.forms[key] ?? "") expected"))
      }
    }
    if entry.password != nil, entry.user == nil {
      problems.append(TableProblem(text: "a username expected with the password"))
    }
    entries.append(entry)
    return problems
  }

  /// - Returns: `false` if the value is invalid.
  private static func set(
    _ key: String, _ value: any TOMLValueConvertible, _ entry: inout Entry
  ) -> Bool {
    if let option = FeedOption(rawValue: key) {
      return written(option, value).map { entry.options.set(option, to: $0) } ?? false
    }
    let text = value.string
    switch key {
    case "username":
      guard let text, isPlain(text), !text.isEmpty else { return false }
      entry.user = text
    case "password":
      guard let text, isPlain(text) else { return false }
      entry.password = .text(text)
    default:
      guard let words = Setting.words(in: value), words.first?.isEmpty == false else {
        return false
      }
      entry.password = .command(words)
    }
    return true
  }

  /// Returns a value in the form of OPML's attributes; `nil` for a value of another type.
  private static func written(
    _ option: FeedOption, _ value: any TOMLValueConvertible
  ) -> String? {
    switch option {
    case .interval, .keepArticles, .keepDays: value.int.map(String.init)
    case .fullText: value.bool.map { $0 ? "true" : "false" }
    case .headers: Setting.words(in: value)?.joined(separator: "\n")
    case .userAgent, .proxy, .cookies, .sort, .markRead, .download: value.string
    }
  }

  /// Parses the proxy of all requests, to which `no_proxy` applies.
  @Sendable package static func proxy(_ text: String) -> ProxyChoice? {
    text.isEmpty || FeedOptions.isProxy(text) ? ProxyChoice(text, hasExceptions: true) : nil
  }

  static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
  }
}

extension UserConfiguration {
  package var feedOptions: @Sendable (String) -> FeedOptions {
    let feeds = feeds
    return { feeds.options(for: $0) }
  }

  package var feedSettings: @Sendable (String) -> FeedSettings {
    let (feeds, base, accounts) = (feeds, requests, accounts)
    return { url in
      var settings = feeds.settings(for: url, base: base)
      settings.accountHeaders = accounts.headers(url: url)
      return settings
    }
  }
}

extension TableProblem {
  package init?(unknown key: String, among forms: [String: String]) {
    guard forms[key] == nil else { return nil }
    self.init(
      key: key, text: "unknown setting", near: Suggestion.nearest(to: key, among: forms.keys))
  }
}
