import FeedModel
import HTMLContent

/// Converts raised and lowered text to one line.
enum ScriptText {
  /// - Parameter isFormula: false for text in which a raised "a" or "th" makes an ordinal number.
  static func text(_ text: String, isRaised: Bool, isFormula: Bool = false) -> String {
    let plain = text.trimming(while: { $0 == " " })
    if plain.first != "[", isReference(plain) { return text }
    let isOrdinal = isRaised && !isFormula && ordinals.contains(plain.lowercased())
    guard !plain.isEmpty, !isOrdinal else { return text }
    let inner =
      plain.hasPrefix("[") && plain.hasSuffix("]") ? String(plain.dropFirst().dropLast()) : plain
    let table = isRaised ? raised : lowered
    var mapped = ""
    for character in inner {
      guard let other = table[character] else {
        // A raised sign, such as that of a footnote, needs no mark.
        if plain.count == 1, !character.isLetter, !character.isNumber { return text }
        return (isRaised ? "^" : "_") + (plain.count == 1 ? plain : "(\(plain))")
      }
      mapped.append(other)
    }
    return mapped
  }

  /// True for "[6]" or raised digits.
  static func isReference(_ text: String) -> Bool {
    let text = text.replacing("\u{2060}", with: "").replacing("\u{A0}", with: "")
    if text.hasPrefix("["), text.hasSuffix("]") {
      let digits = text.dropFirst().dropLast()
      return (1...4).contains(digits.count) && digits.allSatisfy { $0.isASCII && $0.isNumber }
    }
    return (1...4).contains(text.count) && text.allSatisfy { "⁰¹²³⁴⁵⁶⁷⁸⁹".contains($0) }
  }

  private static let ordinals: Set<String> = [
    "st", "nd", "rd", "th", "er", "re", "e", "ème", "o", "a", "º", "ª", "tm", "sm", "®", "™",
  ]
  private static let raised = table(
    "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθφχ",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵠᵡ")
  private static let lowered = table(
    "0123456789+-−=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ")

  private static func table(_ from: String, _ to: String) -> [Character: Character] {
    Dictionary(zip(from, to)) { first, _ in first }
  }
}

/// Writes a formula in one line, as a person would type it.
enum FormulaText {
  /// True if there is only MathML; pictures and links are read as text.
  static func isFormula(_ nodes: [HTMLNode]) -> Bool {
    nodes.allSatisfy { node in
      guard case .element(let element) = node else { return true }
      return elements.contains(element.name) && isFormula(element.children)
    }
  }

  private static let elements: Set<String> = [
    "mfenced", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded", "mphantom", "mroot",
    "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext",
    "mtr", "munder", "munderover", "semantics",
  ]

  static func text(_ math: HTMLElement) -> String {
    let formula = math.children.map(text).joined()
    // TeX is harder to read than a line of the formula.
    guard let text = math["alttext"], !text.isEmpty, formula.isEmpty || !text.contains("\\") else {
      return formula
    }
    return SmallPicture.formula(text)
  }

  private static func text(_ node: HTMLNode) -> String {
    guard case .element(let element) = node else {
      if case .text(let text) = node { return text.trimming(while: \.isWhitespace) }
      return ""
    }
    let parts = element.children.map(text).filter { !$0.isEmpty }
    switch element.name {
    case "msup" where parts.count == 2, "mover" where parts.count == 2:
      return parts[0] + ScriptText.text(parts[1], isRaised: true, isFormula: true)
    case "msub" where parts.count == 2, "munder" where parts.count == 2:
      return parts[0] + ScriptText.text(parts[1], isRaised: false, isFormula: true)
    case "msubsup" where parts.count == 3, "munderover" where parts.count == 3:
      return parts[0] + ScriptText.text(parts[1], isRaised: false, isFormula: true)
        + ScriptText.text(parts[2], isRaised: true, isFormula: true)
    case "mfrac" where parts.count == 2:
      return grouped(parts[0]) + "/" + grouped(parts[1])
    case "msqrt": return "√" + grouped(parts.joined())
    case "mfenced": return "(" + parts.joined(separator: ", ") + ")"
    case "mo":
      let sign = parts.joined()
      return "+-−=<>±×·≤≥≈≠→∈".contains(sign) && sign.count == 1 ? " \(sign) " : sign
    case "mtr": return parts.joined(separator: " ") + "; "
    default: return parts.joined()
    }
  }

  private static func grouped(_ text: String) -> String { text.count > 1 ? "(\(text))" : text }

  static func collect(_ nodes: [HTMLNode], into words: inout InlineText) {
    for node in nodes {
      switch node {
      case .text(let text): words.append(text, style: [], link: nil)
      case .element(let element):
        words.append(" ", style: [], link: nil)
        collect(element.children, into: &words)
      }
    }
  }
}

/// The last part of an address, for pictures without a description.
enum FileName {
  static func of(_ address: String?) -> String {
    guard let address else { return "" }
    let parsed = WebAddress(address)
    return parsed.path.split(separator: "/").last.map(String.init) ?? parsed.host ?? ""
  }
}

enum CodeLines {
  /// Splits at line ends. A newline after the start tag is ignored (WHATWG HTML §13.2.6.4.7); tabs
  /// stop at every fourth column.
  /// - Parameter isFirst: true if the text begins after the start tag.
  static func split(_ text: InlineText, isFirst: Bool) -> [InlineText] {
    var lines: [InlineText] = []
    var line = InlineText()
    var start = 0
    for run in text.runs {
      var piece = start
      for index in start..<run.end where text.bytes[index] == 0x0A {
        append(text.bytes[piece..<index], run, to: &line)
        lines.append(line)
        line = InlineText()
        piece = index + 1
      }
      append(text.bytes[piece..<run.end], run, to: &line)
      start = run.end
    }
    lines.append(line)
    if isFirst, text.bytes.first == 0x0A { lines.removeFirst() }
    return lines
  }

  /// The last column with a tab stop. A tab after it becomes one space, so that a line of many tabs
  /// does not grow fourfold.
  private static let lastTabStop = 1_000

  private static func append(
    _ bytes: ArraySlice<UInt8>, _ run: InlineText.Run, to line: inout InlineText
  ) {
    var text = String(decoding: bytes, as: UTF8.self)
    if bytes.contains(0x09) {
      var column = line.bytes.count
      var expanded = ""
      for character in text {
        let count = character == "\t" && column < lastTabStop ? 4 - column % 4 : 1
        expanded += character == "\t" ? String(repeating: " ", count: count) : String(character)
        column += count
      }
      text = expanded
    }
    line.append(verbatim: text, style: run.style, link: run.link)
  }
}

extension String {
  func trimming(while condition: (Character) -> Bool) -> String {
    let start = drop(while: condition)
    guard let last = start.lastIndex(where: { !condition($0) }) else { return "" }
    return String(start[...last])
  }
}
