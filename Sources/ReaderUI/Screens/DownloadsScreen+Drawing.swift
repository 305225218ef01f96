import FeedModel
import Foundation
import TerminalKit
import Wording

// Above the rows the reason for which downloads are held back, then two lines for each: its title
// and state, its feed and its progress.
extension DownloadsScreen {
  private static let barColumns = 14
  private static let barFrom = 70

  func draw(on canvas: Canvas, isFocused: Bool) {
    let wording = DownloadActions.wording(context)
    if let hold {
      canvas.write(
        wording.hold(hold), x: 1, y: 0, columns: max(0, canvas.width - 2), .warning)
    }
    let body = canvas.part(
      Rect(
        x: 0, y: headLines, width: canvas.width, height: max(0, canvas.height - headLines)))
    height = body.height
    guard !list.entries.isEmpty else {
      let hint = context.keymap.label(.download).map { " \($0) on an article downloads its files." }
      body.write(
        "Nothing was downloaded." + (hint ?? ""), x: 3, y: 0, columns: max(0, body.width - 4),
        .secondary)
      return
    }
    selection.draw(on: body, lines: { _ in 2 }) { index, y in
      draw(list.entries[index], wording, on: body, y: y)
    }
  }

  private func draw(_ entry: DownloadEntry, _ wording: DownloadWording, on canvas: Canvas, y: Int) {
    let download = entry.download
    let (state, role) = state(entry, wording)
    let stateWidth = GraphemeWidth.width(of: state)
    let room = max(8, canvas.width - 3 - stateWidth - 3)
    canvas.write(Self.name(of: entry), x: 3, y: y, columns: room, .title)
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
      switch list.operations[entry.id] {
      case .running(.receiving):
        return (share(entry.download).map { "\(Int($0 * 100)) %" } ?? "receiving", .accent)
      case .running(let stage): return (SyncWording.state(.running(stage)), .accent)
      case .waiting(let reason): return (SyncWording.reason(reason), .secondary)
      case nil:
        if context.isOffline { return ("offline", .secondary) }
        guard let hold, !entry.download.ignoresLimits else {
          return ("in the queue", .secondary)
        }
        return (wording.shortHold(hold), .secondary)
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
      if let rate = list.rate(entry.id, at: context.now) {
        parts.append(AmountWording.rate(rate))
        if rate > 0, let size = download.size, size > download.received {
          parts.append(SyncWording.timeLeft(Double(size - download.received) / rate))
        }
      }
      return parts
    }
  }
}
