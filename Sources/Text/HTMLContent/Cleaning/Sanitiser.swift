import FeedModel
internal import TextRules

/// Writes clean HTML from events.
struct Sanitiser: HTMLSink {
  private var writer = HTMLWriter()
  private let addresses: AddressPolicy
  private var value = HTMLWriter()
  /// Number of open drawings, in which links are `xlink:href`.
  private var drawings = 0
  /// Bytes of the output from which addresses are left out, because the base is repeated too often,
  /// and from which everything is.
  private let limits: (addresses: Int, everything: Int)
  /// Number of open elements from the first that is hidden or has no size; their pictures are
  /// omitted.
  private var emptyElements = 0
  private var parts = OmittedParts()
  /// The address of the first `source` of the open `picture`.
  private var pictureSource: [UInt8]?
  private var openPictures = 0
  /// True in `noscript`, of which only the pictures are kept.
  private var isInNoscript = false
  /// The clean HTML of a whole document.
  var clean: [UInt8] { parts.removed(from: writer.out) }

  private static let maximumOutput = 16 << 20
  /// Output that any short text may have, for relative links with a long base.
  private static let leastOutput = 64 << 10

  init(base: WebAddress?, source: Int) {
    addresses = AddressPolicy(base: base)
    let (least, most) = (Self.leastOutput, Self.maximumOutput)
    limits = (min(3 * source + least, most), min(4 * source + least, most))
    writer.out.reserveCapacity(source + source / 8)
  }

  var isFull: Bool { writer.out.count >= limits.everything }

  // MARK: Elements

  private static let startTags = JoinedTexts(HTMLTag.allCases.map { "<\($0.name)" })
  private static let endTags = JoinedTexts(HTMLTag.allCases.map { "</\($0.name)>" })

  private static let dispositions: [HTMLDisposition] = {
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
      .annotation, .datalist, .foreignobject, .noembed, .noframes, .script, .select, .style,
      .template, .title,
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
    case .noscript:
      isInNoscript = tokeniser.isStartTag && !tokeniser.isSelfClosing
      return .unwrap
    case _ where isInNoscript && tag != .img:
      return tag.traits.contains(.isRawText) ? .skip : .unwrap
    // Writes a link if there is an address, else the fallback content.
    case .object:
      return find(PackedName("data"), tokeniser) == nil ? .unwrap : .replaceAndSkip
    // The title of a drawing is its description.
    case .title where drawings > 0: return .keep(.desc)
    case .unknown:
      let name = UnsafeBufferPointer(rebasing: tokeniser.bytes[tokeniser.nameRange])
      if name.matches("amp-img") { return .keep(.img) }
      if name.matches("annotation-xml") { return .skip }
      // The elements of MathJax 3 say which parts of a formula are copies.
      if name.starts(with: "mjx-".utf8) { return .keep(.span) }
    default: break
    }
    return Self.dispositions[Int(tag.rawValue)]
  }

  // MARK: Events

  mutating func open(_ tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser) {
    let start = writer.out.count
    open(tag, writeStartTag(tag, tokeniser), at: start)
  }

  mutating func reopen(_ tag: HTMLTag) {
    let start = writer.out.count
    Self.startTags.append(Int(tag.rawValue), to: &writer.out)
    writer.out.append(UInt8(ascii: ">"))
    open(tag, Seen(), at: start)
  }

  private mutating func open(_ tag: HTMLTag, _ seen: Seen, at start: Int) {
    if tag == .svg { drawings += 1 }
    if tag == .picture { openPictures += 1 }
    if emptyElements > 0 || seen.isInvisible { emptyElements += 1 }
    parts.open(tag, seen.effects, at: start)
  }

  mutating func close(_ tag: HTMLTag) {
    if tag == .svg { drawings -= 1 }
    if tag == .picture { (openPictures, pictureSource) = (openPictures - 1, nil) }
    if emptyElements > 0 { emptyElements -= 1 }
    Self.endTags.append(Int(tag.rawValue), to: &writer.out)
    parts.close(tag, at: writer.out.count)
  }

  mutating func text(_ range: Range<Int>, decodes: Bool, _ tokeniser: borrowing HTMLTokeniser) {
    if isInNoscript { return }
    let start = writer.out.count
    writer.write(tokeniser.bytes, range, decodes: decodes, escaping: .text)
    parts.add(text: writer.out[start...])
  }

  mutating func empty(_ tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser) {
    let start = writer.out.count
    switch tag {
    case .iframe, .embed: writeLink(to: source(of: tag, tokeniser).address, tokeniser)
    case .object:
      let data = find(PackedName("data"), tokeniser).map { decoded($0.value, tokeniser) }
      writeLink(to: data.flatMap(addresses.media), tokeniser)
    case .input: writeCheckbox(tokeniser)
    case .img: return writePicture(tokeniser)
    default:
      let seen = writeStartTag(tag, tokeniser)
      if tag == .source, !seen.hasSource { return writer.out.removeSubrange(start...) }
    }
    parts.add(tag, isCopy: false, at: start..<writer.out.count)
  }

  /// Writes a picture, unless it is empty, hidden, a beacon or shown already: pages repeat a
  /// picture that a script completes in `noscript`, before or after it.
  private mutating func writePicture(_ tokeniser: borrowing HTMLTokeniser) {
    let start = writer.out.count
    let seen = writeStartTag(.img, tokeniser)
    guard seen.hasSource || !seen.description.isEmpty, !seen.isBeacon, !seen.isInvisible,
      emptyElements == 0
    else { return writer.out.removeSubrange(start...) }
    let picture = OmittedParts.Picture(
      range: start..<writer.out.count, description: seen.description, isFinal: seen.isFinal,
      isInNoscript: isInNoscript)
    if let last = parts.picture, isRepeated(last, picture) {
      let written = Array(writer.out[start...])
      writer.out.removeSubrange(start...)
      if isInNoscript, !last.isFinal { writer.out.replaceSubrange(last.range, with: written) }
      parts.forgetPicture()
    } else {
      parts.picture = picture
      parts.add(.img, isCopy: seen.effects.contains(.isCopy), at: picture.range)
    }
  }

  private func isRepeated(_ last: OmittedParts.Picture, _ picture: OmittedParts.Picture) -> Bool {
    guard last.isInNoscript != picture.isInNoscript else { return false }
    if picture.isInNoscript, !last.isFinal { return true }
    if writer.out[last.range].elementsEqual(writer.out[picture.range]) { return true }
    return (!picture.isFinal || !picture.description.isEmpty)
      && writer.out[last.description].elementsEqual(writer.out[picture.description])
  }

  /// Writes the checkbox of a task in a list as a character; other form fields are omitted.
  private mutating func writeCheckbox(_ tokeniser: borrowing HTMLTokeniser) {
    let type = find(PackedName("type"), tokeniser).map { decoded($0.value, tokeniser).string }
    guard type?.lowercased() == "checkbox" else { return }
    writer.write(find(PackedName("checked"), tokeniser) == nil ? "☐ " : "☑ ")
  }

  /// Writes a link in place of content that a text cannot show.
  private mutating func writeLink(to address: [UInt8]?, _ tokeniser: borrowing HTMLTokeniser) {
    guard let address = fitting(address),
      address.starts(with: "http:".utf8) || address.starts(with: "https:".utf8)
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
    /// The place of the description in the output.
    var description = 0..<0
    var width: Int?
    var height: Int?
    /// True if no script changes the source.
    var isFinal = true
    var effects: HiddenPart = []

    var isInvisible: Bool {
      !effects.isDisjoint(with: [.isHidden, .isEmpty]) || width == 0 || height == 0
    }

    /// True for at most one pixel in both directions.
    var isBeacon: Bool { width ?? 2 < 2 && height ?? 2 < 2 }
  }

  private mutating func writeStartTag(
    _ tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser
  ) -> Seen {
    Self.startTags.append(Int(tag.rawValue), to: &writer.out)
    var seen = Seen()
    for index in tokeniser.attributes.indices {
      let attribute = tokeniser.attributes[index]
      let name = PackedName(tokeniser.bytes, attribute.name)
      guard let known = AttributePolicy.table[name], seen.attributes & known.bit == 0
      else { continue }
      seen.attributes |= known.bit
      write(known, attribute, on: tag, &seen, tokeniser)
    }
    if Self.hasSource(tag), !seen.hasSource { writeSource(of: tag, &seen, tokeniser) }
    writer.out.append(UInt8(ascii: ">"))
    return seen
  }

  private mutating func write(
    _ known: AttributePolicy.Attribute, _ attribute: HTMLTokeniser.Attribute, on tag: HTMLTag,
    _ seen: inout Seen, _ tokeniser: borrowing HTMLTokeniser
  ) {
    switch known.rule {
    case .className:
      let value = UnsafeBufferPointer(rebasing: tokeniser.bytes[attribute.value])
      let effects = HiddenPart(class: value)
      seen.effects.formUnion(effects)
      // Without the class, cleaning the result keeps the part too.
      if !effects.contains(.isHidden) { fallthrough }
    case .text, .description:
      AttributePolicy.names.append(Int(known.index), to: &writer.out)
      let start = writer.out.count
      writer.write(
        tokeniser.bytes, attribute.value, decodes: true, escaping: .attribute, inAttribute: true)
      if known.rule == .description { seen.description = start..<writer.out.count }
      writer.out.append(UInt8(ascii: "\""))
    case .flag:
      AttributePolicy.names.append(Int(known.index), to: &writer.out)
      writer.out.removeLast(2)
    case .length, .width, .height:
      let value = decoded(attribute.value, tokeniser)
      guard AttributePolicy.isLength(value) else { return }
      let pixels = Int(value.prefix(while: \.isDigit).string)
      if known.rule == .width { seen.width = pixels }
      if known.rule == .height { seen.height = pixels }
      write(known, value)
    case .integer:
      let value = decoded(attribute.value, tokeniser)
      if Int(value.string) != nil { write(known, value) }
    case .hidden:
      seen.effects.formUnion(HiddenPart(hidden: tokeniser.bytes[attribute.value]))
    case .ariaHidden:
      let value = UnsafeBufferPointer(rebasing: tokeniser.bytes[attribute.value])
      if value.matches("true") { seen.effects.insert(.isCopy) }
    case .direction,
      .alignment where tag == .td || tag == .th:
      let value = decoded(attribute.value, tokeniser).map(\.asciiLowercased)
      let allowed =
        known.rule == .direction ? ["ltr", "rtl", "auto"] : ["left", "center", "right"]
      if allowed.contains(value.string) { write(known, value) }
    case .link where tag == .a,
      .citation where tag == .blockquote || tag == .q || tag == .ins || tag == .del,
      .drawingLink where tag == .a && drawings > 0 || tag.traits.contains(.isMath):
      if let address = fitting(addresses.link(decoded(attribute.value, tokeniser))) {
        write(known, address)
      }
    case .media where Self.hasSource(tag): writeSource(of: tag, &seen, tokeniser)
    case .poster where tag == .video:
      if let address = fitting(addresses.media(decoded(attribute.value, tokeniser))) {
        write(known, address)
      }
    case .style:
      let value = decoded(attribute.value, tokeniser)
      seen.effects.formUnion(HiddenPart(style: value))
      if let style = AttributePolicy.style(value) { write(known, style) }
    case .drawing where !tag.traits.isDisjoint(with: [.isMath, .isDrawing]):
      let value = decoded(attribute.value, tokeniser)
      if AttributePolicy.isDrawingValue(value) { write(known, value) }
    default: break
    }
  }

  private static func hasSource(_ tag: HTMLTag) -> Bool {
    tag == .img || tag == .source || tag == .video || tag == .audio
  }

  /// Writes the address of a picture, film or sound.
  private mutating func writeSource(
    of tag: HTMLTag, _ seen: inout Seen, _ tokeniser: borrowing HTMLTokeniser
  ) {
    let source = source(of: tag, tokeniser)
    seen.isFinal = source.isFinal
    let better = tag == .img && source.isPlaceholder ? pictureSource : nil
    guard let address = fitting(better ?? source.address) else { return }
    if tag == .source, openPictures > 0 {
      pictureSource = pictureSource ?? address
      return
    }
    guard let known = AttributePolicy.table[Self.source] else { return }
    seen.hasSource = true
    write(known, address)
  }

  private mutating func source(
    of tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser
  ) -> PictureSource {
    var source = PictureSource()
    source.readsSets = tag == .img || tag == .source && openPictures > 0
    for index in tokeniser.attributes.indices {
      let attribute = tokeniser.attributes[index]
      let name = PackedName(tokeniser.bytes, attribute.name)
      guard name == Self.source || AttributePolicy.table[name] == nil else { continue }
      // A reference to the method would copy the whole sanitiser.
      source.offer(
        name, tokeniser.bytes[attribute.name], resolve: { [addresses] in addresses.media($0) },
        value: { decoded(attribute.value, tokeniser) })
    }
    return source
  }

  private func fitting(_ address: [UInt8]?) -> [UInt8]? {
    guard let address, writer.out.count + address.count <= limits.addresses else { return nil }
    return address
  }

  private static let source = PackedName("src")

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
    AttributePolicy.names.append(Int(known.index), to: &writer.out)
    write(value, .attribute)
    writer.out.append(UInt8(ascii: "\""))
  }
}
