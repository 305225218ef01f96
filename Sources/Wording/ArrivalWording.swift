/// New articles of an open list, in words.
public enum ArrivalWording {
  /// What the key for new articles says.
  public static func shown(_ count: Int) -> String {
    "Showing \(AmountWording.count(count, "new article", "new articles"))"
  }

  /// The same where there are none.
  public static let nothingNew = "No new articles"
}
