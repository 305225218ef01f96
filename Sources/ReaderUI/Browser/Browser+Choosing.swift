import FeedModel
import FeedStore
import ReaderServices
import TerminalViews

extension Browser {
  var choosingBindings: [Binding] {
    unowned let browser = self
    return [
      Binding(
        .openSearch, choices: { browser.savedSearches() }, given: { browser.openSearch($0) }),
      Binding(
        .openAccount, choices: { browser.accountTitles() }, given: { browser.openAccount($0) }),
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
