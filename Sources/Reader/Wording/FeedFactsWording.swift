public import FeedModel
public import Foundation

/// Facts that help the user to decide whether a feed is worth keeping.
public enum FeedFactsWording {
  /// Returns text like "example.org · 12 articles a month, the newest 3 Nov"; `nil` if unknown.
  /// - Parameter articles: the dates of the newest articles, the newest first.
  public static func text(
    _ feed: Feed, dates articles: [Date], _ dates: DateWording
  ) -> String? {
    let site = WebAddress(feed.homePageURL ?? feed.url).host.map { Confusables.shown($0) }
    let parts = [site, pace(articles, dates)].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " \u{B7} ")
  }

  private static func pace(_ articles: [Date], _ dates: DateWording) -> String? {
    guard let newest = articles.first, let oldest = articles.last else { return nil }
    let months = max(1, dates.now.timeIntervalSince(oldest) / .days(30))
    let count = Int((Double(articles.count) / months).rounded())
    let pace =
      count < 1
      ? "less than an article a month"
      : AmountWording.count(count, "article", "articles") + " a month"
    return "\(pace), the newest \(dates.moment(newest))"
  }
}
