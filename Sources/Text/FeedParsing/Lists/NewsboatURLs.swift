internal import FeedModel
internal import HTMLContent
internal import TextRules

/// A newsboat `urls` file: `URL "tag" "~title"`, comments with `#` (newsboat manual, "The Feed
/// List").
package enum NewsboatURLs {
  /// Reads the feeds of the list and its saved searches (`query:`). Other lines are described in
  /// `skipped`.
  /// - Parameter mayBeOwn: true for the user's own list. In other lists, programs (`exec:`,
  ///   `filter:`) and files are skipped, so that an imported list cannot run or read them.
  /// - Throws: if the bytes are not text.
  package static func parse(
    _ bytes: [UInt8], mayBeOwn: Bool = false
  ) throws(ParseError) -> OPML.Outline {
    try Sniffer.requireText(bytes)
    var outline = OPML.Outline()
    let text = TextDecoding.utf8(bytes, contentType: nil)
    for (index, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    {
      let words = NewsboatWords.words(line)
      guard let first = words.first else { continue }
      // Skips a separator of newsboat's list.
      guard first.count < 3 || first.contains(where: { $0 != "-" }) else { continue }
      let number = index + 1
      let url = Values.clean(first) ?? ""
      let address = WebAddress(url)
      guard url.utf8.count <= Values.maximumAddress else {
        outline.skipped.append(
          "Line \(number): the address is longer than \(Values.maximumAddress) bytes.")
        continue
      }
      switch address.scheme {
      case "http" where address.isHTTP, "https" where address.isHTTP:
        outline.entries.append(entry(url, words.dropFirst()))
      case "exec", "filter", "file":
        if mayBeOwn, LocalSource(first) != nil {
          outline.entries.append(entry(first, words.dropFirst()))
        } else {
          outline.skipped.append(
            "Line \(number): " + refusal(of: address.scheme ?? "", mayBeOwn))
        }
      case "query":
        let parts = first.split(separator: ":", maxSplits: 2).dropFirst().map(String.init)
        guard parts.count == 2, let name = PlainText.read(parts[0], isHTML: false, limit: 80) else {
          outline.skipped.append("Line \(number): the query has no name or no condition.")
          continue
        }
        outline.queries.append(OutlineQuery(name: name, condition: parts[1], line: number))
      default:
        outline.skipped.append("Line \(number): not a web address.")
      }
    }
    return outline
  }

  private static func entry(_ url: String, _ words: ArraySlice<String>) -> OutlineEntry {
    var entry = OutlineEntry(url: url)
    for word in words {
      if word.hasPrefix("~") {
        entry.title = PlainText.read(String(word.dropFirst()), isHTML: false) ?? entry.title
      } else if !word.hasPrefix("!"), let tag = PlainText.read(word, isHTML: false, limit: 512) {
        if !entry.tags.contains(tag) { entry.tags.append(tag) }
      }
    }
    entry.folder = Array(entry.tags.prefix(1))
    // newsboat shows the articles of such a feed only in queries that name it.
    if words.contains(where: { $0.hasPrefix("!") }) { entry.priority = .quiet }
    return entry
  }

  private static func refusal(of scheme: String, _ mayBeOwn: Bool) -> String {
    if mayBeOwn { return "the text after \(scheme): is not a valid file or program." }
    let what = scheme == "file" ? "a file" : "a program (\(scheme):)"
    return "a feed from \(what) needs --with-programs (or weir add)."
  }
}
