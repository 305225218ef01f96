public import Foundation

/// A durable request for the posts before those that a feed's document lists.
public struct OlderPosts: Sendable, Equatable {
  /// The progress of the request.
  public enum State: Sendable, Equatable {
    case waiting
    /// Number of articles that the pages added, and the date of the oldest post of the last page.
    case found(Int, oldest: Date?)
    /// The last page has been read: it names no further one, or one that was read before.
    case ended(Int)
    case failed(RefreshFailure)
  }

  /// The largest number of pages that one feed waits for.
  public static let mostPages = 10

  public var feed: FeedID
  public var state: State
  /// Number of pages to fetch.
  public var pages: Int

  public init(feed: FeedID, state: State, pages: Int) {
    (self.feed, self.state, self.pages) = (feed, state, pages)
  }
}

/// A page with older posts of a feed.
public struct OlderPostsPage: Sendable, Equatable {
  public var items: [ParsedItem]
  /// The address of the next older page; `nil` if there is none.
  public var next: String?
  /// The addresses that were requested for the page and that answered.
  public var addresses: [String]
  public var bodyHash: String

  public init(items: [ParsedItem], next: String?, addresses: [String], bodyHash: String) {
    (self.items, self.next, self.addresses) = (items, next, addresses)
    self.bodyHash = bodyHash
  }
}

/// The result of a request for one page of older posts.
public enum OlderPostsOutcome: Sendable, Equatable {
  case page(OlderPostsPage)
  /// There is no older page.
  case ended
  /// `page` is the address that failed, if the document of the feed has just named it.
  case failed(RefreshFailure, page: String? = nil)
}
