import CLibXML2

/// Bytes of a web page → UTF-8.
///
/// Order of belief as in WHATWG HTML §13.2.3.1: byte order mark, `Content-Type` header, `<meta>` in the
/// beginning; without any of them UTF-8 if it is that, else windows-1252.
enum PageEncoding {
  static func utf8(_ page: [UInt8], contentType: String?) -> [UInt8] {
    if page.starts(with: [0xEF, 0xBB, 0xBF]) { return repaired(Array(page.dropFirst(3))) }
    if page.starts(with: [0xFF, 0xFE]) { return utf16(page.dropFirst(2), isBigEndian: false) }
    if page.starts(with: [0xFE, 0xFF]) { return utf16(page.dropFirst(2), isBigEndian: true) }
    if let label = contentType.flatMap(charset) { return decode(page, label: label) }
    // A declaration that could be read as ASCII cannot be true of UTF-16.
    if let label = declared(page) {
      return decode(page, label: label.hasPrefix("utf-16") ? "utf-8" : label)
    }
    return isUTF8(page) ? page : windows1252(page)
  }

  /// The `charset` parameter of a media type, in lower case.
  static func charset(of contentType: String) -> String? {
    let lower = contentType.lowercased()
    guard let range = lower.firstRange(of: "charset") else { return nil }
    var rest = lower[range.upperBound...].drop { $0.isWhitespace }
    guard rest.first == "=" else { return nil }
    rest = rest.dropFirst().drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
    let label = rest.prefix {
      !$0.isWhitespace && $0 != ";" && $0 != "\"" && $0 != "'" && $0 != ","
    }
    return label.isEmpty ? nil : String(label)
  }

  /// What a `<meta charset>` or `<meta http-equiv=content-type>` says within the first 4 KiB.
  private static func declared(_ page: [UInt8]) -> String? {
    let head = Array(page.prefix(4096).map { $0 < 0x80 ? $0 : 0x3F })
    return head.withUnsafeBufferPointer(declared)
  }

  private static func declared(_ head: UnsafeBufferPointer<UInt8>) -> String? {
    var tokeniser = HTMLTokeniser(head)
    let meta = PackedName("meta")
    let charsetName = PackedName("charset")
    let content = PackedName("content")
    while true {
      switch tokeniser.next() {
      case .startTag where tokeniser.name == meta:
        for attribute in tokeniser.attributes {
          let name = PackedName(head, attribute.name)
          let value = String(decoding: head[attribute.value], as: UTF8.self)
          if name == charsetName { return HTMLContent.cleanText(value).lowercased() }
          if name == content, let label = charset(of: value) { return label }
        }
      case .unfinished, .end: return nil
      default: continue
      }
    }
  }

  private static func decode(_ page: [UInt8], label: String) -> [UInt8] {
    switch label {
    case "utf-8", "utf8", "unicode-1-1-utf-8": return repaired(page)
    case "iso-8859-1", "latin1", "iso8859-1", "windows-1252", "cp1252", "us-ascii", "ascii":
      // Many who write Latin-1 mean nothing by it.
      return isUTF8(page) ? page : windows1252(page)
    case "utf-16", "utf-16le": return utf16(page[...], isBigEndian: false)
    case "utf-16be": return utf16(page[...], isBigEndian: true)
    default: return converted(page, from: synonyms[label] ?? label) ?? repaired(page)
    }
  }

  /// Labels that stand for a larger set on the web (WHATWG Encoding §4.2).
  private static let synonyms = [
    "gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030", "shift_jis": "cp932",
    "shift-jis": "cp932", "x-sjis": "cp932", "sjis": "cp932", "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949", "iso-8859-9": "windows-1254", "iso-8859-11": "windows-874",
    "tis-620": "windows-874", "big5": "big5-hkscs", "x-euc-jp": "euc-jp",
  ]

  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
  }

  private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    isUTF8(bytes) ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)
  }

  private static func windows1252(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      TextFilter.append(CharacterReferences.windows1252(byte), to: &out)
    }
    return out
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
      let first = UInt16(bytes[index])
      let second = UInt16(bytes[index + 1])
      units.append(isBigEndian ? first << 8 | second : second << 8 | first)
      index += 2
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static let isLibraryReady: Void = xmlInitParser()

  /// By the C library's tables; nil for an unknown label. A byte that is none in the encoding becomes
  /// U+FFFD; after a thousand of them the rest is given up.
  private static func converted(_ bytes: [UInt8], from label: String) -> [UInt8]? {
    _ = isLibraryReady
    guard label.utf8.count < 40, let handler = xmlFindCharEncodingHandler(label) else { return nil }
    defer { xmlCharEncCloseFunc(handler) }
    guard let source = xmlBufferCreateSize(bytes.count + 1), let target = xmlBufferCreate()
    else { return nil }
    defer {
      xmlBufferFree(source)
      xmlBufferFree(target)
    }
    guard xmlBufferAdd(source, bytes, Int32(clamping: bytes.count)) == 0 else { return nil }
    var errors = 0
    while xmlBufferLength(source) > 0, errors < 1000 {
      let before = xmlBufferLength(source)
      let result = xmlCharEncInFunc(handler, target, source)
      if result == -2 {
        errors += 1
        xmlBufferAdd(target, [0xEF, 0xBF, 0xBD], 3)
        xmlBufferShrink(source, 1)
      } else if xmlBufferLength(source) == before {
        break
      }
    }
    guard let content = xmlBufferContent(target) else { return nil }
    return Array(UnsafeBufferPointer(start: content, count: Int(xmlBufferLength(target))))
  }
}
