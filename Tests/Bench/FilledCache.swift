import FeedStore
import Foundation
import HTMLContent
import TestSupport

extension Bench {
  /// A cache of 100,000 articles, unless another number is given; with `--keep` the one that is
  /// there is used again. Says what is measured in it.
  ///
  /// - Parameters:
  ///   - name: of its folder.
  ///   - subject: what is measured, behind the number of articles.
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
