/// Decodes a document in any encoding to UTF-8.
///
/// Order of trust: byte order mark, the pattern of UTF-16 and UTF-32, the charset of the HTTP
/// header (RFC 7303, §3), the document's declaration, UTF-8, windows-1252. All except the first two
/// are claims: if decoding fails, the next is tried. Valid UTF-8 with non-ASCII characters is
/// UTF-8, even if a charset of single bytes is claimed.
package enum TextDecoding {
  /// - Parameter declared: finds the charset that the document declares.
  /// - Returns: valid UTF-8 without a byte order mark.
  package static func utf8(
    _ bytes: [UInt8], contentType: String?,
    declared: ([UInt8]) -> String? = TextDecoding.declaredEncoding
  ) -> [UInt8] {
    if let wide = WideEncoding.detect(bytes) { return wide.decode(bytes) }
    if let text = ebcdic(bytes) { return text }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      var rest = bytes[...]
      while rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
      let body = Array(rest)
      return isUTF8(body) ? body : repairedUTF8(body)
    }
    if let cut = cutCharacter(in: bytes) {
      return utf8(Array(bytes[..<cut]), contentType: contentType, declared: declared)
    }
    let isUTF8 = isUTF8(bytes)
    let claims = [charset(inContentType: contentType), declared(bytes)].compactMap { $0 }
      .map(Charset.canonical)
    for name in claims {
      if name == "utf-8", isUTF8, !isASCII(bytes) { break }
      if name == "utf-8" || isUTF8 && Charset.isSingleByte(name) { continue }
      if isUTF8, isASCII(bytes), !Charset.isStateful(name) { continue }
      if let decoded = Charset.decode(bytes, from: name, lenient: false) { return decoded }
    }
    if isUTF8 { return bytes }
    // Decodes leniently by a claim other than UTF-8 or a Latin charset. Otherwise repairs mostly
    // valid UTF-8, or decodes as windows-1252, which accepts everything.
    if let name = claims.first(where: { $0 != "utf-8" }), !Charset.isLatinDefault(name),
      let decoded = Charset.decode(bytes, from: name, lenient: true)
    {
      return decoded
    }
    return isMostlyUTF8(bytes) ? repairedUTF8(bytes) : Windows1252.decode(bytes)
  }

  /// Decodes EBCDIC with the declared code page, if it begins with `<?xm` (XML 1.0, Appendix F).
  private static func ebcdic(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.starts(with: [0x4C, 0x6F, 0xA7, 0x94]),
      let head = Charset.decode(Array(bytes.prefix(256)), from: "cp037", lenient: true)
    else { return nil }
    let declared = declaredEncoding(head).map(Charset.canonical)
    return declared.flatMap { Charset.decode(bytes, from: $0, lenient: true) }
      ?? Charset.decode(bytes, from: "cp037", lenient: true)
  }

  // MARK: Claims

  /// Returns the `charset` parameter; the value may have quotes of both kinds and spaces.
  package static func charset(inContentType contentType: String?) -> String? {
    guard let contentType else { return nil }
    let bytes = Array(contentType.utf8).map(\.asciiLowercased)
    guard let start = bytes.withUnsafeBufferPointer({ $0.index(of: "charset") }) else { return nil }
    var rest = bytes[(start + 7)...].trimmed
    guard rest.first == UInt8(ascii: "=") else { return nil }
    rest = rest.dropFirst()
    let value = rest.drop { $0.isSpace || $0 == 0x22 || $0 == 0x27 }
      .prefix { !$0.isSpace && $0 != 0x22 && $0 != 0x27 && !";,".utf8.contains($0) }
    return value.isEmpty ? nil : value.string
  }

  /// Returns the `encoding` of the XML declaration, anywhere in the first bytes.
  package static func declaredEncoding(_ bytes: [UInt8]) -> String? {
    let place = bytes.withUnsafeBufferPointer { bytes -> Range<Int>? in
      let head = UnsafeBufferPointer(rebasing: bytes.prefix(4096))
      guard let start = head.index(of: "<?xml"), let end = head.index(of: "?>", from: start + 5),
        let word = head.index(of: "encoding", from: start + 5), word + 8 <= end
      else { return nil }
      return (word + 8)..<end
    }
    guard let place else { return nil }
    var rest = bytes[place].trimmed
    guard rest.first == UInt8(ascii: "=") else { return nil }
    rest = rest.dropFirst().trimmed
    guard let quote = rest.first, quote == 0x22 || quote == 0x27 else { return nil }
    let value = rest.dropFirst().prefix { $0 != quote }
    return value.isEmpty ? nil : value.string
  }

  // MARK: UTF-8

  static func isASCII(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { UTF8Validation.endOfASCII(in: $0, from: 0) == $0.count }
  }

  /// Validates by RFC 3629, without surrogates and overlong forms.
  package static func isUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { UTF8Validation.firstFault(in: $0, from: 0) == nil }
  }

  /// Returns the start of a UTF-8 character truncated by the end; `nil` if there is none, or if
  /// nothing proves UTF-8.
  private static func cutCharacter(in bytes: [UInt8]) -> Int? {
    guard let last = bytes.last, last >= 0x80 else { return nil }
    return bytes.withUnsafeBufferPointer { bytes in
      guard let fault = UTF8Validation.firstFault(in: bytes, from: 0), bytes.count - fault < 4,
        UTF8Validation.endOfASCII(in: bytes, from: 0) < fault
      else { return nil }
      let length =
        switch bytes[fault] {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
      let isCut = bytes[(fault + 1)...].allSatisfy { $0 & 0xC0 == 0x80 }
      return isCut && bytes.count - fault < length ? fault : nil
    }
  }

  /// True if valid non-ASCII characters outnumber bad bytes three to one.
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
        let length = UTF8Validation.sequenceLength(bytes, index)
        if length == 0 { bad += 1 } else { good += 1 }
        index += max(1, length)
      }
      return good > bad * 3
    }
  }

  /// Decodes invalid bytes as windows-1252.
  static func repairedUTF8(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBufferPointer { bytes in
      var out: [UInt8] = []
      out.reserveCapacity(bytes.count + bytes.count / 16)
      var index = 0
      while index < bytes.count {
        let end = UTF8Validation.firstFault(in: bytes, from: index) ?? bytes.count
        out.append(contentsOf: bytes[index..<end])
        guard end < bytes.count else { break }
        UTF8Scalar.append(Windows1252.scalar(bytes[end]), to: &out)
        index = end + 1
      }
      return out
    }
  }
}
