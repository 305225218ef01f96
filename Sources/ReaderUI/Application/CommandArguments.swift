/// What commands can be given that is the same for everybody, for whoever checks a configuration.
extension Command {
  /// Nil: it takes nothing, or what is the user's own (a folder, tags, a program).
  /// - Parameter context: where it is given; nil, or where it does not apply: anywhere.
  public nonisolated func knownArguments(in context: CommandContext? = nil) -> [String]? {
    switch self {
    case .theme: return Theme.names
    case .sort:
      let (feeds, articles) = (FeedTree.Order.allCases.map(\.rawValue), ["newest", "oldest"])
      switch context {
      case .feeds: return feeds
      case .articles: return articles
      default: return feeds + articles
      }
    default: return nil
    }
  }
}
