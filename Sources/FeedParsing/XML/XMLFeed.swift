internal import FeedModel

/// A document whose root may be a feed's → ParsedFeed.
///
/// Its own namespace counts as the format's where nobody knows it.
enum XMLFeed {
  static func read(_ text: [UInt8], root: DocumentKind.Root, start: Int, base: Base)
    throws(ParseError) -> ParsedFeed
  {
    guard let reading = Reading(root) else { throw .otherXML(root: root.qualified) }
    let (reader, fault) = XMLReader.read(text, from: start, base: base, own: reading.own) {
      reading.reader()
    }
    guard reader.isFeed else {
      if let fault { throw .damaged(fault) }
      throw .otherXML(root: root.qualified)
    }
    return reader.finish()
  }

  /// How a document with a certain root is read.
  private struct Reading {
    let format: FeedFormat
    /// The root leaves no doubt; otherwise its content decides.
    let isCertain: Bool
    /// What the root's own namespace counts as, where nobody knows it: feeds invent addresses.
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
        // Channel Definition Format shouts; a bare RSS channel does not.
        format = root.qualified == "CHANNEL" ? .cdf : .rss
        isCertain = true
      default: return nil
      }
      own = namespace.map { ($0, root.local == "feed" ? .atom : .core) }
    }

    func reader() -> FeedReader { FeedReader(format: format, isCertain: isCertain) }
  }
}
