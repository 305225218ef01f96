import FeedModel
import FeedStore
import Foundation
import Wording

/// Actions for the files of articles that the list and the reader share.
enum DownloadActions {
  /// Requests all files of an article, and has their end reported.
  static func ask(_ article: ArticleID, _ context: ReaderContext) {
    context.write({ store throws(StoreError) in
      try await store.downloads.requestDownloads(of: article)
    }) {
      context.awaitedDownloads.formUnion($0.filter { $0.state == .waiting }.map(\.id))
      let hold = (try? context.store.downloads.downloadHold()) ?? nil
      context.note(wording(context).answer($0, isOffline: context.isOffline, hold: hold))
    }
  }

  /// Reports the ends of the awaited downloads.
  static func tellEnds(_ change: StoreChange, _ context: ReaderContext) {
    guard change.contains(.requests), !context.awaitedDownloads.isEmpty else { return }
    for id in context.awaitedDownloads.sorted() {
      guard let download = (try? context.store.downloads.download(id)) ?? nil else {
        context.awaitedDownloads.remove(id)
        continue
      }
      guard let message = wording(context).end(download) else { continue }
      context.awaitedDownloads.remove(id)
      context.show(message)
    }
  }

  /// Plays a saved file from its last position.
  static func play(_ entry: DownloadEntry, path: String, _ context: ReaderContext) {
    let title = DownloadsScreen.name(of: entry)
    context.note(PlaybackWording.playing(title, from: entry.playback))
    context.run(
      ProgramTask(
        program: .player, environment: ["WEIR_TITLE": title], file: path,
        playing: ProgramTask.Playing(
          article: entry.download.article, url: entry.download.url,
          from: entry.playback?.resumesAt)))
  }

  static func wording(_ context: ReaderContext) -> DownloadWording {
    DownloadWording(
      dates: context.dates, key: context.keymap.label(.download),
      home: ProcessInfo.processInfo.environment["HOME"])
  }
}
