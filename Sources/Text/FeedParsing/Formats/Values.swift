internal import FeedModel
internal import HTMLContent
internal import TextRules

enum MediaType {
  /// Returns a media type in lower case without its parameters; `nil` if the text is not a media
  /// type (RFC 6838, §4.2).
  static func normalised(_ type: String?) -> String? {
    guard let type else { return nil }
    let bytes = Array(type.utf8).prefix { $0 != UInt8(ascii: ";") }.map(\.asciiLowercased).trimmed
    guard bytes.count <= 255, bytes.contains(UInt8(ascii: "/")),
      bytes.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    return bytes.string
  }

  /// Returns the media type of a file as stated, or else by its extension, or by `medium` of
  /// `media:content`. Types that servers give to unknown files count only if nothing else is known.
  static func of(
    url: String, stated: String?, medium: String? = nil
  ) -> (type: String, isCertain: Bool) {
    let stated = normalised(stated)
    if let stated, !vague.contains(where: stated.holds) { return (stated, true) }
    if let guess = guess(url: url, medium: medium) { return (guess, false) }
    return (stated ?? "application/octet-stream", false)
  }

  private static func guess(url: String, medium: String?) -> String? {
    let address = WebAddress(url)
    // "get.php?file=episode.mp3&id=1"
    let names = [address.path.utf8[...]] + (address.query?.utf8.split(separator: 0x26) ?? [])
    for name in names {
      guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { continue }
      let ending = name[name.index(after: dot)...].prefix(8).map(\.asciiLowercased).string
      if let type = byEnding[ending] { return type }
    }
    let media = ["image", "audio", "video"]
    return medium.map { $0.lowercased() }.flatMap { media.contains($0) ? "\($0)/*" : nil }
  }

  private static let vague: [StaticString] = [
    "*/*", "/file", "binary", "download", "octet", "text/html", "text/plain", "unknown",
  ]

  private static let byEnding: [String: String] = [
    "mp3": "audio/mpeg", "m4a": "audio/mp4", "m4b": "audio/mp4", "aac": "audio/aac",
    "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "flac": "audio/flac",
    "wav": "audio/wav", "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime",
    "webm": "video/webm", "mkv": "video/x-matroska", "jpg": "image/jpeg", "jpeg": "image/jpeg",
    "png": "image/png", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif",
    "svg": "image/svg+xml", "pdf": "application/pdf", "epub": "application/epub+zip",
    "zip": "application/zip", "torrent": "application/x-bittorrent",
  ]
}

enum Values {
  /// Parses a size in bytes. Returns `nil` for malformed texts and for numbers below 1, with which
  /// feeds say that the size is unknown.
  static func size(_ text: String?) -> Int64? {
    guard let text = text?.trimmedOrNil, let size = Int64(text), size > 0 else { return nil }
    return size
  }

  /// Parses a size in JSON such as `120`, `1.2e2`, `"120"`.
  static func wholeNumber(_ text: String?) -> Int64? {
    if let size = size(text) { return size }
    guard let text = text?.trimmedOrNil, let number = Double(text), number >= 1, number < 9e15
    else {
      return nil
    }
    return Int64(number)
  }

  /// Parses a duration such as `90`, `1:30`, `01:01:30`, `59.4` into seconds.
  static func duration(_ text: String?) -> Double? {
    guard let text = text?.trimmedOrNil, text.utf8.count < 32 else { return nil }
    var total = 0.0
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 4 else { return nil }
    for part in parts {
      guard let value = Double(part.isEmpty ? "0" : part), value >= 0, value < 1e9 else {
        return nil
      }
      total = total * 60 + value
    }
    return total > 0 ? total : nil
  }

  static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? { Int(bytes.trimmed.string) }

  /// Parses RSS authors: `mail (Name)`, `Name <mail>`, `Name (mail)`, a name, an address.
  static func author(_ bytes: [UInt8]) -> Author? {
    guard let text = PlainText.read(bytes, isHTML: true, limit: 512) ?? mailOnly(bytes) else {
      return nil
    }
    // Returns a plain name early: the common case.
    let marks = "@(\"".utf8
    if !bytes.contains(UInt8(ascii: "@")), !text.utf8.contains(where: marks.contains) {
      return Author(name: text.trimmedOrNil)
    }
    // Finds `Name <mail>` before markup is removed.
    let raw = bytes.trimmed
    if let open = raw.firstIndex(of: UInt8(ascii: "<")), raw.last == UInt8(ascii: ">"),
      raw[open...].contains(UInt8(ascii: "@"))
    {
      let name = PlainText.read(Array(raw[..<open]), isHTML: true, limit: 512)
      return Author(name: unquoted(name) ?? label(raw[(open + 1)...].dropLast().string))
    }
    let bytes = Array(text.utf8)
    if let open = bytes.firstIndex(of: UInt8(ascii: "(")), let close = bytes.lastIndex(of: 0x29),
      open < close
    {
      let before = bytes[..<open].trimmed
      let inside = bytes[(open + 1)..<close].trimmed
      if isMail(before), !inside.isEmpty { return Author(name: inside.string) }
      if isMail(inside), !before.isEmpty { return Author(name: before.string) }
    }
    // Some feeds write `mail Name` or `Name mail`.
    let words = text.split(separator: " ")
    if words.count > 1 {
      let names = words.filter { !isMail(Array($0.utf8)[...]) }
      if names.count < words.count, !names.isEmpty {
        let name = names.joined(separator: " ").trimmed(of: "<>()[]:")
        if !name.isEmpty { return Author(name: name) }
      }
    }
    return Author(name: unquoted(text))
  }

  private static func mailOnly(_ bytes: [UInt8]) -> String? {
    let raw = bytes.trimmed
    guard raw.first == UInt8(ascii: "<"), raw.last == UInt8(ascii: ">"),
      isMail(raw.dropFirst().dropLast())
    else { return nil }
    return label(raw.dropFirst().dropLast().string)
  }

  private static func label(_ text: String) -> String? {
    PlainText.read(text, isHTML: false, limit: 512)
  }

  private static func unquoted(_ name: String?) -> String? {
    name?.trimmed(of: "\"").trimmedOrNil
  }

  static func isOnlyMail(_ author: Author) -> Bool {
    guard author.url == nil, let name = author.name else { return false }
    let bytes = Array(name.utf8)
    guard isMail(bytes[...]), let at = bytes.firstIndex(of: UInt8(ascii: "@")) else { return false }
    return at > 0 && bytes[at...].contains(UInt8(ascii: "."))
  }

  private static func isMail(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let at = bytes.firstIndex(of: UInt8(ascii: "@")) else { return false }
    return at > bytes.startIndex && at < bytes.endIndex - 1 && !bytes.contains { $0.isSpace }
  }

  /// Returns an absolute address; `nil` if empty or of a scheme that runs code.
  static func address(_ text: String?, in element: XMLElement) -> String? {
    address(text, base: element.base)
  }

  static func address(_ text: String?, base: Base) -> String? {
    guard var text = text?.trimmedOrNil else { return nil }
    // Some feeds escape references inside CDATA.
    if text.utf8.contains(UInt8(ascii: "&")) { text = text.replacing("&amp;", with: "&") }
    if text.withUTF8(WebAddress.isPlain) { return text }
    guard let cleaned = clean(text) else { return nil }
    guard let address = base.resolve(WebAddress.completed(cleaned)), !address.isEmpty else {
      return nil
    }
    for scheme in ["javascript:", "vbscript:", "data:", "file:"]
    where address.utf8.prefix(scheme.utf8.count).map(\.asciiLowercased).elementsEqual(scheme.utf8) {
      return nil
    }
    return address
  }

  /// Longest address in bytes; longer ones are ignored.
  static let maximumAddress = WebAddress.maximumLength

  /// Removes control characters, bidi controls, other characters that change surrounding text, and
  /// surrounding white space; `nil` if nothing remains.
  static func clean(_ text: String) -> String? {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.trimmedOrNil }
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where ForbiddenCharacters.mayStandInAddress(scalar) {
      kept.append(scalar)
    }
    return String(kept).trimmedOrNil
  }

  /// Returns the address of a feed in a list: http, https, `feed:`, or a host name without a
  /// scheme. Returns `nil` for other addresses, so that a list cannot run programs (`exec:`) or
  /// read files (`file:`).
  static func subscription(_ text: String) -> String? {
    let address = WebAddress(text)
    if address.isHTTP { return text }
    if address.scheme == "feed" || address.scheme == "feeds" {
      let inner = WebAddress(String(text.drop { $0 != ":" }.dropFirst()))
      if inner.isHTTP { return inner.text }
      guard inner.scheme == nil, inner.host != nil else { return nil }
      return (address.scheme == "feeds" ? "https:" : "http:") + inner.text
    }
    let guess = WebAddress("http://" + text)
    guard let host = guess.host, host.contains("."), host.first != ".", guess.userInfo == nil,
      address.scheme == nil || address.scheme == host,
      host.utf8.allSatisfy({
        $0.isLetter || $0.isDigit || $0 >= 0x80 || $0 == UInt8(ascii: ".")
          || $0 == UInt8(ascii: "-")
      })
    else { return nil }
    return guess.text
  }

  /// Returns the identity of an item: its cleaned text, without any other normalisation.
  static func identity(_ bytes: some BidirectionalCollection<UInt8>) -> String? {
    clean(bytes.string)
  }
}

extension String {
  /// Removes spaces and the given ASCII characters at both ends.
  fileprivate func trimmed(of characters: String) -> String {
    let isUnwanted = { (byte: UInt8) in byte.isSpace || characters.utf8.contains(byte) }
    let start = Array(utf8).drop(while: isUnwanted)
    guard let last = start.lastIndex(where: { !isUnwanted($0) }) else { return "" }
    return start[...last].string
  }
}
