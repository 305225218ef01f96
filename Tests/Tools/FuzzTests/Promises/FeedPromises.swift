import FeedModel
import FeedParsing
import Foundation

/// Properties of a feed that hold for any bytes.
enum FeedPromises {
  static func fault(in bytes: [UInt8]) -> String? {
    guard let feed = try? FeedParser.parse(bytes, baseURL: "https://e.org/dir/feed") else {
      return nil
    }
    return fault(in: feed) ?? fault(inExportOf: feed)
  }

  private static func fault(in feed: ParsedFeed) -> String? {
    var lines = [
      feed.title, feed.homePageURL, feed.feedURL, feed.iconURL, feed.faviconURL, feed.language,
    ]
    for item in feed.items {
      lines += [item.id, item.url, item.externalURL, item.title, item.imageURL, item.language]
      lines += item.tags
      for author in item.authors { lines += [author.name, author.url] }
      for file in item.enclosures { lines += [file.url, file.mimeType, file.title] }
    }
    for case let line? in lines {
      if let fault = TextPromises.fault(inLine: line) { return fault }
    }
    for item in feed.items {
      if item.id.isEmpty { return "an item without identity" }
      if let html = item.contentHTML, let fault = HTMLPromises.fault(inClean: html) { return fault }
      if let fault = (item.contentText ?? item.summary).flatMap(TextPromises.fault(inText:)) {
        return fault
      }
      for date in [item.datePublished, item.dateModified] {
        if date?.timeIntervalSince1970.isFinite == false { return "a date that is no number" }
      }
    }
    return nil
  }

  /// Checks that the output of `weir parse` is a JSON Feed with the same items.
  private static func fault(inExportOf feed: ParsedFeed) -> String? {
    var document: [UInt8] = []
    JSONFeedWriter.write(feed) { document += $0 }
    let again: ParsedFeed
    do {
      again = try FeedParser.parse(document, baseURL: "https://e.org/dir/feed")
    } catch {
      return "the export is no feed: \(error)"
    }
    if again.title != feed.title {
      return "the export has the title \(again.title.debugDescription)"
    }
    if again.items.map(\.id) != feed.items.map(\.id) { return "the export has other items" }
    for (item, other) in zip(feed.items, again.items) {
      if item.title != other.title { return "the export changes the title of \(item.id)" }
      if item.contentHTML != other.contentHTML {
        return "the export changes the text of \(item.id)"
      }
    }
    return nil
  }
}
