import FeedModel

/// Where an article's full text stands, in words.
nonisolated struct FullTextWording {
  let dates: DateWording
  /// The key that asks for it; nil where it has none.
  let key: String?

  /// For the line below the title; nil where nothing is to be said.
  func note(_ text: FullText?, isOffline: Bool) -> String? {
    guard let text else { return nil }
    switch text.state {
    case .waiting where isOffline: return "the full text comes when the line is back"
    case .waiting: return "fetching the full text …"
    case .found: return text.isShown ? "full text" : "the feed\u{2019}s text"
    case .failed: return "no full text"
    }
  }

  /// What the key has just done.
  func answer(_ text: FullText?, isOffline: Bool) -> String {
    guard let text else { return "This article has no web page to fetch" }
    switch text.state {
    case .waiting where isOffline:
      return "Offline; the full text is fetched as soon as the line is back"
    case .waiting: return "Fetching the full text"
    case .found: return text.isShown ? "The full text" : "The feed\u{2019}s own text"
    case .failed(let failure): return sentence(failure, url: text.url)
    }
  }

  /// "No full text (x tries again): lwn.net answered 503".
  func sentence(_ failure: RefreshFailure, url: String) -> String {
    let subject = FailureWording.subject(url)
    let happened = FailureWording(dates: dates).happened(failure, subject: subject)
    let remedy = key.map { " (\($0) tries again)" } ?? ""
    return "No full text\(remedy): \(happened)"
  }
}
