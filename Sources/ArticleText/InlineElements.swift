import HTMLContent

// What stands in a line: links with their numbers, placeholders, raised and lowered text.
extension BlockBuilder {
  mutating func anchor(_ element: HTMLElement, _ context: Context) {
    var inner = context
    guard let href = element["href"] ?? element["xlink:href"], !href.isEmpty else {
      walk(element.children, context)
      return
    }
    inner.style.formUnion(.link)
    let place = place(at: href)
    guard place != nil || !href.hasPrefix("#") else {
      walk(element.children, inner)
      return
    }
    let before = inline.bytes.count
    let blockBefore = nextBlock
    let counts = (links: links.texts.count, places: places.texts.count)
    if let place {
      inner.link = .place(places.number(of: place))
    } else {
      inner.link = .address(links.number(of: href))
    }
    walk(element.children, inner)
    if nextBlock == blockBefore, inline.bytes.count == before {
      // Nothing to see, so nothing to number either.
      links.shorten(to: counts.links)
      places.shorten(to: counts.places)
      return
    }
    guard case .address(let link) = inner.link else { return }
    if inline.isEmpty { return appendNumberToLastBlock(link) }
    if inline.endsLine { inline.trim() }
    append(numberOf: link)
  }

  mutating func append(numberOf link: Int) {
    inline.append(verbatim: "\u{2060}[\(link + 1)]", style: .secondary, link: .address(link))
  }

  /// A link around whole blocks shows its number at the end of the last of them.
  mutating func appendNumberToLastBlock(_ link: Int) {
    guard let last = blocks.indices.last, case .text(var text) = blocks[last].content else {
      return
    }
    text.append(verbatim: "\u{2060}[\(link + 1)]", style: .secondary, link: .address(link))
    blocks[last].content = .text(text)
  }

  mutating func picture(_ element: HTMLElement, _ context: Context) {
    let description = (element["alt"] ?? "").isEmpty ? element["title"] ?? "" : element["alt"] ?? ""
    // Smileys are pictures to some; their description is the character itself.
    if !description.isEmpty, description.count <= 2,
      !description.utf8.contains(where: { $0 < 0x80 })
    {
      inline.append(description, style: context.style, link: context.link)
      return
    }
    placeholder("▣", description, element["src"], context)
  }

  mutating func recording(_ element: HTMLElement, _ context: Context) {
    var address = element["src"]
    for case .element(let source) in element.children
    where address == nil && source.name == "source" {
      address = source["src"]
    }
    let sign = element.name == "audio" ? "♪" : "▶"
    around(context) { builder in
      builder.placeholder(sign, element["title"] ?? element["label"] ?? "", address, context)
    }
  }

  mutating func drawing(_ element: HTMLElement, _ context: Context) {
    var words = InlineText()
    FormulaText.collect(element.children, into: &words)
    words.trim()
    let text = String(decoding: words.bytes, as: UTF8.self)
    placeholder("▣", text.isEmpty ? "drawing" : text, nil, context)
  }

  mutating func placeholder(
    _ sign: String, _ description: String, _ address: String?, _ context: Context
  ) {
    let name = description.isEmpty ? FileName.of(address) : description
    let text = name.isEmpty ? sign : "\(sign) \(name)"
    let style = context.style.union(.secondary)
    if let link = context.link {
      inline.append(text, style: style, link: link)
    } else if let address, !address.isEmpty {
      let link = links.number(of: address)
      inline.append(text, style: style, link: .address(link))
      append(numberOf: link)
    } else {
      inline.append(text, style: style, link: nil)
    }
  }

  /// Raised and lowered characters where Unicode has them, else `^` and `_`.
  mutating func script(_ element: HTMLElement, _ context: Context) {
    var inner = context
    inner.isInlineOnly = true
    let text = gather(element.children, inner)
    guard let run = text.runs.first else { return inline.mark(text.names) }
    // Longer texts, and those with links of their own, stay as they are.
    guard text.runs.count == 1, text.bytes.count <= 32 else { return inline.append(text) }
    let plain = String(decoding: text.bytes, as: UTF8.self)
    inline.mark(text.names)
    inline.append(
      verbatim: ScriptText.text(plain, isRaised: element.name == "sup"), style: run.style,
      link: run.link)
  }
}
