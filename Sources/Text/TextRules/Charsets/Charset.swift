internal import Foundation

/// Character encodings by name, and decoding.
enum Charset {
  /// Returns the name to decode with: web labels get their superset (WHATWG Encoding, §4.2).
  static func canonical(_ label: String) -> String {
    let name = label.lowercased()
    return synonyms[name] ?? name
  }

  private static let synonyms: [String: String] = [
    "utf8": "utf-8", "unicode-1-1-utf-8": "utf-8", "utf-8n": "utf-8", "unicode": "utf-8",
    "utf-16": "utf-8", "utf-16le": "utf-8", "utf-16be": "utf-8", "utf-32": "utf-8",
    "ucs-2": "utf-8", "iso-10646-ucs-2": "utf-8", "iso-10646-ucs-4": "utf-8",
    "utf-32le": "utf-8", "utf-32be": "utf-8",
    "iso-8859-1": "windows-1252", "iso8859-1": "windows-1252", "iso_8859-1": "windows-1252",
    "latin1": "windows-1252", "latin-1": "windows-1252", "l1": "windows-1252",
    "us-ascii": "windows-1252", "ascii": "windows-1252", "ansi": "windows-1252",
    "ansi_x3.4-1968": "windows-1252", "cp1252": "windows-1252", "x-cp1252": "windows-1252",
    "iso-8859-9": "windows-1254", "iso8859-9": "windows-1254", "latin5": "windows-1254",
    "iso-8859-11": "cp874", "tis-620": "cp874", "windows-874": "cp874",
    "gb2312": "gb18030", "gb_2312-80": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030",
    "cp936": "gb18030", "hz-gb-2312": "hz",
    "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932",
    "windows-31j": "cp932", "ms_kanji": "cp932",
    "euc-kr": "cp949", "ks_c_5601-1987": "cp949", "ksc5601": "cp949", "korean": "cp949",
    "windows-949": "cp949", "x-windows-949": "cp949",
    "big5": "big5-hkscs", "big-5": "big5-hkscs", "x-x-big5": "big5-hkscs", "cn-big5": "big5-hkscs",
    "x-euc-jp": "euc-jp", "koi8": "koi8-r", "x-mac-roman": "macintosh", "mac": "macintosh",
    "x-mac-cyrillic": "maccyrillic", "iso-8859-8-i": "iso-8859-8",
  ]

  static func isLatinDefault(_ canonical: String) -> Bool { canonical == "windows-1252" }

  /// True for encodings of single bytes, whose texts are hardly ever valid UTF-8 by chance.
  static func isSingleByte(_ canonical: String) -> Bool {
    ["windows-125", "cp125", "koi8-", "iso-8859-", "iso8859-", "mac"].contains {
      canonical.hasPrefix($0)
    }
  }

  /// True for encodings that write non-ASCII characters with ASCII bytes.
  static func isStateful(_ canonical: String) -> Bool {
    canonical.hasPrefix("iso-2022") || canonical == "hz" || canonical == "utf-7"
  }

  /// Decodes with the C library's iconv.
  /// - Parameter lenient: true to replace invalid bytes by U+FFFD. Otherwise they are a failure,
  ///   except for a character truncated by the end.
  /// - Returns: `nil` for an unknown charset or a failure.
  static func decode(_ bytes: [UInt8], from name: String, lenient: Bool) -> [UInt8]? {
    if name == "windows-1252" { return Windows1252.decode(bytes) }
    // Accepts only a plain name: iconv reads options after slashes.
    guard name.utf8.count < 40,
      name.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "-_.:".utf8.contains($0) })
    else { return nil }
    guard let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else {
      return nil
    }
    defer { iconv_close(converter) }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count + bytes.count / 2)
    var buffer = [CChar](repeating: 0, count: 16384)
    var source = bytes
    let isDecoded = source.withUnsafeMutableBytes { raw in
      var input: UnsafeMutablePointer<CChar>? = raw.bindMemory(to: CChar.self).baseAddress
      var left = raw.count
      while left > 0 {
        let (failure, written) = buffer.withUnsafeMutableBufferPointer { buffer in
          var output: UnsafeMutablePointer<CChar>? = buffer.baseAddress
          var room = buffer.count
          let result = iconv(converter, &input, &left, &output, &room)
          return (result == -1 ? errno : 0, buffer.count - room)
        }
        out.append(contentsOf: buffer[..<written].lazy.map { UInt8(bitPattern: $0) })
        guard failure != 0, failure != E2BIG else { continue }
        guard lenient || failure == EINVAL else { return false }
        out.append(contentsOf: [0xEF, 0xBF, 0xBD])
        input = input?.advanced(by: 1)
        left -= 1
      }
      return true
    }
    guard isDecoded else { return nil }
    return TextDecoding.isUTF8(out) ? out : TextDecoding.repairedUTF8(out)
  }
}

/// The charset that the web uses for Latin-1 (WHATWG Encoding, §4.2).
enum Windows1252 {
  /// Returns the scalar of a byte; the five undefined bytes are controls.
  static func scalar(_ byte: UInt8) -> UInt32 {
    (0x80..<0xA0).contains(byte) ? table[Int(byte) - 0x80] : UInt32(byte)
  }

  private static let table: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  static func decode(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes { UTF8Scalar.append(scalar(byte), to: &out) }
    return out
  }
}
