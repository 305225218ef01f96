import ArgumentParser
import Foundation
import ProgramSettings

struct SaveCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Save web pages for later.",
    discussion: """
      Their texts are fetched by the reader or the next \u{201C}weir sync\u{201D}, and stay in the feed \
      Saved pages until you delete them. A page of an article that you have is not added: the article \
      is kept for later. Without an address, or with -, the addresses are read from standard input, \
      one in each line.
      """)

  @Argument(help: ArgumentHelp("The addresses of the pages.", valueName: "url"))
  var urls: [String] = []

  @Option(
    help: ArgumentHelp("Tag the pages; may be repeated.", valueName: "tag"), completion: .tags)
  var tag: [String] = []

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    var words = urls
    if urls.isEmpty || urls == ["-"] {
      words = []
      while let line = readLine() { words.append(line) }
    }
    let addresses = try words.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      .map { try WebAddress(typed: $0).text }
    let store = session.store.reader
    let pages = try await store.plan.save(addresses, in: LinkWording.savedPages)
    if !tag.isEmpty {
      try await store.states.changeTags(of: pages.map(\.article), adding: tag, removing: [])
    }
    for page in pages {
      let what = page.isNew ? "Saved" : "Kept for later:"
      try Console.print(
        "\(what) \u{201C}\(SafeText.withoutSecrets(page.title))\u{201D} (article \(page.article.rawValue))"
      )
    }
  }
}
