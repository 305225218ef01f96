import FeedModel
import FeedStore
import Foundation
import TerminalKit

/// What the engine does, as it does it: the line over time, what runs, waits and failed, the hosts; and
/// the keys that steer it.
final class ConsoleScreen: Sheet {
  let context: ReaderContext
  let model: ConsoleModel
  weak var parent: (any Responder)?
  private var observation: StoreObservation?
  /// Where tabs and rows were last drawn, for the mouse.
  var drawnTabs: [(section: ConsoleModel.Section, frame: Rect)] = []
  var drawnRows: [(section: ConsoleModel.Section, frame: Rect)] = []
  var pageHeight = 1

  init(context: ReaderContext, refreshes: RefreshModel) {
    self.context = context
    model = ConsoleModel(store: context.store, refreshes: refreshes)
    observation = context.observe(.telemetry)
    context.write { store throws(StoreError) in try await store.setWatchesTelemetry(true) }
  }

  func closed() {
    observation = nil
    context.write { store throws(StoreError) in try await store.setWatchesTelemetry(false) }
  }

  /// The names in its lists come with them.
  var readsFeeds: Bool { false }

  var commandContext: CommandContext { .console }
  var title: String { "Sync" }
  var hints: [Hint] {
    var hints = [Hint(.pauseSync, model.isPaused ? "resume" : "pause")]
    let stop = isAccountSelected ? [] : [Hint(.stopThis, "stop")]
    switch model.section {
    case .running: hints += stop + [Hint(.open, "go there")]
    case .waiting where model.upcoming.isEmpty:
      hints += [Hint(.boost, "first")] + stop + [Hint(.stopWaiting, "stop all")]
    case .waiting: hints += [Hint(.refresh, "refresh"), Hint(.open, "go there")]
    case .failed:
      hints += [Hint(.refresh, "retry"), Hint(.retryFailed, "retry all"), Hint(.open, "go there")]
    case .hosts:
      let isPaused = model.selectedHost.map { model.pauses.contains(.host($0)) } ?? false
      hints += [Hint(.pauseThis, isPaused ? "resume host" : "pause host")]
    }
    return hints + [Hint(.nextPane, "next list"), Hint(.back, "back")]
  }

  /// What an account's server is asked or told ends by itself.
  private var isAccountSelected: Bool {
    switch model.selectedOperation?.subject {
    case .push, .pull: return true
    case .feed, .discovery, .fullText, .download, nil: return false
    }
  }

  // MARK: Keys

  func respond(to event: InterfaceEvent) -> Bool {
    guard case .command(let command, let count) = event else { return false }
    model.stay()
    if model.selections[model.section]?.respond(to: command, count, page: pageHeight) == true {
      context.invalidate()
      return true
    }
    switch command {
    case .nextPane, .goIn: model.move(1)
    case .previousPane, .goOut: model.move(-1)
    case .pauseSync: pauseEverything()
    case .pauseThis: pauseSelected()
    case .stopThis: stopSelected()
    case .stopWaiting: stopWaiting()
    case .boost, .refresh: refreshSelected(command)
    case .retryFailed: SyncSteering.retryFailed(model.failed, context)
    case .open:
      guard let feed = model.selectedFeed else { return true }
      send(.reveal(.feed(feed)))
    default: return false
    }
    context.invalidate()
    return true
  }

  private func pauseEverything() {
    let (pauses, context) = (!model.isPaused, context)
    context.write({ store throws(StoreError) in try await store.setPaused(.everything, pauses) }) {
      let key = context.keymap.label(.pauseSync).map { "; \($0) resumes" } ?? ""
      context.note(pauses ? "Paused: what runs is finished, nothing else starts\(key)" : "Resumed")
    }
  }

  private func pauseSelected() {
    if let host = model.selectedHost {
      let (pauses, context) = (!model.pauses.contains(.host(host)), context)
      context.write({ store throws(StoreError) in
        try await store.setPaused(.host(host), pauses)
      }) { context.note(pauses ? "\(host) is left alone" : "\(host) is asked again") }
    } else if let id = model.selectedFeed, let feed = feed(id) {
      SyncSteering.pause(feed, context)
    } else {
      context.note("Select a feed or a host to pause it")
    }
  }

  private func stopSelected() {
    guard let operation = model.selectedOperation else {
      return context.note("Nothing to stop here")
    }
    let (name, context) = (Self.name(of: operation), context)
    if case .push = operation.subject { return context.note("What you changed is sent") }
    if case .pull = operation.subject { return context.note("An account's fetch ends by itself") }
    context.write({ store throws(StoreError) in
      switch operation.subject {
      case .feed(let feed): try await store.cancel(.feed(feed))
      case .fullText(let article): try await store.cancelFullText(article)
      case .download(let download): try await store.cancelDownload(download)
      case .discovery(let discovery): try await store.endDiscovery(discovery)
      case .push, .pull: break
      }
    }) { context.note("Stopped \(name)") }
  }

  private func stopWaiting() {
    let count = model.waitingCount
    guard count > 0 else { return context.note("Nothing waits") }
    let context = context
    context.write({ store throws(StoreError) in try await store.cancel(.waiting) }) {
      context.note("Stopped \(AmountWording.count(count, "feed", "feeds")) that waited")
    }
  }

  /// A boost is a request by name: the most urgent class.
  private func refreshSelected(_ command: Command) {
    guard let feed = model.selectedFeed else {
      return context.note("Select a feed to refresh it")
    }
    let (name, context) = (model.selectedName ?? "", context)
    context.write({ store throws(StoreError) in try await store.requestRefresh(.feed(feed)) }) {
      _ in
      context.note(command == .boost ? "\(name) goes first" : "Refreshing \(name)")
    }
  }

  private func feed(_ id: FeedID) -> Feed? {
    do throws(StoreError) {
      return try context.store.feed(id)
    } catch {
      context.report(error)
      return nil
    }
  }

  // MARK: Changes and the mouse

  func modelUpdated(_ change: StoreChange) {
    guard model.modelUpdated(change) else { return }
    context.report(model.failure)
    context.invalidate()
  }

  func mouse(_ action: MouseEvent.Action, x: Int, y: Int) -> Bool {
    switch action {
    case .press, .doubleClick:
      if let tab = drawnTabs.first(where: { $0.frame.contains(x: x, y: y) }) {
        model.section = tab.section
        return true
      }
      guard let rows = drawnRows.first(where: { $0.frame.contains(x: x, y: y) }),
        let selection = model.selections[rows.section]
      else { return false }
      let index = selection.top + y - rows.frame.y
      guard selection.ids.indices.contains(index) else { return false }
      model.section = rows.section
      model.selections[rows.section]?.select(index)
      if action == .doubleClick { send(.command(.open, count: nil)) }
    case .wheelDown, .wheelUp:
      let under = drawnRows.first { $0.frame.contains(x: x, y: y) }
      guard let list = under ?? drawnRows.first(where: { $0.section == model.section }) else {
        return false
      }
      let rows = context.configuration.wheelRows
      model.selections[list.section]?.scroll(
        by: action == .wheelDown ? rows : -rows,
        in: ListScrolling(height: max(1, list.frame.height)) { _, _ in 1 })
    case .release: return false
    }
    return true
  }
}

/// What several screens ask of the engine alike.
enum SyncSteering {
  /// Pauses a feed's refreshes for good, or resumes them.
  static func pause(_ feed: Feed, _ context: ReaderContext) {
    let (id, pauses) = (feed.id, !feed.isPaused)
    context.write({ store throws(StoreError) in
      try await store.setPaused(id, pauses)
      if pauses { try await store.cancel(.feed(id)) }
    }) {
      let key =
        context.keymap.label(.pauseThis).map { "; \($0) in the list of feeds resumes" } ?? ""
      context.note(pauses ? "\(feed.name) is paused\(key)" : "\(feed.name) is refreshed again")
    }
  }

  /// Asks again for all that failed, without those that are gone for good.
  static func retryFailed(_ feeds: [Feed], _ context: ReaderContext) {
    let ids = feeds.filter { $0.state.failure.map { $0.kind != .gone } ?? false }.map(\.id)
    guard !ids.isEmpty else { return context.note("Nothing to try again") }
    context.write({ store throws(StoreError) in try await store.requestRefresh(.feeds(ids)) }) {
      _ in
      context.note("Trying \(AmountWording.count(ids.count, "feed", "feeds")) again")
    }
  }
}
