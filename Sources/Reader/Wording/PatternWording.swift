public import FeedModel

/// The problems of regular expressions, in words.
public enum PatternWording {
  /// - Returns: A sentence without a full stop.
  public static func sentence(_ problem: Pattern.Problem, in source: String) -> String {
    let reason =
      switch problem.kind {
      case .empty: "There is nothing between the slashes"
      case .escape: "There is no such escape, or a backslash is the last character"
      case .range: "There is no such class or range of characters"
      case .bracket: "A ] is missing"
      case .parenthesis: "The parentheses do not match"
      case .repetition: "There is nothing to repeat, or it repeats too often"
      case .group: "This kind of group is not supported (no look-ahead or look-behind)"
      case .encoding: "The text is not UTF-8"
      case .tooLarge: "The expression is too large"
      case .other: "The expression cannot be used"
      }
    guard let position = problem.position, position < source.count else {
      return "/\(source)/: \(reason)"
    }
    return "/\(source)/: \(reason), at \u{201C}\(source.dropFirst(position).prefix(12))\u{201D}"
  }
}
