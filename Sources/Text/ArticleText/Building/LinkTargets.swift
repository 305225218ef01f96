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
  /// The article's address without its fragment.
  private let page: String?
  /// All possible link targets, collected at the first internal link.
  private var names: Set<String>?

  /// Maximum number of tags that are searched for names.
  private static let mostNameTags = 100_000

  init(page: String?, mostLinks: Int, numbers: LinkNumbers) {
    (self.page, self.mostLinks, self.numbers) = (page, mostLinks, numbers)
  }

  /// Returns the link target of `#part`; `nil` if it is not in this article.
  mutating func place(at address: String, _ stream: HTMLStream) -> String? {
    guard address.utf8.contains(UInt8(ascii: "#")) else { return nil }
    let names = self.names ?? stream.placeNames(inTags: Self.mostNameTags)
    self.names = names
    return Self.place(at: address, page: page, names: names)
  }

  /// Returns the place in an article that an address leads to; `nil` if it leads elsewhere.
  private static func place(at address: String, page: String?, names: Set<String>) -> String? {
    guard let hash = address.utf8.firstIndex(of: UInt8(ascii: "#")) else { return nil }
    let target = String(address[..<hash])
    guard target.isEmpty || target == page else { return nil }
    let name = String(address[address.utf8.index(after: hash)...])
    return [name, name.removingPercentEncoding ?? name].first(where: names.contains)
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
