import TerminalViews

/// A list, or the selected articles of it, as a book for an e-reader.
struct ListBook {
  let context: ReaderContext
  let model: ArticleListModel
  let name: String

  /// The most articles of a book, which is made in memory.
  private nonisolated static let most = 1_000

  func askForFile() {
    let (query, selection) = (model.query, model.several == nil ? nil : model.selection)
    let (context, name) = (context, name)
    context.ask(
      for: "Save as a book to: ", text: "~/\(FileNames.proposed(for: name, or: "list")).epub",
      completing: context.actions.paths
    ) { path in
      context.session.preparation = context.load { store in
        if let selection { return try selection.ids(store) }
        return try store.articles.page(query, .top, limit: Self.most).map(\.id)
      } then: { articles in
        let articles = Array(articles.prefix(Self.most))
        context.note("Writing \(AmountWording.articles(articles.count)) to \(path)\u{2026}")
        // A book takes some seconds, in which other commands must not cancel it.
        context.runUntilQuit {
          await context.showResult(of: .send) { () throws(ActionFailure) in
            try await context.actions.saveBook(of: articles, title: name, path: path)
          }
        }
      }
    }
  }
}
