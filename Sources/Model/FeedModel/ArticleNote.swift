public import Foundation

/// The answer of a user's program about an article, stored with the article.
public struct ArticleNote: Sendable, Equatable, Identifiable {
  /// The row key in the cache. Notes are listed in this order.
  public var id: Int64
  public var program: String
  public var at: Date
  /// Paragraphs without other markup; see `html(ofText:)`.
  public var html: String

  public init(id: Int64, program: String, at: Date, html: String) {
    (self.id, self.program, self.at, self.html) = (id, program, at, html)
  }

  /// Limit of a program's answer in bytes; the rest is dropped.
  public static let longest = 256 << 10
}
