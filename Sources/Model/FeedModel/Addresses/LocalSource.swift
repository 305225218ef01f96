/// A feed from this machine instead of the web: a file, a program's output, or a page that a
/// program converts to a feed. The address has the form of newsboat's `urls` file:
///
///     file:///home/me/feed.xml exec:~/bin/mail-feed --folder "To read"
///     filter:~/bin/html-to-feed:https://example.org/news
///
/// Such an address is read or run only if the user wrote it: imported lists, pages, feeds,
/// redirects and accounts cannot supply one.
public enum LocalSource: Sendable, Hashable {
  /// An absolute path, or one from `~/`.
  case file(String)
  /// A program and its arguments, run without a shell.
  case program([String])
  /// A program that reads the response of the address and prints the feed.
  case filter([String], url: String)

  /// The key for requests of programs and files, in place of a `WebAddress.hostKey`.
  public static let hostKey = "local:"
  public static let schemes: Set<String> = ["file", "exec", "filter"]

  /// Returns true if the address has one of these schemes, even if the rest is invalid.
  public static func claims(_ address: String) -> Bool {
    WebAddress(address).scheme.map(schemes.contains) ?? false
  }

  /// The web address that a feed is fetched from: a filter's, else `address` itself.
  public static func webAddress(of address: String) -> WebAddress {
    if case .filter(_, let inner) = LocalSource(address) { return WebAddress(inner) }
    return WebAddress(address)
  }

  /// Returns `nil` for other addresses, and without a path or program.
  public init?(_ address: String) {
    let text = address.drop { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
    guard let colon = text.firstIndex(of: ":"), !text.utf8.contains(0) else { return nil }
    let rest = text[text.index(after: colon)...]
    switch text[..<colon].lowercased() {
    case "file":
      let path = rest.hasPrefix("//") ? rest.dropFirst(2) : rest
      guard path.hasPrefix("/") || path.hasPrefix("~/"), !path.hasSuffix("/") else { return nil }
      self = .file(String(path))
    case "exec":
      guard let words = Self.words(rest), words.first?.isEmpty == false else { return nil }
      self = .program(words)
    case "filter":
      // The first address ends the command, as in newsboat.
      guard
        let start = [":https://", ":http://"].compactMap({ rest.firstRange(of: $0)?.lowerBound })
          .min(),
        let words = Self.words(rest[..<start]), words.first?.isEmpty == false
      else { return nil }
      let url = String(rest[rest.index(after: start)...])
      guard WebAddress(url).isHTTP else { return nil }
      self = .filter(words, url: url)
    default: return nil
    }
  }

  /// Splits a command at white space. A backslash and single quotes escape; double quotes keep
  /// spaces. Variables, patterns and pipes are not supported. Returns `nil` if a quote is not
  /// closed or a backslash ends the text.
  public static func words(_ text: some StringProtocol) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = text[...]
    while let character = rest.popFirst() {
      switch (character, quote) {
      case ("\\", nil), ("\\", "\""):
        guard let next = rest.popFirst() else { return nil }
        word = (word ?? "") + String(next)
      case ("'", nil), ("\"", nil):
        quote = character
        word = word ?? ""
      case (_, let open?) where character == open: quote = nil
      case (" ", nil), ("\t", nil), ("\n", nil):
        if let done = word { words.append(done) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { return nil }
    if let word { words.append(word) }
    return words
  }
}

/// Paths of files, as text.
public enum FilePath {
  /// The folder that contains a file or folder: "a" for "a/b" and "a/b/", "." for "b", "/" for "/"
  /// and "/b". Links and ".." are not resolved.
  ///
  /// Foundation's `deletingLastPathComponent` crashes for a path of one character.
  public static func folder(of path: String) -> String {
    let bytes = path.utf8
    let slash = UInt8(ascii: "/")
    guard let end = bytes.lastIndex(where: { $0 != slash }) else {
      return bytes.isEmpty ? "." : "/"
    }
    guard let separator = bytes[...end].lastIndex(of: slash) else { return "." }
    guard let last = bytes[..<separator].lastIndex(where: { $0 != slash }) else { return "/" }
    return String(path[...last])
  }
}
