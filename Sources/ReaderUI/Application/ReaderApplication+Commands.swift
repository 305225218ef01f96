import FeedModel
import FeedStore
import Foundation
import TerminalKit

/// The end of the responder chain: what concerns the whole application.
extension ReaderApplication: Responder {
  var nextResponder: (any Responder)? { nil }

  func respond(to event: InterfaceEvent) -> Bool {
    if case .given(.theme, let name) = event {
      context.chooseTheme(name)
      return true
    }
    guard case .command(let command, _) = event else { return false }
    let context = context
    switch command {
    case .palette: openPalette()
    // What a command must be given is asked for where all commands are.
    case _ where command.description.argument != nil: openPalette(command)
    case .undo:
      context.write({ store throws(StoreError) in try await store.undo() }) {
        context.note($0.map(StoreWording.undone) ?? "Nothing to undo")
      }
    case .redo:
      context.write({ store throws(StoreError) in try await store.redo() }) {
        context.note($0.map(StoreWording.redone) ?? "Nothing to do again")
      }
    case .refreshAll: PullToRefresh(context: context, refreshes: refreshes).refresh(.all)
    case .cancelRefresh: cancelRefresh()
    case .importFeeds: askForImport()
    case .takeStarterSet:
      context.perform { [actions = context.actions] in
        do throws(ActionFailure) {
          context.note(try await actions.takeStarterSet())
          context.settle(.action(.takeStarterSet))
        } catch {
          context.show(.failure(error.sentence, about: .action(.takeStarterSet)))
        }
      }
    case .redraw:
      context.terminal.redraw()
      context.invalidate()
    case .back, .quit: quit()
    default: return false
    }
    return true
  }

  func choices(for command: Command) -> ArgumentChoices? {
    switch command {
    case .theme: return ArgumentChoices(all: Theme.names)
    case .pipe, .openWith: return ArgumentChoices(all: context.actions.programNames)
    default: return nil
    }
  }

  /// - Parameter command: stands in the line already, with what it has now.
  private func openPalette(_ command: Command? = nil) {
    let focused = browser.focused
    let text = command.map { "\($0.rawValue) \(focused.offered(for: $0)?.current ?? "")" }
    let prompt = CommandPrompt(
      text: text ?? "", context: context, place: focused.commandContext,
      choices: { focused.offered(for: $0) }
    ) { [weak self] invocation in
      self?.browser.clearPrompt()
      if let invocation { self?.perform(invocation) }
    }
    focused.send(.ask(prompt))
  }

  private func cancelRefresh() {
    guard !refreshes.active.isEmpty else { return context.note("No refresh is running") }
    let (ids, context) = (refreshes.active.map(\.id), context)
    context.write({ store throws(StoreError) in
      for id in ids { try await store.cancelRefresh(id) }
    }) { context.note("Stopped") }
  }

  private func askForImport() {
    let context = context
    let prompt = TextPrompt(label: "Import file:", context: context) { [weak self] path in
      self?.browser.clearPrompt()
      guard let path = path?.trimmingWhitespace, !path.isEmpty else { return }
      // Beside the writes: a file may take its time, and a star is not to wait for it.
      context.importing = context.beside {
        do throws(ActionFailure) {
          context.note(try await context.actions.importSubscriptions(path: path))
          context.settle(.action(.importFeeds))
        } catch {
          context.show(.failure(error.sentence, about: .action(.importFeeds)))
        }
      }
    }
    browser.focused.send(.ask(prompt))
  }

  func retry(_ scope: RefreshScope) {
    PullToRefresh(context: context, refreshes: refreshes).refresh(scope)
  }

  /// Says what a refresh came to, where its own list does not say it already.
  func announce(_ request: RefreshRequest) {
    browser.catchUp()
    let failing = browser.feeds.model.failingFeeds.filter { feed in
      if case .feed(let id) = request.scope { return feed.id == id }
      return feed.state.failure != nil
        && feed.state.checkedAt ?? .distantPast >= request.requestedAt
    }
    if request.failed == 1, failing.count == 1,
      let sentence = FailureWording(dates: context.dates).sentence(for: failing[0])
    {
      return context.show(
        .failure(
          sentence, retry: request.scope, details: .problems, about: .feeds([failing[0].id])))
    }
    if request.failed > 0 {
      let feeds = AmountWording.count(request.failed, "feed", "feeds")
      let failed = (try? context.store.failedFeeds(of: request)) ?? failing
      return context.show(
        .failure(
          "\(feeds) could not be refreshed:", retry: request.scope, details: .problems,
          about: .feeds(failed.prefix(Self.mostWatched).map(\.id))))
    }
    let shown = browser.articles?.source ?? browser.feeds.model.selectedSource
    if shown?.refreshScope != request.scope { context.note(StoreWording.result(request)) }
  }

  /// Of so many failed feeds it is looked after whether they come through.
  private static let mostWatched = 100

  /// Takes a failure away that a change has made a thing of the past: its feeds came through or are gone,
  /// its account is in step again.
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
        if try context.store.feed(id)?.state.failure != nil { return true }
      }
      return false
    } catch {
      return true
    }
  }
}
