public import FeedModel

/// What is wrong with a query.
public nonisolated enum SearchWording {
  /// Without a full stop.
  public static func sentence(_ problem: SearchQuery.Problem) -> String {
    switch problem {
    case .unknownState(let word):
      return "is:\(word) means nothing; is:unread, is:read and is:starred do"
    case .unknownDate(let field, let value):
      return "\(field):\(value) is no date; \(field):2026-03-21 or \(field):7d is"
    case .emptyField(let field): return "\(field): wants something behind the colon"
    case .looseOr: return "OR wants a word on both sides"
    case .mixedAlternatives: return "OR joins words with words, or conditions with conditions"
    case .tooLong: return "The query has too many conditions"
    }
  }
}
