import Foundation
import HTMLContent

// Targets of internal links: footnotes, headings, and the way back.
extension BlockBuilder {
  /// The link targets of an element.
  static func names(of element: HTMLElement) -> [String] {
    var names: [String] = []
    for (name, value) in element.attributes where !value.isEmpty {
      if name == "id" || (name == "name" && element.name == "a") { names.append(value) }
    }
    return names
  }

  /// Marks the next text as the target of links to the element.
  mutating func mark(_ element: HTMLElement) { inline.mark(Self.names(of: element)) }

  /// The place in an article that an address leads to; `nil` if it leads elsewhere.
  ///
  /// - `page`: the article's address.
  /// - `names`: those of all its places.
  static func place(at address: String, page: String?, names: Set<String>) -> String? {
    guard let hash = address.utf8.firstIndex(of: UInt8(ascii: "#")) else { return nil }
    let target = String(address[..<hash])
    guard target.isEmpty || target == page else { return nil }
    let name = String(address[address.utf8.index(after: hash)...])
    return [name, name.removingPercentEncoding ?? name].first(where: names.contains)
  }
}

/// Numbers texts from 0 in the order of their first mention.
struct Numbering {
  private(set) var texts: [String] = []
  private var numbers: [String: Int] = [:]

  /// Returns `nil` for a new text at the limit.
  mutating func number(of text: String, below limit: Int) -> Int? {
    if let number = numbers[text] { return number }
    let number = texts.count
    guard number < limit else { return nil }
    texts.append(text)
    numbers[text] = number
    return number
  }

  /// Removes all texts from this number on.
  mutating func shorten(to count: Int) {
    while texts.count > count, let last = texts.popLast() { numbers[last] = nil }
  }
}
