import FeedModel
import Foundation
import HTMLContent

/// The targets of an article's links: addresses, and places in the article, each numbered in the
/// order of its first mention.
struct LinkTargets {
  var links = Numbering()
  /// Names of the targets of internal links.
  var places = Numbering()
  let mostLinks: Int
  let numbers: LinkNumbers
  /// The addresses of the article and of its site's front page, as they are compared.
  private let pages: Set<String>
  /// All possible link targets, collected at the first internal link.
  private var names: Set<String>?

  /// Maximum number of tags that are searched for names.
  private static let mostNameTags = 100_000

  init(pages: [String], mostLinks: Int, numbers: LinkNumbers) {
    (self.mostLinks, self.numbers) = (mostLinks, numbers)
    // Some generators resolve the links within articles against the front page.
    self.pages = Set(pages.map(Self.key) + pages.compactMap { WebAddress($0).site })
  }

  private static func key(of address: String) -> String {
    let parsed = WebAddress(address)
    return parsed.canonical ?? parsed.site ?? address
  }

  /// Returns the link target of `#part`; `nil` if it is not in this article.
  mutating func place(at address: String, _ stream: HTMLStream) -> String? {
    guard let hash = address.utf8.firstIndex(of: UInt8(ascii: "#")) else { return nil }
    let names = self.names ?? stream.placeNames(inTags: Self.mostNameTags)
    self.names = names
    let name = String(address[address.utf8.index(after: hash)...])
    guard let place = [name, name.removingPercentEncoding ?? name].first(where: names.contains)
    else { return nil }
    let target = String(address[..<hash])
    return target.isEmpty || pages.contains(Self.key(of: target)) ? place : nil
  }

  /// Returns `nil` if there are too many targets.
  mutating func target(place: String) -> LinkTarget? {
    places.number(of: place, below: mostLinks).map { .place($0) }
  }

  /// Returns `nil` if there are too many targets.
  mutating func target(address: String) -> LinkTarget? {
    links.number(of: address, below: mostLinks).map { .address($0) }
  }

  /// Appends the number of a link, without a break before it.
  func append(numberOf link: Int, to text: inout InlineText) {
    let number: String
    switch numbers {
    case .bracketed: number = "[\(link + 1)]"
    case .raised: number = ScriptText.text(String(link + 1), isRaised: true)
    case .hidden: return
    }
    text.append(
      verbatim: "\u{2060}" + number, style: [.secondary, .linkNumber], link: .address(link))
  }
}
