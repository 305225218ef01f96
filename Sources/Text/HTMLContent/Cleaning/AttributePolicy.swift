internal import TextRules

/// Decides which attributes clean HTML may contain.
enum AttributePolicy {
  enum Rule: Sendable {
    /// Any text, on any element.
    case text
    case description
    /// Digits, with an optional per cent sign or "px".
    case length
    case width
    case height
    /// A whole number, possibly negative.
    case integer
    /// An attribute written without a value.
    case flag
    /// The value ltr, rtl or auto.
    case direction
    /// The value left, center or right, of a cell.
    case alignment
    /// The target of a link, of `cite`, or of a link in a drawing.
    case link
    case citation
    case drawingLink
    case media
    case poster
    case style
    case className
    /// `hidden` and `aria-hidden`, which are not written.
    case hidden
    case ariaHidden
    /// Geometry and paint of a drawing or formula.
    case drawing
  }

  /// The rules of an attribute, as plain bits, which avoid reference counting.
  struct Attribute: Sendable {
    var rule: Rule
    /// Index into `names`.
    var index: UInt8

    /// The attribute's bit in the set of attributes seen.
    var bit: UInt128 { 1 << UInt128(index) }
  }

  static let table = Table()

  struct Table: Sendable {
    private let names = NameTable(list.map(\.name))
    private let attributes = list.map(\.attribute)

    subscript(name: PackedName) -> Attribute? { names.place(of: name).map { attributes[$0] } }
  }

  static let names = JoinedTexts(list.map { " \($0.name)=\"" })

  private static let list: [(name: String, attribute: Attribute)] = {
    let rules: [(Rule, String)] = [
      (
        .text,
        """
        title id lang rel name value type abbr scope headers datetime hreflang label \
        alttext display reltype
        """
      ),
      (.description, "alt"), (.width, "width"), (.height, "height"),
      (.length, "colspan rowspan span"),
      (.integer, "start"),
      (.className, "class"),
      (.hidden, "hidden"),
      (.ariaHidden, "aria-hidden"),
      (.flag, "reversed open controls"),
      (.direction, "dir"),
      (.alignment, "align"),
      (.link, "href"),
      (.citation, "cite"),
      (.drawingLink, "xlink:href"),
      (.media, "src"),
      (.poster, "poster"),
      (.style, "style"),
      (
        .drawing,
        """
        viewbox baseprofile version cx cy r rx ry x y x1 y1 x2 y2 dx dy d points transform fill \
        fill-opacity fill-rule stroke stroke-width stroke-linecap stroke-linejoin opacity \
        text-anchor xlink:type xlink:show mathvariant
        """
      ),
    ]
    var list: [(name: String, attribute: Attribute)] = []
    for (rule, names) in rules {
      for name in names.split(separator: " ") {
        list.append((String(name), Attribute(rule: rule, index: UInt8(list.count))))
      }
    }
    precondition(list.count <= 128, "the bit set of attributes has a bit for each")
    return list
  }()

  /// Returns the harmless declarations of a style attribute: known properties with words, numbers
  /// and colours. Excludes parentheses, quotes and escapes.
  static func style(_ value: [UInt8]) -> [UInt8]? {
    var out: [UInt8] = []
    var name: [UInt8] = []
    for declaration in value.split(separator: UInt8(ascii: ";")).prefix(32) {
      guard let colon = declaration.firstIndex(of: UInt8(ascii: ":")) else { continue }
      name.removeAll(keepingCapacity: true)
      for byte in declaration[..<colon] where !byte.isSpace { name.append(byte.asciiLowercased) }
      guard properties.place(of: PackedName(name, name.indices)) != nil else { continue }
      let words = declaration[(colon + 1)...].split(whereSeparator: \.isSpace)
      guard !words.isEmpty, words.allSatisfy({ $0.allSatisfy(isHarmless) }) else { continue }
      if !out.isEmpty { out.append(contentsOf: "; ".utf8) }
      out.append(contentsOf: name)
      out.append(UInt8(ascii: ":"))
      for word in words {
        out.append(0x20)
        out.append(contentsOf: word)
      }
    }
    return out.isEmpty ? nil : out
  }

  private static let properties = NameTable([
    "border", "clear", "color", "direction", "float", "font-style", "font-variant", "font-weight",
    "height", "list-style-type", "margin", "margin-left", "padding", "text-align",
    "text-decoration", "text-indent", "vertical-align", "white-space", "width",
  ])

  private static func isHarmless(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "#.%,-+!".utf8.contains(byte)
  }

  static func isLength(_ value: some Collection<UInt8>) -> Bool {
    let digits = value.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
    guard !digits.isEmpty else { return false }
    let unit = value.dropFirst(digits.count)
    return unit.isEmpty || unit.elementsEqual("%".utf8) || unit.elementsEqual("px".utf8)
  }

  /// True for numbers, names, colours and calls like `translate(1,2)`, without addresses.
  static func isDrawingValue(_ value: [UInt8]) -> Bool {
    guard value.allSatisfy({ isHarmless($0) || $0.isSpace || $0 == 0x28 || $0 == 0x29 })
    else { return false }
    return !String(decoding: value, as: UTF8.self).lowercased().contains("url")
  }
}
