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
    lists.append(
      ListState(
        isOrdered: isOrdered, bullet: Self.bullets[min(bulletDepth, Self.bullets.count - 1)],
        isTight: isTight, standsApart: standsApart,
        numbering: ListNumbering(element, count: count, depth: listDepth)))
    var frame = Frame(kind: .list, context: context)
    frame.length = bulletDepth
    frames.append(frame)
    listDepth += 1
    if !isOrdered { bulletDepth += 1 }
  }

  private static let bullets = ["•", "◦", "▪"]
  private static let looseners: Set<String> = [
    "p", "blockquote", "pre", "table", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
  ]

  mutating func enterItem(_ element: HTMLElement) -> Bool {
    guard let last = lists.indices.last else { return false }
    let marker = lists[last].isOrdered ? lists[last].numbering.next(element) : lists[last].bullet
    let (isTight, outer) = (lists[last].isTight, lists[last].standsApart)
    // The first item is spaced like a block before the list.
    nextStandsApart = lists[last].isFirst ? nextStandsApart ?? outer : !isTight
    lists[last].isFirst = false
    standsApart = !isTight
    beginMargin(.marker(marker))
    mark(element)
    var frame = Frame(kind: .item, context: context)
    frame.produced = produced
    frame.outerStandsApart = outer
    frames.append(frame)
    return true
  }

  mutating func leaveItem(_ frame: Frame) {
    flush()
    if produced == frame.produced { add(.text(InlineText())) }
    endMargin()
    standsApart = frame.outerStandsApart
  }
}
