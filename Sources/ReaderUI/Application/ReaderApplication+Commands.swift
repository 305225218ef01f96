import ArticleScreens
import FeedModel
import FeedStore
import Foundation
package import ReaderServices
import TerminalKit
import TerminalViews
import Wording

extension ReaderApplication: CommandTarget, ReaderEvents {
  package func carryOut(_ command: Command) { perform(Invocation(command)) }

  /// The handler of a command at the focus; `nil` if it has none.
  func binding(for command: Command) -> Binding? {
    messageBindings.first(for: command) ?? browser.focused.binding(for: command)
      ?? browser.binding(for: command) ?? bindings.first(for: command)
  }

  /// The keys that a message in the status line offers.
  func makeMessageBindings() -> Bindings {
    unowned let application = self
    let messages = context.messages
    return Bindings {
      [
        Binding(.dismiss, when: messages.current != nil) { _ = messages.dismiss() },
        Binding(.refresh, when: application.retryScope != nil) {
          guard let scope = application.retryScope else { return }
          _ = messages.dismiss()
          application.refresh(scope)
        },
      ]
    }
  }

  /// On a sheet, `r` is for its own rows.
  private var retryScope: RefreshScope? {
    browser.sheet == nil ? context.messages.retryScope : nil
  }

  /// Runs the command of a key, a macro or the palette at the focus. Returns `false` if nothing
  /// handles it there.
  @discardableResult
  func perform(
    _ invocation: Invocation, count: Int? = nil, isChosen: Bool = false
  ) -> Bool {
    let command = invocation.command
    commandCount += 1
    context.invalidate()
    let focused = browser.focused
    focused.willPerform(command)
    guard let binding = binding(for: command) else { return false }
    if let reason = binding.reason() {
      context.note(reason)
    } else if command.argument != nil, invocation.argument == nil {
      ask(for: command, binding.choices())
    } else {
      binding.action(
        Binding.Call(count: count, argument: invocation.argument, isChosen: isChosen))
    }
    focused.didPerform()
    return true
  }

  func makeBindings() -> [Binding] {
    unowned let application = self
    let context = context
    return [
      Binding(.palette) { application.openPalette() },
      Binding(.theme, choices: context.themes, called: context.chooseTheme),
      Binding(.textWidth, choices: context.textWidths, called: context.chooseTextWidth),
      Binding(.roomyRows) { context.toggleRoomyRows() },
      Binding(.thumbnails, unless: context.whyNoPictures) { context.toggleThumbnails() },
      Binding(.justify) { context.toggleJustify() },
      Binding(.exportFeeds) {
        application.ask(
          for: "Export to: ", text: "~/weir.opml", .exportFeeds, \.exporting,
          context.actions.exportSubscriptions)
      },
      Binding(.saveDatabase) {
        application.ask(
          for: "Copy the database to: ", text: "~/weir-copy.db", .saveDatabase, \.exporting,
          context.actions.saveDatabase)
      },
      Binding(.undo, unless: application.whyNot(.undo)) { application.perform(.undo) },
      Binding(.redo, unless: application.whyNot(.redo)) { application.perform(.redo) },
      Binding(.refreshAll) { application.refresh(.all) },
      Binding(
        .cancelRefresh,
        unless: application.refreshes.active.isEmpty ? "No refresh is running" : nil
      ) { application.cancelRefresh() },
      Binding(.importFeeds) {
        application.ask(
          for: "Import file: ", .importFeeds, \.importing, context.actions.importSubscriptions)
      },
      Binding(.takeStarterSet) { application.takeStarterSet() },
      Binding(.redraw) { context.terminal.redraw() },
      Binding(.back) { application.leave() },
      Binding(.quit) { application.quit() },
    ]
  }

  /// Asks for the argument of a command, with a list or in the command line.
  private func ask(for command: Command, _ choices: ArgumentChoices?) {
    guard let words = command.argument?.picker else { return openPalette(command) }
    let known = command.knownArguments(in: browser.focused.commandContext)
    let choices = choices ?? ArgumentChoices(all: known ?? [])
    let current = choices.current.trimmingWhitespace
    var options = Picker.Options(
      new: words.new, newNeedsText: choices.newNeedsText, current: current,
      highlighted: choices.highlighted,
      cancelled: choices.cancelled)
    if choices.takesSeveral {
      options.marked = Set(current.split(separator: " ").map(String.init))
    }
    let items = choices.all.map { Picker.Item($0, title: choices.titles[$0]) }
    browser.ask(
      Picker(words.label, items, options) { [weak self] values in
        self?.perform(Invocation(command, values.joined(separator: " ")), isChosen: true)
      })
  }

  private func openPalette(_ command: Command? = nil) {
    let text = command.map { "\($0.name) \(binding(for: $0)?.choices()?.current ?? "")" }
    browser.ask(
      CommandPrompt(
        text: text ?? "", context: context, place: browser.focused.commandContext,
        binding: { [weak self] in self?.binding(for: $0) }
      ) { [weak self] in self?.perform($0, isChosen: true) })
  }

  /// Waits for pending writes, which may not be in the journal yet.
  private func whyNot(_ step: JournalStep) -> String? {
    do throws(StoreError) {
      let next = try step.next(context.store)
      return context.work.isIdle && next == nil ? step.nothingLeft : nil
    } catch {
      return nil
    }
  }

  private func perform(_ step: JournalStep, _ confirmed: JournalEntry? = nil) {
    context.write({ store throws(StoreError) -> (entry: JournalEntry, isDone: Bool)? in
      var entry = confirmed
      if entry == nil { entry = try step.next(store) }
      guard let entry else { return nil }
      if confirmed == nil, entry.count > JournalStep.mostUnasked { return (entry, false) }
      return try await step.apply(entry, store).map { ($0, true) }
    }) { [weak self, context] result in
      guard let result else { return context.note(step.nothingLeft) }
      if result.isDone { return context.note(step.result(result.entry)) }
      context.ask(whether: step.question(result.entry)) { self?.perform(step, result.entry) }
    }
  }

  /// Announces on the first screen that the same key again ends the reader.
  private func leave() {
    if announcedQuitAt == commandCount - 1 { return quit() }
    announcedQuitAt = commandCount
    let keys = [Command.back, .quit].map { context.keymap.label($0) ?? $0.name }
    context.note("\(keys[0]) again quits; \(keys[1]) quits from everywhere")
  }

  private func takeStarterSet() {
    let context = context
    context.perform {
      await context.tell(.takeStarterSet) { () throws(ActionFailure) in
        try await context.actions.takeStarterSet() + context.undoHint()
      }
    }
  }

  private func cancelRefresh() {
    let (ids, context) = (refreshes.active.map(\.id), context)
    context.write({ store throws(StoreError) in
      for id in ids { try await store.requests.cancelRefresh(id) }
    }) { context.note("Stopped") }
  }

  /// Asks for a path, and gives it to an action outside the queue of writes: reading a file may
  /// take long, and a star must not wait for it.
  private func ask(
    for label: String, text: String = "", _ command: Command,
    _ work: ReferenceWritableKeyPath<ReaderSession, TimerToken?>,
    _ action: @escaping (_ path: String) async throws(ActionFailure) -> String
  ) {
    context.ask(for: label, text: text, completing: context.actions.paths) { [context] path in
      context.session[keyPath: work] = context.beside {
        await context.tell(command) { () throws(ActionFailure) in try await action(path) }
      }
    }
  }

  private func refresh(_ scope: RefreshScope) {
    PullToRefresh(context: context, refreshes: refreshes).refresh(scope)
  }

  func announce(_ request: RefreshRequest) {
    browser.catchUp()
    let unrefreshed =
      request.failed > 0
      ? context.read(try context.store.requests.failedFeeds(of: request)) ?? [] : []
    let pauses = HostPause.all(unrefreshed)
    let waiting = pauses.reduce(0) { $0 + $1.feeds.count }
    let failed = unrefreshed.filter { $0.state.failure?.kind != .rateLimited }
    let count = request.failed - waiting
    if count == 1, failed.count == 1,
      let sentence = FailureWording(dates: context.dates).sentence(for: failed[0])
    {
      return context.show(
        .failure(
          sentence, retry: request.scope, details: .problems, about: .feeds([failed[0].id])))
    }
    if count > 0 {
      let feeds = StoreWording.failed(count, of: request.total)
      return context.show(
        .failure(
          "\(feeds) couldn\u{2019}t be refreshed:", retry: request.scope, details: .problems,
          about: .feeds(failed.prefix(Self.mostWatched).map(\.id))))
    }
    let sentences = [StoreWording.result(request), HostPause.sentence(pauses, context.dates)]
    context.messages.show(result: sentences.compactMap(\.self).joined(separator: "; "))
    context.invalidate()
  }

  /// Recovery is observed for at most this many failed feeds.
  private static let mostWatched = 100

  /// Removes a failure message that no longer applies: its feeds recovered or were removed, or its
  /// account was synchronised.
  func settleFailure(_ change: StoreChange) {
    context.settle { topic in
      switch topic {
      case .feeds(let ids):
        return !change.isDisjoint(with: [.fetches, .subscriptions]) && !isAnyFailing(ids)
      case .account(let id): return !accounts.failing.contains { $0.id == id }
      case .action, .configuration: return false
      }
    }
  }

  private func isAnyFailing(_ ids: [FeedID]) -> Bool {
    do throws(StoreError) {
      for id in ids {
        if try context.store.feeds.feed(id)?.state.failure != nil { return true }
      }
      return false
    } catch {
      return true
    }
  }
}
