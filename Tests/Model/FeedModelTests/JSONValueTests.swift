@Suite("JSON values") struct JSONValueTests {
  private static func value(_ text: String) -> JSONValue? { JSONValue(Array(text.utf8)) }

  @Test(
    "A value is written in its canonical form",
    arguments: [
      ("null", "null"), (" [true , false] ", "[true,false]"), ("-12", "-12"), ("0", "0"),
      ("{\"b\":1,\"a\":[ ],\"c\":{ }}", "{\"a\":[],\"b\":1,\"c\":{}}"), ("-0", "-0"),
      ("1.50", "1.50"), ("1e5", "1e5"), ("-0.5E+3", "-0.5E+3"), ("0e-07", "0e-07"),
      ("123456789012345678901", "123456789012345678901"),
      ("\"\\u00e9\\n\\/\\\"\\\\\"", "\"é\\u000a/\\\"\\\\\""), ("\"\\ud83d\\ude00\"", "\"😀\""),
      ("{\"a\":1,\"a\":2}", "{\"a\":2}"), ("\"\u{7F}\"", "\"\u{7F}\""),
    ])
  func canonical(text: String, canonical: String) throws {
    let value = try #require(Self.value(text))
    #expect(String(decoding: value.bytes, as: UTF8.self) == canonical)
    #expect(JSONValue(value.bytes) == value)
  }

  @Test(
    "A fault anywhere yields no value",
    arguments: [
      "", " ", "nul", "01", "1.", ".5", "+1", "1e", "NaN", "[1,]", "[1 2]", "{\"a\"}", "{a:1}",
      "{\"a\":1,}", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"",
      "-", "--1", "-01", "-.5", "1.e5", "1e5.5", "0.1.2", "0x1", "0x1p3", "-inf", "-nan", "00",
      "\"\n\"", "[", "{", "[1]]", "1 1", "\"a\\\"", "{\"a\":}", "'a'", "\"\\n\u{1}\"",
    ])
  func faults(text: String) { #expect(Self.value(text) == nil) }

  @Test("Bytes that are not UTF-8 yield no value") func encoding() {
    for bytes: [UInt8] in [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80]] {
      #expect(JSONValue([0x22] + bytes + [0x22]) == nil)
      #expect(JSONValue([0x22, 0x5C, 0x6E] + bytes + [0x22]) == nil)
    }
  }

  @Test("Nesting is bounded") func depth() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(Self.value(nested(16)) != nil)
    #expect(Self.value(nested(17)) == nil)
    #expect(Self.value(String(repeating: "[", count: 60_000)) == nil)
  }

  @Test("Members are in the order of their bytes") func order() throws {
    let value = try #require(Self.value("{\"é\":1,\"z\":2,\"A\":3,\"😀\":4}"))
    #expect(String(decoding: value.bytes, as: UTF8.self) == "{\"A\":3,\"z\":2,\"é\":1,\"😀\":4}")
  }
}
