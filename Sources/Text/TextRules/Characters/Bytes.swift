// Pure functions on bytes and text, independent of XML, HTML elements and feeds.

internal import Foundation

extension UInt8 {
  /// True for tab, line feed, form feed, carriage return and space.
  @inlinable @inline(__always) package var isSpace: Bool {
    self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 || self == 0x0C
  }

  @inlinable @inline(__always) package var isDigit: Bool { self &- 0x30 < 10 }
  @inlinable @inline(__always) package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

  @inlinable @inline(__always) package var asciiLowercased: UInt8 {
    self &- 0x41 < 26 ? self | 0x20 : self
  }

  package var hexValue: UInt32? {
    switch self {
    case 0x30...0x39: UInt32(self - 0x30)
    case 0x41...0x46: UInt32(self - 0x41 + 10)
    case 0x61...0x66: UInt32(self - 0x61 + 10)
    default: nil
    }
  }
}

extension Collection<UInt8> where SubSequence: BidirectionalCollection {
  @inlinable package var trimmed: SubSequence {
    var rest = self[...]
    while let first = rest.first, first.isSpace { rest = rest.dropFirst() }
    while let last = rest.last, last.isSpace { rest = rest.dropLast() }
    return rest
  }
}

extension Collection<UInt8> {
  /// Decodes UTF-8; invalid bytes become U+FFFD.
  @inlinable package var string: String { String(decoding: self, as: UTF8.self) }
}

extension UnsafeBufferPointer<UInt8> {
  /// Decodes UTF-8; invalid bytes become U+FFFD. For long texts `UTF8Validation` is faster than the
  /// standard library.
  package var string: String {
    if count > 64, UTF8Validation.firstFault(in: self, from: 0) == nil, #available(macOS 26, *) {
      return String(copying: UTF8Span(unchecked: span))
    }
    return String(decoding: self, as: UTF8.self)
  }
}

extension [UInt8] {
  package var string: String { withUnsafeBufferPointer { $0.string } }
}

extension ArraySlice<UInt8> {
  package var string: String { withUnsafeBufferPointer { $0.string } }
}

extension String {
  package var trimmedOrNil: String? {
    let bytes = utf8
    guard let first = bytes.first, let last = bytes.last else { return nil }
    if !first.isSpace, !last.isSpace { return self }
    let inner = Array(bytes).trimmed
    return inner.isEmpty ? nil : inner.string
  }
}

extension String {
  package func holds(_ word: StaticString) -> Bool {
    var text = self
    return text.withUTF8 { $0.index(of: word) != nil }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the first occurrence of the byte from `start`; uses the C library.
  package func index(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let base = baseAddress,
      let found = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  package func index(of word: StaticString, from start: Int = 0) -> Int? {
    let length = word.utf8CodeUnitCount
    var from = start
    while let index = index(of: word.utf8Start[0], from: from), index + length <= count {
      var same = 1
      while same < length, self[index + same] == word.utf8Start[same] { same += 1 }
      if same == length { return index }
      from = index + 1
    }
    return nil
  }

  /// Compares with an ASCII word, ignoring case; `word` is in lower case.
  package func matches(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index].asciiLowercased != word.utf8Start[index] {
      return false
    }
    return true
  }
}
