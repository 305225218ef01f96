import FeedModel
import FeedStore
import Foundation
import Wording

/// What the list and the reader do for the files that articles bring.
enum DownloadActions {
  /// Asks for all files of an article, and has their end told.
  static func ask(_ article: ArticleID, _ context: ReaderContext) {
    context.write({ store throws(StoreError) in try await store.requestDownloads(of: article) }) {
      context.awaitedDownloads.formUnion($0.filter { $0.state == .waiting }.map(\.id))
      context.note(wording(context).answer($0, isOffline: context.isOffline))
    }
  }

  /// Says what became of those that were waited for.
  static func tellEnds(_ change: StoreChange, _ context: ReaderContext) {
    guard change.contains(.requests), !context.awaitedDownloads.isEmpty else { return }
    for id in context.awaitedDownloads.sorted() {
      guard let download = (try? context.store.download(id)) ?? nil else {
        context.awaitedDownloads.remove(id)
        continue
      }
      guard let message = wording(context).end(download) else { continue }
      context.awaitedDownloads.remove(id)
      context.show(message)
    }
  }

  /// Offers all files that were asked for, those on their way first. Enter plays one that is there,
  /// stops one that is on its way, and tries one again that failed.
  static func askForDownloads(_ context: ReaderContext) {
    context.preparation = context.look { store throws(StoreError) in
      try store.allDownloads()
    } then: { found in
      guard !found.isEmpty else { return context.note("Nothing was downloaded") }
      let words = wording(context)
      let items = found.map { download, article in
        Picker.Item(
          String(download.id), title: article.title,
          note: "\(article.feedName) \u{B7} \(words.note(download))")
      }
      context.window?.ask(
        Picker("Downloads", items) { values in
          let chosen = found.first { String($0.download.id) == values.first }
          if let chosen { act(on: chosen.download, chosen.article, context) }
        })
    }
  }

  private static func act(
    on download: Download, _ article: ArticleRow, _ context: ReaderContext
  ) {
    switch download.state {
    case .saved(let path):
      context.note("Playing \(article.title)")
      context.run(ProgramTask(.player, environment: ["WEIR_TITLE": article.title], file: path))
    case .failed: ask(download.article, context)
    case .waiting:
      context.ask(whether: "Stop the download of \(article.title)?") {
        context.write({ store throws(StoreError) in
          try await store.cancelDownload(download.id)
        }) { context.note("The download is stopped") }
      }
    }
  }

  static func wording(_ context: ReaderContext) -> DownloadWording {
    DownloadWording(
      dates: context.dates, key: context.keymap.label(.download),
      home: ProcessInfo.processInfo.environment["HOME"])
  }
}
