import Foundation
import ProgramSettings

/// Finds the feed of an argument: a number, an address, or a unique part of a name.
enum FeedArgument {
  /// The most feeds named in the message about an ambiguous argument.
  private static let named = 5

  static func find(_ text: String, in store: FeedStore) throws -> Feed {
    try find(text, among: store.reader.feeds.subscriptions().feeds)
  }

  static func find(_ texts: [String], in store: FeedStore) throws -> [Feed] {
    let feeds = try store.reader.feeds.subscriptions().feeds
    return try texts.map { try find($0, among: feeds) }.withoutDuplicates
  }

  static func find(_ text: String, among feeds: [Feed]) throws -> Feed {
    if let number = Int64(text), let feed = feeds.first(where: { $0.id.rawValue == number }) {
      return feed
    }
    let candidates = candidates(text, among: feeds)
    switch candidates.count {
    case 1: return candidates[0]
    case 0:
      throw CommandFailure(
        "No feed matches \u{201C}\(text)\u{201D}. \u{201C}weir feeds\u{201D} lists them.")
    default:
      let names = candidates.prefix(named).map { "\($0.id.rawValue) \($0.name)" }
      let more = candidates.count > named ? ", \u{2026}" : ""
      throw CommandFailure(
        "\(candidates.count) feeds match \u{201C}\(text)\u{201D}: "
          + names.joined(separator: ", ") + "\(more). Give the number or the whole address.")
    }
  }

  /// Returns the feeds that match best. An exact address has precedence, since two may differ only
  /// in the parts that users omit.
  private static func candidates(_ text: String, among feeds: [Feed]) -> [Feed] {
    // The empty text is a part of every name.
    let wanted = text.trimmingCharacters(in: .whitespaces).lowercased()
    guard !wanted.isEmpty else { return [] }
    let address = bare(text)
    let fits: [(Feed) -> Bool] = [
      { $0.url == text }, { bare($0.url) == address }, { $0.name.lowercased() == wanted },
      { $0.name != $0.url && $0.name.lowercased().contains(wanted) },
      { !LocalSource.claims($0.url) && $0.url.lowercased().contains(wanted) },
    ]
    return fits.lazy.map { feeds.filter($0) }.first { !$0.isEmpty } ?? []
  }

  /// Returns an address without scheme and final slash.
  private static func bare(_ url: String) -> Substring {
    var text = url[...]
    for prefix in ["https://", "http://"] where text.lowercased().hasPrefix(prefix) {
      text = text.dropFirst(prefix.count)
    }
    return text.hasSuffix("/") ? text.dropLast() : text
  }
}

/// Finds an article by its number.
enum ArticleArgument {
  static func find(_ text: String, in store: FeedStore) throws -> Article {
    guard let number = Int64(text),
      let article = try store.reader.articles.article(ArticleID(rawValue: number))
    else {
      throw CommandFailure(
        "There is no article \(text). \u{201C}weir articles\u{201D} lists them with their numbers.")
    }
    return article
  }
}

extension Array where Element: Identifiable {
  /// The first of each group of elements with the same identity.
  var withoutDuplicates: [Element] {
    var known: Set<Element.ID> = []
    return filter { known.insert($0.id).inserted }
  }
}
