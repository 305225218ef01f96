public import Foundation

/// The page on which an article is discussed, as it was when a pack was made.
public struct Discussion: Sendable, Equatable {
  public var url: String
  public var fetchedAt: Date
  /// The whole page as sanitised HTML.
  public var html: String

  public init(url: String, fetchedAt: Date, html: String) {
    self.url = url
    self.fetchedAt = fetchedAt
    self.html = html
  }
}

extension Article {
  private static var discussions: Regex<Substring> {
    /https:\/\/(?:news\.ycombinator\.com\/item\?id=\d+|lobste\.rs\/s\/[A-Za-z0-9_\/]+)/
  }

  /// Returns the discussion page that the feed names, else one that the text links to.
  /// - Parameter html: the text that is shown.
  public func discussionAddress(in html: String) -> String? {
    if let commentsURL { return commentsURL }
    if let url = row.url, url.contains(Self.discussions) { return url }
    return html.firstMatch(of: Self.discussions).map { String($0.output) }
  }
}
