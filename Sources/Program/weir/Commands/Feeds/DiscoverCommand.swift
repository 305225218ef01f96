import ArgumentParser
import FeedParsing
import Foundation
import HTMLContent
import ProgramSettings

struct DiscoverCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "discover",
    abstract: "List the feeds that a web page links to.",
    shouldDisplay: false)

  @Argument(
    help: "An address, or a file with the page; - reads standard input.", completion: .file())
  var page: String

  @Option(help: "The address that the file came from, for relative links.") var url: String?
  @Flag(help: "As JSON.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func runAsync() async throws {
    let isFile = page == "-" || (!WebAddress(page).isHTTP && access(page, F_OK) == 0)
    // A password in the address must not be printed.
    let found = (isFile ? try announced() : try await discovered()).map { candidate in
      var shown = candidate
      shown.url = WebAddress.withoutUserInfo(candidate.url)
      return shown
    }
    guard !found.isEmpty else { throw CommandFailure("\(page) doesn\u{2019}t link to a feed.") }
    if json { return try JSONOutput.print(found) }
    for candidate in found {
      let words = ListWording.summary(candidate) ?? candidate.title
      try Console.print(Confusables.shown(candidate.url) + (words.map { "\t\($0)" } ?? ""))
    }
  }

  private func announced() throws -> [FeedCandidate] {
    let bytes = try TextFile.read(page)
    do throws(ParseError) {
      let feed = try FeedParser.parse(bytes, baseURL: url)
      let title = feed.title.isEmpty ? nil : feed.title
      return [FeedCandidate(url: feed.feedURL ?? url ?? page, title: title)]
    } catch {
      let found = HTMLContent.announcedFeeds(in: bytes, url: url ?? "")
      guard !found.isEmpty else {
        throw CommandFailure("\(TextFile.name(page)) has no feed: \(error.reason)")
      }
      return found.map { FeedCandidate(url: $0.url, title: $0.title) }
    }
  }

  private func discovered() async throws -> [FeedCandidate] {
    let file = global.configurationFile(try global.paths())
    let discoverer = Network.discoverer(file.configuration)
    switch try await discoverer.discover(page) {
    case .found(let candidates): return candidates
    case .failed(let failure): throw CommandFailure(AddCommand.sentence(failure, url: page))
    case .waiting: return []
    }
  }
}
