import HTMLContent

/// A tree of HTML → blocks. Follows the elements' meaning, not their looks.
struct BlockBuilder {
  var blocks: [Block] = []
  /// Addresses.
  var links = Numbering()
  /// Names of the places that links within the article lead to.
  var places = Numbering()
  var nextBlock = 0

  /// The article's own address, without its part behind `#`.
  var page: String?
  /// All names in the article that a link could lead to.
  var names: Set<String> = []
  var inline = InlineText()
  var margin: [MarginPart] = []
  /// Blocks stand apart from what comes before; not so in tight lists.
  var standsApart = true
  /// Whether the next block does, where it differs.
  var nextStandsApart: Bool?
  var listDepth = 0
  var bulletDepth = 0

  /// How inline text is meant where it stands.
  struct Context {
    var style: TextStyle = []
    var link: LinkTarget?
    var isPreformatted = false
    /// Blocks become breaks: in cells, captions, terms.
    var isInlineOnly = false
  }

  mutating func build(_ nodes: [HTMLNode]) {
    collectNames(nodes)
    walk(nodes, Context())
    flush([])
    // Behind the last text there is nothing to lead to.
    if let last = blocks.indices.last { blocks[last].names += inline.takeMarksAtEnd() }
  }

  mutating func build(plainText: String) {
    for line in plainText.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if line.allSatisfy(\.isWhitespace) {
        flush([])
      } else {
        inline.append(String(line), style: [], link: nil)
        inline.breakLine()
      }
    }
    flush([])
  }

  // MARK: The walk

  mutating func walk(_ nodes: [HTMLNode], _ context: Context) {
    for node in nodes {
      switch node {
      case .text(let text):
        if context.isPreformatted {
          inline.append(verbatim: text, style: context.style, link: context.link)
        } else {
          inline.append(text, style: context.style, link: context.link)
        }
      case .element(let element): visit(element, context)
      }
    }
  }

  mutating func visit(_ element: HTMLElement, _ context: Context) {
    mark(element)
    switch element.name {
    case "p", "div", "section", "article", "main", "header", "footer", "aside", "nav", "address",
      "details", "tr", "td", "th", "tbody", "thead", "tfoot", "li", "dt", "dd", "form",
      "fieldset", "center", "body", "html":
      block(element, context)
    case "h1", "h2", "h3", "h4", "h5", "h6":
      around(context) { builder in
        var inner = context
        inner.style.formUnion(.heading)
        builder.walk(element.children, inner)
      }
    case "figure":
      let before = nextBlock
      around(context) { builder in
        for node in element.children {
          if case .element(let child) = node, child.name == "figcaption" {
            builder.flush(context.style)
            // A caption belongs to its picture.
            if builder.nextBlock > before { builder.nextStandsApart = false }
          }
          builder.walk([node], context)
        }
      }
    case "summary", "figcaption", "caption":
      around(context) { builder in
        var inner = context
        inner.style.formUnion(element.name == "summary" ? .strong : .secondary)
        if element.name == "summary" {
          builder.inline.append(verbatim: "▾ ", style: .secondary, link: nil)
        }
        builder.walk(element.children, inner)
      }
    case "br": lineBreak(context)
    case "hr":
      guard !context.isInlineOnly else { return lineBreak(context) }
      flush(context.style)
      add(.rule)
    case "blockquote":
      guard !context.isInlineOnly else { return block(element, context) }
      flush(context.style)
      nested(.quote) { builder in
        var inner = context
        inner.style.formUnion(.quote)
        builder.walk(element.children, inner)
        builder.flush(inner.style)
      }
    case "pre": preformatted(element, context)
    case "ul", "ol": list(element, context)
    case "dl": definitions(element, context)
    case "table": table(element, context)
    case "a": anchor(element, context)
    case "img": picture(element, context)
    case "audio", "video": recording(element, context)
    case "svg": drawing(element, context)
    case "math" where FormulaText.isFormula(element.children):
      inline.append(FormulaText.text(element), style: context.style, link: context.link)
    case "sup", "sub": script(element, context)
    case "q":
      inline.append("“", style: context.style, link: context.link)
      walk(element.children, context)
      inline.append("”", style: context.style, link: context.link)
    case "rt":
      inline.append("(", style: context.style, link: context.link)
      walk(element.children, context)
      inline.append(")", style: context.style, link: context.link)
    case "wbr": inline.append(verbatim: "\u{200B}", style: context.style, link: context.link)
    case "rp", "script", "style", "template", "title", "head", "source", "col", "colgroup", "track":
      return
    default:
      var inner = context
      inner.style.formUnion(Self.styles[element.name] ?? [])
      walk(element.children, inner)
    }
  }

  private static let styles: [String: TextStyle] = [
    "b": .strong, "strong": .strong, "i": .emphasis, "em": .emphasis, "cite": .emphasis,
    "dfn": .emphasis, "var": .emphasis, "code": .code, "kbd": .code, "samp": .code, "tt": .code,
    "del": .strikethrough, "s": .strikethrough, "strike": .strikethrough, "u": .underline,
    "ins": .underline, "mark": .underline, "small": .secondary,
  ]

  // MARK: Blocks

  mutating func block(_ element: HTMLElement, _ context: Context) {
    around(context) { $0.walk(element.children, context) }
  }

  /// What is before ends, what `body` builds is for itself.
  mutating func around(_ context: Context, _ body: (inout BlockBuilder) -> Void) {
    if context.isInlineOnly || context.isPreformatted {
      if !inline.isEmpty, !inline.endsLine { inline.breakLine() }
      body(&self)
      if !inline.isEmpty, !inline.endsLine { inline.breakLine() }
      return
    }
    flush(context.style)
    body(&self)
    flush(context.style)
  }

  mutating func lineBreak(_ context: Context) {
    if !context.isInlineOnly, !context.isPreformatted, inline.endsLine {
      // Two breaks in a row are how many people write a paragraph.
      flush(context.style)
    } else {
      inline.breakLine()
    }
  }

  mutating func nested(_ part: MarginPart, _ body: (inout BlockBuilder) -> Void) {
    let depth = margin.count
    margin.append(part)
    body(&self)
    margin.removeSubrange(depth...)
  }

  /// What has been gathered becomes a paragraph.
  mutating func flush(_ style: TextStyle) {
    inline.trim()
    guard !inline.isEmpty else { return }
    var text = inline
    inline = InlineText()
    let names = text.takeMarksAtEnd()
    add(.text(text))
    inline.mark(names)
  }

  mutating func add(_ content: Block.Content) {
    var size = 1
    switch content {
    case .code(let lines): size = max(1, lines.count)
    case .table(let table): size = max(1, table.rows.count)
    case .text, .rule: break
    }
    blocks.append(
      Block(
        content: content, margin: margin, isApart: nextStandsApart ?? standsApart,
        number: nextBlock, names: inline.takeMarksAtEnd()))
    nextBlock += size
    nextStandsApart = nil
    for index in margin.indices { margin[index] = margin[index].continued }
  }

  mutating func preformatted(_ element: HTMLElement, _ context: Context) {
    var inner = context
    inner.isPreformatted = true
    if context.isInlineOnly {
      inner.style.formUnion(.code)
      around(context) { $0.walk(element.children, inner) }
      return
    }
    flush(context.style)
    inner.style.formUnion(.code)
    walk(element.children, inner)
    let text = inline
    inline = InlineText()
    inline.mark(text.names)
    let lines = CodeLines.split(text)
    guard !lines.isEmpty else { return }
    nested(.indent(2)) { $0.add(.code(lines)) }
  }

  // MARK: Lists

  mutating func list(_ element: HTMLElement, _ context: Context) {
    guard !context.isInlineOnly else { return block(element, context) }
    flush(context.style)
    let isOrdered = element.name == "ol"
    let items = element.children.compactMap { node -> HTMLElement? in
      if case .element(let child) = node, child.name == "li" { return child }
      return nil
    }
    var numbering = ListNumbering(element, count: items.count, depth: listDepth)
    let isTight = !items.contains { item in
      item.children.contains {
        if case .element(let child) = $0 { return Self.looseners.contains(child.name) }
        return false
      }
    }
    let outerStandsApart = standsApart
    let bullet = Self.bullets[min(bulletDepth, Self.bullets.count - 1)]
    listDepth += 1
    if !isOrdered { bulletDepth += 1 }
    var isFirst = true
    for node in element.children {
      guard case .element(let item) = node, item.name == "li" else {
        walk([node], context)
        flush(context.style)
        continue
      }
      let marker = isOrdered ? numbering.next(item) : bullet
      // The first item follows what is before the list as any block there would.
      nextStandsApart = isFirst ? nextStandsApart ?? outerStandsApart : !isTight
      isFirst = false
      standsApart = !isTight
      nested(.marker(marker)) { builder in
        builder.mark(item)
        let before = builder.nextBlock
        builder.walk(item.children, context)
        builder.flush(context.style)
        if builder.nextBlock == before { builder.add(.text(InlineText())) }
      }
      standsApart = outerStandsApart
    }
    listDepth -= 1
    if !isOrdered { bulletDepth -= 1 }
  }

  private static let bullets = ["•", "◦", "▪"]
  private static let looseners: Set<String> = [
    "p", "blockquote", "pre", "table", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
  ]

  mutating func definitions(_ element: HTMLElement, _ context: Context) {
    guard !context.isInlineOnly else { return block(element, context) }
    flush(context.style)
    var wasTerm = false
    for node in element.children {
      guard case .element(let child) = node else {
        walk([node], context)
        continue
      }
      flush(context.style)
      switch child.name {
      case "dt":
        mark(child)
        if wasTerm { nextStandsApart = false }
        var inner = context
        inner.style.formUnion(.strong)
        walk(child.children, inner)
        flush(inner.style)
        wasTerm = true
      case "dd":
        mark(child)
        nextStandsApart = false
        nested(.indent(2)) { builder in
          builder.walk(child.children, context)
          builder.flush(context.style)
        }
        nextStandsApart = nil
        wasTerm = false
      case "div":
        mark(child)
        definitions(child, context)
      default: visit(child, context)
      }
    }
    flush(context.style)
  }

  // MARK: Tables

  mutating func table(_ element: HTMLElement, _ context: Context) {
    guard !context.isInlineOnly else { return block(element, context) }
    flush(context.style)
    let source = TableSource(element)
    guard source.isData else {
      // A table for the look of a page: its cells one after the other.
      walk(element.children, context)
      flush(context.style)
      return
    }
    var grid = TableGrid()
    for row in source.rows {
      grid.beginRow()
      for (index, element) in row.cells.enumerated() {
        // A row is where its first cell is.
        let names = index == 0 ? Self.names(of: row.element) : []
        grid.add(cell(for: element, names, context), spanning: element)
      }
    }
    var table = Table(rows: grid.rows.filter { !$0.isEmpty })
    if let caption = source.caption {
      var inner = context
      inner.isInlineOnly = true
      inner.style.formUnion(.secondary)
      table.caption = gather(caption, inner)
    }
    for node in source.strays { walk([node], context) }
    flush(context.style)
    add(.table(table))
  }

  /// - `names`: what links can call it besides its own.
  mutating func cell(
    for element: HTMLElement, _ names: [String], _ context: Context
  ) -> Table.Cell {
    var inner = context
    inner.isInlineOnly = true
    let isHeader = element.name == "th"
    if isHeader { inner.style.formUnion(.strong) }
    let text = gather(element.children, inner, named: names + Self.names(of: element))
    return Table.Cell(text: text, isHeader: isHeader)
  }

  /// - `names`: what links can call the text's beginning.
  mutating func gather(
    _ nodes: [HTMLNode], _ context: Context, named names: [String] = []
  ) -> InlineText {
    let outer = inline
    inline = InlineText()
    inline.mark(names)
    walk(nodes, context)
    inline.trim()
    defer { inline = outer }
    return inline
  }
}
