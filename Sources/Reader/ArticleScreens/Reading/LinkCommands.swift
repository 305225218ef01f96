import ArticleText
import TerminalViews

struct LinkCommands {
  unowned let screen: ReaderScreen
  private var context: ReaderContext { screen.context }

  var bindings: [Binding] {
    [
      Binding(.followLink, unless: whyNoLink) { askForLink() },
      Binding(.open, called: { openLink($0) }),
      Binding(.toggleLater, called: { toggleLater($0) }),
    ]
  }

  private var whyNoLink: String? {
    screen.document.map { $0.targetCount > 0 } == true ? nil : LinkWording.none
  }

  /// Opens the link of a number. Without one, only shows a note, as Enter also ends other inputs.
  private func openLink(_ call: Binding.Call) {
    if let reason = whyNoLink { return context.note(reason) }
    guard let number = call.count else {
      return context.note(LinkWording.numberFirst(list: context.keymap.label(.followLink)))
    }
    guard let document = screen.document, let target = document.target(number: number) else {
      return context.note(LinkWording.noSuchNumber(of: screen.document?.targetCount ?? 0))
    }
    screen.follow(target)
  }

  /// Keeps the article for later, or no longer; saves the page of a link if a number was typed.
  private func toggleLater(_ call: Binding.Call) {
    guard let number = call.count else { return ArticleCommands(screen: screen).toggle(.later) }
    guard let document = screen.document, let target = document.target(number: number) else {
      return context.note(LinkWording.noSuchNumber(of: screen.document?.targetCount ?? 0))
    }
    guard let address = document.address(of: target), WebAddress(address).isHTTP else {
      return context.note(LinkWording.notSaved)
    }
    let name = LinkWording.savedPages
    context.write({ store in
      try await store.plan.save([address], in: name, isLink: true)
    }) { [context] pages in
      for page in pages {
        context.note(LinkWording.saved(page, offline: context.offlineUntil))
      }
    }
  }

  private func askForLink() {
    guard let links = screen.document?.linkList, !links.isEmpty else { return }
    let prompt = LinkListPrompt(links, context: context) { [weak screen] link, use in
      switch (use, link.address) {
      case (.open, _): screen?.follow(link.target)
      case (.openWith, let address?): screen.map { LinkCommands(screen: $0).askForProgram(address) }
      case (.openWith, nil): break
      }
    }
    screen.linkPrompt = prompt
    context.window?.ask(prompt)
  }

  private func askForProgram(_ address: String) {
    let names = context.actions.programNames
    let known = names.count == 1 ? names[0] : ""
    context.ask(for: LinkWording.openWith, text: known) { [context] program in
      context.run(
        ProgramTask(program: .typed(program), environment: ["WEIR_LINK": address], address: address)
      )
    }
  }
}
