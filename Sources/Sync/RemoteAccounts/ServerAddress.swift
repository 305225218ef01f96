import Foundation

/// Finds the API of a server from a typed or copied address.
public enum ServerAddress {
  /// Pages of Miniflux: the first path component after the server's own address.
  private static let pagesOfMiniflux: Set<String> = [
    "about", "api-keys", "bookmarklet", "categories", "category", "entry", "feed", "feeds",
    "history",
    "integrations", "keys", "login", "search", "sessions", "settings", "share", "shares", "starred",
    "subscribe", "unread", "users",
  ]

  /// Returns distinct addresses without slashes at their ends, the most likely first; empty if the
  /// text is not a web address.
  /// - Parameter typed: an address, whose default scheme is https.
  public static func candidates(_ typed: String, kind: AccountKind) -> [String] {
    var address = WebAddress(typed.contains("://") ? typed : "https://" + typed)
    (address.query, address.fragment) = (nil, nil)
    guard address.isHTTP else { return [] }
    var url = address.text
    for call in ["/accounts/ClientLogin", "/reader/api/0"] {
      if let range = url.range(of: call) { url.removeSubrange(range.lowerBound...) }
    }
    while url.hasSuffix("/") { url.removeLast() }
    var found: [String] = []
    func add(_ candidate: String) {
      if !found.contains(candidate) { found.append(candidate) }
    }
    if let server = serverOfFreshRSS(url) {
      add(server + api(of: kind))
      if url.hasSuffix(".php") { return found }
    }
    if let server = serverOfMiniflux(url) {
      add(kind == .fever ? server + "/fever" : server)
    }
    add(url)
    if !url.hasSuffix(".php") {
      for place in places(kind, below: url) { add(url + place) }
    }
    return found
  }

  /// Returns the part before a page or API of FreshRSS; `nil` for other paths.
  private static func serverOfFreshRSS(_ url: String) -> String? {
    for api in ["/api/greader.php", "/api/fever.php"] {
      if let range = url.range(of: api) { return String(url[..<range.lowerBound]) }
    }
    for page in ["/i/index.php", "/i"] where url.hasSuffix(page) {
      return String(url.dropLast(page.count))
    }
    return nil
  }

  private static func serverOfMiniflux(_ url: String) -> String? {
    let parts = url.components(separatedBy: "/")
    // The scheme and the host come first.
    let page = parts.indices.dropFirst(3).first { pagesOfMiniflux.contains(parts[$0]) }
    return page.map { parts[..<$0].joined(separator: "/") }
  }

  private static func api(of kind: AccountKind) -> String {
    kind == .fever ? "/api/fever.php" : "/api/greader.php"
  }

  /// Returns the usual API paths of FreshRSS, Miniflux and the plugins of Tiny Tiny RSS, below an
  /// address.
  private static func places(_ kind: AccountKind, below url: String) -> [String] {
    let isPageOfAPIs = url.hasSuffix("/api")
    switch kind {
    case .googleReader:
      return isPageOfAPIs
        ? ["/greader.php"] : ["/api/greader.php", "/plugins.local/freshapi/api/greader.php"]
    case .fever:
      return isPageOfAPIs ? ["/fever.php"] : ["/fever", "/api/fever.php", "/plugins.local/fever"]
    }
  }
}
