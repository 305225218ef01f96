import ArticleText
import TerminalViews

struct ArticleCommands {
  unowned let screen: ReaderScreen
  private var context: ReaderContext { screen.context }

  var bindings: [Binding] {
    let own: [Binding] = [
      Binding(.readOn, when: screen.view.top < screen.lastTop || screen.isReading) {
        _ = screen.readOn()
      },
      Binding(.delete) { delete() },
      Binding(.filter) { askForText() },
      Binding(.pictures, called: { turnPictures($0) }),
      Binding(.goIn, when: screen.canScrollRight, counted: { screen.scroll(sideways: $0) }),
      Binding(.goOut, when: screen.view.sideways > 0, counted: { screen.scroll(sideways: -$0) }),
      // After "/", users of vi or less expect the key to go to the next match.
      Binding(.nextUnread, when: hasFindings && !isAtLastWord, counted: { goToHit($0) }),
      Binding(.previousUnread, when: hasFindings) { goToHit(-$0) },
      Binding(.dismiss, when: screen.text?.replacement != nil) { screen.removeReplacement() },
      Binding(.dismiss, when: screen.hasTypedNeedle || !screen.origins.isEmpty) {
        screen.dismiss()
      },
      Binding(.fullText) { screen.requestFullText() },
      Binding(.showArrivals, when: screen.text?.holdsNewText == true) { screen.showText() },
      Binding(.toggleRead) { toggle(.read) },
      Binding(.toggleStar) { toggle(.starred) },
      Binding(.snooze, choices: { SnoozeChoices.all(screen.context) }, given: { snooze($0) }),
      Binding(
        .tag, choices: { screen.article.flatMap { TagChoices.of([$0.id], screen.context) } },
        given: { setTags($0) }),
    ]
    return own + LinkCommands(screen: screen).bindings + Binding.movement { screen.move($0) }
      + ArticleActions.bindings(context) { screen.article?.id }
  }

  private var hasFindings: Bool { !screen.finder.findings.lines.isEmpty }
  /// True at the last word of the search that found the article; then the key leads on.
  private var isAtLastWord: Bool {
    screen.finder.search != nil
      && screen.finder.shownHit >= screen.finder.findings.lines.last ?? 0
  }

  private func delete() {
    guard let id = screen.article?.id else { return }
    DeletedArticles.delete(context) { _ in [id] }
    context.links.events?.carryOut(.back)
  }

  private func snooze(_ time: String) {
    guard let id = screen.article?.id,
      SnoozeChoices.snooze(time, context, { _ in [id] })
    else { return }
    context.links.events?.carryOut(.back)
  }

  /// Toggles a state. The linear form says the result, because no cell shows it.
  func toggle(_ mark: Mark) {
    guard let id = screen.article?.id else { return }
    context.write({ store in
      let marked = try await mark.toggle([id], store)
      return (marked, try store.articles.articleRow(id)?.status)
    }) { [context] marked, status in
      if let text = MarkWording.changed(marked) { context.note(text) }
      if context.configuration.isLinear, let status {
        context.note(MarkWording.state(mark, status[mark]))
      }
    }
  }

  private func setTags(_ text: String) {
    guard let id = screen.article?.id else { return }
    TagChoices.write(text, instead: TagChoices.common([id], context), context) { _ in
      [id]
    }
  }

  /// Shows or hides all pictures, or shows one in the whole window.
  private func turnPictures(_ call: Binding.Call) {
    if let reason = screen.pictures.whyNot { return context.note(reason) }
    guard let number = call.count else {
      if screen.pictures.missing > 0, screen.text?.hasRetried == false {
        screen.retryPictures()
        return context.note(PictureWording.retrying)
      }
      screen.pictures.turn()
      let key = context.keymap.label(.pictures)
      return context.note(PictureWording.shown(screen.pictures.areShown, key: key))
    }
    guard
      let picture = screen.document?.lines.lazy.compactMap(\.picture).first(where: {
        $0.number == number
      })
    else { return context.note(PictureWording.noneWithNumber) }
    context.window?.show(PictureScreen(picture.address, screen.pictures, context: context))
  }

  private func askForText() {
    // Lines have other numbers once the window has another size.
    let position = screen.view.top == 0 ? nil : screen.document?.position(line: screen.view.top)
    let before = { [weak screen] in position.flatMap { screen?.document?.line($0) } ?? 0 }
    context.window?.ask(
      .filter(screen.hasTypedNeedle ? screen.finder.needle : "") { [weak screen] text in
        guard let screen else { return }
        screen.finder.find(text, in: screen.document) { [weak screen] in
          if text.isEmpty { screen?.view.top = before() } else { screen?.showHit(from: before()) }
        }
      })
  }

  private func goToHit(_ steps: Int) {
    let lines = screen.finder.findings.lines
    guard !lines.isEmpty else { return }
    // Counts from the line of the last step.
    let current = lines.lastIndex { $0 <= screen.finder.shownHit } ?? (steps > 0 ? -1 : 0)
    let next = ((current + steps) % lines.count + lines.count) % lines.count
    screen.show(lines[next])
  }
}
