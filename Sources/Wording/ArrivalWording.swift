/// New articles of an open list, in words.
public enum ArrivalWording {
  /// The message of the key for new articles.
  public static func shown(_ count: Int) -> String {
    "Showing \(AmountWording.count(count, "new article", "new articles"))"
  }

  public static let nothingNew = "No new articles"
}
