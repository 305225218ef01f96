import FeedModel
import HTMLContent

extension BlockBuilder {
  /// Enters an inline or unknown element.
  mutating func enterInline(
    _ element: HTMLElement, isWhole: Bool, _ context: Context, _ stream: HTMLStream
  ) -> Bool {
    switch element.name {
    case "a":
      if isWhole, isPermalink(element, context) { return false }
      enterAnchor(element, context, stream)
    case "img": picture(element, context)
    case "audio", "video": recording(element, context)
    case "svg": drawing(element, context)
    case "math" where FormulaText.isFormula(element.children):
      inline.append(FormulaText.text(element), style: context.style, link: context.link)
    case "sup", "sub":
      gather(.script, context)
      change { $0.isRaised = element.name == "sup" }
    case "code" where marksCode && context.style.isDisjoint(with: [.code, .codeBlock]):
      enterEnclosed("`", "`", context)
      addStyle(.code)
    case "q": enterEnclosed("“", "”", context)
    case "rt":
      if isWhole, Self.text(of: element).isEmpty { return false }
      enterEnclosed("(", ")", context)
    case "wbr": inline.append(verbatim: "\u{200B}", style: context.style, link: context.link)
    case "rp", "script", "style", "template", "title", "head", "source", "col", "colgroup", "track":
      return false
    default:
      frames.append(Frame(kind: .plain, context: context))
      addInlineStyle(of: element, context)
    }
    switch element.name {
    case "img", "audio", "video", "svg", "wbr": return false
    case "math": return !FormulaText.isFormula(element.children)
    default: return true
    }
  }

  private static let styles: [String: TextStyle] = [
    "b": .strong, "strong": .strong, "i": .emphasis, "em": .emphasis, "cite": .emphasis,
    "dfn": .emphasis, "var": .emphasis, "code": .code, "kbd": .key, "samp": .code, "tt": .code,
    "del": .strikethrough, "s": .strikethrough, "strike": .strikethrough, "u": .underline,
    "ins": .underline, "mark": .underline, "small": .secondary,
  ]

  private mutating func addInlineStyle(of element: HTMLElement, _ context: Context) {
    guard context.isPreformatted else { return addStyle(Self.styles[element.name] ?? []) }
    // Adds no second style for nested code; highlighter classes determine its tokens.
    addStyle((Self.styles[element.name] ?? []).subtracting(.code))
    guard let code = frames.lastIndex(where: { $0.kind == .code }) else { return }
    if element.name == "code", frames[code].code.language == nil {
      frames[code].code.language = CodeLanguage.named(inClass: element["class"])
    }
    if element.name == "span", let token = CodeTokens.style(ofClass: element["class"]) {
      addStyle(token)
      frames[code].code.hasOwnTokens = true
    }
  }

  private mutating func enterEnclosed(_ opening: String, _ closing: String, _ context: Context) {
    inline.append(opening, style: context.style, link: context.link)
    frames.append(Frame(kind: .enclosed, context: context))
    change { $0.closing = closing }
  }

  // MARK: Links

  private mutating func enterAnchor(
    _ element: HTMLElement, _ context: Context, _ stream: HTMLStream
  ) {
    frames.append(Frame(kind: .plain, context: context))
    guard let href = element["href"] ?? element["xlink:href"], !href.isEmpty else { return }
    if leadsFromHeading(href, context, stream) { return }
    addStyle(.link)
    guard href.utf8.count <= WebAddress.maximumLength else {
      output.cuts.insert(.links)
      return
    }
    let place = targets.place(at: href, stream)
    guard place != nil || !href.hasPrefix("#") else { return }
    let before = (targets.links.texts.count, targets.places.texts.count)
    guard let target = target(place: place, address: href) else { return }
    let (produced, length) = (output.produced, inline.bytes.count)
    change { frame in
      frame.kind = .anchor
      frame.context.link = target
      (frame.produced, frame.length) = (produced, length)
      (frame.links, frame.places) = before
    }
  }

  /// True for a heading's link to itself or to the contents.
  private mutating func leadsFromHeading(
    _ href: String, _ context: Context, _ stream: HTMLStream
  ) -> Bool {
    context.style.contains(.heading)
      && (href.hasPrefix("#") || targets.place(at: href, stream) != nil)
  }

  /// True for the sign at a heading that links to the heading.
  private func isPermalink(_ element: HTMLElement, _ context: Context) -> Bool {
    context.style.contains(.heading) && element["href"]?.contains("#") == true
      && Self.permalinkSigns.contains(Self.text(of: element))
  }

  private static let permalinkSigns: Set<String> = ["", "#", "¶", "§", "🔗"]

  /// Returns the text with that of nested elements, without surrounding white space.
  private static func text(of element: HTMLElement) -> String {
    var text = ""
    for child in element.children {
      switch child {
      case .text(let piece): text += piece
      case .element(let inner):
        text += ["img", "svg"].contains(inner.name) ? "▣" : Self.text(of: inner)
      }
    }
    return text.trimming(while: \.isWhitespace)
  }

  /// Returns the target of a place or address; `nil` if there are too many targets.
  private mutating func target(place: String?, address: String) -> LinkTarget? {
    if let place { return targets.target(place: place) }
    let target = targets.target(address: address)
    if target == nil { output.cuts.insert(.links) }
    return target
  }

  /// Returns the target of an address in the text; `nil` if it is too long, or there are too many.
  mutating func target(ofPlain address: String) -> LinkTarget? {
    address.utf8.count <= WebAddress.maximumLength ? target(place: nil, address: address) : nil
  }

  mutating func exitAnchor(_ frame: Frame) {
    if output.produced == frame.produced, inline.bytes.count == frame.length {
      // An invisible link needs no number, and a space in it is no part of it.
      targets.links.shorten(to: frame.links)
      targets.places.shorten(to: frame.places)
      if inline.removeOwedSpace() { inline.oweSpace(context.style, context.link) }
      return
    }
    guard case .address(let link) = frame.context.link else { return }
    if inline.isEmpty {
      // The number of a link around blocks is at the end of the last block.
      return output.changeLastText { [targets] in targets.append(numberOf: link, to: &$0) }
    }
    if inline.endsLine { inline.trim() }
    // The number of a link would look like a part of the number of a note.
    let isNote = frames.contains { $0.kind == .script } && Self.isNumber(inline)
    // A space from before the link may have been removed with the final break.
    let isWhole = output.produced == frame.produced && inline.bytes.count >= frame.length
    if isWhole, isNote || showReference(from: frame.length) { return }
    let space = inline.removeOwedSpace()
    let end = inline.unlinkEdges(from: isWhole ? frame.length : 0, outside: context.style)
    // The number precedes a final comma of the link's text.
    let rest = inline.split(at: end)
    append(numberOf: link)
    if !rest.isEmpty { inline.append(rest) }
    if space { inline.oweSpace(context.style, context.link) }
  }

  private static func isNumber(_ text: InlineText) -> Bool {
    (1...4).contains(text.bytes.count) && text.bytes.allSatisfy { (0x30...0x39).contains($0) }
  }

  mutating func append(numberOf link: Int) { targets.append(numberOf: link, to: &inline) }

  /// Shows "[6]" as a reference without a number. Returns false if the text since the offset is
  /// different.
  private mutating func showReference(from start: Int) -> Bool {
    let first = start + inline.bytes[start...].prefix { $0 == 0x20 }.count
    let text = String(decoding: inline.bytes[first...], as: UTF8.self)
    guard ScriptText.isReference(text) else { return false }
    if targets.numbers != .bracketed, text.hasPrefix("["), let run = inline.runs.last {
      _ = inline.split(at: first)
      append(note: ScriptText.text(text, isRaised: true), run)
    }
    return true
  }

  /// Appends the raised sign of a note, apart from the word before it.
  private mutating func append(note sign: String, _ run: InlineText.Run) {
    let isApart = inline.isEmpty || inline.endsLine || inline.endsInSpace
    let gap = inline.removeOwedSpace() ? " " : isApart ? "" : "\u{A0}"
    inline.append(verbatim: gap, style: run.style.subtracting([.link, .underline]), link: nil)
    let style = run.style.subtracting([.link, .underline]).union(.note)
    inline.append(verbatim: sign, style: style, link: run.link)
  }

  // MARK: Pictures and sound

  mutating func picture(_ element: HTMLElement, _ context: Context) {
    let description = (element["alt"] ?? "").isEmpty ? element["title"] ?? "" : element["alt"] ?? ""
    // The description of an emoji picture is the emoji itself.
    if !description.isEmpty, description.utf8.count <= 64, description.count <= 2,
      !description.utf8.contains(where: { $0 < 0x80 })
    {
      inline.append(description, style: context.style, link: context.link)
      return
    }
    if SmallPicture.isShareIcon(element["src"]) { return }
    if SmallPicture.isSmall(element) {
      return inline.append(
        SmallPicture.formula(description), style: context.style, link: context.link)
    }
    let caption = SmallPicture.caption(description)
    let text = caption.isEmpty ? Self.uncaptioned : caption
    guard !context.isInlineOnly, !context.isPreformatted else {
      return placeholder(text, element["src"], context, .picture)
    }
    flush()
    // Adjacent pictures need no lines between them.
    if lastPicture.end == output.produced, output.nextStandsApart == nil {
      output.nextStandsApart = false
    }
    var own = context
    own.style.subtract([.heading, .majorHeading, .minorHeading])
    placeholder(text, element["src"], own, .picture)
    output.describedPicture = PictureReference(element).map { reference in
      BlockPicture(reference: reference, number: number(beside: reference.address, own))
    }
    flush()
    output.describedPicture = nil
    lastPicture = (description, output.produced)
  }

  /// The text in place of a picture without a description.
  static let uncaptioned = "picture"

  /// Returns the number in a picture's description: that of the link around it, else the picture's.
  private mutating func number(beside address: String, _ context: Context) -> Int? {
    if let link = context.link {
      if case .address(let index) = link { return index + 1 }
      return nil
    }
    return targets.links.number(of: address, below: targets.mostLinks).map { $0 + 1 }
  }

  mutating func recording(_ element: HTMLElement, _ context: Context) {
    var address = element["src"]
    for case .element(let source) in element.children
    where address == nil && source.name == "source" {
      address = source["src"]
    }
    if let address, files.contains(address) { return }
    let sign = element.name == "audio" ? "♪" : "▶"
    enterBlock(context)
    let title = element["title"] ?? element["label"] ?? FileName.of(address)
    placeholder(title.isEmpty ? sign : "\(sign) \(title)", address, context)
    exit()
  }

  mutating func drawing(_ element: HTMLElement, _ context: Context) {
    var words = InlineText()
    FormulaText.collect(element.children, into: &words)
    words.trim()
    let text = String(decoding: words.bytes, as: UTF8.self)
    if text.isEmpty, Self.isIcon(element) { return }
    placeholder(text.isEmpty ? "drawing" : text, nil, context, .picture)
  }

  /// True for a drawing that is empty, or small as on buttons.
  private static func isIcon(_ drawing: HTMLElement) -> Bool {
    let sides = [drawing["width"], drawing["height"]].compactMap(\.self)
    let numbers =
      sides.isEmpty ? (drawing["viewbox"] ?? "").split(separator: " ").map(String.init) : sides
    let largest = numbers.compactMap { Double($0.prefix { $0.isNumber || $0 == "." }) }.max()
    return drawing.children.isEmpty || (largest ?? .infinity) <= Double(ReadingFacts.largestIcon)
  }

  private static let longestDescription = 4_096

  mutating func placeholder(
    _ description: String, _ address: String?, _ context: Context, _ kind: TextStyle = []
  ) {
    var text = description
    if text.utf8.count > Self.longestDescription {
      text = String(text.prefix(Self.longestDescription / 4)) + "…"
    }
    let style = context.style.union([.secondary, kind])
    if let link = context.link {
      inline.append(text, style: style, link: link)
    } else if let address, !address.isEmpty, address.utf8.count <= WebAddress.maximumLength,
      case .address(let link)? = target(place: nil, address: address)
    {
      inline.append(text, style: style, link: .address(link))
      append(numberOf: link)
    } else {
      inline.append(text, style: style, link: nil)
    }
  }

  // MARK: Raised text

  /// Converts text to Unicode's raised and lowered characters, else adds `^` or `_`.
  mutating func exitScript(_ frame: Frame) {
    let text = endGathering()
    guard let run = text.runs.first else { return inline.mark(text.names) }
    // Keeps longer texts, and those with links, unchanged.
    guard text.runs.count == 1, text.bytes.count <= 32 else { return inline.append(text) }
    let plain = String(decoding: text.bytes, as: UTF8.self)
    inline.mark(text.names)
    let shown = ScriptText.text(plain, isRaised: frame.isRaised)
    if run.link != nil || plain.hasPrefix("["), ScriptText.isReference(shown) {
      return append(note: shown, run)
    }
    inline.append(verbatim: shown, style: run.style, link: run.link)
  }
}
