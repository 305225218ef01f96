import Foundation

/// Articles in the style of common pages, each with content that is hard to lay out.
public struct SampleArticle: Sendable, CustomStringConvertible {
  /// The name of its file, without the extension.
  public var name: String
  /// The title as plain text.
  public var title: String
  /// The author, or `nil` if none is given.
  public var author: String?
  /// The HTML of the feed, before it is cleaned.
  public var html: String

  /// The name, for reports of parametrised tests.
  public var description: String { name }

  private init(_ name: String, _ title: String, author: String? = nil) {
    self.name = name
    self.title = title
    self.author = author
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Articles/\(name).html")
    html = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }

  /// A post with code.
  public static let swiftPost = SampleArticle(
    "swift-post", "Swift 6.3 Released", author: "Holly Example")
  /// A list of terms, a table, highlighted code.
  public static let pep = SampleArticle(
    "pep", "PEP 9999: A reader for structured text", author: "A. Writer")
  /// Nested quotations, a figure with its caption.
  public static let linkBlog = SampleArticle("link-blog", "Twenty-Five Years of Following")
  /// Show notes: times, addresses without links.
  public static let podcast = SampleArticle(
    "podcast", "Episode 41: From key to frame", author: "Ada and Jun")
  /// Wide and narrow tables.
  public static let tables = SampleArticle("tables", "Five readers, measured", author: "L. Bench")
  /// A Chinese article: wide characters, no spaces.
  public static let chinese = SampleArticle("chinese", "科技爱好者周刊（第 370 期）：终端里的宽字符", author: "阮一")
  /// An Urdu article, written from right to left.
  public static let urdu = SampleArticle("urdu", "نئے بند سے شہر کی زندگی بدل گئی")
  /// Lines that end in `br`, indented with `&nbsp;`.
  public static let plainText = SampleArticle("plain-text", "sluice-tools 3.2")

  /// Every article above.
  public static let all = [swiftPost, pep, linkBlog, podcast, tables, chinese, urdu, plainText]
}
