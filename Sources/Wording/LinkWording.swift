/// What the list of an article's links says.
public enum LinkWording {
  /// In place of a host.
  public static let withinArticle = "in this article"
  /// Why a link cannot be given to a program.
  public static let leadsWithin = "This link leads to another part of the article"
  /// The prompt for a program, with its space.
  public static let openWith = "Open the link with: "

  /// - Parameter text: what was typed, shown as it is.
  public static func noMatch(_ text: String) -> String {
    "No link has “\(text)” in its text or address"
  }
}
