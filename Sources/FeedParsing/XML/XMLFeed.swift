internal import FeedModel

/// A document whose root may be a feed's → ParsedFeed.
///
/// Good documents take one pass through libxml2. Where libxml2 finds a fault, the bytes are mended
/// (`XMLRepair`) and read again: most feeds pay nothing for the damage of a few.
enum XMLFeed {
  static func read(_ text: [UInt8], root: DocumentKind.Root, start: Int, base: Base)
    throws(ParseError) -> ParsedFeed
  {
    guard let format = format(of: root) else { throw .otherXML(root: root.qualified) }
    var reader = FeedReader(format: format)
    let fault = text.withUnsafeBufferPointer { bytes in
      XMLReader(interpreter: reader, base: base)
        .read(UnsafeBufferPointer(rebasing: bytes[start...]), recover: false)
    }
    if let fault {
      let mended = XMLRepair.mend(text, from: start)
      reader = FeedReader(format: format)
      _ = mended.withUnsafeBufferPointer { bytes in
        XMLReader(interpreter: reader, base: base).read(bytes, recover: true)
      }
      guard reader.isFeed else { throw .damaged(fault) }
    }
    guard reader.isFeed else { throw .otherXML(root: root.qualified) }
    return reader.finish()
  }

  private static func format(of root: DocumentKind.Root) -> FeedFormat? {
    switch root.local {
    case "rss", "item": return .rss
    case "rdf": return .rdf
    case "feed", "entry":
      switch root.namespace.map({ Vocabulary(address: $0) }) {
      case nil, .core, .atom: return .atom
      case .some:
        // Drafts of Atom had a dozen addresses; all speak of it.
        let address = root.namespace?.lowercased() ?? ""
        return ["atom", "echo", "pie"].contains { address.contains($0) } ? .atom : nil
      }
    case "channel":
      // Channel Definition Format shouts; a bare RSS channel does not.
      return root.qualified == "CHANNEL" ? .cdf : .rss
    default: return nil
    }
  }
}
