/// Texts for the head of an article.
public enum ReadingWording {
  /// Returns text like "7 min", or "7 min · 3 left" for an article that was begun; `nil` for 0.
  public static func shortMinutes(_ minutes: Int, left: Int? = nil) -> String? {
    guard minutes > 0 else { return nil }
    let left = left.map { " \u{B7} \(AmountWording.grouped($0)) left" } ?? ""
    return "\(AmountWording.grouped(minutes)) min\(left)"
  }

  /// Returns text like "7 minutes", or "7 minutes, 3 left"; `nil` for 0.
  public static func spokenMinutes(_ minutes: Int, left: Int? = nil) -> String? {
    guard minutes > 0 else { return nil }
    let left = left.map { ", \(AmountWording.grouped($0)) left" } ?? ""
    return AmountWording.count(minutes, "minute", "minutes") + left
  }

  /// Returns text like "audio · 47 min · 28 MB".
  /// - Parameters:
  ///   - type: media type; may be empty.
  ///   - size: size in bytes.
  ///   - duration: duration in seconds.
  public static func file(type: String, size: Int64?, duration: Double?) -> String {
    let kind =
      switch type.prefix(while: { $0 != "/" }) {
      case "audio": "audio"
      case "video": "video"
      case "image": "picture"
      default: "file"
      }
    let facts = [
      kind, duration.flatMap { $0 > 0 ? AmountWording.duration($0) : nil },
      size.flatMap { $0 > 0 ? AmountWording.bytes(Double($0)) : nil },
    ]
    return facts.compactMap { $0 }.joined(separator: " \u{B7} ")
  }

  public static func plays(_ key: String) -> String { "\(key) to play" }

  public static let comments = "comments"
  public static func changed(_ key: String) -> String { "changed; \(key) shows how" }

  /// - Parameter keys: The keys that scroll.
  public static func code(wraps: Bool, keys: [String]) -> String {
    wraps
      ? "Long lines of code are wrapped"
      : "\(keys.joined(separator: " and ")) scroll long lines of code"
  }
}

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

  public static func noSuchNumber(of count: Int) -> String {
    count == 1 ? "This article has one link" : "This article has \(count) links"
  }

  public static let savedPages = "Saved pages"
  public static let notSaved = "Only web pages can be saved for later"

  public static func saved(_ page: SavedPage, offline: String?) -> String {
    let title = "\u{201C}\(HiddenSecrets.name(of: page.title))\u{201D}"
    guard page.isNew else { return "\(title) is kept for later" }
    return "Saved \(title) for later"
      + (offline.map { "; Weir fetches it \($0)" } ?? "")
  }

  public static func noMatch(_ text: String) -> String {
    "No link has “\(text)” in its text or address"
  }
}
