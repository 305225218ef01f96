/// A web page whose links are followed like the items of a feed. Its address is that of the page,
/// with the place of the links as its fragment:
///
///     https://example.org/news#weir-headlines=body/main/ul.news/li/h2/a
///
/// The fragment is never sent. Other programs open the page.
public struct HeadlinesAddress: Sendable, Hashable {
  public var page: String
  /// The elements from the root to the links: `tag`, `tag.class`, `tag~id`, or `tag.` for neither.
  public var selector: String

  private static let mark = "weir-headlines="

  public init(page: String, selector: String) {
    var address = WebAddress(page)
    address.fragment = nil
    (self.page, self.selector) = (address.text, selector)
  }

  /// Returns `nil` for the address of a whole page or a feed.
  public init?(_ url: String) {
    let address = WebAddress(url)
    guard address.isHTTP, let fragment = address.fragment, fragment.hasPrefix(Self.mark) else {
      return nil
    }
    let selector = String(fragment.dropFirst(Self.mark.count))
    guard !selector.isEmpty else { return nil }
    self.init(page: url, selector: selector)
  }

  public var text: String { "\(page)#\(Self.mark)\(selector)" }
}

/// Links of a page that repeat one structure, probably its headlines.
public struct HeadlineGroup: Sendable, Equatable {
  /// See `HeadlinesAddress.selector`.
  public var selector: String
  /// The links in the order of the page, one for each address.
  public var headlines: [Headline]
  public init(selector: String, headlines: [Headline]) {
    (self.selector, self.headlines) = (selector, headlines)
  }
}

/// A link of a page with its text.
public struct Headline: Sendable, Equatable {
  /// A line of plain text.
  public var title: String
  /// An absolute address with http or https.
  public var url: String
  public init(title: String, url: String) { (self.title, self.url) = (title, url) }
}
