import TerminalViews

extension Browser: Window {
  var subscriptions: Subscriptions { feeds.model.subscriptions }
  var feedOrder: [FeedID] { feeds.model.feedOrder }

  func reveal(_ source: ListSource) {
    // The change that made the list may not have been announced yet.
    if !feeds.model.exists(source) { _ = feeds.model.modelUpdated(.everything) }
    while sheet != nil { closeSheet() }
    feeds.model.reveal(.list(source))
    if focus != .feeds { setFocus(.feeds) }
    showList(source, opens: false)
  }

  func edit(_ feed: Feed) { show(EditFeedScreen(feed, context: context, feeds: feeds.model)) }

  func open(_ id: ArticleID, replacedBy program: String, _ html: String) {
    if reader.article?.id != id { open(id) }
    reader.replaceText(of: id, by: program, html)
  }

  func ask(_ prompt: any Prompt) {
    self.prompt = prompt
    // A question may follow a write, when no key press causes a redraw.
    context.invalidate()
  }

  /// Gives a key to the prompt; `false` if there is none.
  func handleInPrompt(_ key: Key) -> Bool {
    guard let prompt else { return false }
    let key = key == .control("c") ? .escape : key
    guard let end = prompt.handle(key) else { return true }
    self.prompt = nil
    end()
    return !prompt.passesOn(key)
  }

  /// Opens web pages at once. Asks before it opens other addresses, or an address with a user name,
  /// which may look like another host's.
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

  func openSearch() {
    search.reopen()
    show(search)
  }

  func openAddAccount() { goTo(AddAccountScreen(context: context)) }

  /// Opens a sheet. If a sheet of its type is open already, closes the sheets over that one
  /// instead.
  func goTo<Opened: Sheet>(_ screen: @autoclosure () -> Opened) {
    guard sheets.contains(where: { $0 is Opened }) else { return show(screen()) }
    while let sheet, !(sheet is Opened) { closeSheet() }
  }

  func show(_ sheet: any Sheet) {
    catchUp()
    sheets.append(sheet)
  }

  func closeSheet() {
    sheets.popLast()?.closed()
    prompt = nil
    catchUpInView()
    context.invalidate()
  }
}

/// Rules: making a rule from the shown list, trying it, and listing all rules.
extension Browser {
  func openRules() {
    goTo(RulesScreen(context: context))
    selectNewRule()
  }

  func editRule(_ draft: RuleDraft, of rule: Rule?) {
    show(RuleFormScreen(draft, of: rule, context: context))
  }

  func tryRule(_ draft: RuleDraft, of rule: Rule?) {
    RuleTrial(draft: draft, rule: rule, context: context).ask()
  }

  func closeRule(_ new: RuleID?) {
    while sheet is RuleFormScreen { closeSheet() }
    if let new { context.session.newRule = new }
    selectNewRule()
  }

  /// Selects a rule that was added since the list of rules was last shown.
  private func selectNewRule() {
    guard let rules = sheet as? RulesScreen, let new = context.session.newRule else { return }
    context.session.newRule = nil
    rules.select(new)
  }
}
