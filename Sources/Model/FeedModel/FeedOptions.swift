/// A setting of a feed. Raw values are the keys of the configuration and the names of OPML's
/// `weir:` attributes.
public enum FeedOption: String, CaseIterable, Sendable {
  case interval
  case userAgent = "user-agent"
  case proxy, headers, cookies
  case keepArticles = "keep-articles"
  case keepDays = "keep-days"
  case fullText = "full-text"
  case sort
  case markRead = "mark-read"
  case download
}

/// The settings of one feed; `nil` where the general setting applies.
public struct FeedOptions: Sendable, Hashable {
  /// Time between two checks, in whole minutes of `intervals`. If the server requests a longer
  /// time, that time applies.
  public var interval: Duration?
  /// The request header `User-Agent`; `nil` for Weir's own.
  public var userAgent: String?
  /// The address of a proxy; empty to use none, even if the environment names one.
  public var proxy: String?
  /// Request headers, one "Name: value" per line.
  public var headers: String?
  /// A file in the format of Netscape's cookies.txt: an absolute path, or one from `~/`.
  public var cookies: String?
  /// The number of newest articles to keep; 0 for all.
  public var keepArticles: Int?
  /// The age in days up to which articles are kept; 0 for no limit.
  public var keepDays: Int?
  /// True if the pages of new articles are fetched as they arrive.
  public var fullText: Bool?
  public var sort: ArticleOrder?
  public var markRead: MarkPolicy?
  /// The number of newest articles whose audio or video is downloaded on arrival.
  public var latestDownloads: Int?

  public init() {}

  /// Valid intervals in minutes: 15 minutes to a week.
  public static let intervals = 15...10_080
  /// The largest value of `keepArticles` and `keepDays`.
  public static let mostKept = 1_000_000
  /// Valid values of `latestDownloads`.
  public static let downloads = 1...50
  /// Limit of a header line or user agent, in bytes.
  private static let longestLine = 4_096

  public var isEmpty: Bool { self == FeedOptions() }

  /// Returns these settings, with those of `base` where they are `nil`.
  public func over(_ base: FeedOptions) -> FeedOptions {
    base.taking(FeedOption.allCases.filter { text(of: $0) != nil }, from: self)
  }

  /// Returns these settings, but some as in `other`, also where that has none.
  public func taking(_ taken: [FeedOption], from other: FeedOptions) -> FeedOptions {
    var sum = FeedOptions()
    for option in FeedOption.allCases {
      let source = taken.contains(option) ? other : self
      if let text = source.text(of: option) { sum.set(option, to: text) }
    }
    return sum
  }

  /// The settings without those that a list from another person must not set.
  public var withoutRequests: FeedOptions {
    taking([.userAgent, .proxy, .headers, .cookies, .download], from: FeedOptions())
  }

  // MARK: As text

  /// The value in OPML and configuration; `nil` if not set.
  public func text(of option: FeedOption) -> String? {
    switch option {
    case .interval: interval.map { String($0.components.seconds / 60) }
    case .userAgent: userAgent
    case .proxy: proxy
    case .headers: headers
    case .cookies: cookies
    case .keepArticles: keepArticles.map(String.init)
    case .keepDays: keepDays.map(String.init)
    case .fullText: fullText.map { $0 ? "true" : "false" }
    case .sort: sort?.rawValue
    case .markRead: markRead?.rawValue
    case .download: latestDownloads.map { "latest \($0)" }
    }
  }

  /// Sets an option from its text. Returns false, and changes nothing, if the text is not valid.
  @discardableResult
  public mutating func set(_ option: FeedOption, to text: String) -> Bool {
    switch option {
    case .interval:
      guard let minutes = Int(text), Self.intervals.contains(minutes) else { return false }
      interval = .seconds(60 * minutes)
    case .userAgent:
      guard !text.isEmpty, Self.isPlain(text) else { return false }
      userAgent = text
    case .proxy:
      guard text.isEmpty || Self.isProxy(text) else { return false }
      proxy = text
    case .headers:
      guard let lines = Self.headerLines(text) else { return false }
      headers = lines.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    case .cookies:
      guard text.hasPrefix("/") || text.hasPrefix("~/"), Self.isPlain(text) else { return false }
      cookies = text
    case .keepArticles, .keepDays:
      guard let number = Int(text), (0...Self.mostKept).contains(number) else { return false }
      if option == .keepDays { keepDays = number } else { keepArticles = number }
    case .fullText:
      guard text == "true" || text == "false" else { return false }
      fullText = text == "true"
    case .sort:
      guard let order = ArticleOrder(rawValue: text) else { return false }
      sort = order
    case .markRead:
      guard let policy = MarkPolicy(rawValue: text) else { return false }
      markRead = policy
    case .download:
      let words = text.split(separator: " ")
      guard words.count == 2, words[0] == "latest", let number = Int(words[1]),
        Self.downloads.contains(number)
      else { return false }
      latestDownloads = number
    }
    return true
  }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.count <= longestLine && Setting.isPlain(text)
  }

  public static let proxySchemes: Set<String> = [
    "http", "https", "socks4", "socks4a", "socks5", "socks5h",
  ]

  public static func isProxy(_ text: String) -> Bool {
    let address = WebAddress(text)
    return address.scheme.map(proxySchemes.contains) == true && address.host != nil
      && !text.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
  }

  // MARK: Header lines

  /// Headers set by the transport.
  private static let reserved: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer",
    "expect", "keep-alive", "proxy-authorization", "proxy-connection", "if-none-match",
    "if-modified-since", "if-range", "range", "accept-encoding", "user-agent", "cookie",
  ]

  /// Parses headers, one per line or separated by " | "; `nil` if any is invalid or reserved.
  public static func headerLines(_ text: String) -> [(name: String, value: String)]? {
    var lines: [(name: String, value: String)] = []
    for line in text.replacing(" | ", with: "\n").split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let name = String(line[..<colon]).trimmed
      let value = String(line[line.index(after: colon)...]).trimmed
      guard !name.isEmpty, !value.isEmpty, name.utf8.allSatisfy(isToken), isPlain(value),
        !reserved.contains(name.lowercased())
      else { return nil }
      lines.append((name, value))
    }
    return lines.isEmpty ? nil : lines
  }

  /// True for a character of a token (RFC 9110, §5.6.2).
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

extension String {
  /// The text without spaces and tabs at its ends.
  fileprivate var trimmed: String {
    var text = Substring(self)
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }
}

/// The sort order of a list of articles. Raw values are used by configuration, state, OPML and the
/// command `sort`.
public enum ArticleOrder: String, CaseIterable, Sendable {
  case newest, oldest, feed, title, author, unread, length
}

/// The event that marks articles of a feed as read. Raw values are those of the configuration.
public enum MarkPolicy: String, CaseIterable, Sendable {
  case opened
  /// Marks on opening, or when the selection moves past the article down a list.
  case passed
  /// Marks by a command only.
  case never
}
