public import Foundation

/// What a program of the user's own said about an article: kept with it, and marked as such.
public struct ArticleNote: Sendable, Equatable, Identifiable {
  /// The key of its row in the cache; notes are listed in this order.
  public var id: Int64
  public var program: String
  public var at: Date
  /// Paragraphs without other markup; see `html(ofText:)`.
  public var html: String

  public init(id: Int64, program: String, at: Date, html: String) {
    (self.id, self.program, self.at, self.html) = (id, program, at, html)
  }

  /// Bytes of a program's answer that are kept.
  public static let longest = 256 << 10
}
