import ArticleText
import Books
import Foundation
import ProgramSettings
import TerminalKit

/// Articles of the cache as a book for an e-reader.
struct BookFile {
  let store: FeedStore
  let dates = DateWording.current

  /// The longest side of a picture, in pixels.
  private static let pictureSide = 1_000

  /// Writes a book with its contents by feed, in the order in which the feeds first occur. The book
  /// is made in memory.
  /// - Parameters:
  ///   - articles: in reading order; those that no longer exist are left out.
  ///   - path: a file, which is replaced.
  /// - Returns: the number of articles written.
  func write(_ articles: [ArticleID], title: String, to path: String) async throws -> Int {
    let found = try articles.compactMap { try store.reader.articles.article($0) }
    var feeds: [FeedID] = []
    for article in found where !feeds.contains(article.row.feed) { feeds.append(article.row.feed) }
    var bytes: [UInt8] = []
    let languages = found.compactMap(\.language)
    do {
      var book = try BookWriter(
        title: title, identifier: UUID(), language: languages.first ?? "en", modified: dates.now
      ) { bytes += $0 }
      for feed in feeds {
        let part = found.filter { $0.row.feed == feed }
        book.beginSection(part[0].row.feedName)
        for article in part { try book.add(try await chapter(article)) }
      }
      try book.finish()
    } catch BookFailure.tooLarge {
      throw CommandFailure("The book would have more than 4 GB. Choose fewer articles.")
    }
    try TextFile.replace(path, with: bytes)
    return found.count
  }

  /// Writes a book to a path of a command line. Returns a sentence about that.
  func write(_ articles: [ArticleID], title: String, typed path: String) async throws -> String {
    let count = try await write(articles, title: title, to: Paths.expandingHome(path))
    return "Wrote \(AmountWording.articles(count)) to \(SafeText.line(path))"
  }

  private func chapter(_ article: Article) async throws -> BookArticle {
    let row = article.row
    var html = article.bodyHTML
    if let text = try store.reader.fullTexts.fullText(row.id), case .found(let page) = text.state {
      html = page
    }
    let minutes = max(1, store.reader.plan.minutes(ofWords: ReadingTime.words(in: html)))
    let source = [
      row.feedName, article.authors.compactMap(\.name).joined(separator: ", "),
      dates.full(row.sortDate), "\(minutes) min",
    ]
    return BookArticle(
      title: row.title, source: source.filter { !$0.isEmpty }.joined(separator: " · "),
      address: row.url, html: html, language: article.language,
      pictures: try await pictures(PictureReference.all(in: html).map(\.address)))
  }

  /// Returns the pictures that are stored, decoded and encoded again: an e-reader gets no byte that
  /// a feed has chosen.
  private func pictures(_ addresses: [String]) async throws -> [String: BookPicture] {
    var made: [String: BookPicture] = [:]
    for (address, picture) in try store.reader.pictures.known(at: addresses) {
      guard case .stored(let file) = picture.state,
        let bytes = try await store.reader.pictures.pictureBytes(file),
        let image = try? await PictureDecoder().decode(
          bytes, width: Self.pictureSide, height: Self.pictureSide)
      else { continue }
      let isOpaque = stride(from: 3, to: image.bytes.count, by: 4).allSatisfy {
        image.bytes[$0] == 255
      }
      if let file = isOpaque ? PictureEncoder.jpeg(image) : PictureEncoder.png(image) {
        made[address] = BookPicture(bytes: file, format: isOpaque ? .jpeg : .png)
      }
    }
    return made
  }
}
