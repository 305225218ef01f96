/// How much a text weighs, and how much of a sentence it is.
enum TextWeight {
  /// - Returns: `weight` in characters, white space collapsed, those of Chinese, Japanese and
  ///   Korean twice: they say as much as two of an alphabet. `marks`: commas and ends of sentences.
  static func of(_ text: String) -> (weight: Int, marks: Int) {
    var weight = 0
    var marks = 0
    var wasSpace = true
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x20, 0x09...0x0D, 0xA0:
        if !wasSpace { weight += 1 }
        wasSpace = true
        continue
      case 0x2C, 0x2E, 0x21, 0x3B, 0x3F:  // , . ! ; ?
        weight += 1
        marks += 1
      case 0x3001, 0x3002, 0xFF0C, 0xFF01, 0xFF1F:  // 、 。 ， ！ ？
        weight += 2
        marks += 1
      case 0x2E80...0xD7FF, 0xF900...0xFAFF, 0xFF00...0xFF60, 0x20000...0x3FFFF: weight += 2
      default: weight += 1
      }
      wasSpace = false
    }
    return (wasSpace && weight > 0 ? weight - 1 : weight, marks)
  }
}

/// The words of a class or id.
enum HintWords {
  /// Split where letters end and where a capital follows a small letter, in lower case.
  static func of(_ value: String?) -> [Substring] {
    guard let value else { return [] }
    var words = ""
    var wasSmall = false
    for character in value.unicodeScalars.prefix(500) {
      let isCapital = ("A"..."Z").contains(character)
      let isSmall = ("a"..."z").contains(character) || character.value >= 0x80
      if isCapital && wasSmall || !isCapital && !isSmall { words.unicodeScalars.append(" ") }
      if isCapital || isSmall { words.unicodeScalars.append(character) }
      wasSmall = isSmall
    }
    return words.lowercased().split(separator: " ")
  }
}
