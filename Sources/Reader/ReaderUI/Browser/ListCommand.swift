/// The command that prints the articles of a list.
struct ListCommand {
  private var command = "articles"
  private var scope: [String] = []
  /// A search in the query language.
  private var query = ""
  var filter: ArticleQuery.Filter
  /// The text by which the list is filtered.
  var text = ""

  /// Returns `nil` for a list that the shell cannot name.
  init?(source: ListSource, feeds: FeedListModel) {
    filter = source.ownFilter
    switch source {
    case .smart(.today): scope = ["--today"]
    case .smart(.high): scope = ["--high"]
    case .smart(.archived): scope = ["--kept"]
    case .smart(.later): scope = ["--later"]
    case .smart(.unread), .smart(.starred): break
    case .feed(let id): scope = ["--feed", String(id.rawValue)]
    case .folder(let id): scope = ["--folder", FolderPath.text(feeds.path(id))]
    case .tag(let tag): query = "tag:\"\(tag.replacing("\"", with: " "))\""
    case .saved(let id):
      guard let search = feeds.search(id) else { return nil }
      query = search.query
    case .search(let text): query = text
    case .hidden: return nil
    case .dailyPage: command = "page"
    }
  }

  var line: String {
    var words = ["weir", command] + scope
    if command == "page" { return words.joined(separator: " ") }
    switch filter {
    case .all: break
    case .unread: words.append("--unread")
    case .starred: words.append("--starred")
    }
    if !text.isEmpty { words += ["--filter=\(text)"] }
    if !query.isEmpty { words.append(query) }
    return words.map(ShellWord.quoted).joined(separator: " ")
  }
}
