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
  /// Number of open elements from the first hidden one, in which pictures are omitted.
  private var hiddenElements = 0
  /// Bytes of the output from which addresses are left out, because the base is repeated too often,
  /// and from which everything is.
  private let limits: (addresses: Int, everything: Int)

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
      (.plaintext, .pre), (.search, .div), (.strike, .s), (.textarea, .pre), (.tt, .code),
      (.xmp, .pre),
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

  func disposition(of tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser) -> HTMLDisposition {
    if tag == .object {
      // Writes a link if there is an address, else the fallback content.
      let data = PackedName("data")
      let hasAddress = tokeniser.attributes.contains {
        PackedName(tokeniser.bytes, $0.name) == data
      }
      return hasAddress ? .replaceAndSkip : .unwrap
    }
    // The title of a drawing is its description.
    if tag == .title, drawings > 0 { return .keep(.desc) }
    return dispositions[Int(tag.rawValue)]
  }

  // MARK: Events

  mutating func open(_ tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser) {
    if tag == .svg { drawings += 1 }
    startTags.append(Int(tag.rawValue), to: &writer.out)
    let seen = writeAttributes(of: tag, tokeniser)
    writer.out.append(UInt8(ascii: ">"))
    if hiddenElements > 0 || seen.isInvisible { hiddenElements += 1 }
  }

  mutating func reopen(_ tag: HTMLTag) {
    if tag == .svg { drawings += 1 }
    if hiddenElements > 0 { hiddenElements += 1 }
    startTags.append(Int(tag.rawValue), to: &writer.out)
    writer.out.append(UInt8(ascii: ">"))
  }

  mutating func close(_ tag: HTMLTag) {
    if tag == .svg { drawings -= 1 }
    if hiddenElements > 0 { hiddenElements -= 1 }
    endTags.append(Int(tag.rawValue), to: &writer.out)
  }

  mutating func text(_ range: Range<Int>, decodes: Bool, _ tokeniser: borrowing HTMLTokeniser) {
    writer.write(tokeniser.bytes, range, decodes: decodes, escaping: .text)
  }

  mutating func empty(_ tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser) {
    switch tag {
    case .iframe, .embed: writeLink(to: PackedName("src"), tokeniser)
    case .object: writeLink(to: PackedName("data"), tokeniser)
    case .input: writeCheckbox(tokeniser)
    default:
      let start = writer.out.count
      startTags.append(Int(tag.rawValue), to: &writer.out)
      let seen = writeAttributes(of: tag, tokeniser)
      // Omits empty and hidden pictures and beacons.
      if tag == .img,
        !seen.hasSource && !seen.hasDescription || seen.isBeacon || seen.isInvisible
          || hiddenElements > 0 || find(Self.hidden, tokeniser) != nil
      {
        writer.out.removeSubrange(start...)
        return
      }
      if tag == .source, !seen.hasSource {
        writer.out.removeSubrange(start...)
        return
      }
      writer.out.append(UInt8(ascii: ">"))
    }
  }

  /// Writes the checkbox of a task in a list as a character; other form fields are omitted.
  private mutating func writeCheckbox(_ tokeniser: borrowing HTMLTokeniser) {
    guard let type = find(PackedName("type"), tokeniser),
      String(decoding: decoded(type.value, tokeniser), as: UTF8.self).lowercased() == "checkbox"
    else { return }
    writer.write(find(PackedName("checked"), tokeniser) == nil ? "☐ " : "☑ ")
  }

  /// Writes a link in place of content that a text cannot show.
  private mutating func writeLink(to name: PackedName, _ tokeniser: borrowing HTMLTokeniser) {
    guard let attribute = find(name, tokeniser) else { return }
    let isLink = { (address: [UInt8]) in
      address.starts(with: "http:".utf8) || address.starts(with: "https:".utf8)
    }
    guard let address = fitting(addresses.media(decoded(attribute.value, tokeniser))),
      isLink(address)
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
    var isHiddenByStyle = false

    var isInvisible: Bool {
      isHiddenByStyle
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
    if tag == .img, !seen.hasSource { writeLazySource(&seen, tokeniser) }
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
      guard tag == .a, let address = fitting(addresses.link(decoded(attribute.value, tokeniser)))
      else { return }
      write(known, address)
    case .citation:
      guard tag == .blockquote || tag == .q || tag == .ins || tag == .del,
        let address = fitting(addresses.link(decoded(attribute.value, tokeniser)))
      else { return }
      write(known, address)
    case .drawingLink:
      guard tag == .a && drawings > 0 || tag.traits.contains(.isMath),
        let address = fitting(addresses.link(decoded(attribute.value, tokeniser)))
      else { return }
      write(known, address)
    case .media:
      guard tag == .img || tag == .source || tag == .video || tag == .audio else { return }
      let best = tag == .img ? fittingSource(tokeniser) : nil
      guard let address = fitting(best ?? addresses.media(decoded(attribute.value, tokeniser)))
      else { return }
      seen.hasSource = true
      write(known, address)
    case .poster:
      guard tag == .video,
        let address = fitting(addresses.media(decoded(attribute.value, tokeniser)))
      else { return }
      write(known, address)
    case .style:
      let value = decoded(attribute.value, tokeniser)
      seen.isHiddenByStyle = AttributePolicy.hides(value)
      if let style = AttributePolicy.style(value) {
        write(known, style)
      }
    case .drawing:
      guard !tag.traits.isDisjoint(with: [.isMath, .isDrawing]) else { return }
      let value = decoded(attribute.value, tokeniser)
      if AttributePolicy.isDrawingValue(value) { write(known, value) }
    }
  }

  /// Writes the address that a lazy-loading page stores in another attribute.
  private mutating func writeLazySource(
    _ seen: inout Seen, _ tokeniser: borrowing HTMLTokeniser
  ) {
    for name in Self.lazySources {
      guard let attribute = find(name, tokeniser) else { continue }
      var value = decoded(attribute.value, tokeniser)
      if name == Self.sourceSet || name == Self.lazySourceSet {
        guard let best = SourceSet.best(value) else { continue }
        value = best
      }
      guard let address = fitting(addresses.media(value)) else { continue }
      seen.hasSource = true
      guard let source = attributes[Self.source] else { return }
      write(source, address)
      return
    }
  }

  /// Returns the source whose width fits a text best, if there are several widths.
  private mutating func fittingSource(_ tokeniser: borrowing HTMLTokeniser) -> [UInt8]? {
    guard let attribute = find(Self.sourceSet, tokeniser) else { return nil }
    return SourceSet.byWidth(decoded(attribute.value, tokeniser)).flatMap(addresses.media)
  }

  private func fitting(_ address: [UInt8]?) -> [UInt8]? {
    guard let address, writer.out.count + address.count <= limits.addresses else { return nil }
    return address
  }

  private static let hidden = PackedName("hidden")
  private static let source = PackedName("src")
  private static let sourceSet = PackedName("srcset")
  private static let lazySourceSet = PackedName("data-srcset")
  private static let lazySources = [
    PackedName("data-src"), PackedName("data-original"), PackedName("data-lazy-src"), sourceSet,
    lazySourceSet,
  ]

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
