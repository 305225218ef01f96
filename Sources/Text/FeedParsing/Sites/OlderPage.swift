package import FeedModel

/// Finds the next older document of a feed: the one with the items before those of a given
/// document.
package enum OlderPage {
  /// The parameter that selects a page of a WordPress feed.
  private static let parameter = "paged"

  /// Returns the address that the document names, or the next page of a WordPress feed; `nil` if
  /// there is none on the web.
  package static func address(before document: ParsedFeed, at url: String) -> String? {
    if let named = document.olderURL { return WebAddress(named).isHTTP ? named : nil }
    guard document.generator?.lowercased().contains("wordpress") == true, !document.items.isEmpty,
      WebAddress(url).isHTTP
    else { return nil }
    var address = WebAddress(url)
    let parameters = (address.query ?? "").split(separator: "&")
    let number = parameters.lazy.compactMap(number).first ?? 1
    guard number < 100_000 else { return nil }
    address.query =
      (parameters.filter { Self.number($0) == nil }.map(String.init)
      + ["\(parameter)=\(number + 1)"]).joined(separator: "&")
    address.fragment = nil
    return address.text
  }

  /// True for a page of a WordPress feed, which answers 404 if there are fewer pages.
  package static func isNumbered(_ url: String) -> Bool {
    (WebAddress(url).query ?? "").split(separator: "&").contains { number($0) != nil }
  }

  private static func number(_ field: Substring) -> Int? {
    let parts = field.split(separator: "=", maxSplits: 1)
    return parts.count == 2 && parts[0] == parameter ? Int(parts[1]) : nil
  }
}
