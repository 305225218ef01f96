import FeedModel
public import FeedStore

/// Texts of the list of an article's links.
public enum LinkWording {
  public static let withinArticle = "in this article"
  public static let leadsWithin = "This link leads to another part of the article"
  public static let openWith = "Open the link with: "

  public static let none = "This article has no links"
  public static let goes = "goes to a part of the article"

  /// Returns text that follows a number, like "opens example.org".
  public static func opens(_ host: String) -> String { "opens \(host)" }

  /// Returns the message for Enter without a number.
  /// - Parameter list: The key that lists the links, if there is one.
  public static func numberFirst(list: String?) -> String {
    "Type the number of a link first" + (list.map { "; \($0) lists the links" } ?? "")
  }

  /// - Parameter count: The number of links.
  public static func noSuchNumber(of count: Int) -> String {
    count == 1 ? "This article has one link" : "This article has \(count) links"
  }

  /// The name of the feed of saved pages.
  public static let savedPages = "Saved pages"
  public static let notSaved = "Only web pages can be saved for later"

  /// Returns text like "Saved “example.org/page” for later".
  public static func saved(_ page: SavedPage, isOffline: Bool) -> String {
    let title = "\u{201C}\(HiddenSecrets.name(of: page.title))\u{201D}"
    guard page.isNew else { return "\(title) is kept for later" }
    return "Saved \(title) for later"
      + (isOffline ? "; it is fetched when the network is back" : "")
  }

  /// - Parameter text: The search as typed.
  public static func noMatch(_ text: String) -> String {
    "No link has “\(text)” in its text or address"
  }
}
