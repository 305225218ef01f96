import Foundation
import TerminalViews

/// Commands of the whole application, which work on every screen.
struct ReaderCommands {
  unowned let application: ReaderApplication
  private var context: ReaderContext { application.context }

  var bindings: [Binding] {
    let context = application.context
    return [
      Binding(.palette) { application.openPalette() },
      Binding(.theme, choices: context.themes, given: context.chooseTheme),
      Binding(.undo, unless: whyNot(.undo)) { perform(.undo) }.saying { next(.undo) },
      Binding(.undoSeveral, unless: whyNot(.undo)) { chooseUndo() },
      Binding(.redo, unless: whyNot(.redo)) { perform(.redo) },
      Binding(.refreshAll) { application.refresh(.all) }.saying {
        AmountWording.feeds(application.browser.subscriptions.feeds.count)
      },
      Binding(.help) { openHelp() },
      Binding(
        .stop, unless: application.refreshes.active.isEmpty ? "No refresh is running" : nil
      ) { cancelRefresh() },
      Binding(.takeStarterSet) { addStarterSet() },
      Binding(.redraw) { context.terminal.redraw() },
      Binding(.back) { confirmQuit() },
      Binding(.quit) { application.quit() },
    ]
  }

  private func openHelp() {
    let browser = application.browser
    browser.show(
      HelpScreen(
        context: context, about: browser.focused.commandContext,
        binding: { [weak application] command in
          application?.browser.bindingBelowHelp(for: command)
            ?? application?.bindings.first(for: command)
        }, run: { [weak application] in application?.run($0) }))
  }

  /// Keys that a message in the status line offers.
  var messageBindings: [Binding] {
    let messages = context.messages
    return [
      Binding(.dismiss, when: messages.current != nil) { _ = messages.dismiss() },
      Binding(.refresh, when: retryScope != nil) {
        guard let scope = retryScope else { return }
        _ = messages.dismiss()
        application.refresh(scope)
      },
    ]
  }

  /// The scope that `r` refreshes again; `nil` on a sheet, where `r` applies to its rows.
  private var retryScope: RefreshScope? {
    application.browser.sheet == nil ? context.messages.retryScope : nil
  }

  /// Returns the reason why `step` has no entry; `nil` during writes, which may add to the journal.
  private func whyNot(_ step: JournalStep) -> String? {
    do throws(StoreError) {
      let next = try step.next(context.store)
      return context.work.isIdle && next == nil ? step.nothingLeft : nil
    } catch {
      return nil
    }
  }

  /// Returns what a step would undo or redo: "“Why ETags are opaque” starred".
  private func next(_ step: JournalStep) -> String? {
    context.read(try step.next(context.store))?.map(StoreWording.change)
  }

  /// - Parameter chosen: the entries in the order in which they are undone; `nil` for the next one.
  private func perform(
    _ step: JournalStep, _ chosen: [JournalEntry]? = nil, isConfirmed: Bool = false
  ) {
    context.write({ store -> (entries: [JournalEntry], isDone: Bool) in
      var entries = chosen ?? []
      if chosen == nil { entries = try step.next(store).map { [$0] } ?? [] }
      let count = entries.reduce(0) { $0 + $1.count }
      guard isConfirmed || count <= JournalStep.mostUnasked else { return (entries, false) }
      var done: [JournalEntry] = []
      for entry in entries {
        guard let entry = try await step.apply(entry, store) else { break }
        done.append(entry)
      }
      return (done, true)
    }) { [weak application, context] result in
      guard !result.entries.isEmpty else { return context.note(step.nothingLeft) }
      if result.isDone { return context.note(step.result(result.entries)) }
      context.ask(whether: step.question(result.entries)) {
        guard let application else { return }
        ReaderCommands(application: application).perform(step, result.entries, isConfirmed: true)
      }
    }
  }

  /// Lists the changes, after the writes of keys pressed before. A later change may build on an
  /// earlier one, so the changes after the chosen one are undone before it.
  private func chooseUndo() {
    let dates = context.dates
    context.write({ store in try store.journal.lastChanges() }) { [weak application, context] all in
      guard !all.isEmpty else { return context.note(JournalStep.undo.nothingLeft) }
      let items = all.enumerated().map { place, entry in
        Picker.Item(
          "\(place + 1)", title: StoreWording.change(entry), note: dates.moment(entry.at))
      }
      let picker = Picker(
        "Undo back to", ArgumentChoices(all: []), items,
        effect: { value in
          Int(value).map { count in
            { show in
              show("undoes \(AmountWording.count(count, "change", "changes"))")
              return nil
            }
          }
        }
      ) { values in
        guard let application, let count = values.first.flatMap({ Int($0) }) else { return }
        ReaderCommands(application: application).perform(.undo, Array(all.prefix(count)))
      }
      context.window?.ask(picker)
    }
  }

  /// Announces on the first screen that the same key again ends the reader.
  private func confirmQuit() {
    if application.quitting.confirms(at: context.timers.now) { return application.quit() }
    let keys = [Command.back, .quit].map { context.keymap.label($0) ?? $0.name }
    context.note("\(keys[0]) again quits; \(keys[1]) quits from everywhere")
  }

  private func addStarterSet() {
    let (context, names) = (context, context.actions.starterFeeds)
    let all = "All \(AmountWording.feeds(names.count))"
    let choices = ArgumentChoices(all: [all] + names, separator: "\t")
    let picker = Picker("Starter set (Tab marks several)", choices) { values in
      let chosen = values.contains(all) ? names : values
      context.perform {
        await context.showResult(of: .takeStarterSet) { () throws(ActionFailure) in
          try await context.actions.addStarterSet(chosen) + context.undoHint()
        }
      }
    }
    context.window?.ask(picker)
  }

  private func cancelRefresh() {
    let ids = application.refreshes.active.map(\.id)
    context.write(noting: "Stopped") { store in
      for id in ids { try await store.requests.cancelRefresh(id) }
    }
  }
}
