import Foundation
import TerminalViews

/// The activity of the engine: the network over time, running, waiting and failed operations, the
/// hosts; and the keys that control it.
final class ConsoleScreen: Sheet {
  let context: ReaderContext
  let model: ConsoleModel
  private var observation: StoreObservation?
  /// The last drawn tabs and lists, for the mouse.
  var drawnTabs: [(section: ConsoleModel.Section, frame: Rect)] = []
  var drawnLists: [ConsoleModel.Section] = []

  init(context: ReaderContext, refreshes: RefreshModel) {
    self.context = context
    model = ConsoleModel(store: context.store, refreshes: refreshes)
    observation = context.observe(.telemetry)
    context.watchTelemetry(true)
  }

  func closed() { context.watchTelemetry(false) }

  /// Always false, because the console's own lists contain the names of feeds.
  var readsFeeds: Bool { false }

  var commandContext: CommandContext { .console }
  var title: String { "Sync" }
  var showsProgress: Bool { true }
  var hints: [Hint] {
    var hints = [Hint(.pauseSync, model.isPaused ? "resume" : "pause")]
    let isStoppable = model.selectedOperation == nil || whyNotStop == nil
    let stop = isStoppable ? [Hint(.stopThis, "stop")] : []
    switch model.section {
    case .running: hints += stop + [Hint(.open, "open")]
    case .waiting where model.upcoming.isEmpty:
      hints += [Hint(.prioritise, "first")] + stop + [Hint(.stopWaiting, "stop all")]
    case .waiting: hints += [Hint(.refresh, "refresh"), Hint(.open, "open")]
    case .failed:
      hints += [Hint(.refresh, "retry"), Hint(.retryFailed, "retry all"), Hint(.open, "open")]
    case .hosts:
      let isPaused = model.selectedHost.map { model.pauses.contains(.host($0)) } ?? false
      hints += [Hint(.pauseThis, isPaused ? "resume server" : "pause server")]
    }
    return hints + [Hint(.nextPane, "next list"), Hint(.back, "back")]
  }

  func willPerform(_ command: Command) { model.stay() }

  private(set) lazy var bindings = Bindings { [unowned self] in
    Binding.movement { self.model.list.move($0) } + [
      Binding(.nextPane) { self.model.move(1) },
      Binding(.goIn) { self.model.move(1) },
      Binding(.previousPane) { self.model.move(-1) },
      Binding(.goOut) { self.model.move(-1) },
      Binding(.pauseSync) {
        SyncSteering.pauseEverything(!self.model.isPaused, self.context)
      },
      Binding(
        .pauseThis,
        unless: self.model.selectedHost == nil && self.model.selectedFeed == nil
          ? "Select a feed or a server to pause it" : nil
      ) { self.pauseSelected() },
      Binding(.stopThis, unless: self.whyNotStop) { self.stopSelected() },
      Binding(.stopWaiting, unless: self.model.waitingCount == 0 ? "Nothing is waiting" : nil) {
        self.stopWaiting()
      }.saying { AmountWording.count(self.model.waitingCount, "feed", "feeds") },
      Binding(.prioritise, unless: self.whyNoFeed) { self.refreshSelected { "\($0) is next" } },
      Binding(.refresh, unless: self.whyNoFeed) {
        self.refreshSelected { "Refreshing \($0)" }
      },
      SyncSteering.retryFailed(context) { self.model.failed },
      Binding(.open) { self.goThere() },
    ]
  }

  private var whyNoFeed: String? {
    model.selectedFeed == nil ? "Select a feed to refresh it" : nil
  }

  private func goThere() {
    if let feed = model.selectedFeed { context.window?.reveal(.feed(feed)) }
  }

  private func pauseSelected() {
    if let host = model.selectedHost {
      SyncSteering.pause(host: host, !model.pauses.contains(.host(host)), context)
    } else if let id = model.selectedFeed,
      let feed = context.read(try context.store.feeds.feed(id)) ?? nil
    {
      SyncSteering.pause(feed, context)
    }
  }

  private var whyNotStop: String? {
    guard let operation = model.selectedOperation else { return "Nothing to stop here" }
    if case .impossible(let why) = operation.key.kind.stop { return why }
    return nil
  }

  private func stopSelected() {
    guard let operation = model.selectedOperation else { return }
    let (row, context) = (operation.key.row, context)
    context.write({ store in
      switch operation.key.kind.stop {
      case .refresh: try await store.requests.cancel(.feed(FeedID(rawValue: row)))
      case .discovery: try await store.requests.endDiscovery(row)
      case .fullText: try await store.fullTexts.cancelFullText(ArticleID(rawValue: row))
      case .download: try await store.downloads.cancelDownload(row)
      case .olderPosts: try await store.olderPosts.cancel(FeedID(rawValue: row))
      case .impossible: break
      }
    }) { context.note("Stopped \(operation.title)") }
  }

  private func stopWaiting() {
    let (count, context) = (model.waitingCount, context)
    context.write({ store in try await store.requests.cancel(.waiting) }) {
      context.note("Stopped \(AmountWording.count(count, "feed", "feeds")) that were waiting")
    }
  }

  /// Requests the selected feed by name, which gives the refresh the highest priority.
  private func refreshSelected(_ sentence: @escaping (String) -> String) {
    guard let feed = model.selectedFeed else { return }
    let (name, context) = (model.selectedName ?? "", context)
    context.write({ store in try await store.requests.requestRefresh(.feed(feed))
    }) { _ in context.note(sentence(name)) }
  }

  func modelUpdated(_ change: StoreChange) {
    guard model.modelUpdated(change) else { return }
    context.report(model.failure)
    context.invalidate()
  }

  func press(x: Int, y: Int, isDouble: Bool) {
    if let tab = drawnTabs.first(where: { $0.frame.contains(x: x, y: y) }) {
      model.section = tab.section
      return
    }
    guard let section = drawnList(x: x, y: y), model.lists[section]?.select(line: y) == true else {
      return
    }
    model.section = section
    if isDouble { goThere() }
  }

  func scroll(by rows: Int, x: Int, y: Int) {
    model.lists[drawnList(x: x, y: y) ?? model.section]?.scroll(by: rows)
  }

  private func drawnList(x: Int, y: Int) -> ConsoleModel.Section? {
    drawnLists.first { model.lists[$0]?.window.contains(x: x, y: y) == true }
  }
}
