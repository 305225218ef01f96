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
  func willPerform(_ command: Command) { model.stay() }

  private(set) lazy var bindings = Bindings { [unowned self] in
    Binding.movement { self.model.list.move($0) } + [
      Binding(.goIn) { self.model.move(1) },
      Binding(.previousPane) { self.model.move(-1) },
      Binding(.goOut) { self.model.move(-1) },
      Binding(.pauseSync) { SyncSteering.pauseEverything(!self.model.isPaused, self.context) }
        .hinted(self.model.isPaused ? "resume" : "pause"),
      Binding(.prioritise, unless: self.whyNoFeed) { self.refreshSelected { "\($0) is next" } }
        .hinted(self.showsWaiting ? "first" : nil),
      Binding(.stopThis, unless: self.whyNotStop) { self.stopSelected() }.hinted(self.stopWord),
      Binding(.stopWaiting, unless: self.model.waitingCount == 0 ? "Nothing is waiting" : nil) {
        self.stopWaiting()
      }.saying { AmountWording.feeds(self.model.waitingCount) }
        .hinted(self.showsWaiting ? "stop all" : nil),
      Binding(.refresh, unless: self.whyNoFeed) { self.refreshSelected { "Refreshing \($0)" } }
        .hinted(self.refreshWord),
      SyncSteering.retryFailed(context) { self.model.failed }
        .hinted(self.model.section == .failed ? "retry all" : nil),
      Binding(.open) { self.goThere() }
        .hinted(self.model.section == .hosts || self.showsWaiting ? nil : "open"),
      Binding(
        .pauseThis,
        unless: self.model.selectedHost == nil && self.model.selectedFeed == nil
          ? "Select a feed or a server to pause it" : nil
      ) { self.pauseSelected() }.hinted(self.pauseWord),
      Binding(.nextPane) { self.model.move(1) }.hinted("next list"),
    ]
  }

  private var showsWaiting: Bool { model.section == .waiting && model.upcoming.isEmpty }

  private var stopWord: String? {
    guard model.section == .running || showsWaiting else { return nil }
    return model.selectedOperation == nil || whyNotStop == nil ? "stop" : nil
  }

  private var refreshWord: String? {
    if model.section == .failed { return "retry" }
    return model.section == .waiting && !showsWaiting ? "refresh" : nil
  }

  private var pauseWord: String? {
    guard model.section == .hosts else { return nil }
    let isPaused = model.selectedHost.map { model.pauses.contains(.host($0)) } ?? false
    return isPaused ? "resume server" : "pause server"
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
    let row = operation.key.row
    context.write(noting: "Stopped \(operation.title)") { store in
      switch operation.key.kind.stop {
      case .refresh: try await store.requests.cancel(.feed(FeedID(rawValue: row)))
      case .discovery: try await store.requests.endDiscovery(row)
      case .fullText: try await store.fullTexts.cancelFullText(ArticleID(rawValue: row))
      case .download: try await store.downloads.cancelDownload(row)
      case .olderPosts: try await store.olderPosts.cancel(FeedID(rawValue: row))
      case .impossible: break
      }
    }
  }

  private func stopWaiting() {
    let feeds = AmountWording.feeds(model.waitingCount)
    context.write(noting: "Stopped \(feeds) that were waiting") { store in
      try await store.requests.cancel(.waiting)
    }
  }

  /// Requests the selected feed by name, which gives the refresh the highest priority.
  private func refreshSelected(_ sentence: (String) -> String) {
    guard let feed = model.selectedFeed else { return }
    context.write(noting: sentence(model.selectedName ?? "")) { store in
      try await store.requests.requestRefresh(.feed(feed))
    }
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
