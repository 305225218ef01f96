import ArgumentParser
import ArticleText
import Foundation
import ProgramSettings
import TerminalKit

struct ShowCommand: SessionCommand {
  enum Format: EnumerableFlag {
    case text, html, json, changes

    static func help(for value: Format) -> ArgumentHelp? {
      switch value {
      case .text: "As text, for reading (this is the default)."
      case .html: "The article’s sanitised HTML."
      case .json: "All of its data, as JSON."
      case .changes: "What its publisher changed, word by word."
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show an article.",
    discussion: "The article is not marked read.")

  @Argument(help: "The article’s number, as weir articles prints it.") var article: String
  @Flag(exclusivity: .exclusive) var format = Format.text
  @Flag(help: "The text of its web page, fetched if necessary.") var full = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  private static let widest = 80

  func run(in session: Session) async throws {
    var article = try ArticleArgument.find(article, in: session.store)
    var ending: String?
    if full { (article.bodyHTML, ending) = try await FullTextFetch.text(of: article, in: session) }
    switch format {
    case .json:
      let tags = try session.store.reader.states.tags(of: [article.id])
      try JSONOutput.print(article.json(tags: tags, text: Self.text(article)))
    case .html: try Console.printLines(article.bodyHTML)
    case .changes:
      try showChanges(article, try session.store.reader.articles.revisions(of: article.id))
    case .text:
      // Other programs receive unwrapped lines.
      let width = Console.columns().map { min(Self.widest, $0) } ?? UnwrappedText.width
      try show(article, width: width)
    }
    if let ending { Console.note(ending) }
  }

  private func show(_ article: Article, width: Int) throws {
    let dates = DateWording.current
    try Console.printEmphasised(article.row.title)
    let authors = article.authors.compactMap(\.name).joined(separator: ", ")
    try Console.print(
      [article.row.feedName, authors, dates.full(article.date)]
        .filter { !$0.isEmpty }.joined(separator: " \u{00B7} "))
    if let url = article.row.url { try Console.print(Confusables.shown(url)) }
    try Console.print("")
    var layout = Self.layout(article, width: width)
    while !layout.isFinished {
      let text = Self.lines(layout.advance(by: Self.piece))
      if !text.isEmpty { try Console.printLines(text) }
    }
    if !layout.links.isEmpty { try Console.print("") }
    for (index, link) in layout.links.enumerated() {
      try Console.print("[\(index + 1)] \(Confusables.shown(link))")
    }
    for enclosure in article.enclosures {
      let size = enclosure.size.map { ", " + AmountWording.bytes(Double($0)) } ?? ""
      try Console.print("\(Confusables.shown(enclosure.url)) (\(enclosure.mimeType)\(size))")
    }
  }

  /// Prints the changes, the newest first: `[-old-]` and `{+new+}` with some words of context.
  private func showChanges(_ article: Article, _ revisions: [ArticleRevision]) throws {
    guard !revisions.isEmpty else { return try Console.print("Its text has not changed") }
    let dates = DateWording.current
    var (title, html) = (article.row.title, article.ownHTML)
    for revision in revisions {
      let changes = TextChanges(fromHTML: revision.bodyHTML, toHTML: html)
      try Console.printEmphasised(
        "\(dates.full(revision.replacedAt)): \(AmountWording.count(changes.wordsRemoved, "word", "words")) out, "
          + "\(changes.wordsAdded) in")
      if revision.title != title {
        try Console.print("[-\(revision.title)-] {+\(title)+}")
      }
      try Console.print(
        changes.runs.map(Self.marked).joined(separator: " "))
      (title, html) = (revision.title, revision.bodyHTML)
    }
  }

  private static let context = 8

  private static func marked(_ run: TextChanges.Run) -> String {
    switch run.kind {
    case .removed: return "[-\(run.text)-]"
    case .added: return "{+\(run.text)+}"
    case .same:
      let words = run.text.split(separator: " ")
      guard words.count > 2 * context else { return run.text }
      return words.prefix(context).joined(separator: " ") + " \u{2026} "
        + words.suffix(context).joined(separator: " ")
    }
  }

  /// The bytes of HTML that are laid out at a time.
  private static let piece = 65_536

  private static func text(_ article: Article) -> String {
    var layout = layout(article, width: widest)
    var text = ""
    while !layout.isFinished { text += lines(layout.advance(by: piece)) }
    if text.hasSuffix("\n") { text.removeLast() }
    return SafeText.lines(text)
  }

  private static func layout(_ article: Article, width: Int) -> IncrementalLayout {
    ArticleBody(
      html: article.bodyHTML, address: article.row.url, otherAddresses: article.otherAddresses
    ).incrementalLayout(width: width, limits: .unlimited) {
      GraphemeWidth.width(of: $0)
    }
  }

  private static func lines(_ lines: [TextLine]) -> String {
    var text = ""
    for line in lines {
      for run in line.runs { text += run.text }
      text += "\n"
    }
    return text
  }
}
