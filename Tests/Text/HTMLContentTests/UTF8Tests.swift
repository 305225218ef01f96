import TextRules

@Suite("UTF-8") struct UTF8Tests {
  /// Parts of texts, valid and invalid.
  static let parts: [[UInt8]] = [
    Array("plain text of some length, ".utf8), Array("a".utf8), Array("é".utf8), Array("я".utf8),
    Array("文".utf8), Array("😀".utf8), [0xEF, 0xBF, 0xBF], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80],
    [0xF4, 0x8F, 0xBF, 0xBF], [0xE0, 0xA0, 0x80], [0xF0, 0x90, 0x80, 0x80], [0xC2, 0x80],
  ]
  static let faults: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xE0, 0x9F, 0xBF], [0xE2, 0x82],
    [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0x80], [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xC3, 0xA9, 0xA9],
  ]

  @Test("UTF-8 is valid exactly if the standard library accepts it") func validation() {
    var random = SeededRandom(seed: 1)
    for round in 0..<6_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<40, using: &random) {
        bytes += Self.parts.randomElement(using: &random) ?? []
      }
      if round.isMultiple(of: 2), let fault = Self.faults.randomElement(using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        bytes.insert(contentsOf: fault, at: place)
      }
      let isValid = String(validating: bytes, as: UTF8.self) != nil
      #expect(TextDecoding.isUTF8(bytes) == isValid, "\(bytes)")
      #expect(bytes.string == String(decoding: bytes, as: UTF8.self), "\(bytes)")
    }
  }

  @Test("A character is treated the same at every position of a text") func everyPlace() {
    for value in Array(0x01...0x500) + [0x200B, 0x2028, 0x202E, 0x2019, 0xFEFF, 0xE0041, 0x1F600] {
      guard let scalar = Unicode.Scalar(value), scalar != "<", scalar != "&" else { continue }
      // Compares scalars, because some form one character with the letter before them.
      let alone = String(
        String.UnicodeScalarView(
          HTMLContent.sanitise("a\(scalar)b").unicodeScalars.dropFirst().dropLast()))
      for count in [1, 6, 7, 15, 16, 17, 31] {
        let before = String(repeating: "a", count: count)
        let after = String(repeating: "b", count: 9)
        #expect(
          HTMLContent.sanitise("<p>\(before)\(scalar)\(after)</p>")
            == "<p>\(before)\(alone)\(after)</p>", "U+\(String(value, radix: 16))")
      }
    }
  }
}
