// Prints a feed in any format: RSS, RDF, Atom, JSON Feed or CDF.
//
//     swift run PrintFeed feed.xml https://example.org/feed.xml

import FeedParsing
import Foundation

guard CommandLine.arguments.count > 1 else {
  print("usage: PrintFeed FILE [ADDRESS]")
  exit(64)
}
let bytes = [UInt8](try Data(contentsOf: URL(filePath: CommandLine.arguments[1])))

do {
  // The feed's address makes relative links absolute.
  let feed = try FeedParser.parse(bytes, baseURL: CommandLine.arguments.dropFirst(2).first)
  print("\(feed.title) (\(feed.format.rawValue))")
  for item in feed.items { describe(item) }
} catch ParseError.webPage(let announced) {
  print("A web page, not a feed. Its feeds: \(announced.joined(separator: ", "))")
  exit(1)
} catch {
  print("Not a feed: \(error)")
  exit(1)
}

func describe(_ item: ParsedItem) {
  print("\n\(item.title ?? "Untitled")")
  if let date = item.datePublished { print("  \(date.formatted(.iso8601))") }
  if let url = item.url { print("  \(url)") }
  let authors = item.authors.compactMap(\.name)
  if !authors.isEmpty { print("  by \(authors.joined(separator: ", "))") }
  for file in item.enclosures { print("  \(file.mimeType): \(file.url)") }
  // Clean HTML: without scripts, with absolute addresses.
  if let html = item.contentHTML { print("  \(html)") }
}
