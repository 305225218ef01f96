internal import TextRules

/// Measures the length of a text and its resemblance to sentences.
enum TextWeight {
  /// - Returns: `weight` in characters, with collapsed white space, and with Chinese, Japanese and
  ///   Korean counted twice; `marks`, the number of commas and ends of sentences.
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
  /// Maximum number of bytes read of one attribute.
  private static let maximumLength = 500

  /// Calls `visit` with the words of each name: "post-comments" and "postComments" both have two.
  /// Spaces separate names; words end at non-letters and before capitals.
  static func forEachName(in value: String, _ visit: ([PackedName]) -> Void) {
    var value = value
    value.withUTF8 { all in
      let bytes = UnsafeBufferPointer(rebasing: all.prefix(maximumLength))
      var words: [PackedName] = []
      var start: Int?
      for index in 0...bytes.count {
        let byte = index < bytes.count ? bytes[index] : UInt8(ascii: " ")
        let isLetter = byte.isLetter || byte >= 0x80
        if let begin = start, !isLetter || isCapital(byte) && !isCapital(bytes[index - 1]) {
          words.append(PackedName(bytes, begin..<index))
          start = nil
        }
        if isLetter {
          if start == nil { start = index }
        } else if byte.isSpace {
          if !words.isEmpty { visit(words) }
          words.removeAll(keepingCapacity: true)
        }
      }
    }
  }

  private static func isCapital(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// True if a class or id contains one of these words.
  static func has(_ wanted: NameTable, in value: String?) -> Bool {
    guard let value, !value.isEmpty else { return false }
    var isFound = false
    forEachName(in: value) { words in
      if words.contains(where: wanted.contains) { isFound = true }
    }
    return isFound
  }
}
