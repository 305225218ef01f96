import FeedStore
import Foundation
import HTMLContent
import TestSupport

extension Bench {
  /// Opens a cache of 100,000 articles, unless another number is given, and prints what is measured
  /// in it; `--keep` uses an existing one again.
  ///
  /// - Parameters:
  ///   - name: the name of its folder.
  ///   - subject: the measured subject, printed after the number of articles.
  func cache(
    _ name: String, beside subject: String
  ) async throws -> (store: FeedStore, library: Library, folder: String) {
    let library = Library(
      articles: scale > 0 ? scale : 100_000, feeds: Self.feedCount, largestShare: 10)
    let data = keep ?? folder + "/" + name
    let isKept = FileManager.default.fileExists(atPath: data + "/weir.db")
    print("\(AmountText.grouped(library.total)) articles, \(subject).\n")
    print("| cache | |")
    print("|---|--:|")
    let store = try FeedStore.open(
      directory: data,
      options: StoreOptions(maximumNewArticles: .max, plainText: HTMLContent.plainTextBytes))
    if !isKept { try await fill(store, library) }
    return (store, library, data)
  }
}
