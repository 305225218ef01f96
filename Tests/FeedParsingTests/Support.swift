import FeedModel
import FeedParsing
import Foundation
import Testing

// What the suites of this target share: fixture documents, and short ways to a parsed feed.

/// The bytes of a document under `Fixtures/`.
func fixture(_ name: String, file: String = #filePath) throws -> [UInt8] {
  let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
  return [UInt8](try Data(contentsOf: folder.appendingPathComponent("Fixtures/\(name)")))
}

func parse(_ text: String, contentType: String? = nil, baseURL: String? = nil) throws -> ParsedFeed
{
  try FeedParser.parse(Array(text.utf8), contentType: contentType, baseURL: baseURL)
}

/// The feed as a whole document of JSON Feed.
func jsonFeed(_ feed: ParsedFeed) -> [UInt8] {
  var document: [UInt8] = []
  JSONFeedWriter.write(feed) { document += $0 }
  return document
}

/// An RSS 2.0 document around some items.
func rss(_ items: String, declarations: String = "", channel: String = "<title>T</title>")
  -> String
{
  "<?xml version=\"1.0\"?><rss version=\"2.0\" \(declarations)><channel>\(channel)\(items)"
    + "</channel></rss>"
}

/// An Atom 1.0 document around some entries.
func atom(_ entries: String) -> String {
  "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title>\(entries)</feed>"
}

/// The instant that an RFC 3339 text names.
func instant(_ text: String) -> Date? {
  try? Date(text, strategy: .iso8601)
}
