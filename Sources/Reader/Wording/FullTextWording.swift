internal import TextRules

/// The state of an article's full text, in words.
public struct FullTextWording {
  public let dates: DateWording
  /// The displayed key that requests the full text; `nil` if there is none.
  public let key: String?

  public init(dates: DateWording, key: String?) { (self.dates, self.key) = (dates, key) }

  /// Returns the text below the title; `nil` if there is none.
  public func note(_ text: FullText?, offline: String?) -> String? {
    guard let text else { return nil }
    switch text.state {
    case .waiting:
      return offline.map { "the full article comes \($0)" } ?? "fetching the full article …"
    case .found where text.obstacle != nil:
      return text.isShown
        ? "the beginning of the article" : "the feed\u{2019}s longer version"
    case .found: return text.isShown ? "full article" : "the feed\u{2019}s version"
    case .failed: return "no full article" + (key.map { " \u{B7} \($0) to retry" } ?? "")
    }
  }

  /// Returns the message shown after the key is pressed.
  public func answer(_ text: FullText?, offline: String?) -> String {
    guard let text else { return "This article has no web page to fetch" }
    switch text.state {
    case .waiting:
      return offline.map { "Offline; Weir fetches the full article \($0)" }
        ?? "Fetching the full article"
    case .found where text.obstacle != nil:
      return text.isShown
        ? "Showing the beginning; the \(Self.rest(of: FailureWording.subject(text.url)))"
        : "Showing the feed\u{2019}s version; the page shows less to readers who don\u{2019}t subscribe"
    case .found:
      return text.isShown ? "Showing the full article" : "Showing the feed\u{2019}s version"
    case .failed(let failure): return sentence(failure, url: text.url)
    }
  }

  /// Returns the line below the beginning of an article; `nil` if the page shows all of it.
  public static func ending(_ text: FullText) -> String? {
    guard text.obstacle != nil else { return nil }
    return "The \(rest(of: FailureWording.subject(text.url)))."
  }

  /// Returns the same line as HTML; empty if the page shows all of it.
  public static func endingHTML(_ text: FullText) -> String {
    ending(text).map { "<p><em>\(TextHTML.escaped($0))</em></p>" } ?? ""
  }

  private static func rest(of host: String) -> String { "rest is for subscribers of \(host)" }

  /// Returns text like "lwn.net answered 503; x to retry".
  public func sentence(_ failure: RefreshFailure, url: String) -> String {
    FailureWording(dates: dates).happened(failure, at: url)
      + (key.map { "; \($0) to retry" } ?? "")
  }
}
