import TerminalViews

/// Sends the article, its list or all feeds somewhere, and shows what is known about the article.
struct SendCommands {
  unowned let browser: Browser
  private var context: ReaderContext { browser.context }

  var bindings: [Binding] {
    [
      .offering(.send, browser.context, last: .sending) { article.receivers + list + all },
      .offering(.about, browser.context) { article.facts },
    ]
  }

  private var article: ArticleActions {
    ArticleActions(context: context, id: FocusedItems(browser).focusedArticle)
  }

  private var list: [OfferedAction] {
    var receivers: [OfferedAction] = []
    if browser.focus == .articles, let list = browser.articles, !list.model.isEmpty {
      receivers.append(
        OfferedAction("book", "A file: this list as a book (.epub)") { list.saveBook() })
    }
    if let line = shownCommand {
      receivers.append(
        OfferedAction("command", "The clipboard, as the command that prints this list", note: line)
        {
          AddressActions.copy(text: line, context)
        })
    }
    return receivers
  }

  private var all: [OfferedAction] {
    let files = FilePrompt(context: context)
    return [
      OfferedAction("opml", "A file: all feeds (OPML)") {
        files.ask("Export to: ", "~/weir.opml", context.actions.exportSubscriptions)
      },
      OfferedAction("database", "A file: a copy of the database") {
        files.ask("Copy the database to: ", "~/weir-copy.db", context.actions.saveDatabase)
      },
    ]
  }

  private var shownCommand: String? {
    let (feeds, list) = (browser.feeds.model, browser.articles)
    if browser.focus == .feeds || list == nil {
      return feeds.selectedSource.flatMap { ListCommand(source: $0, feeds: feeds)?.line }
    }
    guard let list, var command = ListCommand(source: list.source, feeds: feeds) else { return nil }
    (command.filter, command.text) = (list.model.query.filter, list.text)
    return list.model.query.showsHiddenByRules ? nil : command.line
  }
}

/// Asks for a path, and passes the path to an action outside the queue of writes, since a file may
/// take long, and marking an article must not wait for it.
struct FilePrompt {
  let context: ReaderContext

  func ask(
    _ label: String, _ path: String,
    _ action: @escaping (_ path: String) async throws(ActionFailure) -> String
  ) {
    context.ask(for: label, text: path, completing: context.actions.paths) { [context] path in
      context.session.exporting = context.runInBackground {
        await context.showResult(of: .send) { () throws(ActionFailure) in try await action(path) }
      }
    }
  }
}
