internal import FeedModel
internal import TextRules

/// Parses an XML document that may be a feed. An unknown namespace of the root counts as the
/// format's.
enum XMLFeed {
  static func read(_ text: [UInt8], root: DocumentKind.Root, start: Int, base: Base)
    throws(ParseError) -> ParsedFeed
  {
    guard let reading = Reading(root) else { throw .otherXML(root: root.qualified) }
    let result = XMLReader.read(
      text, from: start, base: base, family: reading.family, own: reading.own
    ) {
      reading.reader()
    }
    let reader = result.interpreter
    guard reader.isFeed else {
      if let fault = result.fault { throw .damaged(fault) }
      throw .otherXML(root: root.qualified)
    }
    let isCut = result.isUnclosed && reader.expectsItems
    let feed = reader.finish(isCut: isCut)
    let missed =
      feed.items.isEmpty
      ? missed(text, from: start, root: root, by: feed, knowsTitle: reader.hasReadTitle) : nil
    if let missed {
      throw .damaged(isCut ? "it ends within \(missed)" : "\(missed) could not be read")
    }
    return feed
  }

  /// Returns the content that was not understood, so that an unreadable feed is not reported as
  /// empty.
  private static func missed(
    _ text: [UInt8], from start: Int, root: DocumentKind.Root, by feed: ParsedFeed,
    knowsTitle: Bool
  ) -> String? {
    let isBlank = feed == ParsedFeed(format: feed.format, language: feed.language)
    let prefix = root.qualified.utf8.dropLast(root.local.utf8.count)
    return text.withUnsafeBufferPointer { bytes in
      let bytes = UnsafeBufferPointer(rebasing: bytes[start...])
      var scanner = XMLScanner(bytes)
      var hasTitle = false
      while true {
        switch scanner.next() {
        case .startTag:
          let name = bytes[scanner.name]
          let colon = name.firstIndex(of: UInt8(ascii: ":"))
          let local = colon.map { name[($0 + 1)...] } ?? name
          let isOwn = colon == nil || name[..<local.startIndex].elementsEqual(prefix)
          switch local.prefix(6).map(\.asciiLowercased).string {
          case "item" where isOwn || isBlank: return "its articles"
          case "entry" where isOwn || isBlank: return "its articles"
          case "title": hasTitle = !knowsTitle
          default: break
          }
        case .end: return isBlank && hasTitle ? "its title" : nil
        default: break
        }
      }
    }
  }

  /// The interpretation of a root element.
  private struct Reading {
    let format: FeedFormat
    var family: DocumentFamily { format == .atom ? .atom : .rss }
    /// True if the root proves a feed; otherwise the content decides.
    let isCertain: Bool
    /// The namespace of the root if it is unknown, and its assumed vocabulary. Feeds
    /// invent namespaces.
    let own: (namespace: String, vocabulary: Vocabulary)?

    init?(_ root: DocumentKind.Root) {
      let vocabulary = root.namespace.map { Vocabulary(address: $0) } ?? .core
      let namespace = vocabulary == .other ? root.namespace : nil
      switch root.local {
      case "rss":
        format = .rss
        isCertain = true
      case "rdf":
        format = .rdf
        isCertain = root.declaresRSS
      case "feed":
        format = .atom
        isCertain = namespace == nil
      case "entry" where vocabulary == .atom:
        format = .atom
        isCertain = true
      case "channel":
        // A root `CHANNEL` in capitals is CDF; `channel` is RSS without its root element.
        format = root.qualified == "CHANNEL" ? .cdf : .rss
        isCertain = true
      default: return nil
      }
      own = namespace.map { ($0, root.local == "feed" ? .atom : .core) }
    }

    func reader() -> FeedReader { FeedReader(format: format, isCertain: isCertain) }
  }
}
