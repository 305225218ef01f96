import ArgumentParser
import FeedModel
import FeedParsing
import Foundation

/// `weir parse`: what a feed says, as JSON Feed 1.1.
struct ParseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parse", abstract: "Show what a feed document says, as JSON Feed 1.1.",
    discussion: "What is no feed: exit 1, and a sentence that says what it is instead.")

  @Argument(help: "A feed document; - reads standard input.")
  var file: String

  @Option(name: .long, help: "The address that the document came from; relative links start there.")
  var url: String?

  @Option(name: .long, help: "The Content-Type that the server sent.")
  var contentType: String?

  func run() throws {
    let bytes = try Input.read(file)
    do {
      let feed = try FeedParser.parse(bytes, contentType: contentType, baseURL: url)
      Output.write(JSONFeedWriter.document(feed))
    } catch {
      try Output.fail("\(Input.name(file)) is no feed: \(error.reason)")
    }
  }
}

/// `weir parse-opml`: the subscriptions of an outline file, as JSON.
struct ParseOPMLCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parse-opml",
    abstract: "Show the subscriptions in an OPML file, as JSON: title, xmlUrl, folder.")

  @Argument(help: "An OPML file; - reads standard input.")
  var file: String

  func run() throws {
    let bytes = try Input.read(file)
    do {
      let outline = try OPML.parse(bytes)
      Output.write(OPML.json(outline.entries))
      for line in outline.skipped { Output.complain(line) }
    } catch {
      try Output.fail("\(Input.name(file)) is no OPML file: \(error.reason)")
    }
  }
}

extension ParseError {
  /// What the document is instead: the end of a sentence.
  var reason: String {
    switch self {
    case .empty: "it is empty."
    case .webPage(let announced) where announced.isEmpty:
      "it is a web page that announces no feed."
    case .webPage(let announced):
      "it is a web page; its feeds are \(announced.prefix(5).joined(separator: ", "))."
    case .otherXML(let root) where root.lowercased() == "opml":
      "it is a list of feeds (OPML); weir import takes it."
    case .otherXML(let root): "it is an XML document of another kind (<\(Output.printable(root))>)."
    case .otherJSON: "it is JSON, but no JSON Feed."
    case .binary(let kind): "it is \(kind)."
    case .plainText: "it is plain text."
    case .damaged(let reason):
      "it is too damaged to read (\(Output.printable(reason)))."
    }
  }
}

private enum Input {
  static func name(_ file: String) -> String { file == "-" ? "The input" : Output.printable(file) }

  static func read(_ file: String) throws -> [UInt8] {
    do {
      let handle =
        file == "-"
        ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
      return Array(try handle.readToEnd() ?? Data())
    } catch {
      try Output.fail("\(name(file)) cannot be read: \(reason(error)).")
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile?, .fileNoSuchFile?: "there is no such file"
    case .fileReadNoPermission?: "permission denied"
    default: "the system refused"
    }
  }
}

private enum Output {
  static func write(_ bytes: [UInt8]) {
    try? FileHandle.standardOutput.write(contentsOf: Data(bytes))
  }

  static func complain(_ sentence: String) {
    try? FileHandle.standardError.write(contentsOf: Data((sentence + "\n").utf8))
  }

  /// Says why, and ends with exit code 1.
  static func fail(_ sentence: String) throws -> Never {
    complain("weir: " + sentence)
    throw ExitCode(1)
  }

  /// Without anything that moves a terminal's cursor or colours.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }))
  }
}
