import FeedModel
import FeedStore
import ReaderServices
import TerminalViews

extension Browser {
  var choosingBindings: [Binding] {
    [
      Binding(.openSearch, choices: savedSearches, given: openSearch),
      Binding(.openAccount, choices: accountTitles, given: openAccount),
    ]
  }

  private func savedSearches() -> ArgumentChoices? {
    ArgumentChoices(all: feeds.model.subscriptions.searches.map(\.name), newNeedsText: false)
  }

  private func openSearch(_ name: String) {
    guard let saved = feeds.model.subscriptions.searches.first(where: { $0.name == name }) else {
      openSearch()
      return search.begin(name)
    }
    feeds.model.reveal(.list(.saved(saved.id)))
    showList(.saved(saved.id), opens: true)
  }

  private func accountTitles() -> ArgumentChoices? {
    ArgumentChoices(all: accounts.accounts.map(\.title), newNeedsText: false)
  }

  private func openAccount(_ title: String) {
    guard let account = accounts.accounts.first(where: { $0.title == title }) else {
      return openAddAccount()
    }
    if let folder = account.folder { reveal(.folder(folder)) }
  }
}
