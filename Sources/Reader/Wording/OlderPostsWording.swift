/// Requests for older posts of a feed, in words.
public struct OlderPostsWording {
  public let dates: DateWording
  public let name: String
  /// The displayed key that requests a page; `nil` if there is none.
  public let key: String?

  public init(dates: DateWording, name: String, key: String?) {
    (self.dates, self.name, self.key) = (dates, name, key)
  }

  /// Returns the reason why a feed has no older posts to request; `nil` if it may have some.
  public static func whyNot(_ feed: Feed?) -> String? {
    guard let feed else { return "Select a feed, or an article of it" }
    if feed.account != nil { return "The server of its account fetches this feed" }
    let isFeed = WebAddress(feed.url).isHTTP && HeadlinesAddress(feed.url) == nil && !feed.isList
    return isFeed ? nil : "Only a feed on the web has older posts"
  }

  /// Returns the message shown after the key is pressed.
  public func answer(_ posts: OlderPosts, offline: String?) -> String {
    guard posts.state == .waiting else { return none }
    let pages = posts.pages > 1 ? "\(posts.pages) pages of older posts" : "older posts"
    if let offline { return "Offline; Weir fetches \(pages) of \(name) \(offline)" }
    let most = posts.pages < OlderPosts.mostPages ? "" : ", the most at a time"
    return "Fetching \(pages) of \(name)\(most)"
  }

  /// Returns the message at the end of the request; `nil` while it waits.
  public func end(_ posts: OlderPosts) -> String? {
    switch posts.state {
    case .waiting: return nil
    case .found(0, _):
      return "This page of \(name) has only posts that are here already" + more("fetches the next")
    case .found(let count, let oldest):
      let since = oldest.map { ", back to \(dates.short($0))" } ?? ""
      return "\(older(count))\(since), marked read" + more("fetches more")
    case .ended(0): return none
    case .ended(let count): return "\(older(count)), marked read; there are no more"
    case .failed(let failure):
      return FailureWording(dates: dates).happened(failure, subject: name) + more("tries again")
    }
  }

  private var none: String { "\(name) has no older posts" }

  private func older(_ count: Int) -> String {
    "\(AmountWording.count(count, "older post", "older posts")) of \(name)"
  }

  private func more(_ effect: String) -> String { key.map { "; \($0) \(effect)" } ?? "" }
}
