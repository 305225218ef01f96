/// The settings of one list that the user changed by keys; `nil` for the configured value.
package nonisolated struct ChosenView: Sendable, Equatable {
  package var filter: ArticleQuery.Filter?
  package var order: ArticleOrder?
  package var isRoomy: Bool?

  package init() {}

  /// Reads text like "filter=unread order=oldest rows=roomy". Ignores unknown words.
  package init(_ text: String) {
    for word in text.split(separator: " ") {
      switch word {
      case "filter=all": filter = .all
      case "filter=unread": filter = .unread
      case "filter=starred": filter = .starred
      case "rows=roomy": isRoomy = true
      case "rows=compact": isRoomy = false
      default:
        guard word.hasPrefix("order=") else { continue }
        order = ArticleOrder(rawValue: String(word.dropFirst("order=".count)))
      }
    }
  }

  package var text: String {
    [
      filter.map { "filter=\($0)" }, order.map { "order=\($0.rawValue)" },
      isRoomy.map { $0 ? "rows=roomy" : "rows=compact" },
    ].compactMap(\.self).joined(separator: " ")
  }
}

extension ListSource {
  /// The name under which the view of the list is remembered; `nil` for temporary lists.
  package var viewName: String? {
    switch self {
    case .smart(let smart): smart.rawValue
    case .folder(let id): "folder \(id.rawValue)"
    case .feed(let id): "feed \(id.rawValue)"
    case .tag(let tag): "tag \(tag)"
    case .saved(let id): "search \(id.rawValue)"
    case .search, .hidden, .dailyPage: nil
    }
  }
}

extension ReaderContext {
  package func view(of source: ListSource) -> ChosenView {
    source.viewName.flatMap { configuration.remembered[.view(of: $0)] }.map(ChosenView.init)
      ?? ChosenView()
  }

  package func change(viewOf source: ListSource, _ body: (inout ChosenView) -> Void) {
    guard let name = source.viewName else { return }
    var view = view(of: source)
    body(&view)
    choose(.view(of: name), view.text)
  }
}
