/// New articles of an open list, in words.
public enum ArrivalWording {
  /// Returns the message after the key that shows new articles.
  public static func shown(_ count: Int) -> String {
    "Showing \(AmountWording.count(count, "new article", "new articles"))"
  }

  public static let nothingNew = "No new articles"
}
