package import FeedModel
package import FeedParsing

/// The files of another reader, as values of this one. Each part is read when it is asked for;
/// `nil` if the reader has no such part.
package protocol ForeignLibrary {
  /// Feeds, folders and saved searches.
  func list() throws -> OPML.Outline?
  func articles() throws -> NewsboatArticles?
  /// Rules, and settings as a proposal.
  func settings() throws -> (rules: [RuleDraft], proposal: ConfigurationProposal)?
}

extension ForeignLibrary {
  package func articles() throws -> NewsboatArticles? { nil }
  package func settings() throws -> (rules: [RuleDraft], proposal: ConfigurationProposal)? { nil }
}

/// A file of another reader that cannot be read.
package enum ForeignFileError: Error {
  /// - Parameter kind: "list" or "configuration".
  case notNewsboats(path: String, kind: String, ParseError)
}

/// A list of subscriptions: OPML, or the lists of newsboat, newsraft and elfeed. Its form is
/// recognised.
package struct ForeignList: ForeignLibrary {
  private let bytes: [UInt8]
  private let mayBeOwn: Bool

  /// - Parameter mayBeOwn: accepts programs and files of newsboat and newsraft, and what an OPML file
  ///   sets for requests.
  package init(_ bytes: [UInt8], mayBeOwn: Bool) { (self.bytes, self.mayBeOwn) = (bytes, mayBeOwn) }

  package func list() throws(ParseError) -> OPML.Outline? {
    if isMarkup { return checked(try OPML.parse(bytes), runsPrograms: false, mayBeOwn) }
    if ElfeedFeeds.claims(bytes) {
      return checked(try ElfeedFeeds.parse(bytes), runsPrograms: false, false)
    }
    let outline =
      NewsraftFeeds.claims(bytes)
      ? try NewsraftFeeds.parse(bytes, mayBeOwn: mayBeOwn)
      : try NewsboatURLs.parse(bytes, mayBeOwn: mayBeOwn)
    return checked(outline, runsPrograms: mayBeOwn, mayBeOwn)
  }

  /// A list may come from anybody: its addresses are fetched, never run or read from the disk.
  private func checked(
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

  /// Whether the first significant character is `<`; UTF-16 and byte order marks included.
  private var isMarkup: Bool {
    let ignored: Set<UInt8> = [0x00, 0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF]
    return bytes.first { !ignored.contains($0) } == UInt8(ascii: "<")
  }
}
