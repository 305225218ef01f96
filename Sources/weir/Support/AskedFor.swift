import FeedModel
import FeedStore
import Wording

/// Requested full texts and files that have not been fetched yet.
struct AskedFor {
  private var texts: [ArticleID] = []
  private var files: [Int64] = []
  private var hasDiscoveries = false

  init() {}

  init(_ store: FeedStore) throws {
    texts = try store.engine.fullTexts.pendingFullTexts().map(\.article)
    files = try store.engine.downloads.pendingDownloads().map(\.id)
    hasDiscoveries = try !store.engine.requests.pendingDiscoveries().isEmpty
  }

  var isEmpty: Bool { texts.isEmpty && files.isEmpty && !hasDiscoveries }

  /// Returns text like "Full texts and files that were asked for: 2 fetched, 1 failed".
  func line(_ store: FeedStore) throws -> String? {
    var (fetched, failed) = (0, 0)
    for text in texts {
      switch try store.reader.fullTexts.fullText(text)?.state {
      case .found: fetched += 1
      case .failed: failed += 1
      case .waiting, nil: break
      }
    }
    for file in files {
      switch try store.reader.downloads.download(file)?.state {
      case .saved: fetched += 1
      case .failed: failed += 1
      case .waiting, .paused, nil: break
      }
    }
    let waiting = texts.count + files.count - fetched - failed
    let parts = [(fetched, "fetched"), (failed, "failed"), (waiting, "to come")].filter { $0.0 > 0 }
      .map { "\(AmountWording.grouped($0.0)) \($0.1)" }
    guard !parts.isEmpty else { return nil }
    return "Full texts and files that were asked for: \(parts.joined(separator: ", "))"
  }
}
