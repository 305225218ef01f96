import ArgumentParser
import ArticleText
import FeedModel
import Foundation
import ReaderUI
import TerminalKit

/// `weir show`: one article.
struct ShowCommand: SessionCommand {
  enum Format: EnumerableFlag {
    case text, html, json

    static func help(for value: Format) -> ArgumentHelp? {
      switch value {
      case .text: "As text, for reading (this is the default)."
      case .html: "The article's sanitised HTML."
      case .json: "Everything that is known of it, as JSON."
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show an article.",
    discussion: "It stays as read or unread as it was.")

  @Argument(help: "The article's number, as weir articles prints it.")
  var article: String

  @Flag(exclusivity: .exclusive)
  var format = Format.text

  @OptionGroup(title: "Global options")
  var global: GlobalOptions

  private static let widest = 80

  func run(in session: Session) async throws {
    let article = try ArticleArgument.find(article, in: session.store)
    switch format {
    case .json: try JSONOutput.print(ArticleDocument(article, text: Self.text(article)))
    case .html: try Console.printLines(article.bodyHTML)
    case .text: try show(article, width: min(Self.widest, Console.columns() ?? Self.widest))
    }
  }

  private func show(_ article: Article, width: Int) throws {
    let dates = DateWording(now: Date(), timeZone: .current)
    try Console.printEmphasised(article.row.title)
    let authors = article.authors.compactMap(\.name).joined(separator: ", ")
    try Console.print(
      [article.row.feedName, authors, dates.full(article.publishedAt ?? article.row.sortDate)]
        .filter { !$0.isEmpty }.joined(separator: " \u{00B7} "))
    if let url = article.row.url { try Console.print(url) }
    try Console.print("")
    let body = Self.body(article, width: width)
    try Console.printLines(Self.lines(body))
    if !body.links.isEmpty { try Console.print("") }
    for (index, link) in body.links.enumerated() { try Console.print("[\(index + 1)] \(link)") }
    for enclosure in article.enclosures {
      let size = enclosure.size.map { ", " + AmountWording.bytes(Double($0)) } ?? ""
      try Console.print("\(enclosure.url) (\(enclosure.mimeType)\(size))")
    }
  }

  private static func text(_ article: Article) -> String {
    SafeText.lines(lines(body(article, width: widest)))
  }

  private static func body(_ article: Article, width: Int) -> LaidOutArticle {
    ArticleBlocks(html: article.bodyHTML).layout(width: width) { GraphemeWidth.width(of: $0) }
  }

  private static func lines(_ body: LaidOutArticle) -> String {
    body.lines.map { $0.runs.map(\.text).joined() }.joined(separator: "\n")
  }
}
