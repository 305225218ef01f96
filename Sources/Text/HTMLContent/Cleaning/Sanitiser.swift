import FeedModel
internal import TextRules

/// Writes clean HTML from events.
struct Sanitiser: HTMLSink {
  var writer = HTMLWriter()
  private let addresses: AddressPolicy
  private let attributes = AttributePolicy.table
  private let attributeNames = AttributePolicy.names
  private let startTags = Sanitiser.startTags
  private let endTags = Sanitiser.endTags
  private let dispositions = Sanitiser.dispositionTable
  private var value = HTMLWriter()
  /// Number of open drawings, in which links are `xlink:href`.
  private var drawings = 0
  /// Number of open elements from the first that is hidden or has no size; their pictures are
  /// omitted.
  private var emptyElements = 0
  private(set) var parts = OmittedParts()
  private let omitsHidden: Bool
  /// The address of the first `source` of the open `picture`.
  private var pictureSource: [UInt8]?
  private var openPictures = 0
  private var lacksFallbackEnd = false

  /// - Parameter omitsHidden: false to keep the parts that a browser does not show.
  init(base: WebAddress?, capacity: Int, omitsHidden: Bool) {
    addresses = AddressPolicy(base: base)
    self.omitsHidden = omitsHidden
    writer.out.reserveCapacity(capacity)
  }

  // MARK: Elements

  private static let startTags = JoinedTexts(HTMLTag.allCases.map { "<\($0.name)" })
  private static let endTags = JoinedTexts(HTMLTag.allCases.map { "</\($0.name)>" })

  private static let dispositionTable: [HTMLDisposition] = {
    var table = [HTMLDisposition](repeating: .unwrap, count: HTMLTag.allCases.count)
    let kept: [HTMLTag] = [
      .a, .abbr, .address, .article, .aside, .audio, .b, .blockquote, .br, .caption, .cite, .code,
      .col, .colgroup, .dd, .del, .details, .dfn, .div, .dl, .dt, .em, .figcaption, .figure,
      .footer, .h1, .h2, .h3, .h4, .h5, .h6, .header, .hr, .i, .img, .ins, .kbd, .li, .main, .mark,
      .nav, .ol, .p, .picture, .pre, .q, .rp, .rt, .ruby, .s, .samp, .section, .small, .source,
      .span, .strong, .sub, .summary, .sup, .table, .tbody, .td, .tfoot, .th, .thead, .time, .tr,
      .u, .ul, .var, .video, .wbr,
    ]
    for tag in kept { table[Int(tag.rawValue)] = .keep(tag) }
    for tag in HTMLTag.allCases where !tag.traits.isDisjoint(with: [.isMath, .isDrawing]) {
      table[Int(tag.rawValue)] = .keep(tag)
    }
    let renamed: [(HTMLTag, HTMLTag)] = [
      (.acronym, .abbr), (.center, .div), (.dialog, .div), (.dir, .ul), (.fieldset, .div),
      (.form, .div), (.hgroup, .div), (.legend, .p), (.listing, .pre), (.menu, .ul),
      (.nobr, .span), (.plaintext, .pre), (.search, .div), (.strike, .s), (.textarea, .pre),
      (.tt, .code), (.xmp, .pre),
    ]
    for (from, to) in renamed { table[Int(from.rawValue)] = .keep(to) }
    let skipped: [HTMLTag] = [
      .annotation, .datalist, .foreignobject, .noembed, .noframes, .noscript, .script, .select,
      .style, .template, .title,
    ]
    for tag in skipped { table[Int(tag.rawValue)] = .skip }
    table[Int(HTMLTag.iframe.rawValue)] = .replaceAndSkip
    table[Int(HTMLTag.embed.rawValue)] = .replace
    table[Int(HTMLTag.input.rawValue)] = .replace
    return table
  }()

  mutating func disposition(
    of tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser
  ) -> HTMLDisposition {
    switch tag {
    // Writes a link if there is an address, else the fallback content.
    case .object: return tokeniser.hasAttribute("data") ? .replaceAndSkip : .unwrap
    // The title of a drawing is its description.
    case .title where drawings > 0: return .keep(.desc)
    case .noscript where tokeniser.isStartTag: writeFallbackPictures(tokeniser)
    case .unknown:
      let name = UnsafeBufferPointer(rebasing: tokeniser.bytes[tokeniser.nameRange])
      if name.matches("amp-img") { return .keep(.img) }
      if name.matches("annotation-xml") { return .skip }
      // The elements of MathJax 3 say which parts of a formula are copies.
      if name.starts(with: "mjx-".utf8) { return .keep(.span) }
    default: break
    }
    return dispositions[Int(tag.rawValue)]
  }

  // MARK: Events

  mutating func open(_ tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser) {
    if tag == .svg { drawings += 1 }
    if tag == .picture { openPictures += 1 }
    let start = writer.out.count
    startTags.append(Int(tag.rawValue), to: &writer.out)
    let seen = writeAttributes(of: tag, tokeniser)
    writer.out.append(UInt8(ascii: ">"))
    if emptyElements > 0 || seen.isInvisible || seen.isHidden { emptyElements += 1 }
    parts.open(tag, omission(of: tag, seen), from: start, &writer.out)
  }

  private func omission(of tag: HTMLTag, _ seen: Seen) -> OmittedParts.Kind? {
    if seen.isHidden, omitsHidden { return .hidden }
    if seen.numbersLines, omitsHidden, tag != .pre, tag != .code { return .lineNumbers }
    return seen.isCopy && !tag.traits.contains(.isBlock) ? .formulaCopy : nil
  }

  mutating func reopen(_ tag: HTMLTag) {
    if tag == .svg { drawings += 1 }
    if tag == .picture { openPictures += 1 }
    if emptyElements > 0 { emptyElements += 1 }
    let start = writer.out.count
    startTags.append(Int(tag.rawValue), to: &writer.out)
    writer.out.append(UInt8(ascii: ">"))
    parts.open(tag, nil, from: start, &writer.out)
  }

  mutating func close(_ tag: HTMLTag) {
    if tag == .svg { drawings -= 1 }
    if tag == .picture { (openPictures, pictureSource) = (openPictures - 1, nil) }
    if emptyElements > 0 { emptyElements -= 1 }
    if parts.close(tag, tag.name.utf8.count + 3, &writer.out) { return }
    endTags.append(Int(tag.rawValue), to: &writer.out)
  }

  mutating func text(_ range: Range<Int>, decodes: Bool, _ tokeniser: borrowing HTMLTokeniser) {
    writer.write(tokeniser.bytes, range, decodes: decodes, escaping: .text)
    parts.addText(tokeniser.bytes, range, end: writer.out.count)
  }

  mutating func empty(_ tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser) {
    let start = writer.out.count
    var isCopy = false
    var isKept = true
    switch tag {
    case .iframe, .embed: writeLink(to: source(of: tag, tokeniser)?.address, tokeniser)
    case .object:
      let data = find(PackedName("data"), tokeniser).map { decoded($0.value, tokeniser) }
      writeLink(to: data.flatMap(addresses.media), tokeniser)
    case .input: writeCheckbox(tokeniser)
    case .img: (isKept, isCopy) = writePicture(tokeniser)
    default:
      startTags.append(Int(tag.rawValue), to: &writer.out)
      let seen = writeAttributes(of: tag, tokeniser)
      writer.out.append(UInt8(ascii: ">"))
      isKept = tag != .source || seen.hasSource
    }
    let range = start..<writer.out.count
    if !isKept || parts.add(tag, isCopy: isCopy, at: range) { writer.out.removeSubrange(range) }
  }

  /// Writes a picture. `isKept` is false for empty and hidden ones and beacons.
  private mutating func writePicture(
    _ tokeniser: borrowing HTMLTokeniser
  ) -> (isKept: Bool, isCopy: Bool) {
    let description = find(Self.alternative, tokeniser).map { decoded($0.value, tokeniser) } ?? []
    let last = parts.picture
    let isRepeated = last.map { $0.isFallback && $0.description == description } ?? false
    let start = writer.out.count
    startTags.append(Int(HTMLTag.img.rawValue), to: &writer.out)
    let seen = writeAttributes(of: .img, tokeniser)
    writer.out.append(UInt8(ascii: ">"))
    let isKept =
      (seen.hasSource || seen.hasDescription) && !seen.isBeacon && !seen.isInvisible
      && !seen.isHidden && !isRepeated && emptyElements == 0
    if isKept {
      parts.picture = OmittedParts.Picture(
        range: start..<writer.out.count, description: description, isFinal: seen.isFinal)
    }
    return (isKept, seen.isCopy)
  }

  /// Writes the pictures in `noscript`, in place of a picture before it that scripts complete.
  private mutating func writeFallbackPictures(_ tokeniser: borrowing HTMLTokeniser) {
    guard !lacksFallbackEnd,
      let end = tokeniser.bytes.index(of: "</noscript", from: tokeniser.position)
    else {
      lacksFallbackEnd = true
      return
    }
    let content = UnsafeBufferPointer(rebasing: tokeniser.bytes[tokeniser.position..<end])
    var inner = HTMLTokeniser(content)
    while true {
      switch inner.next() {
      case .startTag where HTMLTag.byName[inner.name] == .img: writeFallback(inner)
      case .end: return
      default: continue
      }
    }
  }

  private mutating func writeFallback(_ tokeniser: borrowing HTMLTokeniser) {
    let (before, start) = (parts.picture, writer.out.count)
    empty(.img, tokeniser)
    guard writer.out.count > start, var picture = parts.picture else {
      parts.picture = before
      return
    }
    (picture.isFinal, picture.isFallback) = (true, before == nil)
    parts.picture = picture
    guard let before, !before.isFallback else { return }
    let written = Array(writer.out[start...])
    let isSame =
      written.elementsEqual(writer.out[before.range])
      || !picture.description.isEmpty && picture.description == before.description
    if before.isFinal && !isSame { return }
    writer.out.removeSubrange(start...)
    parts.picture = before
    parts.replacePicture(
      by: before.isFinal ? Array(writer.out[before.range]) : written, &writer.out)
  }

  /// Writes the checkbox of a task in a list as a character; other form fields are omitted.
  private mutating func writeCheckbox(_ tokeniser: borrowing HTMLTokeniser) {
    guard let type = find(PackedName("type"), tokeniser),
      String(decoding: decoded(type.value, tokeniser), as: UTF8.self).lowercased() == "checkbox"
    else { return }
    writer.write(find(PackedName("checked"), tokeniser) == nil ? "☐ " : "☑ ")
  }

  /// Writes a link in place of content that a text cannot show.
  private mutating func writeLink(to address: [UInt8]?, _ tokeniser: borrowing HTMLTokeniser) {
    guard let address, address.starts(with: "http:".utf8) || address.starts(with: "https:".utf8)
    else { return }
    writer.write("<a href=\"")
    write(address, .attribute)
    writer.write("\">")
    if let title = find(PackedName("title"), tokeniser), !title.value.isEmpty {
      writer.write(
        tokeniser.bytes, title.value, decodes: true, escaping: .text, inAttribute: true)
    } else {
      write(address, .text)
    }
    writer.write("</a>")
  }

  private mutating func write(_ text: [UInt8], _ escaping: HTMLWriter.Escaping) {
    text.withUnsafeBufferPointer {
      writer.write($0, $0.indices, decodes: false, escaping: escaping)
    }
  }

  // MARK: Attributes

  private struct Seen {
    var attributes: UInt128 = 0
    var hasSource = false
    var hasDescription = false
    var width: [UInt8]?
    var height: [UInt8]?
    /// True if no script changes the source.
    var isFinal = true
    var isHidden = false
    var numbersLines = false
    /// True for an element that screen readers skip, as they do copies of formulas.
    var isCopy = false
    var isEmptyByStyle = false

    var isInvisible: Bool {
      isEmptyByStyle
        || [width, height].contains { $0 == [0x30] || $0?.elementsEqual("0px".utf8) == true }
    }

    /// True for at most one pixel in both directions.
    var isBeacon: Bool {
      guard let width, let height else { return false }
      return [width, height].allSatisfy {
        $0 == [0x30] || $0 == [0x31] || $0.elementsEqual("1px".utf8) || $0.elementsEqual("0px".utf8)
      }
    }
  }

  @discardableResult
  private mutating func writeAttributes(
    of tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser
  ) -> Seen {
    var seen = Seen()
    for index in tokeniser.attributes.indices {
      let attribute = tokeniser.attributes[index]
      let name = PackedName(tokeniser.bytes, attribute.name)
      guard let known = attributes[name], seen.attributes & known.bit == 0 else { continue }
      seen.attributes |= known.bit
      write(known, attribute, on: tag, &seen, tokeniser)
    }
    if tag == .img || tag == .source || tag == .video || tag == .audio, !seen.hasSource {
      writeSource(of: tag, &seen, tokeniser)
    }
    return seen
  }

  private mutating func write(
    _ known: AttributePolicy.Attribute, _ attribute: HTMLTokeniser.Attribute, on tag: HTMLTag,
    _ seen: inout Seen, _ tokeniser: borrowing HTMLTokeniser
  ) {
    switch known.rule {
    case .text:
      attributeNames.append(Int(known.index), to: &writer.out)
      let start = writer.out.count
      writer.write(
        tokeniser.bytes, attribute.value, decodes: true, escaping: .attribute, inAttribute: true)
      if known.isAlternativeText { seen.hasDescription = writer.out.count > start }
      writer.out.append(UInt8(ascii: "\""))
    case .flag:
      attributeNames.append(Int(known.index), to: &writer.out)
      writer.out.removeLast(2)
    case .length:
      let value = decoded(attribute.value, tokeniser)
      guard AttributePolicy.isLength(value) else { return }
      if known.isWidth { seen.width = value }
      if known.isHeight { seen.height = value }
      write(known, value)
    case .integer:
      let value = decoded(attribute.value, tokeniser)
      if Int(value.string) != nil { write(known, value) }
    case .className:
      let value = UnsafeBufferPointer(rebasing: tokeniser.bytes[attribute.value])
      if HiddenPart.isForScreenReaders(class: value) { seen.isHidden = true }
      if HiddenPart.isLineNumber(class: value) { seen.numbersLines = true }
      // Without the class, cleaning the result keeps the part too.
      if !omitsHidden, seen.isHidden || seen.numbersLines { return }
      if HiddenPart.isFormulaCopy(class: value) { seen.isCopy = true }
      attributeNames.append(Int(known.index), to: &writer.out)
      writer.write(
        tokeniser.bytes, attribute.value, decodes: true, escaping: .attribute, inAttribute: true)
      writer.out.append(UInt8(ascii: "\""))
    case .hidden:
      if HiddenPart.isHiding(hidden: tokeniser.bytes[attribute.value]) { seen.isHidden = true }
    case .ariaHidden:
      let value = UnsafeBufferPointer(rebasing: tokeniser.bytes[attribute.value])
      if value.matches("true") { seen.isCopy = true }
    case .direction:
      let value = decoded(attribute.value, tokeniser).map(\.asciiLowercased)
      if ["ltr", "rtl", "auto"].contains(where: { value.elementsEqual($0.utf8) }) {
        write(known, value)
      }
    case .alignment:
      let value = decoded(attribute.value, tokeniser).map(\.asciiLowercased)
      guard tag == .td || tag == .th,
        ["left", "center", "right"].contains(where: { value.elementsEqual($0.utf8) })
      else { return }
      write(known, value)
    case .link:
      guard tag == .a, let address = addresses.link(decoded(attribute.value, tokeniser))
      else { return }
      write(known, address)
    case .citation:
      guard tag == .blockquote || tag == .q || tag == .ins || tag == .del,
        let address = addresses.link(decoded(attribute.value, tokeniser))
      else { return }
      write(known, address)
    case .drawingLink:
      guard tag == .a && drawings > 0 || tag.traits.contains(.isMath),
        let address = addresses.link(decoded(attribute.value, tokeniser))
      else { return }
      write(known, address)
    case .media:
      guard tag == .img || tag == .source || tag == .video || tag == .audio else { return }
      writeSource(of: tag, &seen, tokeniser)
    case .poster:
      guard tag == .video, let address = addresses.media(decoded(attribute.value, tokeniser))
      else { return }
      write(known, address)
    case .style:
      let value = decoded(attribute.value, tokeniser)
      let effects = HiddenPart.effects(style: value)
      if effects.contains(.hides) { seen.isHidden = true }
      if effects.contains(.isNotCopied) { seen.numbersLines = true }
      seen.isEmptyByStyle = effects.contains(.isEmpty)
      if let style = AttributePolicy.style(value) {
        write(known, style)
      }
    case .drawing:
      guard !tag.traits.isDisjoint(with: [.isMath, .isDrawing]) else { return }
      let value = decoded(attribute.value, tokeniser)
      if AttributePolicy.isDrawingValue(value) { write(known, value) }
    }
  }

  /// Writes the address of a picture, film or sound.
  private mutating func writeSource(
    of tag: HTMLTag, _ seen: inout Seen, _ tokeniser: borrowing HTMLTokeniser
  ) {
    let source = source(of: tag, tokeniser)
    seen.isFinal = source?.isFinal ?? false
    guard var address = source?.address ?? (tag == .img ? pictureSource : nil) else { return }
    if tag == .img, let other = pictureSource, source?.isPlaceholder == true { address = other }
    if tag == .source, openPictures > 0 {
      pictureSource = pictureSource ?? address
      return
    }
    guard let known = attributes[Self.source] else { return }
    seen.hasSource = true
    write(known, address)
  }

  private mutating func source(
    of tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser
  ) -> PictureSource? {
    var source = PictureSource()
    source.readsSets = tag == .img || tag == .source && openPictures > 0
    for index in tokeniser.attributes.indices {
      let attribute = tokeniser.attributes[index]
      let name = PackedName(tokeniser.bytes, attribute.name)
      guard name == Self.source || attributes[name] == nil else { continue }
      source.offer(
        name, tokeniser.bytes[attribute.name],
        resolve: addresses.media, value: { decoded(attribute.value, tokeniser) })
    }
    return source.address == nil ? nil : source
  }

  private static let source = PackedName("src")
  private static let alternative = PackedName("alt")

  private func find(
    _ name: PackedName, _ tokeniser: borrowing HTMLTokeniser
  ) -> HTMLTokeniser.Attribute? {
    for index in tokeniser.attributes.indices {
      let attribute = tokeniser.attributes[index]
      if PackedName(tokeniser.bytes, attribute.name) == name { return attribute }
    }
    return nil
  }

  private mutating func decoded(
    _ range: Range<Int>, _ tokeniser: borrowing HTMLTokeniser
  ) -> [UInt8] {
    value.out.removeAll(keepingCapacity: true)
    value.write(tokeniser.bytes, range, decodes: true, escaping: .none, inAttribute: true)
    return value.out
  }

  private mutating func write(_ known: AttributePolicy.Attribute, _ value: [UInt8]) {
    attributeNames.append(Int(known.index), to: &writer.out)
    write(value, .attribute)
    writer.out.append(UInt8(ascii: "\""))
  }
}
