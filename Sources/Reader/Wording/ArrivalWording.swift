/// New articles of an open list, in words.
public enum ArrivalWording {
  /// Returns the message after the key that shows new articles.
  public static func shown(_ count: Int) -> String {
    "Showing \(AmountWording.count(count, "new article", "new articles"))"
  }

  /// Returns text like "42 old ones in Planet came as new; ge shows them or marks them read".
  public static func old(_ feeds: [(name: String, count: Int)], key: String) -> String {
    let count = AmountWording.grouped(feeds.reduce(0) { $0 + $1.count })
    let place =
      feeds.count == 1 ? feeds[0].name : AmountWording.count(feeds.count, "feed", "feeds")
    return "\(count) old ones in \(place) came as new; \(key) shows them or marks them read"
  }

  public static let nothingNew = "No new articles"
}
