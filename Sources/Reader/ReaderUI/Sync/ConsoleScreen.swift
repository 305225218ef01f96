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
      Binding(.goOut) { self.model.move(-1) },
      Binding(.pause) { self.pause() }
        .hinted(self.pauseWord ?? (self.model.isPaused ? "resume" : "pause")),
      Binding(.delete, unless: self.whyNotStop) { self.askToStop() }.hinted(self.stopWord),
      Binding(.refresh, unless: self.whyNoFeed) { self.refreshSelected() }
        .hinted(self.refreshWord),
      SyncSteering.retryFailed(context) { self.model.failed }
        .hinted(self.model.section == .failed ? "retry all" : nil),
      Binding(.open) { self.goThere() }
        .hinted(self.model.section == .hosts || self.showsWaiting ? nil : "open"),
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
    if showsWaiting { return "first" }
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

  private func pause() {
    if model.section == .hosts, let host = model.selectedHost {
      SyncSteering.pause(host: host, !model.pauses.contains(.host(host)), context)
    } else {
      SyncSteering.pauseEverything(!model.isPaused, context)
    }
  }

  private var whyNotStop: String? {
    guard let operation = model.selectedOperation else { return "Nothing to stop here" }
    if case .impossible(let why) = operation.key.kind.stop { return why }
    return nil
  }

  /// Stops the selected operation; asks whether all are meant if others wait too.
  private func askToStop() {
    guard showsWaiting, model.waitingCount > 1 else { return stopSelected() }
    let items = [
      Picker.Item("one", title: "This one"),
      Picker.Item("all", title: "All that wait", note: AmountWording.feeds(model.waitingCount)),
    ]
    context.window?.ask(
      Picker("Stop", items) { [weak self] values in
        if values.first == "all" { self?.stopWaiting() } else { self?.stopSelected() }
      })
  }

  private func stopSelected() {
    guard let operation = model.selectedOperation else { return }
    let row = operation.key.row
    context.write(noting: "Stopped \(operation.title)") { store in
      switch operation.key.kind.stop {
      case .refresh: try await store.requests.cancel(.feed(FeedID(rawValue: row)))
      case .discovery: try await store.requests.endDiscovery(row)
      case .fullText: try await store.fullTexts.cancelFullText(ArticleID(rawValue: row))
      case .download: try await store.downloads.removeDownload(row, ifWaiting: true)
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

  private func refreshSelected() {
    guard let feed = model.selectedFeed else { return }
    let name = model.selectedName ?? ""
    context.write(noting: showsWaiting ? "\(name) is next" : "Refreshing \(name)") { store in
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
