import FeedModel
internal import TextRules

/// Decides which addresses clean HTML may contain, and their form.
struct AddressPolicy {
  private let base: WebAddress?

  init(base: WebAddress?) {
    self.base = base?.scheme == nil ? nil : base
  }

  /// Allowed schemes of links. All except http and https require confirmation. Excludes
  /// `javascript:`, `data:` and `file:`, among others.
  private static let linkSchemes: Set<String> = [
    "http", "https", "mailto", "ftp", "gemini", "gopher", "tel", "magnet", "xmpp", "irc", "ircs",
  ]
  private static let mediaSchemes: Set<String> = ["http", "https"]

  /// Returns the absolute address of a link; `nil` if its scheme is not allowed. An address within
  /// the page, such as `#part`, is returned unchanged.
  /// - Parameter value: the attribute, with decoded references and without control characters.
  func link(_ value: [UInt8]) -> [UInt8]? {
    if value.trimmed.first == UInt8(ascii: "#") { return Array(WebAddress(value.string).text.utf8) }
    return resolved(value, allows: Self.linkSchemes)
  }

  /// Returns the absolute address of a picture, audio or video; `nil` for schemes
  /// other than http and https.
  func media(_ value: [UInt8]) -> [UInt8]? {
    if value.trimmed.first == UInt8(ascii: "#") { return nil }
    return resolved(value, allows: Self.mediaSchemes)
  }

  private func resolved(_ value: [UInt8], allows schemes: Set<String>) -> [UInt8]? {
    if value.withUnsafeBufferPointer(WebAddress.isPlain) { return value }
    let written = value.trimmed
    if written.isEmpty { return nil }
    // Tabs and line ends are left out, so that "javascript:" is recognised as browsers do.
    let reference = WebAddress(WebAddress.completed(written.string))
    if reference.scheme == nil, Self.resemblesScheme(written) { return nil }
    guard let target = base.map({ $0.resolve(reference) }) ?? reference.limited else { return nil }
    if let scheme = target.scheme {
      guard schemes.contains(scheme) else { return nil }
      if scheme == "http" || scheme == "https", target.host == nil { return nil }
    }
    let text = target.text
    // Removing dot segments can move a colon to the front of a relative path: "./javascript:x".
    if target.scheme == nil, Self.resemblesScheme(text.utf8) { return nil }
    return Array(text.utf8)
  }

  /// True if a colon precedes the first slash, question mark or hash, as in "java script:";
  /// relative references must not contain one there (RFC 3986, §4.2).
  private static func resemblesScheme(_ value: some Sequence<UInt8>) -> Bool {
    value.first { ":/?#".utf8.contains($0) } == UInt8(ascii: ":")
  }
}
