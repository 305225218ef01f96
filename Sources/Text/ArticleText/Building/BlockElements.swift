import HTMLContent

extension BlockBuilder {
  /// - Parameter isWhole: true if `element.children` has all content.
  /// - Returns: true if the content must be read; the element then has a frame.
  mutating func enter(_ element: HTMLElement, isWhole: Bool, _ stream: HTMLStream) -> Bool {
    let depth = frames.count
    defer { if frames.count > depth { beginDirection(of: element) } }
    let context = context
    let parent = frames.last?.kind
    if parent == .definitions { flush() }
    switch (parent, element.name) {
    case (.list, "li"): return enterItem(element)
    case (.definitions, "dt"), (.definitions, "dd"), (.definitions, "div"):
      return enterDefinition(element)
    case (.table, _), (.tableSection, _), (.row, _):
      if let isRead = enterTablePart(element) { return isRead }
    default: break
    }
    mark(element)
    let language = Self.language(of: element, context)
    defer { if let language { change { $0.context.language = language } } }
    let whiteSpace = WhiteSpace(element.declared("white-space"))
    defer {
      if let whiteSpace, frames.count > depth { change { $0.context.whiteSpace = whiteSpace } }
    }
    if context.isInlineOnly || context.isPreformatted, Self.boxes.contains(element.name) {
      enterBlock(context)
      change { $0.isList = context.isPreformatted }
      return true
    }
    switch element.name {
    case "td" where context.isPreformatted, "th" where context.isPreformatted:
      // The number and the code of a line are cells.
      if !inline.isEmpty, !inline.endsLine {
        inline.append(verbatim: "  ", style: context.style, link: nil)
      }
      frames.append(Frame(kind: .plain, context: context))
    case "li" where context.isInlineOnly && !context.isPreformatted:
      enterBlock(context)
      inline.append(verbatim: "• ", style: .secondary, link: nil)
    case "p", "div", "section", "article", "main", "header", "footer", "aside", "nav", "address",
      "tr", "td", "th", "tbody", "thead", "tfoot", "li", "dt", "dd", "form",
      "fieldset", "center", "body", "html":
      enterBlock(context)
    case "h1", "h2", "h3", "h4", "h5", "h6":
      enterBlock(context)
      addStyle(Self.headingStyle(element.name))
    case "figure":
      let before = output.nextBlock
      enterBlock(context)
      change { frame in
        frame.produced = before
        if frame.kind == .block { frame.kind = .figure }
      }
    case "details":
      enterBlock(context)
      change { if $0.kind == .block { $0.kind = .details } }
    case "summary":
      enterBlock(context)
      addStyle(.strong)
      guard frames.last?.kind == .block else {
        inline.append(verbatim: "▾ ", style: .secondary, link: nil)
        break
      }
      output.beginMargin(.marker("▾"))
      change { $0.kind = .summary }
    case "figcaption" where parent == .figure: enterFigureCaption(context)
    case "figcaption", "caption":
      enterBlock(context)
      addStyle(.secondary)
    case "br":
      lineBreak(context)
      return false
    case "hr":
      if context.isInlineOnly {
        lineBreak(context)
      } else {
        flush()
        add(.rule)
      }
      return false
    case "ul", "ol": enterList(element, context)
    case "table": enterTable(element, isWhole: isWhole, context)
    case "pre": enterPreformatted(context)
    case "blockquote":
      flush()
      output.beginMargin(.quote)
      frames.append(Frame(kind: .margin, context: context))
    case "dl":
      flush()
      frames.append(Frame(kind: .definitions, context: context))
      if isWhole, joinsDefinitions { change { $0.shortDefinitions = ShortDefinitions(element) } }
    default: return enterInline(element, isWhole: isWhole, context, stream)
    }
    return true
  }

  /// Blocks whose content becomes lines in code and in cells.
  private static let boxes: Set<String> = [
    "blockquote", "dl", "ol", "table", "tbody", "thead", "tr", "ul",
  ]

  mutating func exit() {
    guard let frame = frames.popLast() else { return }
    defer { endChild(after: frame.kind) }
    defer { if frame.saysDirection { output.direction = frame.outerDirection } }
    switch frame.kind {
    case .plain, .tableSection, .skipped: break
    case .block, .figure: flush()
    case .figureCaption: exitFigureCaption(frame)
    case .summary:
      flush()
      output.endMargin()
      // Indents the content after the summary.
      guard let parent = frames.last, parent.kind == .details, !parent.hasMargin else { return }
      output.beginMargin(.indent(2))
      change { $0.hasMargin = true }
    case .details:
      flush()
      if frame.hasMargin { output.endMargin() }
    case .lines: endLine()
    case .margin:
      flush()
      output.endMargin()
    case .code:
      frames.append(frame)
      addCode(isLast: true, frame: frames.count - 1)
      frames.removeLast()
    case .list:
      lists.end(bulletDepth: frame.length)
      guard frame.hasMargin else { break }
      output.endMargin()
      output.standsApart = frame.outerStandsApart
    case .item: exitItem(frame)
    case .definitions:
      flush()
      // Ends a group within a list.
      guard frames.last?.kind == .definitions else { return }
      change { ($0.wasTerm, $0.wasShort) = (frame.wasTerm, frame.wasShort) }
    case .term:
      flush()
      change { $0.wasTerm = true }
    case .definition:
      flush()
      output.endMargin()
      output.nextStandsApart = nil
      let isShort =
        frame.term != nil
        || output.produced == frame.produced + 1
          && output.textSize - frame.length <= Self.shortDefinition
      change { parent in
        parent.wasTerm = false
        parent.wasShort = isShort
      }
    case .table: exitTable()
    case .row: exitRow()
    case .cell: exitCell(frame)
    case .caption:
      let text = endGathering()
      if table?.caption == nil { table?.caption = text } else { table?.caption?.append(text) }
    case .anchor: exitAnchor(frame)
    case .script: exitScript(frame)
    case .enclosed:
      inline.append(frame.closing, style: frame.context.style, link: frame.context.link)
    }
  }

  /// Handles the end of a child; must be called after each child of the innermost element.
  mutating func endChild(after kind: Frame.Kind? = nil) {
    // Makes text between the items of a list a block.
    if kind != .item, frames.last?.kind == .list { flush() }
  }

  // MARK: Frames

  mutating func change(_ body: (inout Frame) -> Void) {
    if let last = frames.indices.last { body(&frames[last]) }
  }

  mutating func addStyle(_ style: TextStyle) { change { $0.context.style.formUnion(style) } }

  /// Ends the previous block and begins a new one.
  mutating func enterBlock(_ context: Context) {
    if context.isInlineOnly || context.isPreformatted {
      endLine()
      frames.append(Frame(kind: .lines, context: context))
    } else {
      flush()
      frames.append(Frame(kind: .block, context: context))
    }
  }

  /// Returns the programming language that this element, but none around it, names.
  private static func language(of element: HTMLElement, _ context: Context) -> CodeLanguage? {
    guard context.language == nil else { return nil }
    switch element.name {
    case "div", "pre", "figure": return CodeLanguage.named(inClass: element["class"])
    default: return nil
    }
  }

  /// Longest definition in bytes ("Status: draft") that needs no empty line.
  private static let shortDefinition = 60

  private static func headingStyle(_ name: String) -> TextStyle {
    switch name {
    case "h1", "h2": [.heading, .majorHeading]
    case "h3": .heading
    default: [.heading, .minorHeading]
    }
  }

  private mutating func endLine() {
    if !inline.isEmpty, !inline.endsLine { inline.breakLine() }
  }

  mutating func lineBreak(_ context: Context) {
    if !context.isInlineOnly, !context.isPreformatted, inline.endsLine {
      // Treats two breaks as the end of a paragraph.
      flush()
    } else {
      inline.breakLine()
    }
  }

  /// Places a caption directly below the description of its picture.
  private mutating func enterFigureCaption(_ context: Context) {
    flush()
    if let figure = frames.last, output.nextBlock > figure.produced {
      output.nextStandsApart = false
    }
    let isOfPicture = lastPicture.end == output.produced && !context.isInlineOnly
    if isOfPicture { output.beginMargin(.indent(2)) }
    enterBlock(context)
    addStyle(.secondary)
    change { frame in
      if frame.kind == .block { frame.kind = .figureCaption }
      frame.hasMargin = isOfPicture
    }
  }

  private mutating func exitFigureCaption(_ frame: Frame) {
    // Omits a caption that repeats the description, as many do.
    if frame.hasMargin, inline.runs.allSatisfy({ $0.link == nil }),
      String(decoding: inline.bytes, as: UTF8.self) == lastPicture.text
    {
      inline = InlineText()
    }
    flush()
    if frame.hasMargin { output.endMargin() }
  }

  /// Collects the following text separately, until `endGathering`.
  /// - Parameter names: the link targets of the beginning of the text.
  mutating func gather(_ kind: Frame.Kind, _ context: Context, named names: [String] = []) {
    var frame = Frame(kind: kind, context: context)
    frame.context.isInlineOnly = true
    outerTexts.append(inline)
    inline = InlineText()
    inline.mark(names)
    frames.append(frame)
  }

  mutating func endGathering() -> InlineText {
    inline.trim()
    let text = inline
    inline = outerTexts.popLast() ?? InlineText()
    return text
  }

  private mutating func enterPreformatted(_ context: Context) {
    if context.isInlineOnly || context.isPreformatted {
      enterBlock(context)
    } else {
      flush()
      frames.append(Frame(kind: .code, context: context))
    }
    change { frame in
      frame.context.isPreformatted = true
      frame.context.style.formUnion(.codeBlock)
    }
  }
}

extension BlockBuilder {
  /// Applies the direction of the last frame's element. Inline elements do not affect their block.
  mutating func beginDirection(of element: HTMLElement) {
    guard let dir = element["dir"] else { return }
    switch frames.last?.kind {
    case .plain, .anchor, .script, .enclosed, .skipped, nil: return
    default: break
    }
    let outer = output.direction
    change { ($0.saysDirection, $0.outerDirection) = (true, outer) }
    output.direction = dir == "rtl" ? .rightToLeft : dir == "ltr" ? .leftToRight : nil
  }
}
