public import FeedModel

/// The state of an article's full text, in words.
public struct FullTextWording {
  /// For the times in sentences.
  public let dates: DateWording
  /// The key that asks for it; nil if it has none.
  public let key: String?

  /// - Parameter key: as it is shown to the user; nil: none.
  public init(dates: DateWording, key: String?) {
    self.dates = dates
    self.key = key
  }

  /// For the line below the title; nil if nothing is to be said.
  public func note(_ text: FullText?, isOffline: Bool) -> String? {
    guard let text else { return nil }
    switch text.state {
    case .waiting where isOffline: return "the full article comes when you\u{2019}re online"
    case .waiting: return "fetching the full article …"
    case .found: return text.isShown ? "full article" : "the feed\u{2019}s version"
    case .failed: return "no full article"
    }
  }

  /// What the key has just done.
  public func answer(_ text: FullText?, isOffline: Bool) -> String {
    guard let text else { return "This article has no web page to fetch" }
    switch text.state {
    case .waiting where isOffline:
      return "Offline; Weir fetches the full article when you\u{2019}re online"
    case .waiting: return "Fetching the full article"
    case .found:
      return text.isShown ? "Showing the full article" : "Showing the feed\u{2019}s version"
    case .failed(let failure): return sentence(failure, url: text.url)
    }
  }

  /// "lwn.net answered 503; x to retry".
  public func sentence(_ failure: RefreshFailure, url: String) -> String {
    let subject = FailureWording.subject(url)
    let happened = FailureWording(dates: dates).happened(failure, subject: subject)
    return happened + (key.map { "; \($0) to retry" } ?? "")
  }
}
