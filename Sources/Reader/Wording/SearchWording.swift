public import FeedModel

/// The problems of queries, in words.
public enum SearchWording {
  /// - Returns: A sentence without a full stop.
  public static func sentence(_ problem: SearchQuery.Problem) -> String {
    switch problem {
    case .unknownState(let word):
      return "There is no is:\(word); use unread, read, starred, later, duplicate or asleep"
    case .unknownDate(let field, let value):
      return "\(field):\(value) isn\u{2019}t a date; write \(field):2026-03-21 or \(field):7d"
    case .unknownContent(let word):
      return "There is no has:\(word); use has:audio, has:video, has:picture or has:discussion"
    case .unknownNumber(let field, let value):
      return "\(field):\(value) isn\u{2019}t a number; write \(field):<3 or \(field):>5"
    case .pattern(let problem, let source): return PatternWording.sentence(problem, in: source)
    case .unknownField(let name, let near):
      return "There is no field \(name):; did you mean \(near):? Quote the word to find it as text"
    case .emptyField(let field): return "Write something after \(field):"
    case .looseOr: return "OR needs a word on both sides"
    case .mixedAlternatives: return "OR can\u{2019}t join a word and a condition"
    case .tooLong: return "The query has too many conditions"
    }
  }
}
