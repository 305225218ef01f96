import ArgumentParser
import FeedParsing
import ProgramSettings

struct ParseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parse", abstract: "Show a feed document as JSON Feed 1.1.",
    discussion: "If it isn\u{2019}t a feed, says why and exits with 1.", shouldDisplay: false)

  @Argument(help: "A feed document; - reads standard input.", completion: .file()) var file: String

  @Option(name: .long, help: "The address that the document came from, for relative links.")
  var url: String?

  @Option(name: .long, help: "The Content-Type that the server sent.") var contentType: String?
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run() throws {
    // A part ends with an item, so that no character is cut.
    try JSONFeedWriter.write(try feed()) { part in
      try Console.write(Array(SafeText.json(String(decoding: part, as: UTF8.self)).utf8))
    }
  }

  private func feed() throws(CommandFailure) -> ParsedFeed {
    let bytes = try TextFile.read(file)
    do throws(ParseError) {
      return try FeedParser.parse(bytes, contentType: contentType, baseURL: url)
    } catch {
      throw CommandFailure("\(TextFile.name(file)) isn\u{2019}t a feed: \(error.reason)")
    }
  }
}

struct ParseOPMLCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parse-opml",
    abstract: "Show the subscriptions in an OPML file, as JSON: title, xmlUrl, folder.",
    shouldDisplay: false)

  @Argument(help: "An OPML file; - reads standard input.", completion: .file()) var file: String
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run() throws {
    let outline = try outline()
    let document = String(decoding: OPML.json(outline.entries), as: UTF8.self)
    try Console.write(Array(SafeText.json(document).utf8))
    for line in outline.skipped { Console.note("Skipped: \(line)") }
  }

  private func outline() throws(CommandFailure) -> OPML.Outline {
    let bytes = try TextFile.read(file)
    do throws(ParseError) {
      return try OPML.parse(bytes)
    } catch {
      throw CommandFailure("\(TextFile.name(file)) isn\u{2019}t an OPML file: \(error.reason)")
    }
  }
}

extension ParseError {
  /// The kind of the document, as the end of a sentence.
  var reason: String {
    switch self {
    case .empty: "it is empty."
    case .webPage(let announced) where announced.isEmpty:
      "it is a web page, and it doesn\u{2019}t link to a feed."
    case .webPage(let announced):
      "it is a web page; its feeds are \(announced.prefix(5).joined(separator: ", "))."
    case .otherXML(let root) where root.lowercased() == "opml":
      "it is a list of feeds (OPML); import it with weir import."
    case .otherXML(let root): "it is an XML document of another kind (<\(root.prefix(100))>)."
    case .otherJSON: "it is JSON, but not a JSON Feed."
    case .binary(let kind): "it is \(kind)."
    case .plainText: "it is plain text."
    case .damaged(let reason): "it is damaged (\(reason))."
    }
  }
}
