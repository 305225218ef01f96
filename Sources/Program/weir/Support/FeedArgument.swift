import Foundation
import ProgramSettings

/// Finds the feed of an argument: a number, an address, or a unique part of a name.
enum FeedArgument {
  static func find(_ text: String, in store: FeedStore) throws -> Feed {
    try find(text, among: store.reader.feeds.subscriptions().feeds)
  }

  static func find(_ texts: [String], in store: FeedStore) throws -> [Feed] {
    let feeds = try store.reader.feeds.subscriptions().feeds
    return try texts.map { try find($0, among: feeds) }.withoutDuplicates
  }

  /// An exact address has precedence, since two may differ only in the parts that users omit.
  static func find(_ text: String, among feeds: [Feed]) throws -> Feed {
    let (wanted, address) = (text.trimmingCharacters(in: .whitespaces).lowercased(), bare(text))
    return try feeds.find(
      text, ("feed", "weir feeds"), naming: 5, advice: "Give the number or the whole address.",
      by: [
        { $0.url == text }, { bare($0.url) == address }, { $0.name.lowercased() == wanted },
        { $0.name != $0.url && $0.name.lowercased().contains(wanted) },
        { !LocalSource.claims($0.url) && $0.url.lowercased().contains(wanted) },
      ]
    ) { $0.name }
  }

  private static func bare(_ url: String) -> Substring {
    var text = url[...]
    for prefix in ["https://", "http://"] where text.lowercased().hasPrefix(prefix) {
      text = text.dropFirst(prefix.count)
    }
    return text.hasSuffix("/") ? text.dropLast() : text
  }
}

extension WebAddress {
  /// Creates an address from an argument, which may lack the scheme.
  init(typed text: String) throws(CommandFailure) {
    let typed = WebAddress(text)
    let address = typed.scheme == nil ? WebAddress("https://" + text) : typed
    guard address.isHTTP, address.hasPlausibleHost else {
      throw CommandFailure(
        "\(text) isn\u{2019}t a web address. Give one that begins with https:// or http://.")
    }
    self = address
  }
}

/// Finds the folder of an argument: the path of its titles, in any case.
enum FolderArgument {
  /// Returns the titles of a path, as an existing folder spells them, and that folder.
  static func find(
    _ text: String, in subscriptions: Subscriptions
  ) -> (path: [String], folder: Folder?) {
    let titles = text.split(separator: "/").map(String.init)
    let wanted = titles.joined(separator: "/")
    let known = subscriptions.folders.map { ($0, subscriptions.path(of: $0.id)) }
    let found = [String.CompareOptions.literal, .caseInsensitive].lazy.compactMap { options in
      known.first { $0.1.joined(separator: "/").compare(wanted, options: options) == .orderedSame }
    }.first
    return (found?.1 ?? titles, found?.0)
  }
}

/// Finds an article by its number.
enum ArticleArgument {
  static func find(_ texts: [String], in store: FeedStore) throws -> [ArticleID] {
    try texts.map { try find($0, in: store) }.withoutDuplicates.map(\.id)
  }

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

extension Array where Element: Identifiable, Element.ID: RawRepresentable<Int64> {
  /// Finds the element of an argument: by its number, or else the only one of the first group that
  /// has any.
  /// - Parameters:
  ///   - kind: what the elements are, and the command that lists them.
  ///   - limit: the most elements that are named if there are several.
  ///   - advice: how to name one of several elements.
  func find(
    _ text: String, _ kind: (name: String, command: String), naming limit: Int = .max,
    advice: String = "Give the number.", by groups: [(Element) -> Bool],
    name: (Element) -> String
  ) throws(CommandFailure) -> Element {
    if let number = Int64(text), let found = self.first(where: { $0.id.rawValue == number }) {
      return found
    }
    // The empty text is a part of every name.
    let isBlank = text.allSatisfy(\.isWhitespace)
    let found: [Element] =
      isBlank ? [] : groups.lazy.map { filter($0) }.first { !$0.isEmpty } ?? []
    guard let first = found.first else {
      throw CommandFailure(
        "No \(kind.name) matches \u{201C}\(text)\u{201D}. \u{201C}\(kind.command)\u{201D} lists them."
      )
    }
    guard found.count > 1 else { return first }
    let names =
      found.prefix(limit).map { "\($0.id.rawValue) \(name($0))" }
      + (found.count > limit ? ["\u{2026}"] : [])
    throw CommandFailure(
      "\(found.count) \(kind.name)s match \u{201C}\(text)\u{201D}: \(names.joined(separator: ", ")). \(advice)"
    )
  }
}

extension Array where Element: Identifiable {
  /// The first of each group of elements with the same identity.
  var withoutDuplicates: [Element] {
    var known: Set<Element.ID> = []
    return filter { known.insert($0.id).inserted }
  }
}
