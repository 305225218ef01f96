import FeedModel
import FeedStore
import TerminalKit

extension Browser: Window {
  var subscriptions: Subscriptions { feeds.model.subscriptions }
  var feedOrder: [FeedID] { feeds.model.feedOrder }

  func reveal(_ source: ListSource) {
    while sheet != nil { closeSheet() }
    feeds.model.reveal(.list(source))
    if focus != .feeds { setFocus(.feeds) }
    showList(source, opens: false)
  }

  func edit(_ feed: Feed) { present(EditFeedScreen(feed, context: context, feeds: feeds.model)) }

  func open(_ id: ArticleID, replacedBy program: String, _ html: String) {
    if reader.article?.id != id { open(id) }
    reader.replaceText(of: id, by: program, html)
  }

  func showChanges(of article: Article) { present(ChangesScreen(article, context: context)) }

  func ask(_ prompt: any Prompt) {
    self.prompt = prompt
    // A question may follow a write, when no key asks for a frame.
    context.invalidate()
  }

  /// Gives a key to the prompt; `false` if there is none.
  func takeInPrompt(_ key: Key) -> Bool {
    guard let prompt else { return false }
    guard let end = prompt.take(key == .control("c") ? .escape : key) else { return true }
    self.prompt = nil
    end()
    return true
  }

  /// Opens web pages at once; any other address is shown first, and so is one that begins with a
  /// name, which may look like another host's.
  func follow(_ url: String) {
    let (address, context) = (WebAddress(url), context)
    if address.isHTTP, address.userInfo == nil { return AddressActions.open(url, context) }
    let doubt =
      address.isHTTP
      ? "This leads to \(address.host.map { Confusables.shown(host: $0) } ?? "another host")."
      : "This isn\u{2019}t a web page."
    let question = "\(doubt) Open \(Confusables.shown(url))?"
    context.ask(whether: question) { AddressActions.open(url, context) }
  }

  func openHelp() { present(HelpScreen(context: context, about: focused.commandContext)) }

  func openSearch() {
    search.reopen()
    present(search)
  }

  func openProblems() { goTo(ProblemsScreen(context: context, feeds: feeds.model)) }
  func openConsole() { goTo(ConsoleScreen(context: context, refreshes: refreshes)) }
  func openDownloads() { goTo(DownloadsScreen(context: context)) }
  func openAddFeed() { goTo(AddFeedScreen(context: context, feeds: feeds.model)) }
  func openAccounts() { goTo(AccountsScreen(context: context, model: accounts)) }
  func openAddAccount() { goTo(AddAccountScreen(context: context)) }

  /// Closes what is over an open sheet of this type, or opens it: two of one type would end at the
  /// same time.
  func goTo<Opened: Sheet>(_ screen: @autoclosure () -> Opened) {
    guard sheets.contains(where: { $0 is Opened }) else { return present(screen()) }
    while let sheet, !(sheet is Opened) { closeSheet() }
  }

  func show(_ sheet: any Sheet) { present(sheet) }

  func present(_ screen: any Sheet) {
    catchUp()
    sheets.append(screen)
  }

  func closeSheet() {
    sheets.popLast()?.closed()
    prompt = nil
    catchUpInView()
    context.invalidate()
  }
}
