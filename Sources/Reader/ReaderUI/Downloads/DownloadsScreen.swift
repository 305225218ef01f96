import Foundation
import TerminalViews

/// All downloads, with the keys that control them: running and waiting ones in order, then failed
/// and saved ones.
final class DownloadsScreen: ListSheet {
  let context: ReaderContext
  private let model: DownloadList
  var list: RowList<DownloadEntry>
  private var observation: StoreObservation?
  private var removing: TimerToken?

  init(context: ReaderContext) {
    self.context = context
    model = DownloadList(store: context.store)
    list = RowList(model.entries)
    observation = context.observe(.telemetry)
    context.watchTelemetry(true)
  }

  func closed() { context.watchTelemetry(false) }

  var commandContext: CommandContext { .downloads }
  var title: String { "Downloads" }

  var caption: String? {
    let counts = model.counts
    let words = AmountWording.some([
      (counts.running, "running"), (counts.waiting, "waiting"), (counts.paused, "paused"),
      (counts.failed, "failed"), (counts.saved, "saved"),
    ])
    return words.isEmpty ? nil : words.joined(separator: " \u{B7} ")
  }

  // MARK: Keys

  var rowHeight: Int { 2 }

  private(set) lazy var bindings = Bindings { [unowned self] in
    movement + [
      binding(.play, unless: self.whyNone ?? self.whyNotPlay) { self.play($0) }
        .hinted(self.whyNotPlay == nil ? "play" : nil),
      binding(.refresh, unless: self.whyNone ?? self.whyNotRefreshed) {
        if self.whyNotRetry == nil { self.retry([$0.id]) } else { self.begin($0) }
      }.hinted(self.whyNotRetry == nil ? "retry" : self.isWaiting ? "first" : nil),
      binding(.pause, unless: self.whyNone ?? self.whyNotWaiting) { self.askToPause($0) }
        .hinted(self.whyNotWaiting != nil ? nil : self.isWaiting ? "pause" : "resume"),
      binding(.open, unless: self.whyNone) { _ in self.openSelected() }
        .hinted(self.word("article")),
      binding(.delete, unless: self.whyNone) { self.remove($0) }.hinted(self.word("remove")),
      Binding(.refreshAll, unless: self.failedIDs.isEmpty ? "Nothing to retry" : nil) {
        self.retry(self.failedIDs)
      }.saying { AmountWording.count(self.failedIDs.count, "file", "files") }
        .hinted(self.failedIDs.count > 1 ? "retry all" : nil),
    ]
  }

  private var isWaiting: Bool { selected?.download.state == .waiting }

  private var whyNone: String? { selected == nil ? "There are no downloads" : nil }

  private var failedIDs: [Int64] {
    list.rows.compactMap { entry in
      if case .failed = entry.download.state { entry.id } else { nil }
    }
  }

  private var whyNotPlay: String? {
    if case .saved = selected?.download.state { return nil }
    return "This file isn\u{2019}t saved yet"
  }

  private var whyNotRetry: String? {
    if case .failed = selected?.download.state { return nil }
    return "This download didn\u{2019}t fail"
  }

  private var whyNotWaiting: String? {
    switch selected?.download.state {
    case .waiting, .paused: nil
    default: "This download isn\u{2019}t waiting or running"
    }
  }

  private var whyNotRefreshed: String? {
    whyNotRetry == nil || whyNotWaiting == nil ? nil : "This download didn\u{2019}t fail"
  }

  /// Pauses or resumes the download; asks whether all are meant if there are others in its state.
  private func askToPause(_ entry: DownloadEntry) {
    let pauses = entry.download.state != .paused
    let others = list.rows.count { $0.download.state == entry.download.state }
    guard others > 1 else { return pause([entry.id], pauses) }
    let files = AmountWording.count(others, "file", "files")
    let items = [
      Picker.Item("one", title: "This one", note: entry.name),
      Picker.Item("all", title: "All", note: files),
    ]
    context.window?.ask(
      Picker(pauses ? "Pause" : "Resume", items) { [weak self] values in
        self?.pause(values.first == "all" ? nil : [entry.id], pauses)
      })
  }

  func openSelected() {
    guard let selected else { return }
    context.window?.closeSheet()
    context.window?.open(selected.download.article)
  }

  private func play(_ entry: DownloadEntry) {
    guard case .saved(let path) = entry.download.state else { return }
    DownloadActions.play(entry, path: path, context)
  }

  private func retry(_ ids: [Int64]) {
    context.session.awaitedDownloads.formUnion(ids)
    let downloads = AmountWording.count(ids.count, "download", "downloads")
    context.write(noting: "Trying \(downloads) again") { store in
      try await store.downloads.retryDownloads(ids)
    }
  }

  private func pause(_ ids: [Int64]?, _ pauses: Bool) {
    context.write({ store in
      try await store.downloads.setDownloadsPaused(ids, pauses)
    }) { [context] count in
      let what = AmountWording.count(count, "download", "downloads")
      context.note(pauses ? "Paused \(what)" : "Resumed \(what)")
    }
  }

  private func begin(_ entry: DownloadEntry) {
    context.write(noting: "\(entry.name) is next") { store in
      try await store.downloads.startDownloadNow(entry.id)
    }
  }

  // MARK: Removing

  private enum Removal: String { case entry, file }

  private func remove(_ entry: DownloadEntry) {
    let (id, name) = (entry.id, entry.name)
    guard case .saved(let path) = entry.download.state else {
      return context.ask(whether: "Remove the download of \(name)?") { [weak self] in
        self?.remove(id, noting: "Removed the download of \(name)")
      }
    }
    let shown = DownloadActions.wording(context).shown(path)
    let items = [
      Picker.Item(Removal.file.rawValue, title: "Delete the file", note: shown),
      Picker.Item(Removal.entry.rawValue, title: "Keep the file, remove it from this list"),
    ]
    context.window?.ask(
      Picker("Remove", items) { [weak self] values in
        switch values.first.flatMap(Removal.init) {
        case .file: self?.deleteFile(path, of: id, name: name)
        case .entry:
          self?.remove(id, noting: "Removed \(name) from the list; the file stays")
        case nil: break
        }
      })
  }

  private func deleteFile(_ path: String, of id: Int64, name: String) {
    removing = context.runInBackground { [self] in
      if let reason = await Self.delete(path) {
        return context.show(.failure("The file can\u{2019}t be deleted: \(reason)"))
      }
      remove(id, noting: "Deleted \(name)")
    }
  }

  private func remove(_ id: Int64, noting sentence: String) {
    context.write(noting: sentence) { store in
      try await store.downloads.removeDownload(id)
    }
  }

  /// Deletes a file; returns `nil` if it no longer exists, otherwise the system's error text.
  @concurrent nonisolated private static func delete(_ path: String) async -> String? {
    guard unlink(path) != 0, errno != ENOENT else { return nil }
    return String(cString: strerror(errno))
  }

  func modelUpdated(_ change: StoreChange) {
    guard model.modelUpdated(change) else { return }
    context.report(model.failure)
    list.update(model.entries)
    context.invalidate()
  }

  // MARK: Drawing

  private var currentPause: DownloadPause? {
    model.pause.flatMap { $0.until > context.now ? $0 : nil }
  }

  var spoken: [String]? {
    guard let entry = selected else { return emptyText }
    let place = (list.rows.firstIndex { $0.id == entry.id } ?? 0) + 1
    let position = "\(place) of \(AmountWording.grouped(list.rows.count))"
    let facts = [entry.name, state(entry, wording).0, entry.feedName] + details(entry, wording)
    return [([position] + facts.filter { !$0.isEmpty }).joined(separator: ", ")]
  }

  private static let barColumns = 14
  private static let barFrom = 70

  /// Draws the reason why downloads are delayed.
  func drawHeader(on canvas: Canvas) -> Int {
    guard let pause = currentPause else { return 0 }
    canvas.write(wording.pause(pause), x: 1, y: 0, columns: max(0, canvas.width - 2), .warning)
    return 2
  }

  var emptyText: [String] {
    let hint = context.keymap.label(.download).map { " \($0) on an article downloads its files." }
    return ["Nothing was downloaded." + (hint ?? "")]
  }

  private var wording: DownloadWording { DownloadActions.wording(context) }

  /// Draws title and state, then feed and progress.
  func draw(_ entry: DownloadEntry, on canvas: Canvas, y: Int) {
    let wording = wording
    let download = entry.download
    let (state, role) = state(entry, wording)
    let stateWidth = GraphemeWidth.width(of: state)
    let room = max(8, canvas.width - 3 - stateWidth - 3)
    canvas.write(entry.name, x: 3, y: y, columns: room, .title)
    canvas.write(state, x: max(3, canvas.width - 1 - stateWidth), y: y, role)
    let hasBar = canvas.width >= Self.barFrom && isUnfinished(download) && share(download) != nil
    let end = canvas.width - 1 - (hasBar ? Self.barColumns + 2 : 0)
    let parts = [entry.feedName] + details(entry, wording)
    canvas.write(
      parts.joined(separator: " \u{B7} "), x: 3, y: y + 1, columns: max(0, end - 3), .secondary)
    if hasBar, let share = share(download) {
      let filled = Int(Double(Self.barColumns) * share)
      let x = canvas.width - 1 - Self.barColumns
      canvas.write(String(repeating: "█", count: filled), x: x, y: y + 1, .accent)
      canvas.write(
        String(repeating: "░", count: Self.barColumns - filled), x: x + filled, y: y + 1, .rule)
    }
  }

  private func isUnfinished(_ download: Download) -> Bool {
    download.state == .waiting || download.state == .paused
  }

  private func share(_ download: Download) -> Double? {
    guard download.received > 0, let size = download.size, size > 0 else { return nil }
    return min(1, Double(download.received) / Double(size))
  }

  private func state(_ entry: DownloadEntry, _ wording: DownloadWording) -> (String, Role) {
    switch entry.download.state {
    case .saved:
      return (entry.download.savedAt.map { context.dates.age($0) } ?? "saved", .secondary)
    case .failed: return ("failed", .error)
    case .paused: return ("paused", .warning)
    case .waiting:
      switch model.operations[entry.id] {
      case .running(.receiving):
        return (share(entry.download).map { "\(Int($0 * 100)) %" } ?? "receiving", .accent)
      case .running(let stage): return (SyncWording.state(.running(stage)), .accent)
      case .waiting(let reason): return (SyncWording.reason(reason), .secondary)
      case nil:
        if context.isOffline { return ("offline", .secondary) }
        guard let pause = currentPause, !entry.download.ignoresLimits else {
          return ("in the queue", .secondary)
        }
        return (wording.shortPause(pause), .secondary)
      }
    }
  }

  private func details(_ entry: DownloadEntry, _ wording: DownloadWording) -> [String] {
    let download = entry.download
    switch download.state {
    case .failed(let failure): return [wording.happened(failure, download)]
    case .saved(let path):
      let size = download.size.map { AmountWording.bytes(Double($0)) }
      return [size, PlaybackWording.place(entry.playback), wording.shown(path)].compactMap(\.self)
    case .waiting, .paused:
      guard download.received > 0 else { return [] }
      var parts = [wording.amount(download)]
      if let rate = model.rate(entry.id, at: context.now) {
        parts.append(AmountWording.rate(rate))
        if rate > 0, let size = download.size, size > download.received {
          parts.append(SyncWording.timeLeft(Double(size - download.received) / rate))
        }
      }
      return parts
    }
  }
}
