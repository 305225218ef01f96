/// What the list of an article's links says.
public enum LinkWording {
  /// In place of a host.
  public static let withinArticle = "in this article"
  /// Why a link cannot be given to a program.
  public static let leadsWithin = "This link leads to another part of the article"
  /// The prompt for a program, with its space.
  public static let openWith = "Open the link with: "

  /// An article without links.
  public static let none = "This article has no links"
  /// After a number, for a link within the article.
  public static let goes = "goes to a part of the article"

  /// After a number.
  public static func opens(_ host: String) -> String { "opens \(host)" }

  /// Where Enter is pressed without a number.
  /// - Parameter list: the key that lists the links, if there is one.
  public static func numberFirst(list: String?) -> String {
    "Type the number of a link first" + (list.map { "; \($0) lists the links" } ?? "")
  }

  /// - Parameter count: how many links there are.
  public static func noSuchNumber(of count: Int) -> String {
    count == 1 ? "This article has one link" : "This article has \(count) links"
  }

  /// - Parameter text: what was typed, shown as it is.
  public static func noMatch(_ text: String) -> String {
    "No link has “\(text)” in its text or address"
  }
}
