// Bytes and texts: encodings, dates, plain text, addresses. What enters this folder knows neither XML
// nor feeds.

/// Bytes of a document in whatever encoding → UTF-8.
///
/// The order of belief: byte order mark, the shape of UTF-16 and UTF-32, the charset of the HTTP
/// header (RFC 7303, §3), the XML declaration, UTF-8. Each but the first two is only a claim: what
/// cannot be decoded so is tried with the next, and what is valid UTF-8 with characters beyond
/// ASCII is UTF-8, whatever Latin charset a server sends by default.
enum TextDecoding {
  /// - Returns: valid UTF-8 without a byte order mark.
  static func utf8(_ bytes: [UInt8], contentType: String?) -> [UInt8] {
    if let wide = WideEncoding.detect(bytes) { return wide.decode(bytes) }
    if let text = ebcdic(bytes) { return text }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      var rest = bytes[...]
      while rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
      let body = Array(rest)
      return isUTF8(body) ? body : repairedUTF8(body)
    }
    let isUTF8 = isUTF8(bytes)
    var claims: [String] = []
    if let charset = charset(inContentType: contentType) { claims.append(charset) }
    if let declared = declaredEncoding(bytes) { claims.append(declared) }
    for claim in claims {
      let name = Charset.canonical(claim)
      if name == "utf-8", isUTF8, !isASCII(bytes) { break }
      if name == "utf-8" || isUTF8 && Charset.isLatinDefault(name) { continue }
      if isUTF8, isASCII(bytes), !Charset.isStateful(name) { continue }
      if let decoded = Charset.decode(bytes, from: name, lenient: false) { return decoded }
    }
    if isUTF8 { return bytes }
    // Mostly UTF-8 with a few bad bytes keeps its characters; bytes that are no UTF-8 at all are
    // what the claim says as far as it goes, else windows-1252, which accepts everything.
    if let claim = claims.first(where: { Charset.canonical($0) != "utf-8" }),
      !Charset.isLatinDefault(Charset.canonical(claim)),
      let decoded = Charset.decode(bytes, from: Charset.canonical(claim), lenient: true)
    {
      return decoded
    }
    if isMostlyUTF8(bytes) { return repairedUTF8(bytes) }
    return Charset.decode(bytes, from: "windows-1252", lenient: true) ?? repairedUTF8(bytes)
  }

  /// EBCDIC, told by its `<?xm` (XML 1.0, Appendix F); which of its code pages is written in it.
  private static func ebcdic(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.starts(with: [0x4C, 0x6F, 0xA7, 0x94]),
      let head = Charset.decode(Array(bytes.prefix(256)), from: "cp037", lenient: true)
    else { return nil }
    let declared = declaredEncoding(head).map(Charset.canonical)
    return declared.flatMap { Charset.decode(bytes, from: $0, lenient: true) }
      ?? Charset.decode(bytes, from: "cp037", lenient: true)
  }

  // MARK: Claims

  /// The `charset` parameter, as lenient as servers need: quotes of both kinds, spaces, a colon.
  static func charset(inContentType contentType: String?) -> String? {
    guard let contentType else { return nil }
    let bytes = Array(contentType.utf8).map(\.asciiLowercased)
    guard let start = bytes.firstRange(of: Array("charset".utf8))?.upperBound else { return nil }
    var rest = bytes[start...].trimmed
    guard rest.first == UInt8(ascii: "=") else { return nil }
    rest = rest.dropFirst()
    let value = rest.drop { $0.isSpace || $0 == 0x22 || $0 == 0x27 }
      .prefix { !$0.isSpace && $0 != 0x22 && $0 != 0x27 && $0 != UInt8(ascii: ";") }
    return value.isEmpty ? nil : value.string
  }

  /// `encoding` of the XML declaration, wherever it stands in the first bytes.
  static func declaredEncoding(_ bytes: [UInt8]) -> String? {
    let head = bytes.prefix(4096)
    guard let start = head.firstRange(of: Array("<?xml".utf8))?.upperBound,
      let end = head[start...].firstRange(of: Array("?>".utf8))?.lowerBound,
      let word = head[start..<end].firstRange(of: Array("encoding".utf8))?.upperBound
    else { return nil }
    var rest = head[word..<end].trimmed
    guard rest.first == UInt8(ascii: "=") else { return nil }
    rest = rest.dropFirst().trimmed
    guard let quote = rest.first, quote == 0x22 || quote == 0x27 else { return nil }
    let value = rest.dropFirst().prefix { $0 != quote }
    return value.isEmpty ? nil : value.string
  }

  // MARK: UTF-8

  static func isASCII(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { endOfASCII(in: $0, from: 0) == $0.count }
  }

  /// Where the first byte beyond ASCII stands; eight at a time.
  private static func endOfASCII(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = start
    while index + 8 <= bytes.count,
      raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      index += 8
    }
    while index < bytes.count, bytes[index] < 0x80 { index += 1 }
    return index
  }

  /// RFC 3629, without surrogates and overlong forms.
  static func isUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { firstFault(in: $0, from: 0) == nil }
  }

  /// Where the first byte stands that belongs to no character.
  private static func firstFault(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    while true {
      index = endOfASCII(in: bytes, from: index)
      guard index < bytes.count else { return nil }
      // Letters beyond ASCII seldom stand alone.
      while index < bytes.count, bytes[index] >= 0x80 {
        let length = sequenceLength(bytes, index)
        if length == 0 { return index }
        index += length
      }
    }
  }

  /// Bytes of the character that begins at `index`; 0 where none does.
  @inline(__always)
  private static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    let first = bytes[index]
    guard first >= 0xC2, first <= 0xF4, index + 1 < bytes.count else { return 0 }
    let second = bytes[index + 1]
    guard second & 0xC0 == 0x80 else { return 0 }
    if first < 0xE0 { return 2 }
    guard index + 2 < bytes.count, bytes[index + 2] & 0xC0 == 0x80 else { return 0 }
    if first < 0xF0 {
      // Overlong forms and surrogates.
      return first == 0xE0 && second < 0xA0 || first == 0xED && second > 0x9F ? 0 : 3
    }
    guard index + 3 < bytes.count, bytes[index + 3] & 0xC0 == 0x80 else { return 0 }
    return first == 0xF0 && second < 0x90 || first == 0xF4 && second > 0x8F ? 0 : 4
  }

  /// Whether good characters beyond ASCII outnumber the bad bytes three to one.
  private static func isMostlyUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var good = 0
      var bad = 0
      var index = 0
      while index < bytes.count {
        if bytes[index] < 0x80 {
          index += 1
          continue
        }
        let length = sequenceLength(bytes, index)
        if length == 0 { bad += 1 } else { good += 1 }
        index += max(1, length)
      }
      return good > bad * 3
    }
  }

  /// Bytes that belong to no character are taken as windows-1252: what a careless copy leaves.
  static func repairedUTF8(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBufferPointer { bytes in
      var out: [UInt8] = []
      out.reserveCapacity(bytes.count + bytes.count / 16)
      var index = 0
      while index < bytes.count {
        let end = firstFault(in: bytes, from: index) ?? bytes.count
        out.append(contentsOf: bytes[index..<end])
        guard end < bytes.count else { break }
        let byte = bytes[end]
        let scalar =
          byte < 0xA0 ? PlainText.windows1252[Int(byte) - 0x80] : Unicode.Scalar(byte)
        out.append(contentsOf: String(Character(scalar)).utf8)
        index = end + 1
      }
      return out
    }
  }
}

/// UTF-16 and UTF-32, told by a mark or by where the zeros of `<` stand (XML 1.0, Appendix F).
enum WideEncoding {
  case utf16(littleEndian: Bool, skip: Int)
  case utf32(littleEndian: Bool, skip: Int)

  static func detect(_ bytes: [UInt8]) -> WideEncoding? {
    let head = Array(bytes.prefix(8))
    func begins(_ pattern: UInt8...) -> Bool { head.starts(with: pattern) }
    if begins(0xFF, 0xFE, 0, 0) { return .utf32(littleEndian: true, skip: 4) }
    if begins(0, 0, 0xFE, 0xFF) { return .utf32(littleEndian: false, skip: 4) }
    if begins(0xFF, 0xFE) { return .utf16(littleEndian: true, skip: 2) }
    if begins(0xFE, 0xFF) { return .utf16(littleEndian: false, skip: 2) }
    for first in [UInt8(ascii: "<"), UInt8(ascii: "{"), 0x20, 0x0A, 0x0D] {
      if begins(first, 0, 0, 0) { return .utf32(littleEndian: true, skip: 0) }
      if begins(0, 0, 0, first) { return .utf32(littleEndian: false, skip: 0) }
      if begins(first, 0), head.count > 3, head[2] != 0, head[3] == 0 {
        return .utf16(littleEndian: true, skip: 0)
      }
      if begins(0, first, 0), head.count > 3, head[3] != 0 {
        return .utf16(littleEndian: false, skip: 0)
      }
    }
    return nil
  }

  func decode(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    func append(_ value: UInt32) {
      let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
      if scalar == "\u{FEFF}" { return }
      if value < 0x80 {
        out.append(UInt8(value))
      } else {
        out.append(contentsOf: String(Character(scalar)).utf8)
      }
    }
    switch self {
    case .utf32(let littleEndian, let skip):
      var index = skip
      while index + 4 <= bytes.count {
        var value: UInt32 = 0
        for place in 0..<4 {
          value = value << 8 | UInt32(bytes[index + (littleEndian ? 3 - place : place)])
        }
        append(value)
        index += 4
      }
    case .utf16(let littleEndian, let skip):
      func unit(_ index: Int) -> UInt32 {
        let (first, second) = (UInt32(bytes[index]), UInt32(bytes[index + 1]))
        return littleEndian ? second << 8 | first : first << 8 | second
      }
      var index = skip
      while index + 2 <= bytes.count {
        let value = unit(index)
        index += 2
        if value >= 0xD800, value < 0xDC00, index + 2 <= bytes.count {
          let low = unit(index)
          if low >= 0xDC00, low < 0xE000 {
            append(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00))
            index += 2
            continue
          }
        }
        append(value)
      }
    }
    return out
  }
}
