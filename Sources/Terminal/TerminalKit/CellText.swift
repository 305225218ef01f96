/// Filters text for cells: drops control characters, escapes, bidi controls, tags and invisible
/// scalars.
enum CellText {
  /// Returns the allowed part of a cluster, if any. White space becomes a space character.
  static func admissible(_ cluster: Character) -> (text: String, width: Int)? {
    // `asciiValue` is slower: it first compares with "\r\n".
    if cluster.utf8.count == 1, let ascii = cluster.utf8.first {
      if ascii >= 0x20 && ascii < 0x7F { return (String(cluster), 1) }
      // Tabs and line ends separate words; other controls are dropped.
      return ascii >= 0x09 && ascii <= 0x0D ? (" ", 1) : nil
    }
    var marks = 0
    var count = 0
    var untouched = true
    for scalar in cluster.unicodeScalars {
      count += 1
      if isMark(scalar) { marks += 1 }
      if verdict(on: scalar) != .keep { untouched = false }
    }
    if untouched && marks <= GraphemeWidth.combiningLimit && count <= scalarLimit {
      let width = GraphemeWidth.width(of: cluster)
      return width > 0 ? (String(cluster), width) : nil
    }
    return rebuilt(cluster)
  }

  /// Returns true for marks and joiners alone: they have no cell, but join the last typed letter.
  static func joinsTheLast(_ cluster: Character) -> Bool {
    cluster.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark: verdict(on: scalar) == .keep
      default: scalar.value == 0x200C || scalar.value == 0x200D
      }
    }
  }

  /// The most scalars of a cluster; emoji sequences of vendors have fewer.
  private static let scalarLimit = 16

  private enum Verdict { case keep, drop, blank }

  private static func rebuilt(_ cluster: Character) -> (text: String, width: Int)? {
    var kept = String.UnicodeScalarView()
    var marks = 0
    for scalar in cluster.unicodeScalars where kept.count < scalarLimit {
      switch verdict(on: scalar) {
      case .drop: continue
      case .blank: if kept.isEmpty { kept.append(" ") }
      case .keep:
        if isMark(scalar) {
          marks += 1
          if marks > GraphemeWidth.combiningLimit { continue }
        }
        kept.append(scalar)
      }
    }
    // The rest may be several clusters; a cell holds one.
    guard let first = String(kept).first else { return nil }
    let width = GraphemeWidth.width(of: first)
    return width > 0 ? (String(first), width) : nil
  }

  /// Returns true for common letters, signs and lines, which are no marks, spaces or invisible
  /// scalars. Much faster than a lookup of properties.
  static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xA1..<0xAD, 0xAE..<0x300: true
    // Greek and Cyrillic.
    case 0x370..<0x483: true
    // Dashes, quotation marks, currencies, arrows, lines, shapes.
    case 0x2010..<0x2028, 0x2030..<0x205F, 0x20A0..<0x20D0, 0x2100..<0x2C00: true
    // Kana, Han, Hangul.
    case 0x3041..<0x3097, 0x30A1..<0x3100, 0x4E00..<0xA000, 0xAC00..<0xD7A4: true
    // Emoji.
    case 0x1F000..<0x1FB00: true
    default: false
    }
  }

  private static func verdict(on scalar: Unicode.Scalar) -> Verdict {
    if isPlain(scalar) { return .keep }
    let value = scalar.value
    switch value {
    case 0x20..<0x7F: return .keep
    case 0x09...0x0D, 0x85, 0xA0, 0x2028, 0x2029: return .blank
    case 0..<0x20, 0x7F..<0xA0, 0xAD: return .drop
    // Joiners are used between letters of Persian and the Indic scripts, and in emoji.
    case 0x200C, 0x200D: return .keep
    case 0xFE0E, 0xFE0F: return .keep
    // Conjoining vowels and finals of Hangul, without the two fillers.
    case 0x1161...0x11FF: return .keep
    case 0xFFF9...0xFFFB: return .drop
    // A terminal with graphics would show a part of a picture for this scalar.
    case PicturePlaceholder.base: return .drop
    // Noncharacters.
    case 0xFDD0...0xFDEF: return .drop
    default:
      if value & 0xFFFE == 0xFFFE { return .drop }
      let properties = scalar.properties
      if properties.isDefaultIgnorableCodePoint || properties.isBidiControl { return .drop }
      return properties.generalCategory == .spaceSeparator ? spaceVerdict(value) : .keep
    }
  }

  /// The ideographic space keeps two columns.
  private static func spaceVerdict(_ value: UInt32) -> Verdict { value == 0x3000 ? .keep : .blank }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x300 || isPlain(scalar) { return false }
    if scalar.value == 0xFE0E || scalar.value == 0xFE0F { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return true
    default: return false
    }
  }
}

package enum TitleText {
  /// Returns one line of at most 200 columns without control characters, which could end the
  /// sequence.
  package static func line(_ text: String, supportsUTF8: Bool) -> String {
    var surface = Surface(size: Size(width: 200, height: 1))
    let used = surface.write(text, x: 0, y: 0)
    var line = ""
    for x in 0..<used {
      let text = surface[x, 0].text
      line +=
        supportsUTF8
        ? text : ASCIIFallback.text(for: text, columns: surface.isWideLead(x, 0) ? 2 : 1)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
