import HTMLContent

extension BlockBuilder {
  mutating func enterList(_ element: HTMLElement, _ context: Context) {
    guard !context.isInlineOnly else { return enterBlock(context) }
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
