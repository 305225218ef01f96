import FeedModel
package import FeedParsing

package enum ForeignFileError: Error {
  /// - Parameter kind: "list" or "configuration".
  case notNewsboats(path: String, kind: String, ParseError)
}

/// Parses a list of subscriptions: OPML, or the lists of newsboat, newsraft and elfeed. The format
/// is detected.
package enum ForeignList {
  /// - Parameter mayBeOwn: true accepts programs and files of newsboat and newsraft, and the
  ///   request settings of an OPML file.
  package static func parse(
    _ bytes: [UInt8], mayBeOwn: Bool
  ) throws(ParseError) -> OPML.Outline {
    if isMarkup(bytes) { return checked(try OPML.parse(bytes), runsPrograms: false, mayBeOwn) }
    if ElfeedFeeds.claims(bytes) {
      return checked(try ElfeedFeeds.parse(bytes), runsPrograms: false, false)
    }
    let outline =
      NewsraftFeeds.claims(bytes)
      ? try NewsraftFeeds.parse(bytes, mayBeOwn: mayBeOwn)
      : try NewsboatURLs.parse(bytes, mayBeOwn: mayBeOwn)
    return checked(outline, runsPrograms: mayBeOwn, mayBeOwn)
  }

  /// Removes entries that would run programs or read files, because a list may come from anybody.
  private static func checked(
    _ outline: OPML.Outline, runsPrograms: Bool, _ setsRequests: Bool
  ) -> OPML.Outline {
    var found = outline
    found.entries = []
    for entry in outline.entries {
      guard WebAddress(entry.url).isHTTP || runsPrograms && LocalSource(entry.url) != nil else {
        found.skipped.append("\(entry.url): only http and https addresses can be imported.")
        continue
      }
      found.entries.append(entry)
      if !setsRequests, entry.options.withoutRequests != entry.options {
        found.skipped.append(
          "\(HiddenSecrets.name(of: entry.url)): proxy, user agent, headers and cookies need "
            + "--with-programs.")
      }
    }
    return found
  }

  /// Returns true if the first significant character is `<`. Skips zero bytes and byte order marks.
  private static func isMarkup(_ bytes: [UInt8]) -> Bool {
    let ignored: Set<UInt8> = [0x00, 0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF]
    return bytes.first { !ignored.contains($0) } == UInt8(ascii: "<")
  }
}
