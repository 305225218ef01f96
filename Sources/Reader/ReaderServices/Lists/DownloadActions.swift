internal import Foundation
import TerminalViews

/// Actions for the files of articles, shared by the list and the reader.
package enum DownloadActions {
  /// Requests all files of an article, and reports later how each download ended.
  package static func ask(_ article: ArticleID, _ context: ReaderContext) {
    context.write({ store in
      try await store.downloads.requestDownloads(of: article)
    }) { announce($0, context) }
  }

  private static func announce(_ asked: [Download], _ context: ReaderContext) {
    context.session.awaitedDownloads.formUnion(asked.filter { $0.state == .waiting }.map(\.id))
    let pause = context.read(try context.store.downloads.downloadPause())
    context.note(wording(context).answer(asked, offline: context.offlineUntil, pause: pause))
  }

  package static func reportEnds(_ change: StoreChange, _ context: ReaderContext) {
    guard change.contains(.requests), !context.session.awaitedDownloads.isEmpty else { return }
    for id in context.session.awaitedDownloads.sorted() {
      guard let download = context.read(try context.store.downloads.download(id)) else {
        context.session.awaitedDownloads.remove(id)
        continue
      }
      guard let message = wording(context).end(download) else { continue }
      context.session.awaitedDownloads.remove(id)
      context.show(message)
    }
  }

  /// Plays a saved file from its last position.
  package static func play(_ entry: DownloadEntry, path: String, _ context: ReaderContext) {
    let title = entry.name
    context.note(PlaybackWording.playing(title, from: entry.playback))
    context.run(
      ProgramTask(
        program: .player, environment: ["WEIR_TITLE": title], file: path,
        playing: ProgramTask.Playing(
          article: entry.download.article, url: entry.download.url,
          from: entry.playback?.resumesAt)))
  }

  package static func wording(_ context: ReaderContext) -> DownloadWording {
    DownloadWording(
      dates: context.dates, key: context.keymap.label(.download),
      home: ProcessInfo.processInfo.environment["HOME"])
  }
}

extension DownloadEntry {
  package var name: String { title.isEmpty ? Download.fileName(of: download.url) : title }
}

extension DownloadWording {
  /// Returns the outcome of an awaited download; `nil` until it has ended.
  func end(_ download: Download) -> StatusMessage? {
    switch download.state {
    case .waiting, .paused: nil
    case .saved(let path): .note("Saved as \(shown(path))")
    case .failed(let failure):
      .failure(
        "\(Download.fileName(of: download.url)) wasn\u{2019}t downloaded: "
          + happened(failure, download))
    }
  }
}
