import HTMLContent

extension BlockBuilder {
  mutating func enterList(_ element: HTMLElement, _ context: Context) {
    flush()
    var count = 0
    var isTight = true
    for case .element(let item) in element.children where item.name == "li" {
      count += 1
      for case .element(let child) in item.children where Self.looseners.contains(child.name) {
        isTight = false
      }
    }
    let isOrdered = element.name == "ol"
    var frame = Frame(kind: .list, context: context)
    frame.length = lists.bulletDepth
    // A list directly in a list is meant to be a part of the item before it.
    if frames.last?.kind == .list, let outer = lists.open.last {
      frame.hasMargin = true
      frame.outerStandsApart = output.standsApart
      output.beginMargin(.indent(outer.isOrdered ? outer.numbering.width + 2 : 2))
      output.standsApart = !outer.isTight
    }
    frames.append(frame)
    lists.begin(
      isOrdered: isOrdered, isTight: isTight, standsApart: output.standsApart,
      numbering: ListNumbering(element, count: count, depth: lists.open.count))
  }

  private static let looseners: Set<String> = [
    "p", "blockquote", "pre", "table", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
  ]

  mutating func enterItem(_ element: HTMLElement) -> Bool {
    guard let list = lists.open.last else { return false }
    let outer = list.standsApart
    // The first item has the same space before it as a block outside the list.
    output.nextStandsApart = list.isFirst ? output.nextStandsApart ?? outer : !list.isTight
    output.standsApart = !list.isTight
    output.beginMargin(.marker(lists.nextMarker(element)))
    mark(element)
    var frame = Frame(kind: .item, context: context)
    frame.produced = output.produced
    frame.outerStandsApart = outer
    frames.append(frame)
    return true
  }

  mutating func exitItem(_ frame: Frame) {
    flush()
    if output.produced == frame.produced { add(.text(InlineText())) }
    output.endMargin()
    output.standsApart = frame.outerStandsApart
  }
}

/// The numbers of an ordered list: decimal in the outer list, then letters, then Roman, unless
/// specified. Padded to align the items.
struct ListNumbering {
  private enum Style {
    case decimal
    case letters(isUpper: Bool)
    case roman(isUpper: Bool)
  }

  private let style: Style
  private let step: Int
  let width: Int
  private var value: Int

  init(_ list: HTMLElement, count: Int, depth: Int) {
    style =
      switch list["type"] {
      case "1": .decimal
      case "a": .letters(isUpper: false)
      case "A": .letters(isUpper: true)
      case "i": .roman(isUpper: false)
      case "I": .roman(isUpper: true)
      default:
        switch depth {
        case 0: .decimal
        case 1: .letters(isUpper: false)
        case 2: .roman(isUpper: false)
        default: .decimal
        }
      }
    let isReversed = list["reversed"] != nil
    let start = list["start"].flatMap { Int($0) } ?? (isReversed ? count : 1)
    value = min(max(start, -100_000), 1_000_000)
    step = isReversed ? -1 : 1
    let last = value + step * max(0, count - 1)
    var width = 0
    // Measures the first 50 numbers, too: the widest Roman number may be in the middle.
    for number in stride(from: min(value, last), through: max(value, last), by: 1).prefix(50) {
      width = max(width, Self.text(number, style).utf8.count)
    }
    self.width = max(width, Self.text(last, style).utf8.count)
  }

  mutating func next(_ item: HTMLElement) -> String {
    if let own = item["value"].flatMap({ Int($0) }), abs(own) < 1_000_000 { value = own }
    let text = Self.text(value, style) + "."
    value += step
    return String(repeating: " ", count: max(0, width + 1 - text.utf8.count)) + text
  }

  private static func text(_ number: Int, _ style: Style) -> String {
    switch style {
    case .decimal: return String(number)
    case .letters(let isUpper):
      guard number > 0 else { return String(number) }
      var rest = number
      var letters: [UInt8] = []
      while rest > 0 {
        letters.append(UInt8(ascii: isUpper ? "A" : "a") + UInt8((rest - 1) % 26))
        rest = (rest - 1) / 26
      }
      return String(decoding: letters.reversed(), as: UTF8.self)
    case .roman(let isUpper):
      guard (1...3999).contains(number) else { return String(number) }
      var rest = number
      var text = ""
      for (value, sign) in roman {
        while rest >= value {
          text += sign
          rest -= value
        }
      }
      return isUpper ? text.uppercased() : text
    }
  }

  private static let roman = [
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
  ]
}
