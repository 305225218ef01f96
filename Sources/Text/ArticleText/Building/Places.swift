import HTMLContent

// Targets of internal links: footnotes, headings, and the way back.
extension BlockBuilder {
  /// Returns the link targets of an element.
  static func names(of element: HTMLElement) -> [String] {
    var names: [String] = []
    for (name, value) in element.attributes where !value.isEmpty {
      if name == "id" || (name == "name" && element.name == "a") { names.append(value) }
    }
    return names
  }

  /// Marks the next text as the target of links to the element.
  mutating func mark(_ element: HTMLElement) { inline.mark(Self.names(of: element)) }
}

/// Numbers texts from 0 in the order of their first mention.
struct Numbering {
  private(set) var texts: [String] = []
  private var numbers: [String: Int] = [:]

  /// Returns the number of a text; `nil` for a new text at the limit.
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
