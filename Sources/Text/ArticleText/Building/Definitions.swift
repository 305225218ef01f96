import HTMLContent

extension BlockBuilder {
  mutating func enterDefinition(_ element: HTMLElement) -> Bool {
    mark(element)
    var frame = Frame(kind: .definitions, context: context)
    let list = frames.last
    switch element.name {
    case "dt":
      if let list, list.wasTerm || list.wasShort { output.nextStandsApart = false }
      if let term = popShortTerm() {
        change { $0.term = term }
        return false
      }
      frame.kind = .term
      frame.context.style.formUnion(.strong)
    case "dd":
      if let term = list?.term, let columns = shortDefinitions?.columns {
        change { $0.term = nil }
        frame.term = term
        output.beginMargin(.term(term, columns: columns))
      } else {
        output.nextStandsApart = false
        output.beginMargin(.indent(2))
      }
      frame.kind = .definition
      (frame.produced, frame.length) = (output.produced, output.textSize)
    default:
      // A group has the state of the list around it.
      (frame.wasTerm, frame.wasShort) = (list?.wasTerm ?? false, list?.wasShort ?? false)
    }
    frames.append(frame)
    return true
  }

  private var shortDefinitions: ShortDefinitions? {
    frames.last { $0.shortDefinitions != nil || $0.kind != .definitions }?.shortDefinitions
  }

  /// Removes and returns the next term that shares a line with its definition.
  private mutating func popShortTerm() -> String? {
    guard
      let list = frames.lastIndex(where: {
        $0.shortDefinitions != nil || $0.kind != .definitions
      })
    else { return nil }
    return frames[list].shortDefinitions?.popTerm()
  }
}

/// Short terms with short definitions: fields like "Status: draft".
struct ShortDefinitions: Equatable {
  /// The terms in the order of the list; `nil` for a term with its own line.
  private var terms: [String?] = []
  private var next = 0
  /// Columns from the beginning of a term to the beginning of its definition.
  private(set) var columns = 0

  private static let longestTerm = 16
  private static let longestDefinition = 240
  /// Maximum number of terms; longer lists are not treated as fields.
  private static let mostTerms = 200

  init?(_ list: HTMLElement) {
    let parts = Self.parts(of: list)
    for (index, part) in parts.enumerated() where part.name == "dt" {
      guard terms.count < Self.mostTerms else { return nil }
      let hasOne =
        index + 1 < parts.count && parts[index + 1].name == "dd"
        && (index == 0 || parts[index - 1].name == "dd")
        && (index + 2 == parts.count || parts[index + 2].name == "dt")
      let isShort =
        hasOne && Self.text(parts[index + 1], Self.inDefinitions, Self.longestDefinition) != nil
      let term = isShort ? Self.text(part, Self.inTerms, Self.longestTerm) : nil
      terms.append(term)
      if let term { columns = max(columns, Self.columns(of: term) + 2) }
    }
    if columns == 0 { return nil }
  }

  mutating func popTerm() -> String? {
    guard next < terms.count else { return nil }
    defer { next += 1 }
    return terms[next]
  }

  private static func parts(of list: HTMLElement) -> [HTMLElement] {
    list.children.flatMap { child -> [HTMLElement] in
      guard case .element(let element) = child else { return [] }
      return element.name == "div" ? parts(of: element) : [element]
    }
  }

  private static let inTerms: Set<String> = [
    "b", "code", "dfn", "em", "i", "span", "strong", "var",
  ]
  private static let inDefinitions = inTerms.union([
    "a", "abbr", "kbd", "p", "samp", "small", "time", "tt", "u",
  ])

  /// Returns the text if it is short and all inline.
  private static func text(
    _ element: HTMLElement, _ elements: Set<String>, _ columns: Int
  ) -> String? {
    var text = ""
    var paragraphs = 0
    func read(_ nodes: [HTMLNode]) -> Bool {
      nodes.allSatisfy { node in
        switch node {
        case .text(let piece):
          text += piece
          return text.utf8.count <= columns * 8
        case .element(let element):
          if element.name == "p" { paragraphs += 1 }
          return elements.contains(element.name) && element["id"] == nil && element["name"] == nil
            && paragraphs <= 1 && read(element.children)
        }
      }
    }
    guard read(element.children) else { return nil }
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.isEmpty || Self.columns(of: words) > columns ? nil : words
  }

  private static func columns(of text: String) -> Int {
    text.reduce(0) { $0 + TextMeasure.approximateWidth(of: $1) }
  }
}
