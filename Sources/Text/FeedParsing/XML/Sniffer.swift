internal import TextRules

/// The kind of a document, detected from its bytes. The content type is used only for a feed that
/// follows the markup of a page.
enum DocumentKind: Equatable {
  case empty
  case binary(String)
  case json
  /// XML with the root element at `start`.
  case xml(root: Root, start: Int)
  case webPage
  case plainText

  struct Root: Equatable {
    /// The local name in lower case.
    var local: String
    /// The unchanged name, with its prefix.
    var qualified: String
    /// The namespace from the element's `xmlns` attribute for its prefix.
    var namespace: String?
    /// True if the root declares a namespace of RSS 0.90 or 1.0, which other RDF does not.
    var declaresRSS = false
    /// True after `<!DOCTYPE html>`.
    var isTypedAsPage = false
  }
}

/// The reason that a document is not a usable feed.
public enum ParseError: Error, Sendable, Equatable {
  case empty
  /// The document is an HTML page, with the feeds that it announces.
  case webPage(announced: [String])
  /// The document is other XML, with this root element.
  case otherXML(root: String)
  /// The document is other JSON.
  case otherJSON
  /// The document is not text: "a PNG image", "compressed data (truncated gzip)".
  case binary(String)
  case plainText
  /// No item and no title was readable; the text is the parser's reason.
  case damaged(String)
}

extension ParseError {
  /// Creates the error for a document of another kind than the expected one.
  init(_ kind: DocumentKind) {
    self =
      switch kind {
      case .empty: .empty
      case .binary(let kind): .binary(kind)
      case .json: .otherJSON
      case .plainText: .plainText
      case .webPage: .webPage(announced: [])
      case .xml(let root, _): .otherXML(root: root.qualified)
      }
  }
}

enum Sniffer {
  /// Throws `.binary` if the bytes are not text in any encoding.
  static func requireText(_ bytes: [UInt8]) throws(ParseError) {
    if let kind = binaryKind(bytes) { throw .binary(kind) }
    if WideEncoding.detect(bytes) == nil, isBinary(bytes) { throw .binary("binary data") }
  }

  /// Recognises binary files by their first bytes.
  private static func binaryKind(_ bytes: [UInt8]) -> String? {
    func begins(_ pattern: UInt8...) -> Bool { bytes.starts(with: pattern) }
    func has(_ text: String, at offset: Int) -> Bool {
      bytes.dropFirst(offset).starts(with: text.utf8)
    }
    if begins(0x1F, 0x8B) { return gzipKind(bytes) }
    if begins(0x89, 0x50, 0x4E, 0x47) { return "a PNG image" }
    if begins(0xFF, 0xD8, 0xFF) { return "a JPEG image" }
    if has("GIF8", at: 0) { return "a GIF image" }
    if has("RIFF", at: 0), has("WEBP", at: 8) { return "a WebP image" }
    if has("RIFF", at: 0) { return "a RIFF media file" }
    if has("ftyp", at: 4) { return "an MPEG-4 media file" }
    if begins(0, 0, 1, 0) { return "an icon" }
    if has("%PDF", at: 0) { return "a PDF document" }
    if begins(0x50, 0x4B, 0x03, 0x04) { return "a ZIP archive" }
    if begins(0x28, 0xB5, 0x2F, 0xFD) { return "compressed data (zstd)" }
    if begins(0xFD, 0x37, 0x7A, 0x58, 0x5A) { return "compressed data (xz)" }
    if has("BZh", at: 0) { return "compressed data (bzip2)" }
    if has("7z\u{BC}", at: 0) || begins(0x37, 0x7A, 0xBC, 0xAF) { return "a 7-Zip archive" }
    if has("Rar!", at: 0) { return "a RAR archive" }
    if has("ID3", at: 0) { return "an MP3 file" }
    if has("OggS", at: 0) { return "an Ogg media file" }
    if has("fLaC", at: 0) { return "a FLAC file" }
    if begins(0x7F, 0x45, 0x4C, 0x46) { return "a program" }
    if has("SQLite format 3", at: 0) { return "a SQLite database" }
    return nil
  }

  /// Describes a body that is still gzip data after decoding: it was compressed twice, or is
  /// truncated. The last four bytes of a complete file are the length of its content modulo 2^32
  /// (RFC 1952, §2.3.1).
  private static func gzipKind(_ bytes: [UInt8]) -> String {
    guard bytes.count >= 18 else { return "compressed data (truncated gzip)" }
    let length = bytes.suffix(4).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // Deflate compresses by a factor of 1032 at most, and enlarges incompressible data by less than
    // half.
    let isPlausible = length * 2 + 64 >= UInt64(bytes.count) && length <= UInt64(bytes.count) * 1032
    return isPlausible ? "compressed data (gzip)" : "compressed data (truncated gzip)"
  }

  /// Returns true if more than a third of the first 4 KiB are zero bytes, or more than a tenth are
  /// control characters.
  private static func isBinary(_ bytes: [UInt8]) -> Bool {
    let head = bytes.prefix(4096)
    guard !head.isEmpty else { return false }
    var controls = 0
    var zeros = 0
    for byte in head {
      if byte == 0 { zeros += 1 }
      if byte < 0x20, !byte.isSpace, byte != 0x1B { controls += 1 }
    }
    return zeros * 3 > head.count || controls * 10 > head.count
  }

  /// Determines the kind of a UTF-8 text.
  static func kind(ofText bytes: [UInt8], contentType: String? = nil) -> DocumentKind {
    guard let first = bytes.firstIndex(where: { !$0.isSpace && $0 != 0 }) else { return .empty }
    switch bytes[first] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): return .json
    case UInt8(ascii: "<"): break
    default:
      let word = bytes[first...].prefix(12).trimmed
      if word.elementsEqual("null".utf8) || word.elementsEqual("true".utf8)
        || word.elementsEqual("false".utf8) || word.allSatisfy({ $0.isDigit })
      {
        return .json
      }
    }
    guard let (root, start) = root(in: bytes, from: first) else {
      return laterFeed(in: bytes, after: first) ?? .plainText
    }
    if isFeedRoot(root) { return .xml(root: root, start: start) }
    // Skips page markup before the feed, such as a server's warning.
    let mayFollow = !isPage(root) || declaresFeed(contentType)
    if isPage(root) || isMarkup(root) {
      return (mayFollow ? laterFeed(in: bytes, after: start) : nil) ?? .webPage
    }
    return .xml(root: root, start: start)
  }

  private static func declaresFeed(_ contentType: String?) -> Bool {
    switch MediaType.normalised(contentType) {
    case "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/xml",
      "text/xml", "text/rss+xml", "text/atom+xml", "application/rss", "application/atom":
      true
    default: false
    }
  }

  // MARK: The root element

  static func isFeedRoot(_ root: DocumentKind.Root) -> Bool {
    switch root.local {
    case "rss", "rdf", "feed": true
    case "channel", "entry": !root.isTypedAsPage
    default: false
    }
  }

  private static func isPage(_ root: DocumentKind.Root) -> Bool {
    root.local == "html" || root.isTypedAsPage
  }

  /// True for a root of an HTML fragment.
  private static func isMarkup(_ root: DocumentKind.Root) -> Bool {
    root.namespace == nil
      && [
        "br", "b", "p", "div", "head", "body", "title", "meta", "script", "h1", "center", "font",
        "table", "pre", "span", "a", "img", "style", "noscript", "link", "i", "strong", "ul",
      ].contains(root.local)
  }

  /// Finds the first element at or after `position`. For a page without elements, returns its
  /// `<!DOCTYPE html>`.
  private static func root(in bytes: [UInt8], from position: Int)
    -> (DocumentKind.Root, start: Int)?
  {
    var index = position
    var page: (DocumentKind.Root, start: Int)?
    while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      guard open + 1 < bytes.count else { return page }
      let next = bytes[open + 1]
      if bytes[open...].starts(with: "<!--".utf8) {
        guard
          let end = bytes.withUnsafeBufferPointer({ $0.index(of: "-->", from: open + 4) })
        else { return page }
        index = end + 3
      } else if next == UInt8(ascii: "?") {
        guard let end = bytes[open...].firstIndex(of: UInt8(ascii: ">")) else { return page }
        index = end + 1
      } else if next == UInt8(ascii: "!") {
        let word = bytes[(open + 2)...].prefix(13).map(\.asciiLowercased)
        if word.starts(with: "doctype html".utf8), word.last.map({ !$0.isLetter }) ?? true {
          let root = DocumentKind.Root(local: "html", qualified: "html", isTypedAsPage: true)
          page = page ?? (root, open)
        }
        index = endOfDeclaration(bytes, from: open)
      } else if next.isLetter || next == UInt8(ascii: "_") {
        if var root = element(bytes, at: open) {
          root.isTypedAsPage = page != nil
          return (root, open)
        }
        index = open + 1
      } else {
        index = open + 1
      }
      guard index < bytes.count else { return page }
    }
    return page
  }

  /// Returns the end of a `<!DOCTYPE … [ … ]>`.
  private static func endOfDeclaration(_ bytes: [UInt8], from open: Int) -> Int {
    var index = open + 2
    var inSubset = false
    var quote: UInt8?
    while index < bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == 0x22 || byte == 0x27 {
        quote = byte
      } else if byte == UInt8(ascii: "[") {
        inSubset = true
      } else if byte == UInt8(ascii: "]") {
        inSubset = false
      } else if byte == UInt8(ascii: ">"), !inSubset {
        return index + 1
      }
      index += 1
    }
    return bytes.count
  }

  /// Reads the name and namespace of the start tag at `open`; only the beginning of a very long
  /// tag.
  private static func element(_ bytes: [UInt8], at open: Int) -> DocumentKind.Root? {
    bytes.withUnsafeBufferPointer { bytes in
      let end = min(bytes.count, open + 16384)
      let tag = UnsafeBufferPointer(rebasing: bytes[open..<end])
      guard tag.count > 1, tag[1].isLetter || tag[1] >= 0x80 || tag[1] == UInt8(ascii: "_") else {
        return nil
      }
      var scanner = XMLScanner(tag)
      _ = scanner.next()
      let name = tag[scanner.name]
      guard !name.isEmpty else { return nil }
      let colon = name.firstIndex(of: UInt8(ascii: ":"))
      let local = colon.map { name[($0 + 1)...] } ?? name[...]
      let declaration = colon.map { Array("xmlns:".utf8) + name[..<$0] } ?? Array("xmlns".utf8)
      var root = DocumentKind.Root(
        local: local.map(\.asciiLowercased).string, qualified: name.string)
      for attribute in scanner.attributes where tag[attribute.name].starts(with: "xmlns".utf8) {
        let address = References.value(UnsafeBufferPointer(rebasing: tag[attribute.value]))
        if tag[attribute.name].elementsEqual(declaration) {
          root.namespace = root.namespace ?? address
        }
        if isRSS(address) { root.declaresRSS = true }
      }
      return root
    }
  }

  private static func isRSS(_ address: String) -> Bool {
    address.hasSuffix("purl.org/rss/1.0/") || address.holds("netscape.com/rdf/simple/0.9")
      || address.holds("purl.org/net/rss1.1")
  }

  /// Finds a feed that begins after other markup, within the first 64 kB.
  private static func laterFeed(in bytes: [UInt8], after position: Int) -> DocumentKind? {
    let window = bytes[position..<min(bytes.count, position + 65536)]
    var index = window.startIndex
    while let open = window[index...].firstIndex(of: UInt8(ascii: "<")) {
      if let next = window[(open + 1)...].first, next.isLetter, let root = element(bytes, at: open),
        root.local == "rss" || root.local == "rdf" || root.local == "feed"
      {
        return .xml(root: root, start: open)
      }
      index = open + 1
    }
    return nil
  }
}
