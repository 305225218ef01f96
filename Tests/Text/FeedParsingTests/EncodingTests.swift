@Suite("Character encodings") struct EncodingTests {
  private func document(_ encoding: String?, title: [UInt8]) -> [UInt8] {
    let declaration = encoding.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>" } ?? ""
    return Array((declaration + "<rss><channel><title>").utf8) + title
      + Array("</title></channel></rss>".utf8)
  }

  private func title(_ bytes: [UInt8], _ contentType: String? = nil) throws -> String {
    try FeedParser.parse(bytes, contentType: contentType).title
  }

  @Test(
    "A declared charset is decoded",
    arguments: [
      ("windows-1252", [0x93, 0x61, 0x94, 0x20, 0x80], "“a” €"),
      ("iso-8859-1", [0x93, 0xE9, 0x94], "“é”"),
      ("ISO-8859-15", [0xA4, 0xE9], "€é"),
      ("iso-8859-2", [0xA9, 0xE8], "Šč"),
      ("windows-1251", [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "Привет"),
      ("koi8-r", [0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4], "Привет"),
      ("iso-8859-7", [0xC1, 0xE1], "Αα"),
      ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
      ("euc-jp", [0xC6, 0xFC, 0xCB, 0xDC], "日本"),
      ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42], "日本"),
      ("gb2312", [0xD6, 0xD0, 0xCE, 0xC4], "中文"), ("gbk", [0xE6, 0x67, 0xBB, 0xF9], "鎔基"),
      ("big5", [0xA4, 0xA4, 0xA4, 0xE5], "中文"), ("euc-kr", [0xC7, 0xD1, 0xB1, 0xDB], "한글"),
      ("windows-1255", [0xF9, 0xEC, 0xE5, 0xED], "שלום"), ("macintosh", [0x43, 0x8E], "Cé"),
      ("us-ascii", [0x61, 0xE9], "aé"), ("utf-8", Array("ü★".utf8), "ü★"),
    ] as [(String, [UInt8], String)])
  func declaredCharset(name: String, bytes: [UInt8], text: String) throws {
    #expect(try title(document(name, title: bytes)) == text)
    #expect(try title(document(nil, title: bytes), "text/xml; charset=\(name)") == text)
    #expect(try title(document(name.uppercased(), title: bytes), "text/xml; charset=x-no") == text)
  }

  /// `<?xml version="1.0" encoding="ebcdic-cp-us"?><rss><channel><title>A!</title></channel></rss>`
  @Test("EBCDIC is recognised by its XML declaration") func ebcdicIsRecognised() throws {
    let bytes: [UInt8] = [
      0x4C, 0x6F, 0xA7, 0x94, 0x93, 0x40, 0xA5, 0x85, 0x99, 0xA2, 0x89, 0x96, 0x95, 0x7E, 0x7F,
      0xF1, 0x4B, 0xF0, 0x7F, 0x40, 0x85, 0x95, 0x83, 0x96, 0x84, 0x89, 0x95, 0x87, 0x7E, 0x7F,
      0x85, 0x82, 0x83, 0x84, 0x89, 0x83, 0x60, 0x83, 0x97, 0x60, 0xA4, 0xA2, 0x7F, 0x6F, 0x6E,
      0x4C, 0x99, 0xA2, 0xA2, 0x6E, 0x4C, 0x83, 0x88, 0x81, 0x95, 0x95, 0x85, 0x93, 0x6E, 0x4C,
      0xA3, 0x89, 0xA3, 0x93, 0x85, 0x6E, 0xC1, 0x5A, 0x4C, 0x61, 0xA3, 0x89, 0xA3, 0x93, 0x85,
      0x6E, 0x4C, 0x61, 0x83, 0x88, 0x81, 0x95, 0x95, 0x85, 0x93, 0x6E, 0x4C, 0x61, 0x99, 0xA2,
      0xA2, 0x6E,
    ]
    #expect(try title(bytes) == "A!")
  }

  private func wide(_ text: String, bytes count: Int, littleEndian: Bool, mark: Bool) -> [UInt8] {
    var out: [UInt8] = []
    func put(_ value: UInt32) {
      let places = (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32($0 * 8)) }
      out += littleEndian ? places : places.reversed()
    }
    if mark { put(0xFEFF) }
    if count == 2 {
      text.utf16.forEach { put(UInt32($0)) }
    } else {
      text.unicodeScalars.forEach { put($0.value) }
    }
    return out
  }

  @Test(
    "UTF-16 and UTF-32 are detected with and without a byte order mark",
    arguments: [2, 4], [true, false])
  func wideEncodingsAreDetected(count: Int, littleEndian: Bool) throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?><rss><channel><title>ü★😀</title></channel></rss>"
    for mark in [true, false] {
      let bytes = wide(text, bytes: count, littleEndian: littleEndian, mark: mark)
      #expect(try title(bytes, "text/xml; charset=iso-8859-1") == "ü★😀")
    }
  }

  @Test("A byte order mark overrides every declaration") func byteOrderMarkWins() throws {
    let bytes = [0xEF, 0xBB, 0xBF] + document("windows-1251", title: Array("ü".utf8))
    #expect(try title(bytes, "text/xml; charset=koi8-r") == "ü")
    #expect(try title([0xEF, 0xBB, 0xBF] + bytes) == "ü")
  }

  @Test("Wrong declarations of the charset are corrected") func wrongCharsetIsCorrected() throws {
    // UTF-8 under the name of another charset of single bytes.
    for name in ["windows-1251", "windows-1250", "koi8-r", "koi8-u", "iso-8859-2", "maccyrillic"] {
      #expect(try title(document(name, title: Array("Ёлка, № 5".utf8))) == "Ёлка, № 5")
    }
    // UTF-8 under a Latin name; Latin under the name of UTF-8; wide names over narrow bytes.
    #expect(try title(document("iso-8859-1", title: Array("Köln".utf8))) == "Köln")
    #expect(
      try title(document(nil, title: Array("Köln".utf8)), "text/xml;charset=latin1") == "Köln")
    #expect(try title(document("utf-8", title: [0x4B, 0xF6, 0x6C, 0x6E])) == "Köln")
    #expect(try title(document("utf-16", title: Array("Köln".utf8))) == "Köln")
    #expect(try title(document("no-such-thing", title: Array("Köln".utf8))) == "Köln")
  }

  @Test("A bad byte in UTF-8 affects one character") func badByteInUTF8() throws {
    let bytes = Array("Größe über alles ".utf8) + [0x96] + Array(" äöü".utf8)
    #expect(try title(document("utf-8", title: bytes)) == "Größe über alles – äöü")
  }

  @Test(
    "The charset in the Content-Type header is used",
    arguments: [
      "text/xml; charset=koi8-r", "text/xml;charset='koi8-r'",
      "text/xml; CHARSET = \"KOI8-R\"; q=1",
    ])
  func headerCharset(contentType: String) throws {
    #expect(try title(document(nil, title: [0xF0, 0xD2]), contentType) == "Пр")
  }

  @Test("Numeric references in the Windows range mean Windows characters")
  func windowsReferences() throws {
    #expect(try parse(rss("", channel: "<title>a &#150; b &#x92;</title>")).title == "a – b ’")
  }

  @Test("A zero-width space is removed from a title, with and without markup")
  func zeroWidthSpace() throws {
    for title in ["a\u{200B}b", "a&#x200B;b", "&lt;i&gt;a\u{200B}b&lt;/i&gt;"] {
      #expect(try parse(rss("", channel: "<title>\(title)</title>")).title == "ab")
    }
  }

  @Test("Mathematical and spacing characters are kept") func mathematicalCharacters() throws {
    #expect(
      try parse(rss("", channel: "<title>a&nbsp;b &sum; x&emsp;y</title>")).title
        == "a b ∑ x\u{2003}y")
  }

  @Test("Bad bytes in another charset affect one character each and take linear time")
  func badBytesInOtherCharsets() throws {
    let bad = Array(repeating: [0x93, 0xFA, 0xFD] as [UInt8], count: 100_000).flatMap { $0 }
    let title = try title(document("shift_jis", title: bad))
    #expect(title.hasPrefix("日\u{FFFD}日\u{FFFD}"))
  }
}
