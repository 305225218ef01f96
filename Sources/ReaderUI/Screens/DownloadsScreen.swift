import FeedModel
import FeedStore
import Foundation
import TerminalKit
import Wording

/// All downloads: running and waiting ones in order, failed and saved ones; and the keys that
/// control them.
final class DownloadsScreen: Sheet {
  let context: ReaderContext
  let list: DownloadList
  var selection = RowSelection<Int64>()
  private var observation: StoreObservation?
  private var removing: TimerToken?
  var height = 1

  init(context: ReaderContext) {
    self.context = context
    list = DownloadList(store: context.store)
    selection.update(list.entries.map(\.id))
    observation = context.observe(.telemetry)
    context.watchTelemetry(true)
  }

  func closed() {
    observation = nil
    context.watchTelemetry(false)
  }

  var readsFeeds: Bool { false }
  var commandContext: CommandContext { .downloads }
  var title: String { "Downloads" }

  var caption: String? {
    let counts = list.counts
    let parts = [
      (counts.running, "running"), (counts.waiting, "waiting"), (counts.paused, "paused"),
      (counts.failed, "failed"), (counts.saved, "saved"),
    ]
    let words = parts.filter { $0.0 > 0 }.map { "\(AmountWording.grouped($0.0)) \($0.1)" }
    return words.isEmpty ? nil : words.joined(separator: " \u{B7} ")
  }

  var selected: DownloadEntry? {
    list.entries.indices.contains(selection.selected) ? list.entries[selection.selected] : nil
  }

  var hints: [Hint] {
    guard let entry = selected else { return [Hint(.back, "back")] }
    var hints: [Hint] = []
    switch entry.download.state {
    case .saved: hints = [Hint(.play, "play")]
    case .failed: hints = [Hint(.refresh, "retry")]
    case .waiting: hints = [Hint(.pauseDownload, "pause"), Hint(.boost, "first")]
    case .paused: hints = [Hint(.pauseDownload, "resume")]
    }
    hints += [Hint(.open, "article"), Hint(.removeDownload, "remove")]
    let counts = list.counts
    if counts.running + counts.waiting > 1 {
      hints.append(Hint(.pauseDownloads, "pause all"))
    } else if counts.paused > 1 {
      hints.append(Hint(.pauseDownloads, "resume all"))
    }
    if counts.failed > 1 { hints.append(Hint(.retryFailed, "retry all")) }
    return hints + [Hint(.back, "back")]
  }

  // MARK: Keys

  var bindings: [Binding] {
    let entry = selected
    let none = entry == nil ? "There are no downloads" : nil
    let failed = failedIDs
    return Binding.movement { self.selection.move($0, page: max(1, self.height / 2)) } + [
      Binding(.open, unless: none) { if let entry { self.open(entry) } },
      Binding(.play, unless: none ?? self.whyNotPlay) { if let entry { self.play(entry) } },
      Binding(.refresh, unless: none ?? self.whyNotRetry) {
        if let entry { self.retry([entry.id]) }
      },
      Binding(.retryFailed, unless: failed.isEmpty ? "Nothing to retry" : nil) {
        self.retry(failed)
      },
      Binding(.pauseDownload, unless: none ?? self.whyNotWaiting) {
        if let entry { self.pause([entry.id], entry.download.state != .paused) }
      },
      Binding(.pauseDownloads, unless: self.whyNoneWaiting) {
        self.pause(nil, self.list.counts.running + self.list.counts.waiting > 0)
      },
      Binding(.boost, unless: none ?? self.whyNotWaiting) { if let entry { self.begin(entry) } },
      Binding(.moveDownloadDown, unless: none ?? self.whyNotWaiting) { (count: Int) in
        self.move(by: count)
      },
      Binding(.moveDownloadUp, unless: none ?? self.whyNotWaiting) { (count: Int) in
        self.move(by: -count)
      },
      Binding(.removeDownload, unless: none) { if let entry { self.remove(entry) } },
    ]
  }

  private var failedIDs: [Int64] {
    list.entries.compactMap { entry in
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

  private var whyNoneWaiting: String? {
    let counts = list.counts
    return counts.running + counts.waiting + counts.paused == 0 ? "Nothing is waiting" : nil
  }

  private func open(_ entry: DownloadEntry) {
    context.window?.closeSheet()
    context.window?.open(entry.download.article)
  }

  private func play(_ entry: DownloadEntry) {
    guard case .saved(let path) = entry.download.state else { return }
    DownloadActions.play(entry, path: path, context)
  }

  private func retry(_ ids: [Int64]) {
    let context = context
    context.awaitedDownloads.formUnion(ids)
    context.write({ store throws(StoreError) in try await store.retryDownloads(ids) }) {
      context.note("Trying \(AmountWording.count(ids.count, "download", "downloads")) again")
    }
  }

  private func pause(_ ids: [Int64]?, _ pauses: Bool) {
    let context = context
    context.write({ store throws(StoreError) in
      try await store.setDownloadsPaused(ids, pauses)
    }) { count in
      let what = AmountWording.count(count, "download", "downloads")
      context.note(pauses ? "Paused \(what)" : "Resumed \(what)")
    }
  }

  private func begin(_ entry: DownloadEntry) {
    let (id, name, context) = (entry.id, Self.name(of: entry), context)
    context.write({ store throws(StoreError) in try await store.startDownloadNow(id) }) {
      context.note("\(name) is next")
    }
  }

  private func move(by steps: Int) {
    guard let id = selected?.id else { return }
    context.write { store throws(StoreError) in try await store.moveDownload(id, by: steps) }
  }

  // MARK: Removing

  private enum Removal: String { case entry, file }

  private func remove(_ entry: DownloadEntry) {
    let (id, context) = (entry.id, context)
    let name = Self.name(of: entry)
    guard case .saved(let path) = entry.download.state else {
      return context.ask(whether: "Remove the download of \(name)?") {
        context.write({ store throws(StoreError) in try await store.removeDownload(id) }) {
          context.note("Removed the download of \(name)")
        }
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
          context.write({ store throws(StoreError) in try await store.removeDownload(id) }) {
            context.note("Removed \(name) from the list; the file stays")
          }
        case nil: break
        }
      })
  }

  /// Removes the row once the file is deleted.
  private func deleteFile(_ path: String, of id: Int64, name: String) {
    let context = context
    removing = context.beside {
      if let reason = await Self.delete(path) {
        return context.show(.failure("The file can\u{2019}t be deleted: \(reason)"))
      }
      context.write({ store throws(StoreError) in try await store.removeDownload(id) }) {
        context.note("Deleted \(name)")
      }
    }
  }

  /// `nil` if the file no longer exists; else the system's error text.
  @concurrent nonisolated private static func delete(_ path: String) async -> String? {
    guard unlink(path) != 0, errno != ENOENT else { return nil }
    return String(cString: strerror(errno))
  }

  static func name(of entry: DownloadEntry) -> String {
    entry.title.isEmpty ? Download.fileName(of: entry.download.url) : entry.title
  }

  // MARK: Changes and the mouse

  func modelUpdated(_ change: StoreChange) {
    guard list.modelUpdated(change) else { return }
    context.report(list.failure)
    selection.update(list.entries.map(\.id))
    context.invalidate()
  }

  func press(x: Int, y: Int, isDouble: Bool) {
    if selection.select(line: y - headLines), isDouble, let selected { open(selected) }
  }

  func scroll(by rows: Int, x: Int, y: Int) { selection.scroll(by: rows, lines: { _ in 2 }) }

  var headLines: Int { hold == nil ? 0 : 2 }

  var hold: DownloadHold? { list.hold.flatMap { $0.until > context.now ? $0 : nil } }
}
