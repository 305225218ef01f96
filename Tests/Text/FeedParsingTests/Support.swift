// Helpers of this target's suites: fixture documents and parsed feeds.

/// Returns the bytes of a document under `Fixtures/`.
func fixture(_ name: String, file: String = #filePath) throws -> [UInt8] {
  let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
  return [UInt8](try Data(contentsOf: folder.appendingPathComponent("Fixtures/\(name)")))
}

func parse(_ text: String, contentType: String? = nil, baseURL: String? = nil) throws -> ParsedFeed
{
  try FeedParser.parse(Array(text.utf8), contentType: contentType, baseURL: baseURL)
}

/// Returns the feed as a JSON Feed document.
func jsonFeed(_ feed: ParsedFeed) -> [UInt8] {
  var document: [UInt8] = []
  JSONFeedWriter.write(feed) { document += $0 }
  return document
}

/// Returns an RSS 2.0 document around some items.
func rss(_ items: String, declarations: String = "", channel: String = "<title>T</title>")
  -> String
{
  "<?xml version=\"1.0\"?><rss version=\"2.0\" \(declarations)><channel>\(channel)\(items)"
    + "</channel></rss>"
}

/// Returns an Atom 1.0 document around some entries.
func atom(_ entries: String) -> String {
  "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title>\(entries)</feed>"
}

/// Returns the instant of an RFC 3339 text, or `nil` if the text is invalid.
func instant(_ text: String) -> Date? {
  try? Date(text, strategy: .iso8601)
}
