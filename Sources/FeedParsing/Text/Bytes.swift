// Small questions about bytes that several readers ask.

extension UInt8 {
  var isSpace: Bool {
    self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 || self == 0x0C
  }
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }
  var isLetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }
  var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

  /// The value of a hexadecimal digit.
  var hexValue: UInt32? {
    switch self {
    case 0x30...0x39: UInt32(self - 0x30)
    case 0x41...0x46: UInt32(self - 0x41 + 10)
    case 0x61...0x66: UInt32(self - 0x61 + 10)
    default: nil
    }
  }
}

extension Collection<UInt8> where SubSequence: BidirectionalCollection {
  /// Without white space around.
  var trimmed: SubSequence {
    var rest = self[...]
    while let first = rest.first, first.isSpace { rest = rest.dropFirst() }
    while let last = rest.last, last.isSpace { rest = rest.dropLast() }
    return rest
  }
}

extension Collection<UInt8> {
  /// As text; what is no UTF-8 becomes U+FFFD.
  var string: String { String(decoding: self, as: UTF8.self) }
}

extension String {
  /// Without white space around; nil where nothing is left.
  var trimmedOrNil: String? {
    let bytes = utf8
    guard let first = bytes.first, let last = bytes.last else { return nil }
    if !first.isSpace, !last.isSpace { return self }
    let inner = Array(bytes).trimmed
    return inner.isEmpty ? nil : inner.string
  }
}
