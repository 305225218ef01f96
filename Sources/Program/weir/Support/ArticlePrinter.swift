import Foundation
import ProgramSettings

/// Prints articles page by page: as a table, as JSON or as an Atom feed.
struct ArticlePrinter {
  private let store: FeedStore
  private let isJSON: Bool
  private let subscriptions: Subscriptions
  private let dates = DateWording.current
  private var elements = JSONOutput.Elements()
  private var document: AtomDocument?
  private var isEmpty = true

  /// - Parameter title: the title of the Atom feed; `nil` for another format.
  init(_ store: FeedStore, json: Bool = false, atom title: String? = nil) throws {
    (self.store, isJSON, document) = (store, json, title.map { AtomDocument(title: $0) })
    subscriptions = try store.reader.feeds.subscriptions()
  }

  /// - Parameter found: the same articles as hits of a search, to print with their passages.
  mutating func print(_ rows: [ArticleRow], found: [FoundArticle] = []) throws {
    isEmpty = isEmpty && rows.isEmpty
    if isJSON {
      for (index, object) in try store.reader.json(rows).enumerated() {
        try elements.add(
          found.isEmpty
            ? object : object.adding("snippet", JSONObject.pieces(found[index].snippet)))
      }
    } else if document != nil {
      for row in rows {
        if let article = try store.reader.articles.article(row.id) { try document?.add(article) }
      }
    } else if Console.outputIsTerminal, !found.isEmpty {
      for hit in found { try printLines(hit) }
    } else {
      try printTable(rows, found)
    }
  }

  /// - Parameter note: the note on standard error if there was no article.
  mutating func end(orNote note: String) throws {
    if isJSON {
      try elements.end()
    } else if document != nil {
      try document?.end()
    } else if isEmpty {
      Console.note(note)
    }
  }

  private func printTable(_ rows: [ArticleRow], _ found: [FoundArticle]) throws {
    var table = Table(
      Console.outputIsTerminal
        ? [.number, .text(limit: 3), .text(limit: 11), .text(limit: 24), .last]
        : Array(repeating: .last, count: 7))
    for (index, row) in rows.enumerated() {
      let (id, feed) = (String(row.id.rawValue), subscriptions.name(of: row.feed, row.feedName))
      let status = row.status
      if Console.outputIsTerminal {
        let marks =
          (status.isRead ? " " : "\u{25CF}") + (status.isStarred ? "\u{2605}" : " ")
          + (status.isLater ? "\u{25C6}" : " ")
        table.add(
          [id, marks, dates.age(row.sortDate), feed, row.title], isEmphasised: !status.isRead)
      } else {
        let marks =
          (status.isRead ? "read" : "unread") + (status.isStarred ? ",starred" : "")
          + (status.isLater ? ",later" : "")
        table.add(
          [id, marks, row.sortDate.formatted(.iso8601), feed, row.title, row.url ?? ""]
            + (found.isEmpty ? [] : [found[index].snippet.text]))
      }
    }
    try table.print()
  }

  private func printLines(_ found: FoundArticle) throws {
    let row = found.row
    let head = "\(row.id.rawValue)  "
    let tail =
      "  \(subscriptions.name(of: row.feed, row.feedName)) \u{B7} \(dates.age(row.sortDate))"
    try Console.print([.init(head[...])] + found.title.pieces + [.init(tail[...])])
    let indent = String(repeating: " ", count: head.utf8.count)
    try Console.print([.init(indent[...])] + found.snippet.pieces)
  }
}
