import TerminalViews

/// The text in place of an empty list: the reason why it is empty, and a key that helps.
struct EmptyListText {
  let screen: ArticlesScreen

  var lines: [String] {
    let (source, filter) = (screen.source, screen.model.query.filter)
    if source == .hidden { return ["No rule hides an article."] }
    if source == .dailyPage, filter == .all {
      return ["No page was chosen today.", ":today chooses one."]
    }
    if !screen.text.isEmpty {
      return ["No matches in titles, authors and feeds.", "\(key(.dismiss)) shows all."]
    }
    if source == .smart(.starred), filter == .starred {
      return ["No starred articles yet.", "\(key(.toggleStar)) stars an article."]
    }
    if source == .smart(.later), filter == .all {
      return ["Nothing is kept for later.", "\(key(.toggleLater)) keeps an article for later."]
    }
    if filter != .all {
      let next =
        switch screen.nextFilter {
        case .all: filter == .unread ? "read ones too" : "all"
        case .unread: "unread ones"
        case .starred: "starred ones"
        }
      return [
        filter == .unread ? "No unread articles." : "No starred articles.",
        "\(key(.toggleUnreadFilter)) shows \(next).",
      ]
    }
    if source.isSearch { return ["No results yet."] }
    return ["No articles yet.", "\(key(.refresh)) refreshes."]
  }

  private func key(_ command: Command) -> String { screen.context.keymap.label(command) ?? "" }
}

extension ArticleQuery.Filter {
  var title: String {
    switch self {
    case .unread: "unread only"
    case .all: "all"
    case .starred: "starred only"
    }
  }
}
